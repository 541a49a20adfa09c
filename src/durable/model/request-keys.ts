// Keys of requests (`Idempotency-Key`, due times), and the canonical JSON by which two uses of a key are compared.
import type { WfRecord } from '../../../runtime/types.js';
/** Minimum milliseconds that a key is kept. */
export const KEY_LIFE_MS = 24 * 3_600_000;

/** Another use of a key must have one of these in common with what was stored for it: the first. */
type KeyBodies = readonly [stored: string, ...others: string[]];

export interface KeyClaim {
  /** The workflow, or the timetable. */
  readonly scope: string;
  readonly key: string;
  /** The run that it starts: 32 hexadecimal digits. */
  readonly run: string;
  readonly shard: number;
  /** Distinguishes this ownership of the shard from earlier ones. */
  readonly epoch: number;
  readonly bodies: KeyBodies;
  /** Whether the key stays free if it is. */
  readonly onlyAsks: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Who has a key: this run, or one that claimed it before. `shard` and `epoch` show whether that one was ever recorded. */
export type ClaimedKey =
  | { readonly kind: 'claimed' }
  | {
      readonly kind: 'taken';
      readonly run: string;
      readonly isSameBody: boolean;
      readonly shard: number;
      readonly epoch: number;
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
