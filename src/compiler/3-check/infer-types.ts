// Infers the type of each variable where every assignment agrees. The check can then report what is bound to fail, and the emitter can omit
// tests that always hold.
import type { Arithmetic, Block, Builtin, Expression, Reference } from '../2-parse/tree.js';
import { assignedBy, localsOf, statementsIn } from '../2-parse/walk.js';
import type { Kind } from './kinds/kind.js';
import { builtinKind } from './kinds/kind-of.js';

export type ValueType = Kind['is'];

/** Type of a reference, as seen by the caller. */
export type TypeOf = (reference: Reference) => ValueType;

/** The type of an expression, or `unknown` if several are possible. */
export function typeOfExpression(expression: Expression, typeOf: TypeOf): ValueType {
  switch (expression.kind) {
    case 'number':
    case 'text':
    case 'list':
    case 'record':
      return expression.kind;
    case 'constant':
      return expression.value === null ? 'empty' : 'boolean';
    case 'comparison':
    case 'between':
    case 'state':
    case 'logic':
    case 'not':
      return 'boolean';
    case 'group':
      return typeOfExpression(expression.inner, typeOf);
    case 'reference':
      return typeOf(expression);
    case 'arithmetic':
      return typeOfArithmetic(expression, typeOf);
    case 'builtin':
      return typeOfBuiltin(expression);
    case 'shift':
      return 'text';
    case 'difference':
      return 'number';
    case 'arranged':
      return 'list';
    case 'iteration':
      return expression.form === 'map' || expression.form === 'filter' ? 'list' : 'boolean';
    case 'field':
      return 'unknown';
  }
}

/** Whatever its operands are. */
function typeOfBuiltin({ name }: Builtin): ValueType {
  const { is, ...details } = builtinKind(name, []);
  return 'orEmpty' in details && details.orEmpty === true ? 'unknown' : is;
}

function typeOfArithmetic({ first, operations }: Arithmetic, typeOf: TypeOf): ValueType {
  let type = typeOfExpression(first, typeOf);
  for (const { operator, operand } of operations)
    type = operator === 'plus' ? typeOfSum(type, typeOfExpression(operand, typeOf)) : 'number';
  return type;
}

/** `plus` adds two numbers and joins two lists; anything else fails. */
export const typeOfSum = (left: ValueType, right: ValueType): ValueType =>
  left === 'number' && right === 'number' ? 'number' : 'unknown';

/** Types of the variables that `body`, a whole workflow, sets. A name that is also a loop's item is left unknown. */
export function inferTypes(body: Block, definite: ReadonlySet<Reference>): ReadonlyMap<string, ValueType> {
  const all = [...statementsIn(body)];
  const assignments = all.flatMap((statement) => [...assignedBy(statement)]);
  const items = new Set(all.flatMap((statement) => localsOf(statement).map(({ text }) => text)));

  // Starts from "no type yet" and only ever widens, so it ends after at most two changes for each variable.
  const types = new Map<string, ValueType>();
  const typeOf: TypeOf = (reference) =>
    reference.fields.length > 0 || !definite.has(reference) || items.has(reference.root)
      ? 'unknown'
      : (types.get(reference.root) ?? 'unknown');
  const optimistic: TypeOf = (reference) =>
    reference.fields.length === 0 && definite.has(reference) && !items.has(reference.root) && !types.has(reference.root)
      ? 'number'
      : typeOf(reference);
  const typeOfValue = (value: (typeof assignments)[number]['value'], seen: TypeOf): ValueType =>
    typeof value === 'string' ? value : typeOfExpression(value, seen);
  for (const { name, value } of assignments)
    if (!types.has(name)) types.set(name, items.has(name) ? 'unknown' : typeOfValue(value, optimistic));
  for (let changed = true, rounds = 0; changed; rounds++) {
    changed = false;
    for (const { name, value } of assignments) {
      const before = types.get(name);
      const type = rounds > 20 ? 'unknown' : typeOfValue(value, typeOf);
      if (before === 'unknown' || before === type) continue;
      types.set(name, 'unknown');
      changed = true;
    }
  }
  return types;
}
