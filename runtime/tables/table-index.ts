// Narrows a look-up down to the few rows that can match. Each column sorts the values of its cells into buckets, and each bucket has a bit
// for every row that some value in it matches. Rows in the buckets of all values are candidates, whose cells are then compared one by one.
import type { Calendar } from '../dates/calendar.js';
import { momentOf } from '../dates/date-operand.js';
import type { Value } from '../types.js';
import type { CellTest, Condition, TableData } from './table-types.js';

/** The time and memory to build a column's buckets grow with their number; fewer buckets leave more candidates. */
const MOST_BUCKETS = 128;

/** What a column says about a value: the rows that can match, `'all'` if it can't tell, `undefined` if the comparison could fail. */
type Answer = Uint32Array | 'all' | undefined;

interface Column {
  answer(value: Value, calendar: Calendar): Answer;
}

export class TableIndex {
  readonly #columns: readonly Column[];
  readonly #rows: number;

  constructor({ conditions, rows }: TableData) {
    this.#rows = rows.length;
    this.#columns = conditions.map((condition, index) =>
      columnOf(
        condition,
        rows.map((cells) => cells[index] ?? null),
      ),
    );
  }

  /**
   * The rows that can match, from the top. `undefined` if comparing a value could fail. Then every earlier row must be checked, because the
   * run reports the first failing comparison.
   */
  candidates(values: readonly Value[], calendar: Calendar): Iterable<number> | undefined {
    const narrowing: Uint32Array[] = [];
    for (const [index, column] of this.#columns.entries()) {
      const answer = column.answer(values[index], calendar);
      if (answer === undefined) return undefined;
      if (answer !== 'all') narrowing.push(answer);
    }
    return rowsIn(narrowing, this.#rows);
  }
}

function* rowsIn(columns: readonly Uint32Array[], rows: number): Iterable<number> {
  const [first, ...others] = columns;
  if (first === undefined) {
    for (let row = 0; row < rows; row++) yield row;
    return;
  }
  for (let word = 0; word < first.length; word++) {
    let bits = first[word] ?? 0;
    for (const other of others) bits &= other[word] ?? 0;
    for (; bits !== 0; bits &= bits - 1) yield 32 * word + 31 - Math.clz32(bits & -bits);
  }
}

function columnOf({ test }: Condition, cells: readonly CellTest[]): Column {
  switch (test) {
    case 'is':
    case 'is above':
    case 'is below':
    case 'is at least':
    case 'is at most':
    case 'is between':
      return cells.some((cell) => Array.isArray(cell) && cell[0] === 'between' && typeof cell[1] === 'string')
        ? new WatchfulColumn((value) => typeof value === 'string')
        : new BucketColumn(cells.map((cell) => reachOf(test, cell)));
    case 'is not':
      return new WatchfulColumn(() => true);
    case 'starts with':
      return new WatchfulColumn((value) => typeof value === 'string' || value === null || value === undefined);
    case 'contains':
      return new WatchfulColumn((value) => typeof value === 'string' || typeof value === 'object' || value === undefined);
    case 'is before':
    case 'is after':
      return new WatchfulColumn(isDate);
  }
}

function isDate(value: Value, calendar: Calendar): boolean {
  try {
    // Days need the calendar of the run, which is created for the first of them.
    return momentOf(value, 'compare', undefined, 3, '') !== undefined && calendar !== undefined;
  } catch {
    return false;
  }
}

/** A column that excludes no row. It only knows which values can be compared. */
class WatchfulColumn implements Column {
  readonly #isSafe: (value: Value, calendar: Calendar) => boolean;

  constructor(isSafe: (value: Value, calendar: Calendar) => boolean) {
    this.#isSafe = isSafe;
  }

  answer(value: Value, calendar: Calendar): Answer {
    return this.#isSafe(value, calendar) ? 'all' : undefined;
  }
}

/** The values that match a cell. */
type Reach =
  | { readonly is: 'any' }
  /** Numbers from `low` to `high`, with or without the limits themselves. */
  | { readonly is: 'range'; readonly low: number; readonly high: number }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  | { readonly is: 'empty' };

function reachOf(test: Condition['test'], cell: CellTest): Reach {
  if (cell === null) return { is: 'any' };
  if (Array.isArray(cell)) {
    const [word, ...operands] = cell as readonly [string, ...(string | number | boolean)[]]; // its first item determines its type
    if (word === 'empty') return { is: 'empty' };
    if (word === 'one of' || word === 'same') return { is: 'values', values: operands };
    if (word === 'between') return { is: 'range', low: Number(operands[0]), high: Number(operands[1]) };
    return rangeOf(word, Number(operands[0]));
  }
  if (test === 'is') return { is: 'values', values: [cell as string | number | boolean] }; // lists were handled before
  return rangeOf(test.slice('is '.length), Number(cell));
}

const rangeOf = (word: string, limit: number): Reach =>
  word === 'above' || word === 'at least'
    ? { is: 'range', low: limit, high: Number.POSITIVE_INFINITY }
    : { is: 'range', low: Number.NEGATIVE_INFINITY, high: limit };

class BucketColumn implements Column {
  readonly #any: Uint32Array;
  readonly #empty: Uint32Array;
  /** The limits of all ranges and all numbers, in order. They divide the numbers into buckets. */
  readonly #limits: Float64Array;
  readonly #numbers: readonly Uint32Array[];
  /** The bucket of each text or boolean that a cell names. */
  readonly #places = new Map<string | boolean, number>();
  readonly #others: readonly Uint32Array[];
  readonly #hasRanges: boolean;
  readonly #hasEmpty: boolean;

  constructor(reaches: readonly Reach[]) {
    const words = Math.ceil(reaches.length / 32);
    this.#any = new Uint32Array(words);
    this.#empty = new Uint32Array(words);
    this.#hasRanges = reaches.some(({ is }) => is === 'range');
    this.#hasEmpty = reaches.some(({ is }) => is === 'empty');
    const limits = new Set<number>();
    for (const reach of reaches) {
      if (reach.is === 'range') for (const limit of [reach.low, reach.high]) limits.add(limit);
      if (reach.is !== 'values') continue;
      for (const value of reach.values) {
        if (typeof value === 'number') limits.add(value);
        else if (!this.#places.has(value)) this.#places.set(value, this.#places.size % MOST_BUCKETS);
      }
    }
    this.#limits = Float64Array.from(limits).sort();
    for (const [row, { is }] of reaches.entries()) {
      if (is === 'any') set(this.#any, row);
      if (is === 'empty') set(this.#empty, row);
    }
    for (const [word, bits] of this.#any.entries()) this.#empty[word] = (this.#empty[word] ?? 0) | bits;
    const buckets = (count: number): Uint32Array[] => Array.from({ length: count }, () => this.#any.slice());
    this.#numbers = buckets(Math.min(MOST_BUCKETS, 2 * this.#limits.length + 1));
    this.#others = buckets(Math.min(MOST_BUCKETS, this.#places.size));
    for (const [row, reach] of reaches.entries()) this.#enter(row, reach);
  }

  #enter(row: number, reach: Reach): void {
    if (reach.is === 'range') {
      const last = this.#bucketOf(reach.high);
      for (let bucket = this.#bucketOf(reach.low); bucket <= last; bucket++) set(this.#numbers[bucket], row);
    } else if (reach.is === 'values') {
      for (const value of reach.values)
        set(typeof value === 'number' ? this.#numbers[this.#bucketOf(value)] : this.#others[this.#places.get(value) ?? 0], row);
    }
  }

  /** Buckets contain a limit, the numbers between two limits, or several adjacent ones of these. */
  #bucketOf(value: number): number {
    const limits = this.#limits;
    let low = 0;
    let high = limits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((limits[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    const place = 2 * low + (limits[low] === value ? 1 : 0);
    const places = 2 * limits.length + 1;
    return places <= MOST_BUCKETS ? place : Math.floor((place * MOST_BUCKETS) / places);
  }

  answer(value: Value): Answer {
    if (typeof value === 'number') return this.#numbers[this.#bucketOf(value)];
    // Ordering anything but numbers fails, and several values count as empty.
    if (this.#hasRanges) return undefined;
    if (value === null || value === undefined) return this.#empty;
    if (typeof value === 'object' || (value === '' && this.#hasEmpty)) return undefined;
    const place = this.#places.get(value);
    return place === undefined ? this.#any : this.#others[place];
  }
}

function set(bits: Uint32Array | undefined, row: number): void {
  if (bits !== undefined) bits[row >> 5] = (bits[row >> 5] ?? 0) | (1 << (row & 31));
}
