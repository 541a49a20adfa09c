// Finds the first row of a table that fits without comparing every row: the conditions for equal values, numbers and dates narrow it down.
import type { Calendar } from '../dates/calendar.js';
import { parseMoment } from '../dates/moment.js';
import type { Value } from '../types.js';
import { BucketColumn, type PlainValue, type Reach } from './bucket-column.js';
import { cellFits } from './cell-fits.js';
import { RowSet } from './row-set.js';
import type { CellTest, HeadingTest, TableData } from './table-types.js';

/** What a condition makes of a value: `undefined` if comparing it could fail. */
interface Prepared {
  /** The rows that can fit; `undefined` for all. */
  readonly rows: RowSet | undefined;
  readonly fits: (row: number) => boolean;
}

type Column = (value: Value, calendar: Calendar) => Prepared | undefined;

export class TableIndex {
  readonly #columns: readonly Column[];
  readonly #all: RowSet;

  constructor({ conditions, rows }: TableData) {
    this.#all = new RowSet(rows.length);
    for (const row of rows.keys()) this.#all.add(row);
    this.#columns = conditions.map(({ test }, index) =>
      columnOf(
        test,
        rows.map((cells) => cells[index] ?? null),
      ),
    );
  }

  /**
   * The first row that fits, or -1. `undefined` if comparing a value could fail: then the rows must be compared one by one, as the first
   * comparison that fails is what the run reports.
   */
  first(values: readonly Value[], calendar: Calendar): number | undefined {
    const sets: RowSet[] = [];
    const tests: Prepared['fits'][] = [];
    for (const [index, column] of this.#columns.entries()) {
      const prepared = column(values[index] ?? null, calendar);
      if (prepared === undefined) return undefined;
      if (prepared.rows !== undefined) sets.push(prepared.rows);
      tests.push(prepared.fits);
    }
    return RowSet.first(sets.length === 0 ? [this.#all] : sets, (row) => tests.every((fits) => fits(row)));
  }
}

function columnOf(test: HeadingTest, cells: readonly CellTest[]): Column {
  const isText = (value: Value): boolean => typeof value === 'string';
  switch (test) {
    case 'is':
    case 'is above':
    case 'is below':
    case 'is at least':
    case 'is at most':
    case 'is between':
      return cells.some((cell) => Array.isArray(cell) && cell[0] === 'between' && typeof cell[1] === 'string')
        ? comparing(test, cells, isText)
        : valueColumn(new BucketColumn(cells.map((cell) => reachOf(test, cell))));
    case 'is not':
      return comparing(test, cells, () => true);
    case 'starts with':
      return comparing(test, cells, (value) => isText(value) || value === null);
    case 'contains':
      return comparing(test, cells, (value) => isText(value) || typeof value === 'object');
    case 'is before':
    case 'is after':
      return (
        dayColumn(test, cells) ?? comparing(test, cells, (value) => isText(value) && parseMoment(String(value)) !== undefined)
      );
  }
}

/** A condition that rules out no rows. @param isSafe whether a value can be compared */
const comparing =
  (test: HeadingTest, cells: readonly CellTest[], isSafe: (value: Value) => boolean): Column =>
  (value, calendar) =>
    isSafe(value)
      ? { rows: undefined, fits: (row) => cellFits(test, cells[row] ?? null, value, { calendar, location: undefined }) }
      : undefined;

const lookedUpIn = (column: BucketColumn, value: PlainValue): Prepared => ({
  rows: column.rowsFor(value),
  fits: (row) => column.fits(row, value),
});

const valueColumn =
  (column: BucketColumn): Column =>
  (value) => {
    if (typeof value === 'number') return lookedUpIn(column, value);
    if (column.hasRanges) return undefined;
    if (value === null || value === undefined) return lookedUpIn(column, null);
    // Several values are empty.
    return typeof value === 'object' || (value === '' && column.hasEmpty) ? undefined : lookedUpIn(column, value);
  };

/** Dates are compared by their days. `undefined` if a cell has a time. */
function dayColumn(test: 'is before' | 'is after', cells: readonly CellTest[]): Column | undefined {
  const days = cells.map((cell) => (cell === null ? undefined : parseMoment(String(cell))));
  if (days.some((moment, row) => cells[row] !== null && moment?.form !== 'date')) return undefined;
  const column = new BucketColumn(
    days.map((moment): Reach => {
      if (moment === undefined) return { is: 'any' };
      return test === 'is before'
        ? { is: 'range', low: Number.NEGATIVE_INFINITY, high: moment.day, open: true }
        : { is: 'range', low: moment.day, high: Number.POSITIVE_INFINITY, open: true };
    }),
  );
  return (value, calendar) => {
    const moment = typeof value === 'string' ? parseMoment(value) : undefined;
    return moment === undefined ? undefined : lookedUpIn(column, calendar.dayOf(moment));
  };
}

function reachOf(test: HeadingTest, cell: CellTest): Reach {
  if (cell === null) return { is: 'any' };
  if (Array.isArray(cell)) {
    const [word, ...operands] = cell as readonly [string, ...(string | number | boolean)[]]; // its first item determines its type
    if (word === 'empty') return { is: 'empty' };
    if (word === 'one of' || word === 'same') return { is: 'values', values: operands };
    if (word === 'between') return { is: 'range', low: Number(operands[0]), high: Number(operands[1]), open: false };
    return rangeOf(word, Number(operands[0]));
  }
  if (test === 'is') return { is: 'values', values: [cell as string | number | boolean] }; // lists were handled before
  return rangeOf(test.slice('is '.length), Number(cell));
}

/** An infinite end is no number that a value can have. */
const rangeOf = (word: string, limit: number): Reach =>
  word === 'above' || word === 'at least'
    ? { is: 'range', low: limit, high: Number.POSITIVE_INFINITY, open: word === 'above' }
    : { is: 'range', low: Number.NEGATIVE_INFINITY, high: limit, open: word === 'below' };
