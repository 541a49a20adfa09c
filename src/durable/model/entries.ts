// One recorded entry of a journal: its kinds, its columns, and what its body contains by kind.
import type {
  CalledEnd,
  CalledRun,
  EffectShown,
  EffectSite,
  ForkEnd,
  Question,
  TaskAnswer,
  WantedMessage,
} from '../../../runtime/run/durable-run.js';
import type { StoredResult } from '../../../runtime/services/durable-call.js';
import type { LogEntry, Value } from '../../../runtime/types.js';
import { addressOfEffect, deepestFirst, outerBranch } from './addresses.js';

/** Kinds of rows in the journal. `partOf` distinguishes the rows of one position. */
export const entryKinds = {
  /** An attempt of a call. */
  call: 1,
  /** The wait after an attempt that failed. */
  retry: 2,
  /** The start and the end of a wait, a message or a question. */
  wait: 3,
  message: 4,
  person: 5,
  /** A concurrent block: its start, and how it ended. */
  fork: 6,
  /** `at most once`: what is about to be sent. */
  intent: 7,
  /** The notification of a question, or a reminder. */
  notified: 8,
  /** Log entries that belong to no effect, as a list. */
  log: 20,
  resumed: 21,
} as const;

export type EntryKind = (typeof entryKinds)[keyof typeof entryKinds];

/** The `part` of a row: which of those of its position it is. */
export const partOf = {
  /** Of what has a start and an end. */
  begin: 0,
  end: 1,
  /** Of a call: also of its intent. */
  attempt: (attempt: number): number => 2 * attempt,
  retryAfter: (attempt: number): number => 2 * attempt + 1,
  /** Of a question: its notification (0), and its reminders. */
  reminder: (reminder: number): number => reminder + 2,
} as const;

export const isBegin = ({ part }: Pick<EntryRow, 'part'>): boolean => part === partOf.begin;

export const isEnd = ({ part }: Pick<EntryRow, 'part'>): boolean => part === partOf.end;

/** The attempt that a row of a call belongs to; 0 for a call that could not even be prepared. */
export const attemptOf = ({ part }: EntryRow): number => Math.floor((part ?? 0) / 2);

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

/**
 * The codec of an entry: stores keep its columns in this order. Its version is the format of the store; bodies only grow: a reader ignores
 * fields that it doesn't know, and a field whose meaning changes gets another name.
 */
export const entryWrite = (n: number, { pos, branch, seq, part, kind, site, at, ms, body }: EntryRow): EntryWrite => [
  ...(['entry', n, pos, branch === '' ? null : branch, seq, part, kind, site, at, ms, body] as const),
];

/** The columns of an entry, without the number of its run. */
export type EntryColumns = EntryWrite extends readonly ['entry', number, ...infer Columns] ? Readonly<Columns> : never;

export const entryOfColumns = ([pos, branch, seq, part, kind, site, at, ms, body]: EntryColumns): EntryRow => ({
  pos,
  branch: branch ?? '',
  seq,
  part,
  kind,
  site,
  at,
  ms,
  body,
});

export const rowOfWrite = ([, , ...columns]: EntryWrite): EntryRow => entryOfColumns(columns);

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

type Keys<T> = T extends unknown ? keyof T : never;

type FieldOf<T, K extends PropertyKey> = T extends { readonly [Key in K]?: infer V } ? V : never;

/** The fields of all of these. */
type Merged<T> = { readonly [K in Keys<T>]?: FieldOf<T, K> };

/** The result of an attempt, whether it succeeded or failed, as `toStored` of the runtime makes it. */
export type RecordedResult = { readonly ok: boolean } & Omit<Merged<StoredResult>, 'ok'>;

interface InRounds {
  readonly rounds?: EffectSite['rounds'];
}

/** The body of a recorded attempt. `shown` is for people, redacted by `shownOf` of the runtime. */
export interface AttemptBody<Result = RecordedResult> extends InRounds {
  readonly r: Result;
  readonly shown?: EffectShown | undefined;
}

/** A called workflow. `now`: milliseconds since 1970, for its own `now`. Without a request that would make the row too long. */
export type CalledBegin = Omit<CalledRun, 'request'> & Partial<CalledRun> & { readonly now: number };

/** What an effect with a start and an end records with each: one type for each body, for those who write it and those who replay it. */
interface SpanBodies {
  readonly wait: { readonly begin: InRounds; readonly end: undefined };
  readonly message: { readonly begin: InRounds & Pick<WantedMessage, 'name' | 'pairs'>; readonly end: { readonly m?: Value } };
  readonly person: { readonly begin: InRounds & Question; readonly end: { readonly a?: TaskAnswer } };
  readonly fork: {
    readonly begin: InRounds & { readonly called?: CalledBegin };
    /** `now` after a called workflow. */
    readonly end: Omit<ForkEnd, 'called'> & { readonly called?: CalledEnd; readonly now?: number };
  };
}

export type SpanKind = keyof SpanBodies;
export type BeginBody<K extends SpanKind> = SpanBodies[K]['begin'];
export type EndBody<K extends SpanKind> = SpanBodies[K]['end'];

/** The body of the first row of an effect. */
export const beginBody = <K extends SpanKind>(_: K, { body }: EntryRow) => JSON.parse(body ?? '{}') as Partial<BeginBody<K>>; // written by the journal

/** The body of its last row. */
export const endBody = <K extends SpanKind>(_: K, { body }: EntryRow) => JSON.parse(body ?? '{}') as Partial<EndBody<K>>; // written by the journal

/** The body of an attempt, for the place that recorded it. */
export const attemptBody = <T>({ body }: EntryRow) => JSON.parse(body ?? '{}') as AttemptBody<T>; // recorded at the same place by the same module

type ShownIn = readonly ('history' | 'log')[];

const both = ['history', 'log'] as const satisfies ShownIn;
const replayedOnly = [] as const satisfies ShownIn;

/**
 * Where each recorded field of a result is shown. A new field is missing here until someone decides; then it is missing in
 * `journal-entries.ts` until it shows it.
 */
const resultFields = {
  ok: both,
  status: both,
  cause: both,
  sent: both,
  value: ['history'],
  body: both,
  advice: ['history'],
  headers: replayedOnly,
  confidence: replayedOnly,
  warning: replayedOnly,
  code: replayedOnly,
  publicCause: replayedOnly,
  retryable: replayedOnly,
  neverReceived: replayedOnly,
  rejected: replayedOnly,
  retryAfterMs: replayedOnly,
} as const satisfies Record<Keys<StoredResult>, ShownIn>;

/** Where each field is shown that is only recorded for people. A failure has its cause in the result. */
const shownFields = {
  url: both,
  pairs: ['history'],
  value: ['history'],
} as const satisfies Record<keyof EffectShown, ShownIn>;

type FieldsIn<Table extends Readonly<Record<string, ShownIn>>, Where extends ShownIn[number]> = {
  [F in keyof Table]: Where extends Table[F][number] ? F : never;
}[keyof Table];

/** A recorded attempt, for those who show it. */
interface RecordedCall {
  readonly row: EntryRow;
  readonly result: RecordedResult;
  readonly shown: EffectShown;
}

/** Shows each field of a recorded attempt that belongs here. */
export interface CallFields<Where extends ShownIn[number], Part> {
  readonly result: { readonly [F in FieldsIn<typeof resultFields, Where>]: (call: RecordedCall) => Part };
  readonly shown: { readonly [F in FieldsIn<typeof shownFields, Where>]: (call: RecordedCall) => Part };
}

/** Shows all fields of a recorded attempt. Fields that are only recorded to be shown come last, because it is redacted. */
export function fieldsOfCall<Where extends ShownIn[number], Part>(
  { result, shown }: CallFields<Where, Part>,
  row: EntryRow,
  { r, shown: recorded = {} }: EntryBody,
): Part[] {
  // No version of wf has recorded a call without a result.
  const call: RecordedCall = { row, result: r ?? { ok: false }, shown: recorded };
  const partsOf = (fields: Readonly<Record<string, (call: RecordedCall) => Part>>): Part[] =>
    Object.values(fields).map((part) => part(call));
  return [...partsOf(result), ...partsOf(shown)];
}

/** Nothing is shown of a kind that only a newer version of wf records. A kind of this version is an error of the type check here. */
export const kindOfNewerVersion = (_: never): [] => [];

/** What the body of a row may contain, whatever its kind. */
export interface EntryBody extends Omit<Merged<AttemptBody | BeginBody<SpanKind> | EndBody<SpanKind>>, 'called'> {
  readonly called?: Merged<CalledBegin | CalledEnd>;
  /** For `resumed`: the run waited, so no call was in progress. */
  readonly waited?: true;
}

export const bodyOf = ({ body }: EntryRow): EntryBody => (body === null ? {} : (JSON.parse(withoutTaskKeys(body)) as EntryBody)); // written by the journal

/** The entries of a log row. */
export const entriesOfRow = ({ body }: Pick<EntryRow, 'body'>): LogEntry[] => JSON.parse(body ?? '[]') as LogEntry[]; // written by the journal

/** Journals of older versions contain the key of each link that a person was sent. With it, anyone could answer. */
export const withoutTaskKeys = (body: string): string => body.replace(/(\/tasks\/[\w-]+\?key=)[\w-]+/g, '$1[redacted]');

/** The attempt as people count it: 0 also for a later one of which nothing was sent. */
export const sentAttemptOf = (row: EntryRow, result: EntryBody['r']): number => (result?.sent === false ? 0 : attemptOf(row));

/** The number of attempts, waits, messages and questions that these rows complete. */
export const effectsIn = (rows: readonly EntryRow[]): number =>
  rows.filter((row) => row.kind === entryKinds.call || (isEnd(row) && waitKinds.has(row.kind))).length;

/** Kinds of entries that a run can wait for. */
export const waitKinds: ReadonlySet<EntryRow['kind']> = new Set([entryKinds.wait, entryKinds.message, entryKinds.person]);

/** The effects of a journal that have their last row: the end of a wait, a message, a question or a block. As `addressOfEffect` writes them. */
export const endedEffects = (rows: readonly EntryRow[]): ReadonlySet<string> =>
  new Set(rows.filter(isEnd).map(({ branch, seq }) => addressOfEffect(branch, seq)));

/** Assigns the entries of a log to the steps that are open in their branches: rows of effects don't contain their step. */
export class OpenSteps {
  /** Their starts, the outermost first, by branch. */
  readonly #open = new Map<string, LogEntry[]>();

  note({ branch }: EntryRow, entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.type === 'step' && entry.event === 'start') this.#of(branch).push(entry);
      else if (entry.type === 'step') this.#of(branch).pop();
      else if (entry.step === undefined) this.#add(entry, branch);
    }
  }

  /** The ends of all that are still open when the run ends, the innermost first. @param at milliseconds since 1970 */
  endsAt(at: number): LogEntry[] {
    const branches = [...this.#open].sort(([one], [other]) => deepestFirst(one, other));
    return branches.flatMap(([, starts]) => [...starts].reverse().map((start) => endOfStep(start, isoOf(at))));
  }

  #of(branch: string): LogEntry[] {
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
    if (found !== undefined) return String(found.step);
    return branch === '' ? undefined : this.#innermost(outerBranch(branch));
  }
}

/** @param time ISO 8601 */
export const endOfStep = (start: LogEntry, time: string): LogEntry => ({
  ...start,
  time,
  event: 'end',
  durationMs: msBetween(start.time, time),
});

/** The clock may have been set back. @param since ISO 8601, as `time` */
export const msBetween = (since: string, time: string): number => Math.max(0, Date.parse(time) - Date.parse(since));
