// What a run did, as far as it can be observed: the evaluator's expectation and the result of the compiled program have this form.

import assert from 'node:assert/strict';
import type { Problem } from './inputs.js';
import type { Val } from './values.js';

export const startOfPrograms = new Date('2026-03-01T09:30:00.500Z');

/** The observable effects of a run. */
export interface Seen {
  readonly status: 'completed' | 'rejected' | 'error';
  readonly outputs?: unknown;
  readonly message?: string;
  /** Line of the error. */
  readonly line?: number;
  /** With a request that its inputs don't accept. */
  readonly problems?: readonly Problem[];
  readonly logs: readonly unknown[];
  readonly calls: readonly unknown[];
  /** Set if parts ran at the same time: their log entries and calls have no order. */
  readonly unordered?: Unordered;
}

export interface Unordered {
  /** How the run can have ended instead, if several parts end it: whichever came first counts. */
  readonly ends: readonly Ending[];
  /** Whether a part ended the run, so the others may have been aborted before they logged or called anything. */
  readonly isCut: boolean;
}

export type Ending = Pick<Seen, 'status' | 'outputs' | 'message' | 'line' | 'problems'> & {
  /** What a caller gets. */
  readonly result?: Val;
};

// Compares what a run did with what the evaluator says. Parts that run at the same time have no order among each other.

/** @param deaths how often a process died during the run: a call in doubt is made again */
export function assertSeen(actual: Seen, expected: Seen, deaths = 0): void {
  const { unordered, logs, calls, ...end } = expected;
  const { logs: actualLogs, calls: actualCalls, ...actualEnd } = actual;
  if (unordered === undefined) {
    assert.deepEqual(actual, expected);
    return;
  }
  const ends = [end, ...unordered.ends].map(keyOf);
  if (!ends.includes(keyOf(actualEnd))) assert.deepEqual(actualEnd, end);
  assertAlike(actualLogs, logs, unordered.isCut);
  if (deaths === 0) assertAlike(actualCalls, calls, unordered.isCut);
  else assertAlike(distinct(actualCalls), distinct(calls), unordered.isCut);
}

/** The same entries in any order. With `isCut`, some of them may be missing. */
function assertAlike(actual: readonly unknown[], expected: readonly unknown[], isCut: boolean): void {
  const left = new Map<string, number>();
  for (const key of expected.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1);
  for (const entry of actual) {
    const count = left.get(keyOf(entry)) ?? 0;
    if (count === 0) assert.fail(`More often than expected: ${keyOf(entry)}`);
    left.set(keyOf(entry), count - 1);
  }
  if (isCut) return;
  for (const [key, count] of left) if (count > 0) assert.fail(`Missing: ${key}`);
}

const distinct = (entries: readonly unknown[]): unknown[] => [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];

/** Without the fields that are `undefined`. Fields of records are lists of pairs, so they keep their order. */
const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part === undefined
        ? null
        : part,
  );
