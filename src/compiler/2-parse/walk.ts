// Walks whole blocks and expressions to answer "anywhere in here?". What a node consists of is known to `children.ts` alone.
import { assignedBy, blocksOf, localsOf, operandsOf } from './children.js';
import type { Block, Expression, Loop, Reference, Statement } from './tree.js';

const loops: Readonly<Record<Loop['kind'], true>> = { 'for each': true, 'for each field': true, repeat: true };

/** Whether a statement of this kind goes round. */
export const isLoop = (kind: Statement['kind']): kind is Loop['kind'] => Object.hasOwn(loops, kind);

/** Every statement of a block and of the blocks under it, in the order of the file. */
export function* statementsIn(block: Block): Iterable<Statement> {
  for (const statement of block) {
    yield statement;
    for (const inner of blocksOf(statement)) yield* statementsIn(inner);
  }
}

/** Every reference in an expression, including itself; repeated references are repeated. */
export function* referencesIn(expression: Expression): Iterable<Reference> {
  if (expression.kind === 'reference') yield expression;
  for (const operand of operandsOf(expression)) yield* referencesIn(operand.expression);
}

/** The names that an expression reads and does not bring along itself, as it does the item of `each … in …`. */
export function namesIn(expression: Expression): Set<string> {
  if (expression.kind === 'reference') return new Set([expression.root]);
  const names = new Set<string>();
  for (const { expression: operand } of operandsOf(expression)) {
    const isOutside = expression.kind !== 'iteration' || operand === expression.list;
    for (const name of namesIn(operand)) if (isOutside || name !== expression.item.text) names.add(name);
  }
  return names;
}

/** The variables that a block sets, at any depth. The item of a loop is not one of them. */
export function assignedIn(block: Block): Set<string> {
  const names = new Set<string>();
  for (const statement of block) {
    for (const { name } of assignedBy(statement)) names.add(name);
    const inner = new Set(blocksOf(statement).flatMap((under) => [...assignedIn(under)]));
    for (const { text } of localsOf(statement)) inner.delete(text);
    for (const name of inner) names.add(name);
  }
  return names;
}
