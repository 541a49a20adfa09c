// Converts the cell of a tree to the test of the runtime, which the check applies to examples.
import type { CellTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionCell } from '../../2-parse/table-tree.js';

export function normalTest(cell: DecisionCell): CellTest {
  if (cell.is === 'test') return cell.test;
  if (cell.is === 'unread' || cell.low === null || cell.high === null) return null;
  if (typeof cell.low === 'boolean' || typeof cell.high === 'boolean') return null;
  return ['between', cell.low, cell.high];
}
