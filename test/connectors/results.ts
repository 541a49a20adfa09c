// Reads the results of tasks in tests.
import assert from 'node:assert/strict';
import type { AttemptResult } from '../../runtime/services/attempt.js';
import type { Failure } from '../../runtime/services/call-errors.js';
import type { Value } from '../../runtime/types.js';

export function succeeded(result: AttemptResult): Value {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

export function failureOf(result: AttemptResult): Failure {
  assert.ok(!result.ok, JSON.stringify(result).slice(0, 1_000));
  return result;
}

export const cause = (result: AttemptResult): string => failureOf(result).cause;
