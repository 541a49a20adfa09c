// Whether every path through a block ends the run. If so, the plan omits the end of the file, which no run would reach.
import { blocksOf, blocksRun } from '../../compiler/2-parse/children.js';
import type { Block, Statement } from '../../compiler/2-parse/tree.js';
import { endOf } from '../../compiler/vocabulary/statement-table.js';

export const alwaysEnds = (block: Block): boolean => block.some(endsRun);

function endsRun(statement: Statement): boolean {
  if (endOf(statement.kind) === 'run') return true;
  const blocks = blocksOf(statement);
  switch (blocksRun(statement)) {
    case 'all':
      return blocks.some(alwaysEnds);
    case 'one':
      return blocks.every(alwaysEnds);
    case 'maybe':
      return false;
  }
}
