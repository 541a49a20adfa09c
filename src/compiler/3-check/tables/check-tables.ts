// Checks decision tables: names, headings and kinds of cells. After the statements, reports what is never looked up.
import { parseMoment } from '../../../../runtime/dates/moment.js';
import type { CellTest, CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionCell, DecisionRow, DecisionTable, Heading } from '../../2-parse/declaration-tree.js';
import type { Workflow } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { type Checker, checkThousands } from '../checker.js';
import { cellWords, normalTest, reportImpossibleCells } from './cells.js';

/** Call it before checking the statements. */
export function checkTables(checker: Checker, { tables }: Workflow): void {
  for (const table of tables) {
    const { text, span } = table.name;
    if (checker.tables.has(text) && text !== '') checker.report(catalogue.tableTwice(span, text));
    else checker.tables.set(text, table.kind === 'table' ? table : undefined);
    if (table.kind === 'table') checkTable(checker, table);
  }
}

/** Must be called after the statements are checked. */
export function checkTableUse(checker: Checker): void {
  for (const [name, table] of checker.tables) {
    const read = checker.lookedUp.get(name);
    const unfinished = checker.unfinishedTables.get(name);
    if (table !== undefined && unfinished !== undefined) checker.report(catalogue.partlyChecked(table, unfinished));
    if (table === undefined || checker.faultyTables.has(name)) continue;
    if (read === undefined) {
      checker.report(catalogue.unusedTable(table.name.span, name));
      continue;
    }
    reportImpossibleCells(checker, table);
    for (const heading of table.headings)
      if (heading.test === undefined && !read.has(heading.name))
        checker.report(catalogue.unreadResult(heading.span, name, heading.name));
  }
}

function checkTable(checker: Checker, table: DecisionTable): void {
  const { headings, rows, name, file } = table;
  const seen = new Set<string>();
  let isRight = table.hasUnread !== true;
  const report = (diagnostic: Parameters<Checker['report']>[0]): void => {
    isRight = false;
    checker.report(diagnostic);
  };
  /** Columns whose cells don't go with the heading, which is most likely wrong. The first cell is reported. */
  const mismatched = new Set<number>();
  const reportMismatch = (column: number, diagnostic: Parameters<Checker['report']>[0]): void => {
    if (!mismatched.has(column)) report(diagnostic);
    mismatched.add(column);
  };
  for (const [column, heading] of headings.entries()) {
    if (seen.has(heading.name)) {
      const place = file === undefined ? undefined : { file, row: 1, column };
      report(catalogue.headingTwice(heading.span, heading.name, place));
    }
    seen.add(heading.name);
  }
  if (headings.every(({ test }) => test === undefined)) {
    const [first = '', ...others] = headings.map((heading) => heading.name);
    const { span } = (file === undefined ? headings[0] : undefined) ?? name;
    report(catalogue.noCondition(span, name.text, file, [`${first} is`, ...others]));
    for (const column of headings.keys()) mismatched.add(column);
  }
  if (headings.every(({ test }) => test !== undefined)) report(catalogue.noResult(name.span, name.text, file));
  if (rows.length === 0 && isRight) report(catalogue.noRows(name.span, name.text, file));
  for (const row of rows) {
    for (const [column, heading] of headings.entries()) {
      const cell = row.cells[column];
      if (cell !== undefined && file === undefined) checkNumbersIn(checker, cell);
      if (cell === undefined || cell.is === 'unread') isRight = false;
      else checkCell(cell, heading, { checker, table, row, column, report, reportMismatch });
    }
  }
  if (mismatched.size > 0) checker.misheadedTables.add(name.text);
  if (isRight) reportUnreachable(checker, table);
  else checker.faultyTables.add(name.text);
}

/** The numbers of a cell outside quotes. */
function checkNumbersIn(checker: Checker, { span }: DecisionCell): void {
  const written = checker.text.slice(span.start, span.end).replace(/"[^"]*"/g, (quoted) => ' '.repeat(quoted.length));
  for (const { 0: number, index } of written.matchAll(/(?<![\w.-])-?\d+\.\d+(?![\w.])/g))
    checkThousands(checker, number, { start: span.start + index, end: span.start + index + number.length });
}

interface Place {
  readonly checker: Checker;
  readonly table: DecisionTable;
  readonly row: DecisionRow;
  readonly column: number;
  readonly report: Checker['report'];
  readonly reportMismatch: (column: number, diagnostic: Parameters<Checker['report']>[0]) => void;
}

const numberTests: ReadonlySet<HeadingTest> = new Set(['is above', 'is below', 'is at least', 'is at most'] as const);

function checkCell(cell: Exclude<DecisionCell, { is: 'unread' }>, { name, test, span }: Heading, place: Place): void {
  const { checker, table, row, column, report, reportMismatch } = place;
  const at = table.file === undefined ? undefined : { file: table.file, row: row.line, column };
  const where = table.file === undefined ? cell.span : span;
  const heading = test === undefined ? name : `${name} ${test}`;
  const written = table.file === undefined ? checker.text.slice(cell.span.start, cell.span.end) : cellWords(cell);
  const checkLimits = (low: CellValue, high: CellValue): void => {
    if (isReversed(low, high)) report(catalogue.limitsReversed(where, shownValue(low), shownValue(high), at));
  };
  if (cell.is === 'limits') {
    if (test !== 'is between') reportMismatch(column, catalogue.cellWithLimits(where, heading, name, at));
    else if (typeof cell.low !== typeof cell.high || typeof cell.low === 'boolean')
      report(catalogue.wrongCell(where, `${written} are not of one kind`, heading, 'two numbers or two texts', at));
    else checkLimits(cell.low, cell.high);
    return;
  }
  if (cell.test === null) {
    if (test === undefined) reportMismatch(column, catalogue.resultNeedsValue(where, name, at));
    return;
  }
  if (test === 'is') {
    if (typeof cell.test === 'object' && cell.test[0] === 'between') checkLimits(cell.test[1], cell.test[2]);
    return;
  }
  if (typeof cell.test === 'object') {
    const [word] = cell.test;
    // A number of a file.
    if (word === 'same' && test === 'is not') return;
    if (test === undefined) {
      if (word !== 'empty') reportMismatch(column, catalogue.resultNeedsValue(where, name, at));
    } else report(catalogue.cellOnlyUnderIs(where, written, heading, name, at));
    return;
  }
  if (test === undefined || test === 'is not') return;
  const found = cell.test;
  const what = `${written} is ${typeof found === 'number' ? 'a number' : typeof found === 'boolean' ? 'true or false' : 'a text'}`;
  if (test === 'is between') report(catalogue.cellNeedsLimits(where, heading, at));
  else if (numberTests.has(test) && typeof found !== 'number') report(catalogue.wrongCell(where, what, heading, 'a number', at));
  else if ((test === 'is before' || test === 'is after') && !isDate(found))
    report(catalogue.wrongCell(where, `${written} is not a date`, heading, 'dates such as "2026-03-01"', at));
  else if (test === 'starts with' && typeof found !== 'string') report(catalogue.wrongCell(where, what, heading, 'a text', at));
}

const isReversed = (low: CellValue, high: CellValue): boolean =>
  (typeof low === 'number' && typeof high === 'number' && low > high) ||
  (typeof low === 'string' && typeof high === 'string' && low > high);

const isDate = (value: CellValue): boolean => typeof value === 'string' && parseMoment(value) !== undefined;

const shownValue = (value: CellValue): string => (value === null ? 'empty' : JSON.stringify(value));

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
  is: 'range',
  low,
  high,
  opensLow,
  opensHigh,
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

/** Finds rows that no values reach, because a single row above them matches all their values. */
function reportUnreachable(checker: Checker, { headings, rows, file, name }: DecisionTable): void {
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
