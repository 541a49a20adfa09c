// Finds rows that no values reach, because a single row above them matches all their values.
import { parseMoment } from '../../../../runtime/dates/moment.js';
import type { CellTest, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionTable } from '../../2-parse/table-tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { normalTest } from './normal-test.js';

/** Maximum pairs of rows to compare; more would take longer than the rest of the check. */
const MOST_PAIRS = 2_000_000;
/** Maximum messages per table. */
const MOST_REPORTED = 20;

type Scalar = string | number | boolean;

/** The values that a cell matches, as far as two cells can be compared. */
type Taken =
  | { readonly is: 'all' }
  | { readonly is: 'values'; readonly values: ReadonlySet<Scalar> }
  /** Without the limits themselves if they are exclusive. */
  | { readonly is: 'range'; readonly low: number; readonly high: number; readonly opensLow: boolean; readonly opensHigh: boolean }
  | { readonly is: 'other'; readonly test: string; readonly value: Scalar | null };

const { POSITIVE_INFINITY: INFINITY } = Number;
const range = (low: number, high: number, opensLow: boolean, opensHigh: boolean): Taken => ({
  ...{ is: 'range', low, high, opensLow, opensHigh },
});

function ordered(word: string, limit: number): Taken {
  if (word === 'above') return range(limit, INFINITY, true, false);
  if (word === 'at least') return range(limit, INFINITY, false, false);
  return range(-INFINITY, limit, false, word === 'below');
}

function takenBy(test: HeadingTest, cell: CellTest): Taken {
  if (cell === null) return { is: 'all' };
  if (typeof cell === 'object') {
    const [word, first, second] = cell;
    if (word === 'empty') return { is: 'other', test: word, value: null };
    if (word === 'between' && typeof first === 'number' && typeof second === 'number') return range(first, second, false, false);
    if (word === 'between') return { is: 'other', test: word, value: `${String(first)} ${String(second)}` };
    if (word === 'same' && test === 'is not') return { is: 'other', test, value: first };
    if (word === 'one of' || word === 'same') return { is: 'values', values: new Set(cell.slice(1) as Scalar[]) }; // all but its keyword
    return ordered(word, Number(first));
  }
  if (test === 'is') return { is: 'values', values: new Set([cell]) };
  if (/^is (?:above|below|at least|at most)$/.test(test)) return ordered(test.slice('is '.length), Number(cell));
  return { is: 'other', test, value: cell };
}

/** Whether `outer` matches everything that `inner` matches. When in doubt, no. */
function takesAll(outer: Taken, inner: Taken): boolean {
  if (outer.is === 'all') return true;
  if (outer.is === 'values') return inner.is === 'values' && [...inner.values].every((value) => outer.values.has(value));
  if (outer.is === 'range') {
    if (inner.is === 'values') return [...inner.values].every((value) => typeof value === 'number' && isWithin(value, outer));
    if (inner.is !== 'range') return false;
    const low = inner.low > outer.low || (inner.low === outer.low && (!outer.opensLow || inner.opensLow));
    const high = inner.high < outer.high || (inner.high === outer.high && (!outer.opensHigh || inner.opensHigh));
    return low && high;
  }
  if (inner.is !== 'other' || inner.test !== outer.test) return false;
  if (outer.test === 'starts with') return String(inner.value).startsWith(String(outer.value));
  if (outer.test === 'contains') return String(inner.value).includes(String(outer.value));
  if (outer.test === 'is before') return dayOf(inner.value) <= dayOf(outer.value);
  if (outer.test === 'is after') return dayOf(inner.value) >= dayOf(outer.value);
  return inner.value === outer.value;
}

const isWithin = (value: number, { low, high, opensLow, opensHigh }: Extract<Taken, { is: 'range' }>): boolean =>
  (value > low || (value === low && !opensLow)) && (value < high || (value === high && !opensHigh));

/** Dates without a time sort; others are never comparable with each other. */
function dayOf(value: Scalar | null): number {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  return moment?.form === 'date' ? Number(String(value).replaceAll('-', '')) : Number.NaN;
}

export function reportUnreachable(checker: Checker, { headings, rows, file, name }: DecisionTable): void {
  const columns = headings.flatMap(({ test }, index) => (test === undefined ? [] : [{ test, index }]));
  const taken = rows.map(({ cells }) =>
    columns.map(({ test, index }) => {
      const cell = cells[index];
      return takenBy(test, cell === undefined ? null : normalTest(cell));
    }),
  );
  const earlier = new EarlierRows(taken, columns.length);
  let pairs = 0;
  let reported = 0;
  for (const [index, row] of rows.entries()) {
    const inner = taken[index] ?? [];
    const by = earlier.candidates(index).find((other) => {
      pairs++;
      return (taken[other] ?? []).every((outer, column) => takesAll(outer, inner[column] ?? { is: 'all' }));
    });
    earlier.add(index);
    if (pairs > MOST_PAIRS) {
      if (index + 1 < rows.length) checker.unfinishedTables.set(name.text, { comparedRows: index });
      return;
    }
    if (reported >= MOST_REPORTED) return;
    const taker = by === undefined ? undefined : rows[by];
    if (taker === undefined) continue;
    reported++;
    const unit = file === undefined ? 'line' : 'row';
    const what = file === undefined ? undefined : `${file}, row ${row.line}: this row of "${name.text}"`;
    checker.report(catalogue.unreachableRow(row.span, what, `${unit} ${taker.line}`));
  }
}

/**
 * Finds the rows above that may match everything a row does: those that name one of its values in the column with the most, and those that
 * name none.
 */
class EarlierRows {
  readonly #taken: readonly (readonly Taken[])[];
  readonly #column: number;
  readonly #naming = new Map<Scalar, number[]>();
  readonly #others: number[] = [];

  constructor(taken: readonly (readonly Taken[])[], columns: number) {
    this.#taken = taken;
    const named = Array.from({ length: columns }, (_, column) => {
      const cells = taken.map((row) => row[column]);
      return new Set(cells.flatMap((cell) => (cell?.is === 'values' ? [...cell.values] : []))).size;
    });
    this.#column = named.indexOf(Math.max(...named));
  }

  candidates(row: number): readonly number[] {
    const cell = this.#taken[row]?.[this.#column];
    const [value] = cell?.is === 'values' ? cell.values : [];
    const naming = value === undefined ? [] : (this.#naming.get(value) ?? []);
    return naming.length === 0 ? this.#others : [...naming, ...this.#others].sort((one, other) => one - other);
  }

  add(row: number): void {
    const cell = this.#taken[row]?.[this.#column];
    if (cell?.is !== 'values') {
      this.#others.push(row);
      return;
    }
    for (const value of cell.values) {
      const rows = this.#naming.get(value);
      if (rows === undefined) this.#naming.set(value, [row]);
      else rows.push(row);
    }
  }
}
