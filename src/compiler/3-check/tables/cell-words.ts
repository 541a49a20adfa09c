// A cell of a decision table as it is written in a workflow, also for a table from a file.
import type { CellTest, CellValue } from '../../../../runtime/tables/table-types.js';
import type { DecisionCell } from '../../2-parse/table-tree.js';

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
