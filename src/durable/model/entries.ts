// One recorded entry of a journal: its kinds, its columns, and what its body contains by kind.
import type { CalledEnd, CalledRun } from '../../../runtime/run/called-run.js';
import type { EffectShown, EffectSite } from '../../../runtime/run/durable-run.js';
import type { LogEntry, Value } from '../../../runtime/types.js';
import { addressOfEffect } from './addresses.js';
import type { JournalEntry } from './journal-views.js';

/** Kinds of rows in the journal. `part` distinguishes the rows of one position, see `RunRecords`. */
export const entryKinds = {
  /** An attempt of a call; part is twice its number. */
  call: 1,
  /** The wait before an attempt; part is twice the number of the failed one, plus one. */
  retry: 2,
  /** The start (part 0) and the end (part 1) of a wait, a message or a question. */
  wait: 3,
  message: 4,
  person: 5,
  /** A concurrent block: its start (part 0), and how it ended (part 1). */
  fork: 6,
  /** `at most once`: what is about to be sent. */
  intent: 7,
  /** A reminder of a question, or its notification; parts from 2. */
  notified: 8,
  /** Log entries that belong to no effect, as a list. */
  log: 20,
  resumed: 21,
} as const;

export type EntryKind = (typeof entryKinds)[keyof typeof entryKinds];

export type EntryWrite = readonly [
  'entry',
  n: number,
  pos: number,
  branch: string | null,
  seq: number | null,
  part: number | null,
  kind: EntryKind,
  site: number | null,
  at: number,
  ms: number | null,
  body: string | null,
];

/** One row of a journal, as read. */
export interface EntryRow {
  readonly pos: number;
  readonly branch: string;
  readonly seq: number | null;
  readonly part: number | null;
  readonly kind: EntryKind;
  readonly site: number | null;
  readonly at: number;
  readonly ms: number | null;
  readonly body: string | null;
}

const kindsOf = {
  call: [entryKinds.call, entryKinds.intent, entryKinds.retry],
  wait: [entryKinds.wait],
  message: [entryKinds.message],
  person: [entryKinds.person, entryKinds.notified],
  fork: [entryKinds.fork],
} as const satisfies Record<EffectSite['kind'], readonly EntryKind[]>;

export function isRecordedAs(kind: EntryKind, site: EffectSite): boolean {
  const kinds: readonly EntryKind[] = kindsOf[site.kind];
  return kinds.includes(kind);
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** The possible content of a row's body, depending on its kind. */
export interface EntryBody {
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
  /** A called workflow: its start, or its end. */
  readonly called?: Partial<CalledRun & CalledEnd>;
  /** An expected message, a question. */
  readonly name?: string;
  readonly pairs?: readonly (readonly [string, Value])[];
  readonly service?: string;
  readonly question?: string;
  readonly choices?: readonly string[];
  readonly timeoutMs?: number;
  /** A message, an answer. */
  readonly m?: Value;
  /** For `resumed`: the run waited, so no call was in progress. */
  readonly waited?: true;
  readonly a?: { readonly answer: string; readonly comment: Value; readonly by: Value };
}

export const bodyOf = ({ body }: EntryRow): EntryBody => (body === null ? {} : (JSON.parse(withoutTaskKeys(body)) as EntryBody)); // written by the journal

/** The entries of a log row. */
export const entriesOfRow = ({ body }: Pick<EntryRow, 'body'>): LogEntry[] => JSON.parse(body ?? '[]') as LogEntry[]; // written by the journal

/** Journals of older versions contain the key of each link that a person was sent. With it, anyone could answer. */
export const withoutTaskKeys = (body: string): string => body.replace(/(\/tasks\/[\w-]+\?key=)[\w-]+/g, '$1[redacted]');

/** The attempt that a row of a call belongs to; 0 for a call that could not even be prepared. */
export const attemptOf = ({ part }: EntryRow): number => Math.floor((part ?? 0) / 2);

/** The same for people: 0 also for a later attempt of which nothing was sent. */
export const sentAttemptOf = (row: EntryRow, result: EntryBody['r']): number => (result?.sent === false ? 0 : attemptOf(row));

/** How many attempts, waits, messages and questions these rows complete. */
export const effectsIn = (rows: readonly EntryRow[]): number =>
  rows.filter(({ kind, part }) => kind === entryKinds.call || (part === 1 && waitKinds.has(kind))).length;

/** What a run can wait for. */
export const waitKinds: ReadonlySet<EntryRow['kind']> = new Set([entryKinds.wait, entryKinds.message, entryKinds.person]);

/** The effects of a journal that have their last row: the end of a wait, a message, a question or a block. As `addressOfEffect` writes them. */
export const endedEffects = (rows: readonly EntryRow[]): ReadonlySet<string> =>
  new Set(rows.filter(({ part }) => part === 1).map(({ branch, seq }) => addressOfEffect(branch, seq)));
