// The names of built-in values and operations in the tree.
import type { CalendarPeriod } from '../../../runtime/dates/date-parts.js';

type Edge = 'start of' | 'end of';

/** Built-in values and operations by their names in the tree. In a file, operands may come between their words. */
export type BuiltinName =
  | 'count of'
  | 'sum of'
  | 'first of'
  | 'last of'
  | 'highest of'
  | 'lowest of'
  | 'average of'
  | 'unique of'
  | 'fields of'
  | 'uppercase of'
  | 'lowercase of'
  | 'trimmed'
  | 'reversed'
  | 'absolute value of'
  | 'weekday of'
  | 'day of'
  | 'week of'
  | 'month of'
  | 'year of'
  | 'hour of'
  | 'minute of'
  | 'date of'
  | 'text of'
  | 'number of'
  | `${Edge} ${CalendarPeriod}`
  /** With a pattern or a sample as the second operand. */
  | `${'date' | 'time' | 'text' | 'number'} of written as`
  | 'first items of'
  | 'last items of'
  | 'first characters of'
  | 'last characters of'
  | 'characters of'
  | 'position of'
  | 'remainder of'
  | 'percent of'
  | 'split by'
  | 'joined with'
  | 'replaced by'
  | 'padded to';

const fieldReaders: ReadonlySet<BuiltinName> = new Set(['sum of', 'highest of', 'lowest of', 'average of', 'unique of'] as const);

/** Whether an operation takes a field of a list of records: `sum of rows.amount` adds up that field of each. */
export const readsFieldOfEach = (name: BuiltinName): boolean => fieldReaders.has(name);
