// Converts a cell of a decision table to the test of the runtime, and to words.
import type { CellTest, CellValue } from '../../../../runtime/tables/table-types.js';
import type { DecisionCell } from '../../2-parse/declaration-tree.js';

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
  return word === 'between' ? `between ${values.map(shownValue).join(' and ')}` : `${word} ${values.map(shownValue).join(', ')}`;
}
