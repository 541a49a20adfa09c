// The log of a run from the rows of its journal: entries as a run in memory would have produced them.
import { nobodyAnswered } from '../../../runtime/services/call-errors.js';
import type { CallLogFields, LogEntry } from '../../../runtime/types.js';
import { addressOfEffect } from '../model/addresses.js';
import { CallSites, type JournalPart, type ShownSite, type Sites } from '../model/call-places.js';
import {
  attemptOf,
  bodyOf,
  type CallFields,
  type EntryRow,
  entryKinds,
  fieldsOfCall,
  isoOf,
  kindOfNewerVersion,
  OpenSteps,
  sentAttemptOf,
  withoutTaskKeys,
} from '../model/entries.js';
import { type RunRow, storedStates } from '../model/run-rows.js';
import { readOutcome } from '../model/stored-run.js';
import type { StoredSite } from '../model/versions.js';

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
    ...{ service: site?.service, kind: site?.serviceKind, phrase: site?.phrase, method: site?.method },
    // In the order in which a run in memory logs them.
    ...{ url: undefined, status: undefined, durationMs: row.ms ?? 0, attempt: undefined, ok: undefined },
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
      return row.part === 0 ? [{ time, type: 'wait', ...place, durationMs: row.ms ?? 0 }] : [];
    case entryKinds.message:
    case entryKinds.person:
      return row.part === 1 ? [arrivalEntry(row, beginOf(row), place)] : [];
    case entryKinds.fork: {
      const { called } = bodyOf(row);
      const begin = beginOf(row);
      if (row.part !== 1 || called === undefined || begin === undefined) return [];
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
export function loggedIn({ body, branch }: EntryRow, places: CallSites): LogEntry[] {
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
    if (row.part === 0) begins.set(addressOf(row), row);
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
