// Turns the rows of a journal into what happened, for people: log entries as a run in memory would have produced them, and effects with
// everything shown next to their lines.

import { nobodyAnswered } from '../../runtime/call-errors.js';
import type { EffectShown } from '../../runtime/durable-run.js';
import { isRecord } from '../../runtime/is-record.js';
import type { LogEntry, Value } from '../../runtime/types.js';
import type { JournalEntry } from './durable-engine.js';
import type { StoredSite } from './embedded/own-slot.js';
import { type EntryRow, entryKinds } from './store/slot-writes.js';

/** Maximum entries of a log. */
const MOST_ENTRIES = 10_000;

type Sites = ReadonlyMap<number, StoredSite>;

/** The possible content of a row's body, depending on its kind. */
interface Body {
  /** Result of an attempt. */
  readonly r?: {
    readonly ok: boolean;
    readonly value?: Value;
    readonly status?: number;
    readonly cause?: string;
    readonly body?: string;
    readonly sent?: boolean;
  };
  readonly shown?: EffectShown;
  readonly rounds?: JournalEntry['rounds'];
  /** An expected message, a question. */
  readonly name?: string;
  readonly pairs?: readonly (readonly [string, Value])[];
  readonly service?: string;
  readonly question?: string;
  readonly choices?: readonly string[];
  readonly timeoutMs?: number;
  /** A message, an answer. */
  readonly m?: Value;
  readonly a?: { readonly answer: string; readonly comment: Value; readonly by: Value };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

const bodyOf = ({ body }: EntryRow): Body => (body === null ? {} : (JSON.parse(body) as Body)); // written by the journal

/** The attempt that a row of a call belongs to; 0 for one that was not sent. */
const attemptOf = ({ part }: EntryRow): number => Math.floor((part ?? 0) / 2);

function callEntry(row: EntryRow, site: StoredSite | undefined): LogEntry {
  const { r, shown } = bodyOf(row);
  const entry: LogEntry = { time: isoOf(row.at + (row.ms ?? 0)), type: 'call' };
  if (site !== undefined) entry.line = site.line;
  const details: Record<string, Value> = {
    ...{ service: site?.service, kind: site?.serviceKind, phrase: site?.phrase, method: site?.method, url: shown?.url },
    ...{ status: r?.status, durationMs: row.ms ?? 0, attempt: attemptOf(row), ok: r?.ok ?? false },
    ...(r?.ok === false ? { error: r.cause, ...(r.body === undefined || r.body === '' ? {} : { body: r.body }) } : {}),
  };
  for (const [key, value] of Object.entries(details)) if (value !== undefined) entry[key] = value;
  return entry;
}

/** The end of a wait for a message or a person. @param begin the row that says what was expected */
function arrivalEntry(row: EntryRow, begin: EntryRow | undefined, site: StoredSite | undefined): LogEntry {
  const { m, a } = bodyOf(row);
  const wanted = begin === undefined ? {} : bodyOf(begin);
  const entry: LogEntry = { time: isoOf(row.at), type: row.kind === entryKinds.message ? 'message' : 'call' };
  if (site !== undefined) entry.line = site.line;
  if (row.kind === entryKinds.message) return Object.assign(entry, { name: wanted.name ?? '', received: m !== undefined });
  const { service = '', timeoutMs } = wanted;
  Object.assign(entry, { service, kind: 'person', phrase: 'ask', attempt: 1, ok: a !== undefined });
  return a === undefined ? Object.assign(entry, { error: nobodyAnswered(service, timeoutMs) }) : entry;
}

/** What a row adds to the log: nothing, one entry, or several. @param beginOf the first row of the same effect */
function logEntriesOf(row: EntryRow, sites: Sites, beginOf: (row: EntryRow) => EntryRow | undefined): LogEntry[] {
  const site = row.site === null ? undefined : sites.get(row.site);
  const line = site === undefined ? {} : { line: site.line };
  const time = isoOf(row.at);
  switch (row.kind) {
    case entryKinds.call:
      return [callEntry(row, site)];
    case entryKinds.retry:
      return [{ time, type: 'retry', ...line, service: site?.service, attempt: attemptOf(row) + 1, waitMs: row.ms ?? 0 }];
    case entryKinds.wait:
      return row.part === 0 ? [{ time, type: 'wait', ...line, durationMs: row.ms ?? 0 }] : [];
    case entryKinds.message:
    case entryKinds.person:
      return row.part === 1 ? [arrivalEntry(row, beginOf(row), site)] : [];
    case entryKinds.log:
      return JSON.parse(row.body ?? '[]') as LogEntry[]; // written by the journal
    case entryKinds.resumed:
      return [{ time, type: 'resumed', message: 'The run was resumed after its process had ended.' }];
    default:
      return [];
  }
}

/** The step that each entry belongs to. Rows of effects don't contain it. */
class OpenSteps {
  readonly #open = new Map<string, string[]>();

  note({ branch }: EntryRow, entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.type === 'step' && entry.event === 'start') this.#of(branch).push(String(entry.step));
      else if (entry.type === 'step') this.#of(branch).pop();
      else if (entry.step === undefined) this.#add(entry, branch);
    }
  }

  #of(branch: string): string[] {
    const open = this.#open.get(branch) ?? [];
    this.#open.set(branch, open);
    return open;
  }

  #add(entry: LogEntry, branch: string): void {
    const step = this.#innermost(branch);
    if (step !== undefined) entry.step = step;
  }

  /** A branch is inside the steps around its block. */
  #innermost(branch: string): string | undefined {
    const found = this.#open.get(branch)?.at(-1);
    if (found !== undefined || branch === '') return found;
    const end = branch.lastIndexOf('/');
    return this.#innermost(end < 0 ? '' : branch.slice(0, end));
  }
}

/** The log of a run as if it had never been interrupted, except for `resumed`. */
export function toLog(rows: readonly EntryRow[], sites: Sites): LogEntry[] {
  const entries: LogEntry[] = [];
  const begins = new Map<string, EntryRow>();
  const steps = new OpenSteps();
  const placeOf = ({ branch, seq }: EntryRow): string => `${branch}#${seq}`;
  for (const row of rows) {
    if (entries.length >= MOST_ENTRIES) break;
    if (row.part === 0) begins.set(placeOf(row), row);
    const more = logEntriesOf(row, sites, (end) => begins.get(placeOf(end)));
    if (row.kind === entryKinds.resumed) noteDoubt(more, row, rows, sites);
    else steps.note(row, more);
    entries.push(...more);
  }
  // Entries of branches are written in batches, so their times determine the order.
  return rows.some(({ branch }) => branch !== '') ? entries.sort(byTime) : entries;
}

const byTime = ({ time: one }: LogEntry, { time: other }: LogEntry): number => (one < other ? -1 : one > other ? 1 : 0);

/** The entry about an interruption names a call that may have been sent before it. */
function noteDoubt(entries: LogEntry[], resumed: EntryRow, rows: readonly EntryRow[], sites: Sites): void {
  const next = rows.find((row) => row.pos > resumed.pos && row.seq !== null);
  const [entry] = entries;
  // Each branch may have had a call in progress.
  if (next !== undefined && next.branch !== '' && entry !== undefined) {
    entry.message =
      'The run was resumed after its process had ended. Calls that were in progress may have been sent before; they were sent again with the same Idempotency-Key, as the same attempts.';
    return;
  }
  if (next?.kind !== entryKinds.call || next.site === null) return;
  const site = sites.get(next.site);
  if (entry === undefined || site === undefined) return;
  entry.line = site.line;
  entry.message = `The run was resumed after its process had ended. ${site.title} may have been sent before; it was sent again with the same Idempotency-Key, as the same attempt.`;
}

/** One row, as shown next to its line. The values are redacted copies. */
export function toJournalEntry(row: EntryRow, sites: Sites): JournalEntry[] {
  const site = row.site === null ? undefined : sites.get(row.site);
  const body = row.kind === entryKinds.log ? {} : bodyOf(row);
  const base = {
    position: row.pos,
    branch: row.branch,
    startedAt: isoOf(row.at),
    ...(site === undefined ? {} : { line: site.line, site: site.site }),
    ...(site?.service === undefined ? {} : { service: site.service }),
    ...(site?.phrase === undefined ? {} : { phrase: site.phrase }),
    ...(body.rounds === undefined ? {} : { rounds: body.rounds }),
  };
  const due = row.ms === null ? {} : { due: isoOf(row.at + row.ms) };
  const pairs = body.pairs === undefined ? {} : Object.fromEntries(body.pairs);
  switch (row.kind) {
    case entryKinds.call:
      return [{ ...base, kind: 'call', ...callDetails(row, body, site) }];
    case entryKinds.retry:
      return [{ ...base, kind: 'retry', attempt: attemptOf(row) + 1, ...due }];
    case entryKinds.wait:
      return [{ ...base, kind: 'wait', ...(row.part === 0 ? due : { finishedAt: base.startedAt }) }];
    case entryKinds.message:
      return row.part === 0
        ? [{ ...base, kind: 'message', ...due, sent: { name: body.name, ...pairs } }]
        : [{ ...base, kind: 'message', finishedAt: base.startedAt, answer: body.m ?? null }];
    case entryKinds.person:
      return row.part === 0
        ? [{ ...base, kind: 'person', ...due, sent: { question: body.question, ...pairs } }]
        : [{ ...base, kind: 'person', finishedAt: base.startedAt, answer: body.a ?? null }];
    case entryKinds.fork:
      return [{ ...base, kind: 'fork', finishedAt: base.startedAt }];
    case entryKinds.resumed:
      return [
        { ...base, kind: 'resumed', finishedAt: base.startedAt, message: 'The run was resumed after its process had ended.' },
      ];
    case entryKinds.log:
      return (JSON.parse(row.body ?? '[]') as LogEntry[]).map((entry) => ({ ...base, ...loggedDetails(entry) })); // written by the journal
    default:
      return [];
  }
}

function callDetails(row: EntryRow, { r, shown }: Body, site: StoredSite | undefined): Partial<JournalEntry> {
  const answer = shown?.value ?? r?.value;
  return {
    finishedAt: isoOf(row.at + (row.ms ?? 0)),
    attempt: attemptOf(row),
    ok: r?.ok ?? false,
    ...(r?.status === undefined ? {} : { status: r.status }),
    ...(site?.method === undefined ? {} : { method: site.method }),
    ...(shown?.url === undefined ? {} : { url: shown.url }),
    ...(r?.cause === undefined ? {} : { error: r.cause }),
    ...(isRecord(shown?.pairs) ? { sent: shown.pairs } : {}),
    ...(answer === undefined ? {} : { answer }),
  };
}

function loggedDetails({
  time,
  type,
  line,
  message,
  step,
  event,
}: LogEntry): Pick<JournalEntry, 'kind' | 'startedAt'> & Partial<JournalEntry> {
  const kind = type === 'step' || type === 'warning' ? type : 'log';
  const text = message ?? (type === 'step' ? `${String(step)}: ${String(event)}` : '');
  return { kind, startedAt: time, finishedAt: time, message: text, ...(line === undefined ? {} : { line }) };
}
