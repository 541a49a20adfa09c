// Finds the statements after which something else may hold a list that `add` grows in place: wherever the bare variable is used as a value
// that is kept.
import type { Block, Statement } from '../2-parse/tree.js';
import { type Child, expressionsOf, operandsOf, statementsIn } from '../2-parse/walk.js';

/** Variables among `grown` whose list `statement` (without its blocks) may share. */
export function aliasedLists(statement: Statement, grown: ReadonlySet<string>): ReadonlySet<string> {
  const shared = new Set<string>();
  if (grown.size === 0) return shared;
  const look = ({ expression, use }: Child): void => {
    if (use === 'read') return;
    if (expression.kind === 'reference' && expression.fields.length === 0 && grown.has(expression.root))
      shared.add(expression.root);
    for (const operand of operandsOf(expression)) look(operand);
  };
  for (const child of expressionsOf(statement)) look(child);
  return shared;
}

/** The variables that an `add` anywhere in the workflow appends to. */
export function grownLists(body: Block): Set<string> {
  const names = new Set<string>();
  for (const statement of statementsIn(body)) if (statement.kind === 'add') names.add(statement.target.text);
  return names;
}
