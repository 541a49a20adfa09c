// Runs a function that must be refused and returns the message and hint.
import assert from 'node:assert/strict';
import { UsageError } from '../../src/engine/usage-error.js';

export function thrownUsageError(action: () => unknown): { message: string; hint: string } {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return { message: error.message, hint: error.hint ?? '' };
  }
  return assert.fail('nothing was refused');
}
