// Finds values that no row of a table fits. Each condition gets a few values that stand for all others: the fixed values of its cells, and one
// between, before and behind them. If some row fits every combination of these, some row fits everything.
import { Calendar } from '../../../../runtime/dates/calendar.js';
import { cellFits } from '../../../../runtime/tables/cell-fits.js';
import type { CellTest, CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionTable } from '../../2-parse/table-tree.js';
import type { Kind } from '../kinds/kind.js';
import { examplesFor } from './example-values.js';
import { normalTest } from './normal-test.js';

/** Cells to compare with an example: more would take longer than the rest of the check. A table beyond that counts as whole. */
const MOST_COMPARISONS = 500_000;

interface Column {
  readonly name: string;
  readonly test: HeadingTest;
  readonly cells: readonly CellTest[];
  readonly examples: readonly CellValue[];
}

/** `weight 35 and country "CH"`; `undefined` if every row is covered, or if that would take too long to find out. @param kindOf the value of a condition */
export function uncoveredValues({ headings, rows }: DecisionTable, kindOf: (name: string) => Kind): string | undefined {
  const columns = headings.flatMap(({ name, test }, index): Column[] => {
    if (test === undefined) return [];
    const cells = rows.map((row) => {
      const cell = row.cells[index];
      return cell === undefined ? null : normalTest(cell);
    });
    return [{ name, test, cells, examples: examplesFor(test, cells, kindOf(name)) }];
  });
  const found = new Search(columns).gap(
    rows.map((_, index) => index),
    0,
  );
  const values = (found ?? []).flatMap((value, index) => {
    const column = columns[index];
    // A condition that accepts everything is no part of the example.
    return column === undefined || column.cells.every((cell) => cell === null) ? [] : [`${column.name} ${shown(value)}`];
  });
  return found === undefined || values.length === 0 ? undefined : values.join(' and ');
}

const shown = (value: CellValue): string => (value === null ? 'empty' : JSON.stringify(value));

const calendar = new Calendar('UTC', []);

class Search {
  readonly #columns: readonly Column[];
  readonly #covered = new Set<string>();
  #comparisons = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** Values from this column on that none of the rows fits. */
  gap(rows: readonly number[], from: number): CellValue[] | undefined {
    const column = this.#columns[from];
    if (rows.length === 0) return this.#columns.slice(from).map(({ examples }) => examples[0] ?? null);
    if (column === undefined || rows.some((row) => this.#columns.slice(from).every(({ cells }) => cells[row] === null)))
      return undefined;
    const key = `${from} ${rows.join(' ')}`;
    if (this.#covered.has(key)) return undefined;
    for (const value of column.examples) {
      this.#comparisons += rows.length;
      if (this.#comparisons > MOST_COMPARISONS) return undefined;
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
