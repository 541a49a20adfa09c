// What type each variable has wherever it is set, as far as that is certain: arithmetic on known numbers needs no test.
import type { Arithmetic, Block, Expression, Reference, Statement, Workflow } from '../2-parse/tree.js';

export type Type = 'number' | 'text' | 'boolean' | 'unknown';

/** Type of a reference, as seen by the caller. */
export type TypeOf = (reference: Reference) => Type;

export function typeOfExpression(expression: Expression, typeOf: TypeOf): Type {
  switch (expression.kind) {
    case 'number':
      return 'number';
    case 'text':
      return 'text';
    case 'constant':
      return expression.value === null ? 'unknown' : 'boolean';
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
    case 'ready-made':
      if (expression.name === 'count of' || expression.name === 'sum of' || expression.name === 'number of') return 'number';
      // A changed text stays `empty` where it was.
      return expression.name === 'text of' ? 'text' : 'unknown';
    default:
      return 'unknown';
  }
}

function typeOfArithmetic({ first, operations }: Arithmetic, typeOf: TypeOf): Type {
  let type = typeOfExpression(first, typeOf);
  for (const { operator, operand } of operations)
    type = operator === 'plus' ? typeOfSum(type, typeOfExpression(operand, typeOf)) : 'number';
  return type;
}

/** `plus` gives a number of two numbers; with a text on either side it gives a text, or fails. */
export const typeOfSum = (left: Type, right: Type): Type =>
  left === 'number' && right === 'number' ? 'number' : left === 'text' || right === 'text' ? 'text' : 'unknown';

/** Types of the variables of a run. A name that is also a loop's item is left unknown. */
export function inferTypes(workflow: Workflow, definite: ReadonlySet<Reference>): ReadonlyMap<string, Type> {
  const assignments: { readonly name: string; readonly value: Expression | undefined }[] = [];
  const items = new Set<string>();
  collect(workflow.body, assignments, items);

  // Starts from "no type yet" and only ever widens, so it ends after at most two changes for each variable.
  const types = new Map<string, Type>();
  const typeOf: TypeOf = (reference) =>
    reference.fields.length > 0 || !definite.has(reference) || items.has(reference.root)
      ? 'unknown'
      : (types.get(reference.root) ?? 'unknown');
  const optimistic: TypeOf = (reference) =>
    reference.fields.length === 0 && definite.has(reference) && !items.has(reference.root) && !types.has(reference.root)
      ? 'number'
      : typeOf(reference);
  for (const { name, value } of assignments)
    if (!types.has(name))
      types.set(name, value === undefined || items.has(name) ? 'unknown' : typeOfExpression(value, optimistic));
  for (let changed = true, rounds = 0; changed; rounds++) {
    changed = false;
    for (const { name, value } of assignments) {
      const before = types.get(name);
      const type = value === undefined || rounds > 20 ? 'unknown' : typeOfExpression(value, typeOf);
      if (before === 'unknown' || before === type) continue;
      types.set(name, 'unknown');
      changed = true;
    }
  }
  return types;
}

function collect(block: Block, assignments: { name: string; value: Expression | undefined }[], items: Set<string>): void {
  for (const statement of block) {
    for (const name of setBy(statement)) assignments.push(name);
    if (statement.kind === 'for each') items.add(statement.item.text);
    for (const inner of blocksOf(statement)) collect(inner, assignments, items);
  }
}

function setBy(statement: Statement): { name: string; value: Expression | undefined }[] {
  if (statement.kind === 'set')
    return [{ name: statement.target.text, value: statement.fields.length > 0 ? undefined : statement.value }];
  if (statement.kind === 'add') return [{ name: statement.target.text, value: undefined }];
  if (statement.kind === 'call' || statement.kind === 'ask')
    return statement.saves.map((save) => ({ name: save.name.text, value: undefined }));
  return [];
}

/** The blocks directly under a statement. */
export function blocksOf(statement: Statement): Block[] {
  switch (statement.kind) {
    case 'step':
    case 'for each':
    case 'broken':
      return [statement.body];
    case 'if':
      return [
        ...statement.branches.map((branch) => branch.body),
        ...(statement.otherwise === undefined ? [] : [statement.otherwise.body]),
      ];
    case 'call':
    case 'ask':
      return statement.onFailure?.body === undefined ? [] : [statement.onFailure.body];
    default:
      return [];
  }
}
