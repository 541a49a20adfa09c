// `add` lets a list grow in place while the variable alone holds it. This finds the statements after which something else may hold
// the list too: where the bare name of the variable is used as a value that is kept.
import type { Expression, Statement } from '../2-parse/tree.js';

/** Variables among `grown` whose list `statement` (without its blocks) may share. */
export function sharedLists(statement: Statement, grown: ReadonlySet<string>): ReadonlySet<string> {
  const shared = new Set<string>();
  if (grown.size === 0) return shared;
  const keep = (expression: Expression): void => {
    switch (expression.kind) {
      case 'reference':
        if (expression.fields.length === 0 && grown.has(expression.root)) shared.add(expression.root);
        break;
      case 'group':
        keep(expression.inner);
        break;
      case 'list':
        for (const item of expression.items) keep(item);
        break;
      case 'arithmetic':
        keep(expression.first);
        for (const { operand } of expression.operations) keep(operand);
        break;
      case 'ready-made':
        keep(expression.argument);
        break;
      default:
      // Texts and tests keep nothing of what they read.
    }
  };
  switch (statement.kind) {
    case 'set':
    case 'add':
      keep(statement.value);
      break;
    case 'call':
    case 'ask':
      for (const { value } of statement.pairs) keep(value);
      break;
    case 'for each':
      keep(statement.list);
      break;
    default:
  }
  return shared;
}

/** The variables that an `add` anywhere in the workflow appends to. */
export function grownLists(
  statements: readonly Statement[],
  blocksOf: (statement: Statement) => (readonly Statement[])[],
  names: Set<string> = new Set(),
): Set<string> {
  for (const statement of statements) {
    if (statement.kind === 'add') names.add(statement.target.text);
    for (const block of blocksOf(statement)) grownLists(block, blocksOf, names);
  }
  return names;
}
