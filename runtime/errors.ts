// The exceptions that end a run, and the table of codes that the language's own run-time errors carry. Its own file, because
// everything in the runtime throws or catches them and it must not pull in more than types.
import type { Place } from './types.js';

/**
 * Every run-time error of the language: stable code → short title, for the docs. Service calls have WF650–WF689, the run itself
 * WF690–WF699; those stand beside the code that raises them.
 */
export const runtimeErrors = {
  WF601: 'Arithmetic on something that is not a number',
  WF602: 'plus on values that do not go together',
  WF603: 'Division by zero',
  WF604: 'A result too large for a number',
  WF605: 'rounded to a number of places that cannot be',
  WF606: 'Comparing the order of values that have none',
  WF607: 'contains on something that can contain nothing',
  WF608: 'starts with or ends with on something that is no text',
  WF609: 'is one of without a list',
  WF610: 'A loop over something that is no list',
  WF611: 'add to something that is no list',
  WF612: 'Reading a field of a value that has none',
  WF613: 'Setting a field of a value that can have none',
  WF614: 'count of something that is neither list nor text',
  WF615: 'sum of something that is no list of numbers',
  WF616: 'first of or last of something that is no list',
  WF617: 'A text is needed',
  WF618: 'A text that holds no number',
  WF619: 'A value nested too deep',
  WF620: 'A value that is too large',
  WF621: 'A value from outside that cannot be read',
} as const;

/** A run-time error of a workflow: caused by its data or its text, never by a bug. Ends the run as `error`. */
export class WfError extends Error {
  override readonly name = 'WfError';
  /** Stable, `WF6xx`. */
  readonly code: string;
  /** Where it happened, as far as the code that noticed it knows; the run fills in its own position otherwise. */
  readonly place: Place | undefined;

  constructor(code: string, message: string, place?: Place) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

/** The run was cancelled or went over its time limit; the message says which. Nothing in a workflow can handle it. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}
