// Sums over a loop that need be looked at only once, after it: whether a total has become too large to be held costs more than adding to
// it. A total that is infinite stays so, whatever is added; so nothing is missed where nothing in the loop sees it, and nothing that
// the loop does can be seen from outside before the look.
import type { Arithmetic, Block, Expression, ForEach, SetVariable, Statement } from '../2-parse/tree.js';

/** `set total to total plus …`, as the only place of a loop that reads or sets `total`. */
export type LateSum = SetVariable & { readonly value: Arithmetic };

/** The late sums of `loop`, by their statements; none where it does anything but calculate, or holds another loop. */
export function lateSums({ item, body }: ForEach): ReadonlyMap<Statement, LateSum> {
  const uses = new Map<string, number>([[item.text, 1]]);
  const sums: LateSum[] = [];
  const isPure = collect(body, uses, sums);
  return new Map(sums.filter(({ target }) => isPure && uses.get(target.text) === 2).map((sum) => [sum, sum]));
}

/** Counts the uses of each variable, and gives whether the block only calculates. */
function collect(block: Block, uses: Map<string, number>, sums: LateSum[]): boolean {
  return block.every((statement) => collectFrom(statement, uses, sums));
}

function collectFrom(statement: Statement, uses: Map<string, number>, sums: LateSum[]): boolean {
  const use = (name: string): void => void uses.set(name, (uses.get(name) ?? 0) + 1);
  switch (statement.kind) {
    case 'set':
      use(statement.target.text);
      rootsIn(statement.value).forEach(use);
      if (isSum(statement)) sums.push(statement);
      return true;
    case 'add':
      use(statement.target.text);
      rootsIn(statement.value).forEach(use);
      return true;
    case 'if':
      for (const { condition } of statement.branches) rootsIn(condition).forEach(use);
      return (
        statement.branches.every(({ body }) => collect(body, uses, sums)) &&
        (statement.otherwise === undefined || collect(statement.otherwise.body, uses, sums))
      );
    case 'skip':
    case 'stop':
      return true;
    default:
      return false;
  }
}

function isSum(statement: SetVariable): statement is LateSum {
  const { target, fields, value } = statement;
  if (fields.length > 0 || value.kind !== 'arithmetic' || value.operations.length !== 1) return false;
  const { first, operations } = value;
  const [operation] = operations;
  return (
    first.kind === 'reference' &&
    first.root === target.text &&
    first.fields.length === 0 &&
    (operation?.operator === 'plus' || operation?.operator === 'minus')
  );
}

/** The variables that an expression reads, each as often as it does. */
function rootsIn(expression: Expression): string[] {
  switch (expression.kind) {
    case 'reference':
      return [expression.root];
    case 'text':
      return expression.parts.flatMap((part) => (typeof part === 'string' ? [] : part.root));
    case 'list':
      return expression.items.flatMap(rootsIn);
    case 'group':
      return rootsIn(expression.inner);
    case 'ready-made':
      return rootsIn(expression.argument);
    case 'arithmetic':
      return [expression.first, ...expression.operations.map(({ operand }) => operand)].flatMap(rootsIn);
    case 'comparison':
      return [expression.left, expression.right].flatMap(rootsIn);
    case 'between':
      return [expression.value, expression.low, expression.high].flatMap(rootsIn);
    case 'state':
      return rootsIn(expression.value);
    case 'logic':
      return expression.operands.flatMap(rootsIn);
    case 'not':
      return rootsIn(expression.operand);
    case 'number':
    case 'constant':
      return [];
  }
}
