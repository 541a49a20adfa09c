// `POST /console/workflows/<name>/try`: one run with mock services, shown over the text of the workflow. Sends nothing to other machines
// and stores nothing.
import type { LogEntry, Mocks, RunOptions, WfRecord } from '../../../../runtime/types.js';
import type { JournalEntry } from '../../../durable/model/run-views.js';
import { CoveredWorkflows, filesFromMemory } from '../../../durable/views/covered-workflow.js';
import { isOutside, RunHistory } from '../../../durable/views/run-history.js';
import type { Prepared } from '../../../engine/prepare/prepared.js';
import { codeLines, firstRanges, lineFacts } from '../../code/code-lines.js';
import { type Html, html } from '../../html/html.js';
import { shape, stateMark } from '../../html/state-mark.js';
import { valueTree } from '../../html/value-tree.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext } from '../console-page.js';
import { describe } from '../run/effect-summary.js';
import { isUnfit, mocksFrom, requestFrom, tryForm, unfitRequest } from './request-forms.js';

export async function tryPage(
  request: ConsoleRequest,
  { workflows, tryOut, textOf }: PageContext,
): Promise<ConsolePage | undefined> {
  const name = request.segments[2] ?? '';
  const served = workflows().find((workflow) => workflow.name === name);
  if (served === undefined) return undefined;
  const { workflow, source } = served.prepared;
  const address = `/console/workflows/${encodeURIComponent(name)}`;
  const given = requestFrom(request.form, workflow);
  const view = textOf(source ?? '');
  const mocks = mocksFrom(request.form);
  const problem = isUnfit(given) ? given : typeof mocks === 'string' ? mocks : undefined;
  const result =
    isUnfit(given) || typeof mocks === 'string'
      ? unfitRequest(problem ?? '')
      : trial(given, await traced(served.prepared, given, mocks, tryOut), view, address);
  return {
    status: problem === undefined ? 200 : 400,
    title: `Try ${workflow.name}`,
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a> / <a href="${address}">${workflow.name}</a></p><h1>Try ${workflow.name}</h1>
${result}${tryForm(workflow, `${address}/try`, request)}`,
  };
}

type Tried = Pick<Awaited<ReturnType<PageContext['tryOut']>>, 'outcome' | 'redactor'> & {
  readonly reached: ReadonlyMap<number, number>;
};

const covered = new CoveredWorkflows();

/** Runs it and records the lines it reached. */
async function traced(prepared: Prepared, request: WfRecord, mocks: true | Mocks, tryOut: PageContext['tryOut']): Promise<Tried> {
  const { source = '', workflow, called = [] } = prepared;
  const key = JSON.stringify([source, ...called.map((one) => [one.name, Buffer.from(one.source).toString('latin1')])]);
  const text = { text: source, files: filesFromMemory(workflow.file, called) };
  const reporting = source === '' ? undefined : await covered.of(key, async () => text);
  const reached = new Map<number, number>();
  const onReach = (index: number): void => {
    const place = reporting?.places[index];
    if (place?.kind === 'statement' || place?.kind === 'log') reached.set(place.line, (reached.get(place.line) ?? 0) + 1);
  };
  const run =
    reporting === undefined
      ? prepared.run
      : (given: WfRecord, options: RunOptions = {}) => reporting.run(given, { ...options, onReach });
  // Named, because a spread would leave out the redactor, which the result creates on demand.
  const { outcome, redactor } = await tryOut({ ...prepared, run, source }, request, mocks);
  return { outcome, redactor, reached };
}

function trial(
  request: WfRecord,
  { outcome, redactor, reached }: Tried,
  view: ReturnType<PageContext['textOf']>,
  address: string,
): Html {
  const hide = (value: WfRecord): WfRecord => redactor.value(value) as WfRecord; // a record stays a record
  const history = new RunHistory();
  history.feed(outcome.log.map(entryOf));
  const byLine = history.byLine();
  const lines = codeLines({
    lines: view.lines,
    ranges: firstRanges(view.lines.length, outcome.error?.line),
    lineOf: (line) => {
      const effects = byLine.get(line)?.effects ?? [];
      const below = effects
        .filter(({ kind }) => kind !== 'step' && kind !== 'wait')
        .slice(0, 5)
        .map((effect) =>
          isOutside(effect)
            ? html`<p class="said">${shape(effect.ok === false ? 'error' : 'completed')} ${describe(effect)}${effect.error !== undefined && html` <bdi class="cause">${effect.error}</bdi>`}</p>`
            : html`<p class="said ${effect.kind}"><bdi>${(effect.message ?? '').slice(0, 2_000)}</bdi></p>`,
        );
      const isWrong = outcome.error?.line === line;
      return {
        // The duration of mock services is meaningless.
        facts: lineFacts(view.outline, line, (at) => reached.get(at) ?? 0),
        ...(isWrong ? { mark: 'error' as const } : {}),
        ...(below.length === 0 ? {} : { below }),
      };
    },
    moreFrom: (line) => `${address}?from=${line}#L${line}`,
  });
  return html`<p class="lead" role="status">${stateMark(outcome.status)} <span class="hint">with mock services</span></p>
${outcome.message !== undefined && html`<p class="said ${outcome.status}"><bdi>${redactor.text(outcome.message)}</bdi></p>`}
<div class="values"><details class="card" open><summary><h2>Request</h2></summary>${valueTree(hide(request))}</details>
${outcome.outputs !== undefined && html`<details class="card" open><summary><h2>Outcome</h2></summary>${valueTree(hide(outcome.outputs))}</details>`}</div>
<ol class="code run" id="code">${lines}</ol>`;
}

/** An entry of the log in the format of a stored run's journal. */
function entryOf(entry: LogEntry, position: number): JournalEntry {
  const { type, time, line, message, attempt, ok, status, service, phrase, method, url, error } = entry;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const details = {
    attempt: number(attempt),
    ok: typeof ok === 'boolean' ? ok : undefined,
    status: number(status),
    line,
    message,
    service: text(service),
    phrase: text(phrase),
    method: text(method),
    url: text(url),
    error: text(error),
  };
  const known = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return { position, kind: type === 'set' ? 'log' : type, branch: '', startedAt: time, finishedAt: time, ...known };
}
