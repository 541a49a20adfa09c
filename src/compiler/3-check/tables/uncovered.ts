// Finds values that no row of a table matches. Each condition gets a few values that represent all others: the fixed values of its cells,
// and one between, before and after them. If some row matches every combination of these, some row matches everything.
import { Calendar } from '../../../../runtime/dates/calendar.js';
import { cellFits } from '../../../../runtime/tables/cell-fits.js';
import type { CellTest, CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionTable } from '../../2-parse/table-tree.js';
import type { Kind } from '../kinds/kind.js';
import { examplesFor } from './example-values.js';
import { normalTest } from './normal-test.js';

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

/** @param kindOf the value of a condition */
export function uncoveredValues({ headings, rows }: DecisionTable, kindOf: (name: string) => Kind): Uncovered {
  const columns = headings.flatMap(({ name, test }, index): Column[] => {
    if (test === undefined) return [];
    const cells = rows.map((row) => {
      const cell = row.cells[index];
      return cell === undefined ? null : normalTest(cell);
    });
    return [{ name, test, cells, examples: examplesFor(test, cells, kindOf(name)) }];
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
