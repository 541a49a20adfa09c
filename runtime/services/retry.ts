// What is worth trying again, and when. Its own file, because these rules of language.md 6 are the same for every kind of service.
import type { RetryPolicy } from '../types.js';

/** Longest wait that doubling or a `Retry-After` can ask for, in milliseconds. */
const longestWait = 5 * 60_000;

/** Whether the same request may get a better answer later than this status. */
export const retryableStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);

/**
 * Milliseconds to wait before the next attempt.
 * @param attempt the one that failed, from 1.
 * @param askedMs what the answer's `Retry-After` asks for.
 */
export function waitBefore(policy: RetryPolicy, attempt: number, askedMs: number | undefined): number {
  const own = policy.doubling ? Math.min(policy.waitMs * 2 ** (attempt - 1), longestWait) : policy.waitMs;
  return Math.max(own, Math.min(askedMs ?? 0, longestWait));
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as milliseconds from now; `undefined` where it is neither. */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // A date of HTTP begins with the day's name; Date.parse alone would take `1.5` for a date as well.
  const date = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
