// Whether a value matches a cell: the comparison that a line of the workflow would make, with the same errors.
import type { Calendar } from '../dates/calendar.js';
import { isAfter, isBefore } from '../dates/compare-dates.js';
import type { SourceLocation, Value } from '../types.js';
import { above, atLeast, atMost, below, between, contains, oneOf, startsWith } from '../values/comparison.js';
import { equal, isEmpty } from '../values/values.js';
import type { CellTest, HeadingTest } from './table-types.js';

/** The context of a comparison. `calendar` is only for dates. */
export interface Comparing {
  readonly calendar: Calendar;
  /** With the text of the value as its first operand. */
  readonly location: SourceLocation | undefined;
}

type Compare = (value: Value, cell: Value, comparing: Comparing) => boolean;

/** Only numbers have an order here: ordered cells contain numbers, or both limits of `is between` are text. */
const order =
  (compare: (left: Value, right: Value, location?: SourceLocation) => boolean): Compare =>
  (value, cell, { location }) =>
    compare(value, cell, location);

const byHeading: Readonly<Record<Exclude<HeadingTest, 'is between'>, Compare>> = {
  is: (value, cell) => equal(value, cell),
  'is not': (value, cell) => !equal(value, cell),
  'is above': order(above),
  'is below': order(below),
  'is at least': order(atLeast),
  'is at most': order(atMost),
  'starts with': (value, cell, { location }) => startsWith(value, cell, location),
  contains: (value, cell, { location }) => contains(value, cell, location),
  'is before': (value, cell, { calendar, location }) => isBefore(calendar, value, cell, location),
  'is after': (value, cell, { calendar, location }) => isAfter(calendar, value, cell, location),
};

/** @throws WfError if the comparison would fail in a line */
export function cellFits(test: HeadingTest, cell: CellTest, value: Value, comparing: Comparing): boolean {
  if (cell === null) return true;
  if (typeof cell !== 'object') return test !== 'is between' && byHeading[test](value, cell, comparing);
  const { location } = comparing;
  switch (cell[0]) {
    case 'empty':
      return isEmpty(value);
    case 'same':
      return (equal(value, cell[1]) || value === cell[2]) === (test === 'is');
    case 'one of': {
      const [, ...values] = cell;
      return oneOf(value, values, location);
    }
    case 'between':
      return between(value, cell[1], cell[2], location);
    case 'above':
    case 'below':
    case 'at least':
    case 'at most':
      return byHeading[`is ${cell[0]}`](value, cell[1], comparing);
  }
}
