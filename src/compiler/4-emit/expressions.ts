// Expressions → JavaScript, one function for each kind.
import type { Expression, List, ReadyMade, Reference, Text } from '../2-parse/tree.js';
import { emitArithmetic } from './arithmetic.js';
import { emitCondition, emitTest } from './conditions.js';
import type { Emitter } from './emitter.js';
import { jsText } from './javascript-text.js';
import { emitReference } from './references.js';
import type { RuntimeName } from './runtime-names.js';

type Emitters = {
  readonly [Kind in Expression['kind']]: (emitter: Emitter, expression: Extract<Expression, { kind: Kind }>) => string;
};

const emitters: Emitters = {
  reference: emitReference,
  text: emitText,
  number: (_emitter, { value }) => (value < 0 || Object.is(value, -0) ? `(${value})` : String(value)),
  constant: (_emitter, { value }) => String(value),
  list: (emitter, { items }: List) => `[${items.map((item) => emitExpression(emitter, item)).join(', ')}]`,
  group: (emitter, { inner }) => emitExpression(emitter, inner),
  'ready-made': emitReadyMade,
  arithmetic: emitArithmetic,
  comparison: emitTest,
  between: emitTest,
  state: emitTest,
  not: (emitter, { operand }) => `!${emitCondition(emitter, operand)}`,
  logic: (emitter, { operator, operands }) =>
    `(${operands.map((operand) => emitCondition(emitter, operand)).join(operator === 'and' ? ' && ' : ' || ')})`,
};

/** The code of an expression; it can stand as an operand or an argument without further parentheses. */
export function emitExpression<K extends Expression['kind']>(
  emitter: Emitter,
  expression: Extract<Expression, { kind: K }>,
): string {
  const emit = emitters[expression.kind] as (emitter: Emitter, expression: Extract<Expression, { kind: K }>) => string; // looked up by its own kind
  return emit(emitter, expression);
}

/** `"Hello {name}"` → `"Hello " + show(name)`. */
export function emitText(emitter: Emitter, { parts }: Text): string {
  const [only] = parts;
  if (only === undefined) return '""';
  if (parts.length === 1) return typeof only === 'string' ? jsText(only) : shown(emitter, only);
  const codes = parts.map((part) => (typeof part === 'string' ? jsText(part) : shown(emitter, part)));
  return `(${codes.join(' + ')})`;
}

const shown = (emitter: Emitter, reference: Reference): string =>
  emitter.typeOf(reference) === 'text'
    ? emitReference(emitter, reference)
    : `${emitter.use('show')}(${emitReference(emitter, reference)})`;

const functions: Readonly<Record<ReadyMade['name'], RuntimeName>> = {
  'count of': 'countOf',
  'sum of': 'sumOf',
  'first of': 'firstOf',
  'last of': 'lastOf',
  'uppercase of': 'uppercase',
  'lowercase of': 'lowercase',
  'number of': 'numberOf',
  'text of': 'textOf',
  trimmed: 'trimmed',
};

function emitReadyMade(emitter: Emitter, { name, argument, span }: ReadyMade): string {
  const place = emitter.place(span, argument.span);
  // `sum of rows.amount` adds up that field of a list of records.
  if (name === 'sum of' && argument.kind === 'reference' && argument.fields.length > 0 && argument.root !== 'env') {
    const keys = argument.fields.map(jsText).join(', ');
    return `${emitter.use('sumField')}(${emitReference(emitter, { ...argument, fields: [] })}, [${keys}], ${place})`;
  }
  return `${emitter.use(functions[name])}(${emitExpression(emitter, argument)}, ${place})`;
}
