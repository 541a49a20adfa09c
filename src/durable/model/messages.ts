// Messages to runs, what is in the inbox of a run, and how values are compared.
import type { Value, WfRecord } from '../../../runtime/types.js';
import { withoutNoise } from '../../../runtime/values/number-format.js';
import type { Actor } from './changes.js';
import { calledRunHex, startedAt } from './run-ids.js';

/**
 * An item in the inbox of a run: requests to cancel or resume it, and to end the wait before a retry or another wait; messages and answers
 * for it. A row stays until its content is in the journal.
 */
export const inboxKinds = { cancel: 1, resume: 2, message: 3, answer: 4, retry: 5, skip: 6 } as const;

export type InboxKind = (typeof inboxKinds)[keyof typeof inboxKinds];

export interface InboxRow {
  readonly id: number;
  /** 32 hexadecimal digits. */
  readonly run: string;
  readonly kind: InboxKind;
  /** The effect that it is for, or the waits to skip. */
  readonly place: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Runs that are cancelled together: the commits of other runs come between. */
export const CANCELLED_TOGETHER = 50;

/** Rows to handle one after the other; runs that are cancelled in a row are cancelled together, because that is one commit. */
export function withCancelsTogether<T extends Pick<InboxRow, 'kind'>>(rows: readonly T[]): T[][] {
  const groups: T[][] = [];
  let cancels: T[] | undefined;
  for (const row of rows) {
    if (row.kind === inboxKinds.cancel && cancels !== undefined && cancels.length < CANCELLED_TOGETHER) cancels.push(row);
    else {
      const group = [row];
      groups.push(group);
      cancels = row.kind === inboxKinds.cancel ? group : undefined;
    }
  }
  return groups;
}

/** Milliseconds that an unclaimed message is stored. */
export const MESSAGE_LIFE_MS = 7 * 24 * 3_600_000;

/** The waits in a line that had begun by a moment, in milliseconds since 1970. */
export interface SkippedWaits {
  readonly line: number;
  readonly since: number;
}

/** As the place of a row of the inbox, which no address of an effect looks like. */
export const placeOfSkip = ({ line, since }: SkippedWaits): string => `line ${line} since ${since}`;

export function readSkip(place: string): SkippedWaits {
  const [, line, , since] = place.split(' ');
  return { line: Number(line), since: Number(since) };
}

export type MessagePairs = readonly (readonly [key: string, value: Value])[];

export interface MessageWish {
  /** 32 hexadecimal digits. */
  readonly run: string;
  readonly place: string;
  readonly name: string;
  readonly pairs: MessagePairs;
  /** Milliseconds since 1970. */
  readonly due: number | undefined;
  readonly now: number;
}

/** A place that a run has for a message from its start on, before it waits there. */
export const earlyPlace = (index: number): string => `${EARLY}${index}`;

const EARLY = 'early ';

/** Matches these places, as a pattern of SQL. */
export const earlyPattern = `${EARLY}%`;

export const isEarlyPlace = (place: string): boolean => place.startsWith(EARLY);

/** Older than any moment at which a run begins to wait. */
export const BEFORE_ALL = 1e15;

/**
 * Since when a run has had such a place: the older the run, the earlier, and always before those who have no place from their start.
 * @param hex 32 hexadecimal digits
 */
export const heldSince = (hex: string): number => startedAt(hex) - BEFORE_ALL;

export const isHeldSince = (since: number): boolean => since < 0;

/** Milliseconds within which a run is on disk after its places. */
export const RECORDING_MS = 60_000;

export interface DeliveredMessage {
  readonly message: Value;
  readonly at: number;
}

export interface NewMessage {
  readonly name: string;
  readonly body: WfRecord;
  /** Only for this run, or for the called workflow in a branch of it. */
  readonly run: string | undefined;
  readonly branch?: string;
  /** The run has ended: only an earlier answer to the same key counts. */
  readonly isOver?: boolean;
  readonly key: string | undefined;
  readonly now: number;
  /** Milliseconds to keep it if no run waits for it; `MESSAGE_LIFE_MS` by default. */
  readonly keepMs?: number;
  /** The sender, to be recorded. */
  readonly by?: Actor | undefined;
}

/** `run`: who has it; `keptUntil`: no one waited for it. */
export type MessageSent =
  | { readonly kind: 'sent'; readonly run?: string; readonly keptUntil?: number }
  | { readonly kind: 'other body' }
  | { readonly kind: 'run finished' };

/** The id that a message is kept for. */
export const recipientOf = ({ run, branch }: Pick<NewMessage, 'run' | 'branch'>): string | undefined =>
  run === undefined || branch === undefined ? run : calledRunHex(run, branch);

const PREFIX = 'late ';

/** The name of a message that an ended run did not record at an effect. Nothing can wait for it. */
export const undeliveredName = (address: string): string => `${PREFIX}${address}`;

export const isUndelivered = (name: string): boolean => name.startsWith(PREFIX);

/** Two runs: one that has ended, and one that continues in its place. Each has 32 hexadecimal digits. */
export type Successor = readonly [ended: string, successor: string];

/** Matches these names, as a pattern of SQL. */
export const undeliveredPattern = `${PREFIX}%`;

/** Text that two values share exactly if `is` holds between them, so that an index can match messages with those who wait. */
export function equalityText(value: Value): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'number') return String(withoutNoise(value));
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(equalityText).join(',')}]`;
  const fields = Object.keys(value)
    .filter((key) => value[key] !== null && value[key] !== undefined)
    .sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${equalityText(value[key])}`).join(',')}}`;
}

/**
 * Which names a message can have: those that `wait for` can use. A message with another name would be kept for a run that can't exist.
 */
const MESSAGE_NAME = /^[\p{L}_](?:[\p{L}\p{Nd}_-]*[\p{L}\p{Nd}_])?$/u;
const LONGEST_NAME = 200;

export const isMessageName = (name: string): boolean => MESSAGE_NAME.test(name) && name.length <= LONGEST_NAME;

/** The valid forms, for messages about an invalid name. */
export const messageNameForms =
  'A message is called what a workflow waits for: letters, digits, "-" and "_", such as payment in "wait for payment".';
