// Turns the rows of a journal into what happened, for people: effects with everything shown next to their lines.
import type { LogEntry, Redactor, Value } from '../../../runtime/types.js';
import { isRecord } from '../../../runtime/values/record.js';
import type { CallSites } from '../model/call-places.js';
import {
  attemptOf,
  bodyOf,
  type CallFields,
  type EntryBody,
  type EntryRow,
  entryKinds,
  fieldsOfCall,
  isoOf,
  kindOfNewerVersion,
  sentAttemptOf,
} from '../model/entries.js';
import type { JournalEntry } from '../model/journal-views.js';
import { toRunId } from '../model/run-ids.js';
import type { StoredSite } from '../model/versions.js';
import { loggedIn } from './stored-log.js';

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
      return [{ ...base, kind: 'wait', ...(row.part === 0 ? due : { finishedAt: base.startedAt }) }];
    case entryKinds.message:
      return row.part === 0
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
      return row.part === 0
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
  if (row.part === 0) return { ...entry, attempt: called.attempt ?? 1 };
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
