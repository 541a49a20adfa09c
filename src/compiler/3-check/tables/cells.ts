// Converts a cell of a decision table to the test of the runtime, and to words. Finds cells that no look-up can match, because its value
// always has one of a few others.
import type { CellTest, CellValue } from '../../../../runtime/tables/table-types.js';
import type { DecisionCell, DecisionTable, Heading } from '../../2-parse/declaration-tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { type Kind, numbersOf, textsOf } from '../kinds/kind.js';

export function normalTest(cell: DecisionCell): CellTest {
  if (cell.is === 'test') return cell.test;
  if (cell.is === 'unread' || cell.low === null || cell.high === null) return null;
  if (typeof cell.low === 'boolean' || typeof cell.high === 'boolean') return null;
  return ['between', cell.low, cell.high];
}

/** `one of "AT", "CH"`, `at most 5`, `any`. */
export function cellWords(cell: Exclude<DecisionCell, { is: 'unread' }>): string {
  if (cell.is === 'limits') return `${shownValue(cell.low)} and ${shownValue(cell.high)}`;
  return testWords(cell.test);
}

const shownValue = (value: CellValue): string => (value === null ? 'empty' : JSON.stringify(value));

function testWords(test: CellTest): string {
  if (test === null) return 'any';
  if (typeof test !== 'object') return shownValue(test);
  const [word, ...values] = test;
  if (word === 'empty') return 'empty';
  if (word === 'same') return String(test[2]);
  // A cell yes or no.
  if (values.length === 2 && typeof values[0] === 'boolean') return String(values[1]);
  return word === 'between' ? `between ${values.map(shownValue).join(' and ')}` : `${word} ${values.map(shownValue).join(', ')}`;
}

type Possible = ReadonlySet<string | number>;

/** For each condition of a table, the values with which it is looked up; `undefined` if they may be any. */
const lookedUpWith = new WeakMap<DecisionTable, Map<string, Possible | undefined>>();

/** A line looks up the table with a value of this kind. */
export function noteValue(table: DecisionTable, condition: string, kind: Kind): void {
  const known = lookedUpWith.get(table) ?? new Map<string, Possible | undefined>();
  lookedUpWith.set(table, known);
  const values = declaredValues(kind);
  const before = known.get(condition);
  const isFirst = !known.has(condition);
  const all = values === undefined || (!isFirst && before === undefined) ? undefined : new Set([...(before ?? []), ...values]);
  known.set(condition, all);
}

/** The choices of a value; `undefined` for one that may be anything, and for a fixed one. */
function declaredValues(kind: Kind): readonly (string | number)[] | undefined {
  if (kind.is === 'text') return kind.isChoice === true && kind.orEmpty !== true ? textsOf(kind) : undefined;
  return kind.is === 'number' && kind.value === undefined && kind.orEmpty !== true ? numbersOf(kind) : undefined;
}

/** Call it after the statements are checked. */
export function reportImpossibleCells(checker: Checker, table: DecisionTable): void {
  for (const [column, heading] of table.headings.entries()) {
    const possible = lookedUpWith.get(table)?.get(heading.name);
    if (possible === undefined || (heading.test !== 'is' && heading.test !== 'is not')) continue;
    for (const row of table.rows) {
      const cell = row.cells[column];
      const wrong = cell === undefined ? undefined : valuesIn(normalTest(cell)).find((value) => !possible.has(value));
      if (cell === undefined || wrong === undefined) continue;
      reportCell(checker, table, { heading, column, row: row.line, span: cell.span }, wrong, possible);
    }
  }
}

interface Place {
  readonly heading: Heading;
  readonly column: number;
  readonly row: number;
  readonly span: Heading['span'];
}

function reportCell(
  checker: Checker,
  { file }: DecisionTable,
  { heading, column, row, span }: Place,
  wrong: string | number,
  possible: Possible,
): void {
  const texts = [...possible].filter((value): value is string => typeof value === 'string');
  const suggestion = typeof wrong === 'string' ? checker.closest(wrong, texts) : undefined;
  const place = file === undefined ? undefined : { file, row, column };
  checker.report(catalogue.impossibleCell({ span, suggestion }, heading.name, wrong, [...possible], place));
}

/** The values that the cell names; none of a comparison. A number of a file also stands for its text. */
function valuesIn(test: ReturnType<typeof normalTest>): (string | number)[] {
  if (typeof test === 'string' || typeof test === 'number') return [test];
  if (test === null || typeof test !== 'object' || test[0] !== 'one of') return [];
  return test.slice(1).filter((value): value is string | number => typeof value === 'string' || typeof value === 'number');
}
