// `look up … in … with …`: the first row of a decision table whose cells all match.
import type { Calendar } from '../dates/calendar.js';
import { parseMoment } from '../dates/moment.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { withoutNoise } from '../values/number-format.js';
import { operandText, what } from '../values/operand-text.js';
import { type Comparing, cellFits } from './cell-fits.js';
import type { CellTest, HeadingTest, TableData } from './table-types.js';

/** Tables with fewer rows are searched from the top, which takes no longer than using an index. */
const FEWEST_INDEXED = 16;

const indexes = new WeakMap<TableData, TableIndex>();

function indexOf(table: TableData): TableIndex {
  let index = indexes.get(table);
  if (index === undefined) {
    index = new TableIndex(table);
    indexes.set(table, index);
  }
  return index;
}

/**
 * The index of the first matching row; -1 if none matches.
 * @param values in the order of the table's conditions
 * @param operands the source texts of the values
 * @param isHandled whether the workflow continues if no row matches
 * @throws WfError for a value that can't be compared with a cell, as a line would; and if no row matches, unless that is handled
 */
export function lookUp(
  table: TableData,
  values: readonly Value[],
  calendar: Calendar,
  operands: readonly string[],
  isHandled: boolean,
  location?: SourceLocation,
): number {
  const clean = values.map((value) => (typeof value === 'number' ? withoutNoise(value) : value));
  const found = table.rows.length < FEWEST_INDEXED ? undefined : indexOf(table).first(clean, calendar);
  const row = found ?? firstOfAll({ table, values: clean, calendar, operands, location });
  if (row === -1 && !isHandled) throw noRowFits(table, values, location);
  return row;
}

interface Search {
  readonly table: TableData;
  readonly values: readonly Value[];
  readonly calendar: Calendar;
  readonly operands: readonly string[];
  readonly location: SourceLocation | undefined;
}

function firstOfAll(search: Search): number {
  for (let row = 0; row < search.table.rows.length; row++) if (rowFits(search, row)) return row;
  return -1;
}

function rowFits(search: Search, row: number): boolean {
  const { table, values, calendar, operands, location } = search;
  const cells = table.rows[row] ?? [];
  for (const [index, { name, test }] of table.conditions.entries()) {
    const cell = cells[index] ?? null;
    if (cell === null) continue;
    const value = values[index];
    try {
      const comparing: Comparing = { calendar, location };
      if (!cellFits(test, cell, value, comparing)) return false;
    } catch (error) {
      if (!(error instanceof WfError)) throw error;
      throw valueDoesNotFit(search, `${name} ${test}`, cell, value, operands[index] ?? name);
    }
  }
  return true;
}

const needs = (cell: CellTest, heading: string): string => {
  if (/ is (?:before|after)$/.test(heading)) return 'a date such as "2026-03-01"';
  if (/ (?:starts with|contains)$/.test(heading)) return 'a text';
  return Array.isArray(cell) && typeof cell[1] === 'string' ? 'a text' : 'a number';
};

/**
 * A value that can't be compared with a cell.
 * @param heading as written in the table: `weight is at most`
 * @param source text of the value in the workflow
 */
function valueDoesNotFit({ table, location }: Search, heading: string, cell: CellTest, value: Value, source: string): WfError {
  return new WfError(
    'WF646',
    `I can't look up a row of "${table.name}": ${operandText(value, source, 'the value')}, but the column "${heading}" needs ${needs(cell, heading)}.`,
    location,
  );
}

function noRowFits({ name, conditions }: TableData, values: readonly Value[], location: SourceLocation | undefined): WfError {
  const given = conditions.map((condition, index) => `"${condition.name}" ${what(values[index])}`);
  const [last = ''] = given.slice(-1);
  const listed = given.length > 1 ? `${given.slice(0, -1).join(', ')} and ${last}` : last;
  return new WfError(
    'WF647',
    `No row of the table "${name}" matches: ${listed}. Add a row that matches, or write "if nothing matches:" under the look-up.`,
    location,
  );
}

// Finds the first row of a table that fits without comparing every row: the conditions for equal values, numbers and dates narrow it down.

/** The result of a condition for a value: `undefined` if comparing it could fail. */
interface Prepared {
  /** The rows that can fit; `undefined` for all. */
  readonly rows: RowSet | undefined;
  readonly fits: (row: number) => boolean;
}

type Column = (value: Value, calendar: Calendar) => Prepared | undefined;

class TableIndex {
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

/** Memory grows with the number of buckets, and with ranges the time to fill them as well; fewer leave more rows to compare. */
const MOST_BUCKETS = 1024;
const MOST_WITH_RANGES = 128;

/** The values that fit a cell. */
type Reach =
  | { readonly is: 'any' }
  /** Numbers from `low` to `high`, without these themselves where they are `open`. */
  | { readonly is: 'range'; readonly low: number; readonly high: number; readonly open: boolean }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  | { readonly is: 'empty' };

/** A value that a cell can be compared with by what it is alone. */
type PlainValue = string | number | boolean | null;

class BucketColumn {
  readonly #reaches: readonly Reach[];
  readonly #any: RowSet;
  /** Buckets of numbers. */
  readonly #most: number;
  readonly #empty: RowSet;
  /** The ends of all ranges and all numbers, in order: they cut the numbers into buckets. */
  readonly #limits: Float64Array;
  readonly #numbers: readonly RowSet[];
  /** The bucket of each text or boolean that a cell names. */
  readonly #places = new Map<string | boolean, number>();
  readonly #others: readonly RowSet[];
  /** Whether cells compare by order: anything but a number is an error then. */
  readonly hasRanges: boolean;
  readonly hasEmpty: boolean;

  constructor(reaches: readonly Reach[]) {
    this.#reaches = reaches;
    this.hasRanges = reaches.some(({ is }) => is === 'range');
    this.hasEmpty = reaches.some(({ is }) => is === 'empty');
    this.#most = this.hasRanges ? MOST_WITH_RANGES : MOST_BUCKETS;
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
    this.#any = new RowSet(reaches.length);
    this.#empty = new RowSet(reaches.length);
    for (const [row, { is }] of reaches.entries()) {
      if (is === 'any') this.#any.add(row);
      if (is === 'empty') this.#empty.add(row);
    }
    this.#empty.addAll(this.#any);
    const buckets = (count: number): RowSet[] =>
      Array.from({ length: count }, () => new RowSet(reaches.length).addAll(this.#any));
    this.#numbers = buckets(Math.min(this.#most, 2 * this.#limits.length + 1));
    this.#others = buckets(Math.min(MOST_BUCKETS, this.#places.size));
    for (const [row, reach] of reaches.entries()) this.#enter(row, reach);
  }

  #enter(row: number, reach: Reach): void {
    if (reach.is === 'range') {
      const last = this.#bucketOf(reach.high);
      for (let bucket = this.#bucketOf(reach.low); bucket <= last; bucket++) this.#numbers[bucket]?.add(row);
    } else if (reach.is === 'values') {
      for (const value of reach.values)
        (typeof value === 'number' ? this.#numbers[this.#bucketOf(value)] : this.#others[this.#places.get(value) ?? 0])?.add(row);
    }
  }

  /** A bucket holds a limit, the numbers between two limits, or several of these next to each other. */
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
    return places <= this.#most ? place : Math.floor((place * this.#most) / places);
  }

  /** All rows that the value fits, and some that it doesn't. */
  rowsFor(value: PlainValue): RowSet {
    if (typeof value === 'number') return this.#numbers[this.#bucketOf(value)] ?? this.#any;
    if (value === null) return this.#empty;
    return this.#others[this.#places.get(value) ?? -1] ?? this.#any;
  }

  fits(row: number, value: PlainValue): boolean {
    const reach = this.#reaches[row];
    switch (reach?.is) {
      case 'range':
        if (typeof value !== 'number') return false;
        return (value > reach.low && value < reach.high) || (!reach.open && (value === reach.low || value === reach.high));
      case 'values':
        return value !== null && reach.values.includes(value);
      case 'empty':
        return value === null;
      default:
        return true;
    }
  }
}

class RowSet {
  readonly words: Uint32Array;
  readonly blocks: Uint32Array;

  /** @param rows how many there are at most */
  constructor(rows: number) {
    this.words = new Uint32Array(Math.ceil(rows / 32));
    this.blocks = new Uint32Array(Math.ceil(rows / 1024));
  }

  add(row: number): void {
    setBit(this.words, row);
    setBit(this.blocks, row >> 5);
  }

  addAll(other: RowSet): this {
    for (let index = 0; index < this.words.length; index++)
      this.words[index] = (this.words[index] ?? 0) | (other.words[index] ?? 0);
    for (let index = 0; index < this.blocks.length; index++)
      this.blocks[index] = (this.blocks[index] ?? 0) | (other.blocks[index] ?? 0);
    return this;
  }

  /** The first row, from the top, that is in all of `sets`, of which there is at least one, and `fits`; -1 if there is none. */
  static first(sets: readonly RowSet[], fits: (row: number) => boolean): number {
    const length = sets[0]?.blocks.length ?? 0;
    for (let index = 0; index < length; index++) {
      let blocks = -1;
      for (let set = 0; set < sets.length; set++) blocks &= sets[set]?.blocks[index] ?? 0;
      for (; blocks !== 0; blocks &= blocks - 1) {
        const word = 32 * index + lowestBit(blocks);
        let rows = -1;
        for (let set = 0; set < sets.length; set++) rows &= sets[set]?.words[word] ?? 0;
        for (; rows !== 0; rows &= rows - 1) {
          const row = 32 * word + lowestBit(rows);
          if (fits(row)) return row;
        }
      }
    }
    return -1;
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

function setBit(bits: Uint32Array, index: number): void {
  bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
}
