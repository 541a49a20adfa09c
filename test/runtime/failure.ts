// Runs a function that must end in a run-time error and returns the message.
import assert from 'node:assert/strict';
import type { SourceLocation } from '../../runtime/types.js';
import { WfError } from '../../runtime/values/errors.js';

/** A location in a workflow with these operand texts. */
export const at = (...operands: string[]): SourceLocation => [7, 5, 9, ...operands];

/** The message of the `WfError` with this code that the function must throw. */
export function messageOf(run: () => unknown, code: string): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof WfError, String(error));
    assert.equal(error.code, code);
    return error.message;
  }
  return assert.fail('no error');
}
