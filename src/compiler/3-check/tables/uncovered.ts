// Finds values that no row of a table matches. Each condition gets a few values that represent all others: the fixed values of its cells,
// and one between, before and after them. If some row matches every combination of these, some row matches everything.
import { Calendar } from '../../../../runtime/dates/calendar.js';
import { DAY_MS } from '../../../../runtime/dates/date-unit.js';
import type { ValueLimits } from '../../../../runtime/inputs/input-types.js';
import { cellFits } from '../../../../runtime/tables/cell-fits.js';
import type { CellTest, CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionTable } from '../../2-parse/declaration-tree.js';
import { isWholeNumber, type Kind, numbersOf, textsOf } from '../kinds/kind.js';
import type { Fact } from '../passed-conditions.js';
import { normalTest } from './cells.js';

/** Maximum cells to compare with examples; more would take longer than the rest of the check. */
const MOST_COMPARISONS = 500_000;

interface Column {
  readonly name: string;
  readonly test: HeadingTest;
  readonly cells: readonly CellTest[];
  readonly examples: readonly CellValue[];
}

interface Uncovered {
  /** `weight 35 and country "CH"`; `undefined` if none was found. */
  readonly example: string | undefined;
  /** False if finding out would have taken too long. */
  readonly isComplete: boolean;
}

/** Facts about a value that is looked up. */
export interface Looked {
  readonly kind: Kind;
  /** Facts from the conditions above. */
  readonly fact: Fact | undefined;
}

/** @param looked the value of a condition */
export function uncoveredValues({ headings, rows }: DecisionTable, looked: (name: string) => Looked): Uncovered {
  const columns = headings.flatMap(({ name, test }, index): Column[] => {
    if (test === undefined) return [];
    const cells = rows.map((row) => {
      const cell = row.cells[index];
      return cell === undefined ? null : normalTest(cell);
    });
    const { kind, fact } = looked(name);
    const examples = examplesFor(test, [...cells, ...(fact?.points ?? [])], kind);
    return [{ name, test, cells, examples: fact === undefined ? examples : examples.filter(fact.fits) }];
  });
  const search = new Search(columns);
  const found = search.gap(
    rows.map((_, index) => index),
    0,
  );
  const values = (found ?? []).flatMap((value, index) => {
    const column = columns[index];
    // A condition that accepts everything is not part of the example.
    return column === undefined || column.cells.every((cell) => cell === null) ? [] : [`${column.name} ${shown(value)}`];
  });
  return {
    example: found === undefined || values.length === 0 ? undefined : values.join(' and '),
    isComplete: search.isComplete,
  };
}

const shown = (value: CellValue): string => (value === null ? 'empty' : JSON.stringify(value));

const calendar = new Calendar('UTC', []);

class Search {
  readonly #columns: readonly Column[];
  readonly #covered = new Set<string>();
  #comparisons = 0;
  isComplete = true;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** Values from this column on that none of the rows matches. */
  gap(rows: readonly number[], from: number): CellValue[] | undefined {
    const column = this.#columns[from];
    if (rows.length === 0) return this.#columns.slice(from).map(({ examples }) => examples[0] ?? null);
    if (column === undefined || rows.some((row) => this.#columns.slice(from).every(({ cells }) => cells[row] === null)))
      return undefined;
    const key = `${from} ${rows.join(' ')}`;
    if (this.#covered.has(key)) return undefined;
    for (const value of column.examples) {
      this.#comparisons += rows.length;
      if (this.#comparisons > MOST_COMPARISONS) {
        this.isComplete = false;
        return undefined;
      }
      const rest = this.gap(
        rows.filter((row) => fits(column, row, value)),
        from + 1,
      );
      if (rest !== undefined) return [value, ...rest];
    }
    this.#covered.add(key);
    return undefined;
  }
}

function fits({ test, cells }: Column, row: number, value: CellValue): boolean {
  try {
    return cellFits(test, cells[row] ?? null, value, { calendar, location: undefined });
  } catch {
    // The run would fail on this value for another reason.
    return true;
  }
}

const isOrder = (test: HeadingTest): boolean => /^is (?:above|below|at least|at most|between)$/.test(test);

/** @param kind of the looked-up value, as far as it is certain */
function examplesFor(test: HeadingTest, cells: readonly CellTest[], kind: Kind): CellValue[] {
  const named = cells.flatMap(valuesIn);
  const missing = 'orEmpty' in kind && kind.orEmpty === true ? [null] : [];
  if (kind.is === 'empty') return [null];
  const known = textsOf(kind) ?? numbersOf(kind);
  if (known !== undefined) return [...known, ...missing];
  if (kind.is === 'boolean') return [true, false, ...missing];
  if (test === 'is before' || test === 'is after') return [...dates(named), ...missing];
  const numbers = named.filter((value): value is number => typeof value === 'number');
  const texts = named.filter((value): value is string => typeof value === 'string');
  if (kind.is === 'number') {
    const possible = around(numbers, kind.limits);
    return [...(isWholeNumber(kind) ? wholeOnly(possible, kind.limits) : possible), ...missing];
  }
  if (kind.is === 'text') return [...besides(texts), ...missing];
  // Of all others, only the type is known with which the cells can be compared.
  const hasNumbers = numbers.length > 0 || (isOrder(test) && texts.length === 0);
  const hasBooleans = named.some((value) => typeof value === 'boolean');
  return [
    ...(hasBooleans ? [true, false] : []),
    ...(hasNumbers ? around(numbers, undefined) : []),
    ...(texts.length > 0 || !(hasNumbers || hasBooleans) ? besides(texts) : []),
  ];
}

function valuesIn(cell: CellTest): (string | number | boolean)[] {
  if (cell === null) return [];
  if (typeof cell !== 'object') return [cell];
  const [word, ...values] = cell;
  return word === 'same' ? [cell[1]] : (values as (string | number | boolean)[]); // all but its keyword
}

/** The texts themselves, and one more that neither equals nor contains any of them, as far as possible: every text contains `""`. */
function besides(texts: readonly string[]): string[] {
  const named = texts.filter((text) => text !== '');
  const isOther = (other: string): boolean => !named.some((text) => other.includes(text));
  return [...new Set(texts), isOther('something else') ? 'something else' : unusedCharacter(named.join(''))];
}

/** The first printable character that does not occur in `text`. */
function unusedCharacter(text: string): string {
  let code = '!'.charCodeAt(0);
  while (text.includes(String.fromCodePoint(code))) code++;
  return String.fromCodePoint(code);
}

/** The numbers themselves, one between each two of them, and one beyond each end, within the limits. */
function around(numbers: readonly number[], limits: ValueLimits<number> | undefined): number[] {
  const low = limits?.from ?? limits?.above;
  const high = limits?.to ?? limits?.below;
  const ends = [...numbers, low, high].flatMap((value) => (value === undefined ? [] : [value]));
  const sorted = [...new Set(ends)].sort((one, other) => one - other);
  const [first = 0] = sorted;
  const last = sorted.at(-1) ?? 0;
  const between = sorted.flatMap((value, index) => {
    const next = sorted[index + 1];
    return next === undefined ? [value] : [value, middle(value, next)];
  });
  return [last + 1, ...between.reverse(), first - 1].filter((value) => isWithin(value, limits));
}

/** The whole numbers of these, and the nearest ones beside the others. */
function wholeOnly(values: readonly number[], limits: ValueLimits<number> | undefined): number[] {
  const whole = values.flatMap((value) => (Number.isInteger(value) ? [value] : [Math.ceil(value), Math.floor(value)]));
  return [...new Set(whole)].filter((value) => isWithin(value, limits));
}

const isWithin = (value: number, limits: ValueLimits<number> | undefined): boolean =>
  (limits?.from === undefined || value >= limits.from) &&
  (limits?.to === undefined || value <= limits.to) &&
  (limits?.above === undefined || value > limits.above) &&
  (limits?.below === undefined || value < limits.below);

/** A short number between two others: a whole one if possible. */
function middle(low: number, high: number): number {
  const whole = Math.round((low + high) / 2);
  return whole > low && whole < high ? whole : (low + high) / 2;
}

function dates(named: readonly (string | number | boolean)[]): string[] {
  const days = named.flatMap((value) => {
    const time = Date.parse(String(value).slice(0, 10));
    return Number.isNaN(time) ? [] : [time - DAY_MS, time, time + DAY_MS];
  });
  return [...new Set(days)].sort((one, other) => one - other).map((time) => new Date(time).toISOString().slice(0, 10));
}
