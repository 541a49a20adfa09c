// Runs a text with mock services: compiles it, evaluates the module, and tells what happened and which lines the run took. Real services can't be
// called: the page may reach no other host, and every call is answered here. Waiting takes no time; the page stops a run that computes too long.
import { readTimeSpan } from '../../../runtime/run/time-span.js';
import { mocksFromJson } from '../../../runtime/services/given-mocks.js';
import type { LogEntry, MockMessage, Mocks, Outcome, Value, WorkflowModule } from '../../../runtime/types.js';
import { isRecord } from '../../../runtime/values/record.js';
import * as runtime from '../../compiler/5-bundle/runtime.js';
import { compile } from '../../compiler/compile.js';
import { type Html, html } from '../../console/html/html.js';
import { valueTree } from '../../console/html/value-tree.js';
import { isUnfit, requestFrom, unfitRequest } from '../../console/pages/workflows/request-forms.js';
import { logLine, verboseLine } from '../../engine/records/terminal-lines.js';
import type { Entries, OpenFile, Ran } from '../protocol.js';
import { drawing, filesFor } from './language.js';

/** Evaluates the text of a module: a function expression of `exports` and `require`. */
export type Evaluate = (code: string) => (exports: object, require: () => object) => void;

type Around = { readonly ok: true; readonly mock: Mocks; readonly env: Record<string, string>; readonly at: Date | undefined };

const MOST_ENTRIES = 300;

export async function runHere(
  { name, text, entries, around }: OpenFile & { readonly entries: Entries; readonly around: string },
  evaluate: Evaluate,
): Promise<Ran> {
  const compiled = compile(text, { file: name, format: 'commonjs', coverage: true, files: filesFor(name) });
  if (compiled.hasErrors) return notStarted(html`<p class="said error" role="alert">Correct the mistakes first.</p>`);
  const module = {} as WorkflowModule; // filled by its code
  evaluate(compiled.emitted.code)(module, () => runtime);
  const request = requestFrom(
    new URLSearchParams(entries.map(([field, value]): [string, string] => [field, value])),
    module.workflow,
  );
  if (isUnfit(request)) return notStarted(unfitRequest(request));
  const given = readAround(around);
  if (!given.ok) return notStarted(html`<p class="said error" role="alert">${given.message}</p>`);
  const lines = new Set<number>();
  const outcome = await module.run(request, {
    mock: given.mock,
    env: given.env,
    startedAt: given.at,
    onReach(index) {
      const place = compiled.emitted.reachable[index];
      if (place !== undefined && place.kind !== 'row') lines.add(place.line);
    },
  });
  if (outcome.error?.line !== undefined) lines.add(outcome.error.line);
  return {
    status: outcome.status,
    result: resultHtml(outcome).toString(),
    lines: [...lines].sort((one, other) => one - other),
    drawing: drawing({ name, text }, { lit: lines }),
  };
}

const notStarted = (why: Html): Ran => ({ status: 'not started', result: why.toString(), lines: [] });

/** The JSON of a case without its input: `mocks`, `messages`, `env`, `at`. */
function readAround(text: string): Around | { readonly ok: false; readonly message: string } {
  const wrong = (message: string): { ok: false; message: string } => ({ ok: false, message });
  let value: Value;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    return wrong(`The answers of services are not JSON: ${error instanceof Error ? error.message : 'they cannot be read'}`);
  }
  if (!isRecord(value)) return wrong('The answers of services must be an object, such as { "mocks": {} }.');
  const unknown = Object.keys(value).find((key) => !['mocks', 'messages', 'env', 'at', 'now'].includes(key));
  if (unknown !== undefined)
    return wrong(`There is no "${unknown}" here. Use "mocks", "messages", "env" or "at", as in a test case.`);
  const mocks = mocksFromJson(value.mocks ?? {});
  if (!mocks.ok) return mocks;
  const start = value.at ?? value.now;
  const at = typeof start === 'string' ? new Date(start) : undefined;
  if (at !== undefined && Number.isNaN(at.getTime()))
    return wrong('"at" must be a date and time, such as "2026-03-02T09:00:00Z".');
  const env = isRecord(value.env) ? Object.entries(value.env).map(([key, one]) => [key, String(one)]) : [];
  return { ok: true, mock: { ...mocks.mocks, messages: readMessages(value.messages) }, env: Object.fromEntries(env), at };
}

function readMessages(value: Value): NonNullable<Mocks['messages']> {
  const one = (given: Value): MockMessage | undefined => {
    if (!isRecord(given)) return undefined;
    if (!isRecord(given.message) || typeof given.after !== 'string') return { message: given };
    const after = readTimeSpan(given.after);
    return { message: given.message, ...(after === undefined ? {} : { after }) };
  };
  const messages: Record<string, NonNullable<Mocks['messages']>[string]> = Object.create(null);
  for (const [name, given] of isRecord(value) ? Object.entries(value) : [])
    messages[name] = given === 'none' ? 'none' : (Array.isArray(given) ? given : [given]).flatMap((item) => one(item) ?? []);
  return messages;
}

function resultHtml({ status, message, outputs, error, log, dropped }: Outcome): Html {
  const words = { completed: 'Completed', rejected: 'Rejected', error: 'Failed' }[status];
  const said = error?.message ?? message;
  const more = log.length - MOST_ENTRIES + (dropped ?? 0);
  return html`<p class="lead" role="status"><b class="${status}">${words}</b> <span class="hint">with mock services</span></p>
${said !== undefined && html`<p class="said ${status}"><bdi>${said}</bdi>${error?.line !== undefined && html` ${lineButton(error.line)}`}</p>`}
${outputs !== undefined && Object.keys(outputs).length > 0 && html`<h2>Outputs</h2>${valueTree(outputs)}`}
${log.length > 0 && html`<h2>What happened</h2><ol class="log">${log.slice(0, MOST_ENTRIES).map(entryHtml)}</ol>`}
${more > 0 && html`<p class="hint">… and ${more} more</p>`}`;
}

function entryHtml(entry: LogEntry): Html | undefined {
  if (entry.type === 'step' && entry.event === 'end') return undefined;
  const { line, ...rest } = entry;
  // The duration of mock services is meaningless.
  const text = entry.type === 'log' ? logLine(entry) : (verboseLine(rest, { colour: false }) ?? '').replace(/, \d+ ms/, '');
  return html`<li class="${entry.type}">${line !== undefined && lineButton(line)} <bdi>${text}</bdi></li>`;
}

const lineButton = (line: number): Html =>
  html`<button type="button" class="quiet line" data-line="${line}">line ${line}</button>`;
