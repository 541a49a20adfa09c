// Keys of requests (`Idempotency-Key`, due times), and the canonical JSON by which two uses of a key are compared.
import type { Value, WfRecord } from '../../../runtime/types.js';
import type { Prepared } from '../../engine/prepare/prepared.js';

/** Minimum milliseconds that a key is kept. */
export const KEY_LIFE_MS = 24 * 3_600_000;

/** Forms of a request. The first is stored; another use of the key must have a form that equals it. */
type KeyBodies = readonly [stored: string, ...others: string[]];

/** A value of `once for each`, which only one unfinished or completed run of its workflow can have. */
export interface OnceValue {
  readonly scope: string;
  /** Canonical JSON. Stored as a hash, because it comes from a request. */
  readonly text: string;
  /** Milliseconds since 1970. Until then the value is taken, even after its run has been deleted. */
  readonly keptUntil: number;
}

/** The key of a value: with a space, which no `Idempotency-Key` of a request has. */
export const onceKey = (hash: Buffer): string => `${ONCE_PREFIX}${hash.toString('hex')}`;

const ONCE_PREFIX = 'once ';

/** Replaces the key of a run whose data was erased. The space keeps it apart from the keys of requests. */
export const erasedKey = (key: string, hash: (text: string) => Buffer): string => `erased ${hash(`key ${key}`).toString('hex')}`;

/** Keys that wf makes itself contain a space, and nothing of a request. */
export const isRequestKey = (key: string): boolean => !key.includes(' ');

/**
 * The value that a request has for `once for each`; `undefined` without that setting. A request without a value, or whose value can't be
 * computed, starts a run of its own.
 */
export async function onceValueOf(
  { prepared: { basename, run, workflow }, request }: StartedBy,
  now: number,
): Promise<OnceValue | undefined> {
  if (run.onceFor === undefined) return undefined;
  let value: Value;
  try {
    value = await run.onceFor(request);
  } catch {
    return undefined;
  }
  if (value === undefined || value === null || value === '') return undefined;
  return { scope: basename, text: canonicalJson(value), keptUntil: now + (workflow.once?.keptForMs ?? 0) };
}

interface StartedBy {
  readonly prepared: Pick<Prepared, 'basename' | 'run' | 'workflow'>;
  readonly request: WfRecord;
}

/** A key that a run wants to have. */
export interface KeyWish {
  /** The workflow, or the timetable. */
  readonly scope: string;
  readonly key: string;
  readonly bodies: KeyBodies;
  /** Only looks: a free key stays free. */
  readonly onlyAsks: boolean;
}

export interface KeyClaim extends KeyWish {
  /** The run that it starts: 32 hexadecimal digits. */
  readonly run: string;
  /** The writer of the run, as its store names it. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * The owner of a value. `isRecorded`: its run was on disk once, so if it is not there, it has been deleted. Otherwise `owner` tells whether the
 * process that claimed it can still record it.
 */
export type ClaimedOnce =
  | { readonly kind: 'claimed' }
  | {
      readonly kind: 'taken';
      readonly run: string;
      readonly owner: string;
      readonly isRecorded: boolean;
      /** Milliseconds since 1970. */
      readonly keptUntil: number;
    };

/** The owner of a key: this run, or one that claimed it before. `owner` tells whether that one can still be recorded. */
export type ClaimedKey =
  | { readonly kind: 'claimed' }
  | {
      readonly kind: 'taken';
      readonly run: string;
      readonly owner: string;
      readonly isSameBody: boolean;
    };

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const sorted: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(item).sort()) sorted[name] = Reflect.get(item, name);
    return sorted;
  });
}

/** `sent`: the request as it was sent, before the workflow's inputs filled in defaults. */
interface SentRequest {
  readonly request: WfRecord;
  readonly sent?: WfRecord | undefined;
}

export function keyBodies({ request, sent }: SentRequest): KeyBodies {
  return sent === undefined ? [canonicalJson(request)] : [canonicalJson(sent), canonicalJson(request)];
}
