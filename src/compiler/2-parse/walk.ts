// Walks whole blocks and expressions to find out whether they contain something. Only `children.ts` knows the children of a node.
import type { Span } from '../diagnostics/diagnostic.js';
import { assignedBy, blocksOf, expressionsOf, localsOf, operandsOf } from './children.js';
import type { Block, Expression, Loop, Reference, Statement, TogetherLoop } from './tree.js';

const loops: Readonly<Record<Loop['kind'], true>> = { 'for each': true, 'for each field': true, repeat: true };

/** Whether a statement of this kind is a loop. */
export const isLoop = (kind: Statement['kind']): kind is Loop['kind'] => Object.hasOwn(loops, kind);

const waiting = {
  ...{ wait: true, 'wait until': true, 'wait for': true, ask: true, call: false, 'look up': false, step: false, set: false },
  ...{ add: false, log: false, if: false, 'for each': false, 'for each field': false, repeat: false, skip: false, stop: false },
  ...{ 'at the same time': false, complete: false, reject: false, broken: false },
} as const satisfies Readonly<Record<Statement['kind'], boolean>>;

type Waiting = {
  [K in Statement['kind']]: (typeof waiting)[K] extends true ? Extract<Statement, { kind: K }> : never;
}[Statement['kind']];

/** Whether it may be another day after a statement: it waits for a time, a message or a person. */
export const isWaiting = (statement: Statement): statement is Waiting => waiting[statement.kind];

/** Every statement of a block and its nested blocks, in the order of the file. */
export function* statementsIn(block: Block): Iterable<Statement> {
  for (const statement of block) {
    yield statement;
    for (const inner of blocksOf(statement)) yield* statementsIn(inner);
  }
}

/** Every reference in an expression, including itself and duplicates. */
export function* referencesIn(expression: Expression): Iterable<Reference> {
  if (expression.kind === 'reference') yield expression;
  for (const operand of operandsOf(expression)) yield* referencesIn(operand.expression);
}

/** The references of an expression to names that it does not bind itself, as `each item in …` does. */
function* freeReferencesIn(expression: Expression): Iterable<Reference> {
  if (expression.kind === 'reference') yield expression;
  for (const { expression: operand } of operandsOf(expression)) {
    const isOutside = expression.kind !== 'iteration' || operand === expression.list;
    for (const reference of freeReferencesIn(operand)) if (isOutside || reference.root !== expression.item.text) yield reference;
  }
}

/** The names that an expression reads and does not bind itself. */
export const namesIn = (expression: Expression): Set<string> =>
  new Set([...freeReferencesIn(expression)].map(({ root }) => root));

/** Every reference in a block to a name that no loop and no failed call inside binds. */
export function* outerReferencesIn(block: Block): Iterable<Reference> {
  for (const statement of block) {
    for (const { expression } of expressionsOf(statement)) yield* freeReferencesIn(expression);
    const own = new Set(localsOf(statement).map(({ text }) => text));
    if (isTogether(statement)) for (const name of namesSetIn(statement.body).own) own.add(name);
    // Under `on failure:`, it is never a variable. A line that could not be parsed may have been a call.
    if (statement.kind === 'call' || statement.kind === 'ask' || statement.kind === 'broken') own.add('failure');
    for (const inner of blocksOf(statement))
      for (const reference of outerReferencesIn(inner)) if (!own.has(reference.root)) yield reference;
  }
}

/** Whether the rounds of a loop run concurrently. */
export const isTogether = (statement: Statement): statement is TogetherLoop =>
  statement.kind === 'for each' && statement.atATime !== undefined;

/** Variables that a block sets: lists that it only adds to, and all others, which are local to a round if rounds run concurrently. */
interface SetNames {
  readonly added: Set<string>;
  readonly own: Set<string>;
}

/** The variables that a block sets, at any depth, except for the item of a loop and what is local to a round. */
export function namesSetIn(block: Block): SetNames {
  const names: SetNames = { added: new Set(), own: new Set() };
  for (const statement of block) {
    for (const { name } of assignedBy(statement)) (statement.kind === 'add' ? names.added : names.own).add(name);
    const locals = new Set(localsOf(statement).map(({ text }) => text));
    const isApart = isTogether(statement);
    for (const under of blocksOf(statement)) {
      const inner = namesSetIn(under);
      for (const name of inner.added) if (!locals.has(name)) names.added.add(name);
      if (!isApart) for (const name of inner.own) if (!locals.has(name)) names.own.add(name);
    }
  }
  for (const name of names.own) names.added.delete(name);
  return names;
}

/** Collects the names that a block sets or adds to. */
export function assignedIn(block: Block): Set<string> {
  const { added, own } = namesSetIn(block);
  return new Set([...own, ...added]);
}

export interface PlaceOfSetting {
  readonly span: Span;
  readonly line: number;
  /** The value it is set to, if the file contains one. */
  readonly value: Expression | undefined;
}

/** The first place in a block that sets `name`. */
export function assignmentIn(block: Block, name: string): PlaceOfSetting | undefined {
  for (const statement of statementsIn(block)) {
    const span = assignedBy(statement).find((assignment) => assignment.name === name)?.span;
    if (span === undefined) continue;
    return { span, line: statement.line, value: statement.kind === 'set' ? statement.value : undefined };
  }
  return undefined;
}
