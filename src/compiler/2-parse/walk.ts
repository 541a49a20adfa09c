// Lists the parts of each statement and expression, and walks over whole blocks that find out whether they contain something. Every walk
// goes through these tables, so none can miss a new kind of node: `tsc` reports a missing kind, and a test reports a missing child.
import type { Span } from '../diagnostics/diagnostic.js';
import type {
  AmountOfTime,
  Block,
  Expression,
  Loop,
  Name,
  Pair,
  Reference,
  SendOptions,
  Statement,
  TogetherLoop,
} from './tree.js';

const loops: Readonly<Record<Loop['kind'], true>> = { 'for each': true, 'for each field': true, repeat: true };

/** Whether a statement of this kind is a loop. */
export const isLoop = (kind: Statement['kind']): kind is Loop['kind'] => Object.hasOwn(loops, kind);

const waiting = {
  wait: true,
  'wait until': true,
  'wait for': true,
  ask: true,
  call: false,
  'look up': false,
  step: false,
  set: false,
  add: false,
  log: false,
  if: false,
  'for each': false,
  'for each field': false,
  repeat: false,
  skip: false,
  stop: false,
  'at the same time': false,
  complete: false,
  reject: false,
  broken: false,
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
export function* freeReferencesIn(expression: Expression): Iterable<Reference> {
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

/** An expression inside a node, and what happens to its value. */
export interface Child {
  readonly expression: Expression;
  /** `kept`: a variable, a list or a service may hold on to the value. `read`: it is only inspected. */
  readonly use: 'kept' | 'read';
}

/** A variable that a statement sets. */
interface Assignment {
  readonly name: string;
  /** Where the statement names it; `undefined` in a statement with a mistake. */
  readonly span?: Span;
  /** The value it is set to, or `list` if only that is known. */
  readonly value: Expression | 'list' | 'unknown';
}

interface StatementParts<S> {
  readonly blocks: (statement: S) => readonly Block[];
  /** Which of its blocks a run enters: all of them, exactly one, or perhaps none. */
  readonly runs: (statement: S) => 'all' | 'one' | 'maybe';
  /** The expressions outside its blocks, in order of evaluation. */
  readonly expressions: (statement: S) => readonly Child[];
  /** The variables it sets itself, not counting its blocks. */
  readonly assigned: (statement: S) => readonly Assignment[];
  /** Names that exist only in its blocks. */
  readonly locals: (statement: S) => readonly Name[];
}

type StatementTable = { readonly [K in Statement['kind']]: StatementParts<Extract<Statement, { kind: K }>> };
type ExpressionTable = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>) => readonly Child[] };

const kept = (expression: Expression): Child => ({ expression, use: 'kept' });
const read = (expression: Expression): Child => ({ expression, use: 'read' });
/** Only the items of a list variable can become part of something else; nothing passes on the list itself. */
const parts = (expression: Expression): Child => (expression.kind === 'reference' ? read(expression) : kept(expression));
const sent = (pairs: readonly Pair[]): Child[] => pairs.map(({ value }) => kept(value));

const sentBeside = ({ headers, body, addressed, choices, within, remind, timeout }: SendOptions): Child[] => [
  ...spans(within, remind, timeout),
  ...(addressed === undefined ? [] : [read(addressed.value)]),
  ...(choices?.items ?? []).map(read),
  ...headers.map(({ value }) => kept(value)),
  ...(body === undefined ? [] : [kept(body.value)]),
];
/** The name of the round number in a `repeat` loop. */
export const ROUND = 'round';

const none = () => [];
/** A statement without any children. */
const leaf = {
  blocks: none,
  runs: (): 'maybe' => 'maybe',
  expressions: none,
  assigned: none,
  locals: none,
} satisfies StatementParts<Statement>;

type AnyCall = Extract<Statement, { kind: 'call' | 'ask' }>;
/** The blocks for the two outcomes of a statement, in the order of the file. */
const outcomes = (...blocks: readonly ({ readonly body: Block | undefined; readonly line: number } | undefined)[]): Block[] =>
  blocks
    .flatMap((one) => (one?.body === undefined ? [] : [{ body: one.body, line: one.line }]))
    .sort((one, other) => one.line - other.line)
    .map(({ body }) => body);

/** With a block for each outcome, a run enters one of them; without one for a failure, the run ends there. */
const runsOf = (failure: unknown, success: unknown): 'all' | 'one' | 'maybe' =>
  success === undefined ? 'maybe' : failure === undefined ? 'all' : 'one';

const spans = (...of: readonly (AmountOfTime | undefined)[]): Child[] =>
  of.flatMap((span) => (span === undefined ? [] : [read(span.amount)]));

const call = {
  ...leaf,
  blocks: ({ onFailure, onSuccess }: AnyCall) => outcomes(onFailure, onSuccess),
  runs: ({ onFailure, onSuccess }: AnyCall) => runsOf(onFailure?.body, onSuccess),
  assigned: ({ saves, unread }: AnyCall): Assignment[] =>
    saved(
      saves.map(({ name }) => name),
      unread,
    ),
};

const unknown = (names: readonly string[]): Assignment[] => names.map((name) => ({ name, value: 'unknown' }));
const saved = (names: readonly Name[], unread: { readonly names: readonly string[] } | undefined): Assignment[] => [
  ...names.map(({ text, span }): Assignment => ({ name: text, span, value: 'unknown' })),
  ...unknown(unread?.names ?? []),
];

const statements: StatementTable = {
  step: { ...leaf, blocks: ({ body }) => [body], runs: () => 'all' },
  'at the same time': {
    ...leaf,
    blocks: ({ body }) => [body],
    runs: ({ until }) => (until === undefined ? 'all' : 'maybe'),
    expressions: ({ until }) => (until === undefined ? [] : [read(until)]),
  },
  set: {
    ...leaf,
    expressions: ({ fields, value }) => [...fields.flatMap((key) => (typeof key === 'string' ? [] : [read(key)])), kept(value)],
    assigned: ({ target, fields, value }) => [
      { name: target.text, span: target.span, value: fields.length > 0 ? 'unknown' : value },
    ],
  },
  add: {
    ...leaf,
    expressions: ({ value }) => [kept(value)],
    assigned: ({ target }) => [{ name: target.text, span: target.span, value: 'list' }],
  },
  log: { ...leaf, expressions: ({ value }) => [read(value)] },
  if: {
    ...leaf,
    blocks: ({ branches, otherwise }) => [
      ...branches.map(({ body }) => body),
      ...(otherwise === undefined ? [] : [otherwise.body]),
    ],
    runs: ({ otherwise }) => (otherwise === undefined ? 'maybe' : 'one'),
    expressions: ({ branches }) => branches.map(({ condition }) => read(condition)),
  },
  'for each': {
    ...leaf,
    blocks: ({ body }) => [body],
    expressions: ({ list, atATime, until }) => [
      kept(list),
      ...(atATime === undefined || atATime === 'all' ? [] : [read(atATime)]),
      ...(until === undefined ? [] : [read(until)]),
    ],
    locals: ({ item }) => [item],
  },
  'for each field': {
    ...leaf,
    blocks: ({ body }) => [body],
    expressions: ({ record }) => [parts(record)],
    locals: ({ name, value }) => [name, value],
  },
  repeat: {
    ...leaf,
    blocks: ({ body }) => [body],
    expressions: ({ most, until }) => [read(most), ...(until === undefined ? [] : [read(until)])],
    locals: ({ span }) => [{ text: ROUND, span }],
  },
  skip: leaf,
  stop: leaf,
  'wait until': { ...leaf, expressions: ({ moment }) => (moment === undefined ? [] : [read(moment)]) },
  'wait for': {
    ...leaf,
    blocks: ({ silence, onSuccess }) => outcomes(silence, onSuccess),
    runs: ({ silence, onSuccess }) => runsOf(silence, onSuccess),
    expressions: ({ pairs, atMost }) => [...sent(pairs), ...spans(atMost)],
    assigned: ({ save, unread }) => saved(save === undefined ? [] : [save], unread),
  },
  'look up': {
    ...leaf,
    blocks: ({ nothing }) => (nothing === undefined ? [] : [nothing.body]),
    expressions: ({ pairs }) => pairs.map(({ value }) => read(value)),
    assigned: ({ results, unread }) => saved(results, unread),
  },
  call: {
    ...call,
    expressions: ({ at, running, pairs, where, onFailure, ...options }) => [
      ...(at === undefined ? [] : [read(at)]),
      ...(running === undefined ? [] : [read(running)]),
      ...sent(where),
      ...sent(pairs),
      ...sentBeside(options),
      ...spans(onFailure?.retry?.waiting),
    ],
  },
  ask: {
    ...call,
    expressions: ({ instruction, pairs, onFailure, ...options }) => [
      read(instruction),
      ...sent(pairs),
      ...sentBeside(options),
      ...spans(onFailure?.retry?.waiting),
    ],
  },
  wait: { ...leaf, expressions: ({ amount }) => [read(amount)] },
  // The run ends here, so nothing can change the value later.
  complete: {
    ...leaf,
    expressions: ({ pairs, answer }) => [
      ...pairs.map(({ value }) => read(value)),
      ...(answer === undefined ? [] : [read(answer)]),
    ],
  },
  reject: { ...leaf, expressions: ({ message }) => [read(message)] },
  broken: { ...leaf, blocks: ({ body }) => [body], assigned: ({ defines }) => unknown(defines) },
};

const expressions: ExpressionTable = {
  reference: none,
  number: none,
  constant: none,
  text: ({ parts }) => parts.flatMap((part) => (typeof part === 'string' ? [] : [read(part)])),
  list: ({ items }) => items.map(kept),
  group: ({ inner }) => [kept(inner)],
  builtin: ({ operands }) => operands.map(parts),
  shift: ({ date, amount }) => [read(date), read(amount)],
  difference: ({ from, to }) => [read(from), read(to)],
  arranged: ({ list }) => [parts(list)],
  iteration: ({ list, condition, value }) => [
    parts(list),
    ...(condition === undefined ? [] : [read(condition)]),
    ...(value === undefined ? [] : [kept(value)]),
  ],
  record: ({ pairs }) => sent(pairs),
  field: ({ owner, keys }) => [parts(owner), ...keys.flatMap((key) => (typeof key === 'string' ? [] : [read(key)]))],
  arithmetic: ({ first, operations }) => [kept(first), ...operations.map(({ operand }) => kept(operand))],
  comparison: ({ left, right }) => [read(left), read(right)],
  between: ({ value, low, high }) => [read(value), read(low), read(high)],
  state: ({ value }) => [read(value)],
  logic: ({ operands }) => operands.map(read),
  not: ({ operand }) => [read(operand)],
};

function partsOf<K extends Statement['kind']>(statement: Extract<Statement, { kind: K }>): StatementParts<typeof statement> {
  return statements[statement.kind] as StatementParts<typeof statement>; // looked up by its own kind
}

/** The blocks directly under a statement, in the order of the file. */
export const blocksOf = (statement: Statement): readonly Block[] => partsOf(statement).blocks(statement);

/** Which of `blocksOf(statement)` a run enters: all of them, exactly one, or perhaps none. */
export const blocksRun = (statement: Statement): 'all' | 'one' | 'maybe' => partsOf(statement).runs(statement);

/** The expressions of a statement outside its blocks, in order of evaluation. */
export const expressionsOf = (statement: Statement): readonly Child[] => partsOf(statement).expressions(statement);

/** The variables a statement sets itself, not counting its blocks. */
export const assignedBy = (statement: Statement): readonly Assignment[] => partsOf(statement).assigned(statement);

/** The names that exist only in the blocks of a statement: the item of a loop. */
export const localsOf = (statement: Statement): readonly Name[] => partsOf(statement).locals(statement);

/** The direct operands of an expression, in order of evaluation. */
export function operandsOf<K extends Expression['kind']>(expression: Extract<Expression, { kind: K }>): readonly Child[] {
  const operands = expressions[expression.kind] as (expression: Extract<Expression, { kind: K }>) => readonly Child[]; // looked up by its own kind
  return operands(expression);
}
