// Decides which failures are retried, and when. The same rules apply to every kind of service (docs/connectors.md#retries).
import type { RetryPolicy } from '../types.js';

/** Maximum wait that doubling or a `Retry-After` can ask for, in milliseconds. */
const longestWait = 5 * 60_000;

/** Whether the same request may succeed after this status. */
export const retryableStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);

/**
 * Milliseconds to wait before the next attempt.
 * @param attempt the one that failed, counting from 1
 * @param askedMs the `Retry-After` of the answer
 */
export function waitBefore(policy: RetryPolicy, attempt: number, askedMs: number | undefined): number {
  const own = policy.doubling ? Math.min(policy.waitMs * 2 ** (attempt - 1), longestWait) : policy.waitMs;
  return Math.max(own, Math.min(askedMs ?? 0, longestWait));
}

/** `Retry-After` (RFC 9110, 10.2.3), in seconds or as a date, as milliseconds from now; `undefined` if it is neither. */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with the name of the day. Date.parse alone would accept `1.5` as a date, too.
  const date = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
