// Turns the rows of a journal into what happened, for people: effects with everything shown next to their lines, and the log, with the
// entries that a run in memory would have produced.
import { nobodyAnswered } from '../../../runtime/services/call-errors.js';
import type { CallLogFields, LogEntry, Redactor, Value } from '../../../runtime/types.js';
import { isRecord } from '../../../runtime/values/record.js';
import { addressOfEffect } from '../model/addresses.js';
import { CallSites, type JournalPart, type ShownSite, type Sites } from '../model/call-places.js';
import {
  attemptOf,
  bodyOf,
  type CallFields,
  type EntryBody,
  type EntryRow,
  entryKinds,
  fieldsOfCall,
  isBegin,
  isEnd,
  isoOf,
  kindOfNewerVersion,
  OpenSteps,
  sentAttemptOf,
  withoutTaskKeys,
} from '../model/entries.js';
import { toRunId } from '../model/run-ids.js';
import { type RunRow, storedStates } from '../model/run-rows.js';
import type { JournalEntry } from '../model/run-views.js';
import { readOutcome } from '../model/stored-run.js';
import type { StoredSite } from '../model/versions.js';

/** One row, as shown next to its line. The values are redacted copies. */
export function toJournalEntry(row: EntryRow, places: CallSites): JournalEntry[] {
  const site = places.siteOf(row);
  const body = row.kind === entryKinds.log ? {} : bodyOf(row);
  const base = {
    position: row.pos,
    branch: row.branch,
    startedAt: isoOf(row.at),
    ...(site === undefined ? {} : { ...places.placeOf(row), site: site.site }),
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
      return [{ ...base, kind: 'wait', ...(isBegin(row) ? due : { finishedAt: base.startedAt }) }];
    case entryKinds.message:
      return isBegin(row)
        ? [
            {
              ...base,
              kind: 'message',
              ...(body.name === undefined ? {} : { phrase: body.name }),
              ...due,
              sent: { name: body.name, ...pairs },
            },
          ]
        : [{ ...base, kind: 'message', finishedAt: base.startedAt, answer: body.m ?? null }];
    case entryKinds.person:
      return isBegin(row)
        ? [{ ...base, kind: 'person', ...due, sent: { question: body.question, ...pairs } }]
        : [{ ...base, kind: 'person', finishedAt: base.startedAt, answer: body.a ?? null }];
    case entryKinds.fork:
      return [blockEntry(row, body, base, places)];
    case entryKinds.resumed:
      return [
        { ...base, kind: 'resumed', finishedAt: base.startedAt, message: 'The run was resumed after its process had ended.' },
      ];
    case entryKinds.log:
      return loggedIn(row, places).map((entry) => ({ ...base, ...loggedDetails(entry) }));
    // The attempt and the question that these belong to say it.
    case entryKinds.intent:
    case entryKinds.notified:
      return [];
    default:
      return kindOfNewerVersion(row.kind);
  }
}

/** Questions, answers, comments and messages are recorded as they are; what a run called was redacted when it was recorded. */
export function redactedEntry(entry: JournalEntry, redactor: Redactor): JournalEntry {
  const { sent, answer, message } = entry;
  return {
    ...entry,
    ...(sent === undefined ? {} : { sent: redactor.value(sent as Value) as typeof sent }), // a record stays one
    ...(answer === undefined ? {} : { answer: redactor.value(answer as Value) }), // plain data
    ...(message === undefined ? {} : { message: redactor.text(message) }),
  };
}

type Base = Omit<JournalEntry, 'kind'>;

/** The start or the end of a block; also of a called workflow, which is one for the journal. */
function blockEntry(row: EntryRow, { called }: EntryBody, base: Base, places: CallSites): JournalEntry {
  if (called === undefined) return { ...base, kind: 'fork', finishedAt: base.startedAt };
  const entry = { ...base, kind: 'workflow', run: toRunId(places.idOf(row)) } as const;
  if (isBegin(row)) return { ...entry, attempt: called.attempt ?? 1 };
  const error = called.cause === undefined ? {} : { error: called.cause };
  return { ...entry, finishedAt: base.startedAt, ok: called.status === 'completed', ...error };
}

const inHistory: CallFields<'history', Partial<JournalEntry>> = {
  result: {
    ok: ({ result: { ok } }) => ({ ok }),
    status: ({ result: { status } }) => (status === undefined ? {} : { status }),
    cause: ({ result: { cause } }) => (cause === undefined ? {} : { error: cause }),
    sent: ({ row, result }) => ({ attempt: sentAttemptOf(row, result) }),
    value: ({ result: { value } }) => (value === undefined ? {} : { answer: value }),
    body: ({ result: { ok, body } }) => (ok || body === undefined || body === '' ? {} : { answer: valueIn(body) }),
    advice: ({ result: { advice } }) => (advice === undefined ? {} : { headers: advice }),
  },
  shown: {
    url: ({ shown: { url } }) => (url === undefined ? {} : { url }),
    pairs: ({ shown: { pairs } }) => (isRecord(pairs) ? { sent: pairs } : {}),
    value: ({ shown: { value } }) => (value === undefined ? {} : { answer: value }),
  },
};

/** The value that the beginning of an answer is, if it is all of it and JSON; otherwise its text. */
function valueIn(body: string): unknown {
  if (!/^\s*[[{]/.test(body)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function callDetails(row: EntryRow, body: EntryBody, site: StoredSite | undefined): Partial<JournalEntry> {
  const method = site?.method === undefined ? {} : { method: site.method };
  return Object.assign({ finishedAt: isoOf(row.at + (row.ms ?? 0)), ...method }, ...fieldsOfCall(inHistory, row, body));
}

type Logged = Pick<JournalEntry, 'kind' | 'startedAt'> & Partial<JournalEntry>;

function loggedDetails(entry: LogEntry): Logged {
  const { time, type, line, message, step, event, workflow, calledLine } = entry;
  if (type === 'call') return abortedDetails(entry);
  const kind = type === 'step' || type === 'warning' ? type : 'log';
  const text = message ?? (type === 'step' ? `${String(step)}: ${String(event)}` : '');
  return {
    kind,
    startedAt: time,
    finishedAt: time,
    message: text,
    ...(line === undefined ? {} : { line }),
    ...(typeof workflow === 'string' && typeof calledLine === 'number' ? { workflow, calledLine } : {}),
  };
}

/** A call that the end of the run or the branch aborted. */
function abortedDetails({ time, type: _, kind: ofService, step: __, durationMs, ...entry }: LogEntry): Logged {
  // Written by the runtime, with these names.
  const details = entry as Partial<JournalEntry>;
  const kind = ofService === 'workflow' ? 'workflow' : 'call';
  return { ...details, kind, startedAt: isoOf(Date.parse(time) - Number(durationMs)), finishedAt: time };
}

/** Maximum entries of a log. */
export const mostLogged = 10_000;

const inLog: CallFields<'log', Partial<CallLogFields>> = {
  result: {
    ok: ({ result: { ok } }) => ({ ok }),
    status: ({ result: { status } }) => ({ status }),
    cause: ({ result: { ok, cause } }) => (ok ? {} : { error: cause }),
    sent: ({ row, result }) => ({ attempt: sentAttemptOf(row, result) }),
    body: ({ result: { ok, body } }) => (ok || body === '' ? {} : { body }),
  },
  shown: { url: ({ shown: { url } }) => ({ url }) },
};

function callEntry(row: EntryRow, site: StoredSite | undefined, place: Partial<ShownSite>): LogEntry {
  const entry: LogEntry = { time: isoOf(row.at + (row.ms ?? 0)), type: 'call', ...place };
  const details: CallLogFields = {
    service: site?.service,
    kind: site?.serviceKind,
    phrase: site?.phrase,
    method: site?.method,
    // In the order in which a run in memory logs them.
    url: undefined,
    status: undefined,
    durationMs: row.ms ?? 0,
    attempt: undefined,
    ok: undefined,
  };
  Object.assign(details, ...fieldsOfCall(inLog, row, bodyOf(row)));
  for (const [key, value] of Object.entries(details)) if (value !== undefined) entry[key] = value;
  return entry;
}

/** The end of a wait for a message or a person. @param begin the row that says what was expected */
function arrivalEntry(row: EntryRow, begin: EntryRow | undefined, place: Partial<ShownSite>): LogEntry {
  const { m, a } = bodyOf(row);
  const wanted = begin === undefined ? {} : bodyOf(begin);
  const entry: LogEntry = { time: isoOf(row.at), type: row.kind === entryKinds.message ? 'message' : 'call', ...place };
  if (row.kind === entryKinds.message) return Object.assign(entry, { name: wanted.name ?? '', received: m !== undefined });
  const { service = '', timeoutMs, within } = wanted;
  Object.assign(entry, { service, kind: 'person', phrase: 'ask', attempt: 1, ok: a !== undefined });
  return a === undefined ? Object.assign(entry, { error: nobodyAnswered(service, timeoutMs, within) }) : entry;
}

/** The end of a called workflow. @param at milliseconds since 1970 @param cause of the failure of its call */
function callOfWorkflow(begin: EntryRow, at: number, ok: boolean, cause: string | undefined, places: CallSites): LogEntry {
  const site = places.siteOf(begin);
  const { attempt = 1 } = bodyOf(begin).called ?? {};
  const entry: LogEntry = { time: isoOf(at), type: 'call', ...places.placeOf(begin) };
  const details = { service: site?.service, kind: site?.serviceKind, phrase: site?.phrase, method: site?.method };
  Object.assign(entry, details, { durationMs: Math.max(0, at - begin.at), attempt, ok });
  return cause === undefined ? entry : Object.assign(entry, { error: cause });
}

/** The entries that a row adds to the log: none, one entry, or several. @param beginOf the first row of the same effect */
function logEntriesOf(row: EntryRow, places: CallSites, beginOf: (row: EntryRow) => EntryRow | undefined): LogEntry[] {
  const site = places.siteOf(row);
  const place = places.placeOf(row) ?? {};
  const time = isoOf(row.at);
  switch (row.kind) {
    case entryKinds.call:
      return [callEntry(row, site, place)];
    case entryKinds.retry:
      return [{ time, type: 'retry', ...place, service: site?.service, attempt: attemptOf(row) + 1, waitMs: row.ms ?? 0 }];
    case entryKinds.wait:
      return isBegin(row) ? [{ time, type: 'wait', ...place, durationMs: row.ms ?? 0 }] : [];
    case entryKinds.message:
    case entryKinds.person:
      return isEnd(row) ? [arrivalEntry(row, beginOf(row), place)] : [];
    case entryKinds.fork: {
      const { called } = bodyOf(row);
      const begin = beginOf(row);
      if (!isEnd(row) || called === undefined || begin === undefined) return [];
      return [callOfWorkflow(begin, row.at, called.status === 'completed', called.cause, places)];
    }
    case entryKinds.log:
      return loggedIn(row, places);
    case entryKinds.resumed:
      return [{ time, type: 'resumed', message: 'The run was resumed after its process had ended.' }];
    // The attempt and the question that these belong to say it.
    case entryKinds.intent:
    case entryKinds.notified:
      return [];
    default:
      return kindOfNewerVersion(row.kind);
  }
}

/** The entries of a log row. The journal has written the line of the innermost called workflow. */
function loggedIn({ body, branch }: EntryRow, places: CallSites): LogEntry[] {
  const entries = JSON.parse(withoutTaskKeys(body ?? '[]')) as LogEntry[]; // written by the journal
  const [, next] = places.around(branch);
  const line = next === undefined ? undefined : places.siteOf(next)?.inside?.line;
  return line === undefined ? entries : entries.map((entry) => ({ ...entry, calledLine: line }));
}

type RunEnd = Pick<RunRow, 'state' | 'finished' | 'outcome'>;

/** The message of the end that aborted the calls in progress, unless one of the branches did. */
function abortedBy({ state, outcome }: RunEnd): string | undefined {
  const { message, error } = readOutcome(outcome);
  return state === storedStates.cancelled || error?.code === 'WF690' ? message : undefined;
}

/**
 * The log of a run as if it had never been interrupted, except for `resumed`.
 * @param of which part of which journal the rows are
 * @param run whose journal extends to here. If its end came while it was not in memory, that of its steps and called workflows is not recorded
 */
export function toLog(rows: readonly EntryRow[], sites: Sites, of: JournalPart, run?: RunEnd): LogEntry[] {
  const entries: LogEntry[] = [];
  const places = new CallSites(sites, rows, of);
  const begins = new Map<string, EntryRow>();
  const steps = new OpenSteps();
  /** The starts of called workflows that have not ended. */
  const calls = new Map<string, EntryRow>();
  const addressOf = ({ branch, seq }: EntryRow): string => addressOfEffect(branch, seq);
  for (const row of rows) {
    if (entries.length >= mostLogged) break;
    if (isBegin(row)) begins.set(addressOf(row), row);
    const more = logEntriesOf(row, places, (end) => begins.get(addressOf(end)));
    if (row.kind === entryKinds.resumed) noteDoubt(more, row, rows, sites);
    else steps.note(row, more);
    if (places.isCall(row)) calls.set(addressOf(row), row);
    else if (more.some(({ type }) => type === 'call')) calls.delete(addressOf(row));
    entries.push(...more);
  }
  const { finished = null } = run ?? {};
  if (run !== undefined && finished !== null && entries.length < mostLogged) {
    const cause = abortedBy(run);
    for (const begin of cause === undefined ? [] : [...calls.values()].reverse()) {
      const aborted = callOfWorkflow(begin, finished, false, cause, places);
      steps.note(begin, [aborted]);
      entries.push(aborted);
    }
    entries.push(...steps.endsAt(finished));
  }
  // Entries of branches are written in batches, so their times determine the order.
  return rows.some(({ branch }) => branch !== '') ? entries.sort(byTime) : entries;
}

const byTime = ({ time: one }: LogEntry, { time: other }: LogEntry): number => (one < other ? -1 : one > other ? 1 : 0);

/** The entry about an interruption names a call that may have been sent before it. */
function noteDoubt(entries: LogEntry[], resumed: EntryRow, rows: readonly EntryRow[], sites: Sites): void {
  if (bodyOf(resumed).waited === true) return;
  const next = rows.find((row) => row.pos > resumed.pos && row.seq !== null);
  const [entry] = entries;
  // The intent of a call that is sent at most once is recorded before it, and its result at the same place.
  const isIntended = ({ kind, branch, seq, part }: EntryRow): boolean =>
    kind === entryKinds.intent && branch === next?.branch && seq === next.seq && part === next.part;
  // Each branch may have had a call in progress.
  if (next !== undefined && next.branch !== '' && entry !== undefined) {
    entry.message =
      'The run was resumed after its process had ended. Calls that were in progress may have been sent before; they were sent again with the same Idempotency-Key, as the same attempts, except for those with "at most once".';
    return;
  }
  if (next?.kind !== entryKinds.call || next.site === null) return;
  const site = sites.get(next.site);
  if (entry === undefined || site === undefined) return;
  const isSentOnce = rows.some((row) => row.pos < resumed.pos && isIntended(row));
  entry.line = site.line;
  entry.message = `The run was resumed after its process had ended. ${site.title} may have been sent before; ${
    isSentOnce
      ? 'it was not sent again, because of "at most once".'
      : 'it was sent again with the same Idempotency-Key, as the same attempt.'
  }`;
}
