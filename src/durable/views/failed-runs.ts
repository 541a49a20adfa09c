// Says why runs failed: in a few words, without the values of a run, so that runs that failed alike have the same reason and form one group; and
// with the answer of the service whose call ended a run, which is often the only place that says why.
import { AFTER_CALL_TITLE } from '../../../runtime/services/durable-call.js';
import type { RunError, Value, WfRecord } from '../../../runtime/types.js';
import type { DurableEngine } from '../durable-engine.js';
import { hasEnded, storedStates } from '../model/run-rows.js';
import type { DurableStatus, JournalEntry, ReasonGroup, RunDetail, RunSummary } from '../model/run-views.js';
import type { RunReader } from '../store/port.js';
import type { Effect } from './run-history.js';

/** Maximum characters of a reason. */
const LONGEST = 120;

/** The states of runs that have a reason. */
export const statusesWithReason: readonly DurableStatus[] = ['error', 'stuck', 'rejected'];

/** The states of runs that need someone, which are grouped unless another one is asked for. */
export const failedStatuses: readonly DurableStatus[] = ['error', 'stuck'];

/** Codes of errors whose cause is the words of another workflow, a plugin or a server: it may contain any value. */
const quoting: ReadonlySet<string> = new Set(['WF643', 'WF644', 'WF661', 'WF663', 'WF664', 'WF666']);

interface FailedRun {
  readonly status: DurableStatus;
  readonly message?: string | undefined;
  readonly error?: RunError | undefined;
  readonly request: WfRecord;
  readonly erased?: RunSummary['erased'];
}

/** `Payments: 503`; `undefined` for a run that did not fail. */
export function reasonOf({ status, message, error, request, erased }: FailedRun): string | undefined {
  if (!statusesWithReason.includes(status)) return undefined;
  const whole = error?.publicMessage ?? error?.message ?? message ?? '';
  const text = causeOf(whole.trim());
  const isOpen = status === 'rejected' || (error !== undefined && quoting.has(error.code));
  const words = (isOpen ? withoutValues(text, request) : withoutIds(text)).replace(/\s+/g, ' ').replace(/\.$/, '');
  if (words === '') return erased === undefined ? status : 'the reason was erased';
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

/** The service and the cause of the innermost failed call; another message as it is. */
function causeOf(message: string): string {
  const end = [...message.matchAll(AFTER_CALL_TITLE)].at(-1);
  if (end === undefined) return message;
  // `Child: run failed after 1 attempt: line 3: Payments: POST /refunds`
  const service = message.slice(0, end.index).split(': ').at(-2);
  const cause = message.slice(end.index + end[0].length);
  const status = /^status (\d{3})(?=[ .]|$)(?!, a redirect)/.exec(cause)?.[1];
  return `${service ?? ''}: ${status ?? cause}`;
}

const withoutIds = (text: string): string => text.replace(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '…');

/** Without what the request contains, and without quoted texts, addresses of people, numbers and whatever else has a digit. */
function withoutValues(text: string, request: WfRecord): string {
  const status = /: \d{3}$/.exec(text)?.[0] ?? '';
  let words = ` ${text.slice(0, text.length - status.length)} `;
  for (const value of textsIn(request).filter((one) => words.includes(one)))
    words = words.replaceAll(new RegExp(`(?<![\\p{L}\\d])${escaped(value)}(?![\\p{L}\\d])`, 'gu'), '…');
  const rest = words
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\S+/g, (word) => (/\d|@/.test(word) ? `…${/[,;:.]$/.exec(word)?.[0] ?? ''}` : word));
  return `${rest.trim()}${status}`;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Maximum values of a request that are looked for. */
const MOST_VALUES = 200;

/** The texts in a request, longest first, so that no part of one remains. */
function textsIn(request: WfRecord): string[] {
  const found = new Set<string>();
  const open: Value[] = [request];
  for (let value = open.pop(); value !== undefined && found.size < MOST_VALUES; value = open.pop()) {
    if (typeof value === 'string' && value.trim().length > 1) found.add(value.trim());
    else if (typeof value === 'object' && value !== null) open.push(...Object.values(value as object).slice(0, MOST_VALUES));
  }
  return [...found].sort((one, other) => other.length - one.length);
}

/** Groups of runs that failed alike, the largest first. */
export class ReasonGroups {
  readonly #groups = new Map<string, { -readonly [Key in keyof ReasonGroup]: ReasonGroup[Key] }>();

  /** Newest first. */
  add({ run, reason, workflow, createdAt }: RunSummary): void {
    if (reason === undefined) return;
    const group = this.#groups.get(reason);
    if (group === undefined) {
      this.#groups.set(reason, { reason, runs: 1, workflows: [workflow], first: createdAt, last: createdAt, latest: run });
      return;
    }
    group.runs++;
    group.first = createdAt;
    if (!group.workflows.includes(workflow)) group.workflows = [...group.workflows, workflow].sort();
  }

  all(): readonly ReasonGroup[] {
    return [...this.#groups.values()].sort((one, other) => other.runs - one.runs || (one.last < other.last ? 1 : -1));
  }
}

/** Runs asked for at once. */
const SLICE = 500;

/** Ids: 32 hexadecimal digits each. */
interface RerunsOfRun {
  /** The latest one of this run itself. */
  latest: string;
  /** The first one that has completed. */
  good?: string;
}

/** @param ids of runs that ended without completing. Those that were not rerun are not in the result */
export async function rerunsOfRuns(
  reader: Pick<RunReader, 'rerunsOfAll'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RerunsOfRun>> {
  const found = new Map<string, RerunsOfRun>();
  for (let from = 0; from < ids.length; from += SLICE) await addReruns(reader, ids.slice(from, from + SLICE), found);
  return found;
}

async function addReruns(
  reader: Pick<RunReader, 'rerunsOfAll'>,
  ids: readonly string[],
  found: Map<string, RerunsOfRun>,
): Promise<void> {
  /** Each rerun that may have reruns of its own, with the run of `ids` that it goes back to. */
  let origins = new Map(ids.map((id) => [id, id]));
  while (origins.size > 0) {
    const next = new Map<string, string>();
    for (const { id, of, state } of await reader.rerunsOfAll([...origins.keys()])) {
      const origin = origins.get(of);
      if (origin === undefined) continue;
      const known: RerunsOfRun = found.get(origin) ?? { latest: id };
      found.set(origin, known);
      if (of === origin) known.latest = id;
      if (known.good !== undefined) continue;
      if (state === storedStates.completed) known.good = id;
      else if (hasEnded(state)) next.set(id, origin);
    }
    origins = next;
  }
}

export interface FailedCall {
  /** In the journal. */
  readonly position: number;
  /** `undefined` if it had no body. */
  readonly answer: unknown;
  readonly headers?: JournalEntry['headers'];
  /** The sentence of the answer that says what went wrong. */
  readonly said?: string | undefined;
}

/** @param effects of the run. `undefined` if it ended otherwise, or its service did not answer */
export async function failedCall(
  { run, error, status }: Pick<RunDetail, 'run' | 'error' | 'status'>,
  effects: readonly Effect[],
  store: Pick<DurableEngine, 'journal'>,
): Promise<FailedCall | undefined> {
  if (error?.line === undefined || status === 'completed') return undefined;
  const failed = effects.findLast((effect) => effect.kind === 'call' && effect.line === error.line && effect.ok === false);
  if (failed === undefined) return undefined;
  const { entries = [] } = (await store.journal(run, { from: failed.counted, limit: 1 })) ?? {};
  const [entry] = entries;
  if (entry === undefined || (entry.answer === undefined && entry.headers === undefined)) return undefined;
  const { position, answer, headers } = entry;
  return { position, answer, ...(headers === undefined ? {} : { headers }), said: messageIn(answer) };
}

/** A title is looked for in so much of a page. */
const MOST_OF_A_PAGE = 2_000;

/** Where services usually put it. */
function messageIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return sentenceIn(answer.trim());
  if (typeof answer !== 'object' || answer === null) return undefined;
  for (const name of ['message', 'detail', 'error_description', 'error', 'title', 'reason']) {
    const found: string | undefined = Object.hasOwn(answer, name)
      ? messageIn((answer as Record<string, unknown>)[name])
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of a page, its title; nothing of a stack trace but what stands above it. */
function sentenceIn(text: string): string | undefined {
  const title = /<(?:title|h1)>([^<]+)</i.exec(text.slice(0, MOST_OF_A_PAGE))?.[1];
  const [words = ''] = text.startsWith('<') ? [title] : text.split(/\r?\n[ \t]+at /, 1);
  return words.trim() === '' ? undefined : words.trim();
}
