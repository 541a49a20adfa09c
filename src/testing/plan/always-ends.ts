// A block → whether each way through it ends the run. Its own file, because only a plan wants to know: the check stops at statements that
// are never reached.
import type { Block } from '../../compiler/2-parse/tree.js';

export function alwaysEnds(block: Block): boolean {
  return block.some((statement) => {
    if (statement.kind === 'complete' || statement.kind === 'reject') return true;
    if (statement.kind === 'step') return alwaysEnds(statement.body);
    if (statement.kind !== 'if' || statement.otherwise === undefined) return false;
    return alwaysEnds(statement.otherwise.body) && statement.branches.every(({ body }) => alwaysEnds(body));
  });
}
