// Emits the decision tables that are looked up, as data of the module.
import type { CellValue, TableData } from '../../../runtime/tables/table-types.js';
import type { DecisionCell, DecisionTable } from '../2-parse/declaration-tree.js';
import { normalTest } from '../3-check/tables/cells.js';
import type { Emitter } from './emitter.js';
import { jsData, jsText } from './javascript-text.js';

/** JavaScript engines parse a large literal several times faster as JSON. */
const FEWEST_AS_JSON = 50;

interface EmittedTable {
  /** The constant with its data. */
  readonly constant: string;
  /** With coverage, the index of its first row among the places. */
  readonly firstRow: number | undefined;
}

export class EmittedTables {
  readonly #emitter: Emitter;
  readonly #tables = new Map<DecisionTable, EmittedTable>();

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Marks a table as looked up. */
  use(table: DecisionTable): EmittedTable {
    let known = this.#tables.get(table);
    if (known === undefined) {
      known = { constant: `table$${this.#tables.size}`, firstRow: this.#reachableRows(table) };
      this.#tables.set(table, known);
    }
    return known;
  }

  #reachableRows({ file, rows }: DecisionTable): number | undefined {
    const { options, reachable } = this.#emitter;
    if (options.coverage !== true) return undefined;
    const first = reachable.length;
    for (const { line, span } of rows) {
      if (file === undefined) reachable.push({ line, kind: 'row', text: this.#emitter.excerpt(span) });
      else reachable.push({ line: this.#emitter.origin(span.start).line + 1, kind: 'row', text: `row ${line}`, file });
    }
    return first;
  }

  /** The declarations of the tables that are looked up. */
  get lines(): string[] {
    return [...this.#tables].map(([table, { constant }]) => {
      const data = tableData(table);
      const code = data.rows.length < FEWEST_AS_JSON ? jsData(data) : `JSON.parse(${jsText(JSON.stringify(data))})`;
      return `const ${constant} = ${code};`;
    });
  }
}

function tableData({ name, headings, rows }: DecisionTable): TableData {
  const columns = headings.map((heading, index) => ({ ...heading, index }));
  const conditions = columns.flatMap(({ name: condition, test, index }) =>
    test === undefined ? [] : [{ name: condition, test, index }],
  );
  const results = columns.filter(({ test }) => test === undefined);
  return {
    name: name.text,
    conditions: conditions.map(({ name: condition, test }) => ({ name: condition, test })),
    rows: rows.map(({ cells }) =>
      conditions.map(({ index }) => {
        const cell = cells[index];
        return cell === undefined ? null : normalTest(cell);
      }),
    ),
    results: rows.map(({ cells }) => results.map(({ index }) => resultOf(cells[index]))),
  };
}

function resultOf(cell: DecisionCell | undefined): CellValue {
  if (cell?.is !== 'test' || cell.test === null) return null;
  return typeof cell.test === 'object' ? null : cell.test;
}
