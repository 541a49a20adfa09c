// Finds totals whose overflow check can move after their loop: checking each round costs more than the addition. An infinite total stays
// infinite, so nothing is missed as long as nothing in the loop reads it and the loop has no effects.
import type { Block, ForEach, SetVariable, Statement } from '../2-parse/tree.js';
import { assignedBy, blocksOf, expressionsOf, referencesIn } from '../2-parse/walk.js';
import { typeOfExpression } from '../3-check/infer-types.js';
import type { DeferredCheck, Emitter } from './emitter.js';
import { sameSign } from './expressions/arithmetic.js';

/** The totals of `loop` that can be checked after it, by statement. None if it does anything but calculate, or contains another loop. */
export function deferredChecks({ item, body }: ForEach): ReadonlyMap<Statement, DeferredCheck> {
  const uses = new Map<string, number>([[item.text, 1]]);
  const sums: DeferredCheck[] = [];
  const isPure = collect(body, uses, sums);
  return new Map(sums.filter(({ target }) => isPure && uses.get(target.text) === 2).map((sum) => [sum, sum]));
}

/** Counts the uses of each variable, and returns whether the block only calculates. */
function collect(block: Block, uses: Map<string, number>, sums: DeferredCheck[]): boolean {
  return block.every((statement) => {
    for (const { name } of assignedBy(statement)) uses.set(name, (uses.get(name) ?? 0) + 1);
    for (const { expression } of expressionsOf(statement))
      for (const { root } of referencesIn(expression)) uses.set(root, (uses.get(root) ?? 0) + 1);
    if (statement.kind === 'set' && isSum(statement)) sums.push(statement);
    return calculates.has(statement.kind) && blocksOf(statement).every((inner) => collect(inner, uses, sums));
  });
}

/** Statements without effects outside the run. */
const calculates: ReadonlySet<Statement['kind']> = new Set(['set', 'add', 'if', 'skip', 'stop']);

function isSum(statement: SetVariable): statement is DeferredCheck {
  const { target, fields, value } = statement;
  if (fields.length > 0 || value.kind !== 'arithmetic' || value.operations.length !== 1) return false;
  const { first, operations } = value;
  const [operation] = operations;
  return first.kind === 'reference' && first.root === target.text && first.fields.length === 0 && operation?.operator === 'plus';
}

/** A total of two numbers: the calculation alone, and the check for after the loop; `undefined` for anything but numbers. */
export function emitDeferredCheck(
  emitter: Emitter,
  { value }: DeferredCheck,
): { readonly code: string; readonly check: string } | undefined {
  const { first, operations, span } = value;
  const [operation] = operations;
  // A difference may have to be rounded in each round.
  if (operation?.operator !== 'plus') return undefined;
  const { operand } = operation;
  if ([first, operand].some((side) => typeOfExpression(side, emitter.typeOf) !== 'number')) return undefined;
  const left = emitter.expression(first).code;
  const right = emitter.expression(operand);
  const location = emitter.location(span, first.span, operand.span);
  const plus = emitter.use('plus');
  const added = right.isAtomic ? right.code : emitter.temporary();
  // The loop keeps its total as a floating-point number, for which one multiplication is faster than comparisons of both.
  const isSameSign = operand.kind === 'number' ? sameSign(left, added, operand) : `${left} * ${added} >= 0`;
  const sum = `${isSameSign} ? ${left} + ${added} : +${plus}(${left}, ${added}, ${location})`;
  return {
    code: right.isAtomic ? sum : `(${added} = ${right.code}, ${sum})`,
    check: `if (${left} - ${left} !== 0) ${plus}(${left}, 0, ${location});`,
  };
}
