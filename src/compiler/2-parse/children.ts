// What each statement and expression consists of. Every walk over the tree goes through these tables, so none can miss a new kind of node:
// `tsc` reports a missing kind, and a test reports a missing child.
import type { Span } from '../diagnostics/diagnostic.js';
import type { AmountOfTime, Block, Expression, Name, Pair, SendOptions, Statement } from './tree.js';

/** An expression inside a node, and what happens to its value. */
export interface Child {
  readonly expression: Expression;
  /** `kept`: a variable, a list or a service may hold on to the value. `read`: it is only inspected. */
  readonly use: 'kept' | 'read';
}

/** A variable that a statement sets. */
export interface Assignment {
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
