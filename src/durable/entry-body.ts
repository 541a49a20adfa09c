// What the rows of a journal contain, by their kind.
import type { CalledEnd, CalledRun } from '../../runtime/run/called-run.js';
import type { EffectShown } from '../../runtime/run/durable-run.js';
import type { LogEntry, Value } from '../../runtime/types.js';
import type { JournalEntry } from './journal-views.js';
import { type EntryRow, entryKinds } from './store/slot-writes.js';

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
