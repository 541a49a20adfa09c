// Semantic actions of the operations that follow a value: `plus 5`, `rounded to 2 places`, `sorted by price`. They apply from left to
// right.

import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { BuiltinName } from '../vocabulary/builtin-names.js';
import { optional, reader, readers, tokensOf, wordsOf } from './node-readers.js';
import { type Read, type Source, spanOf, type Tokens } from './source.js';
import type { Actions, SyntaxNode } from './syntax-node.js';
import type { Arranged, Expression, Operator, Reference } from './tree.js';

/** More parts than anyone writes in one expression. The emitted code nests as deep as the chain is long. */
export const MAX_PARTS = 500;

/** The result of an operation on the value before it; `span` covers both. */
type Step = (left: Expression, span: Expression['span']) => Expression;

export const operationActions: Actions = {
  sum(operand, rest) {
    const first = reader<Expression>(operand);
    if (rest.parts.length === 0) return first;
    const steps = readers<Step>(rest);
    const tokens = tokensOf(this);
    const ends = rest.parts.map(({ end }) => end - 1);
    const read: Read<Expression> = (source) => {
      if (steps.length > MAX_PARTS) source.report(catalogue.expressionTooLong(spanOf(source, tokens), MAX_PARTS));
      return steps.reduce(
        (left, step, index) => step(source)(left, spanOf(source, { first: tokens.first, last: ends[index] ?? tokens.last })),
        first(source),
      );
    };
    return read;
  },
  operation_sum(operator, operand, unitNode) {
    const word = wordsOf(operator) as 'plus' | 'minus'; // the rule's alternatives
    const unit = optional<DateUnit>(unitNode);
    if (unit === undefined) return arithmetic(word, operand, tokensOf(this));
    const amount = reader<Expression>(operand);
    const read: Read<Step> = (source) => (date, span) => ({
      kind: 'shift',
      operator: word,
      date,
      amount: amount(source),
      unit: unit(source),
      span,
    });
    return read;
  },
  operation_product(operator, operand) {
    return arithmetic(wordsOf(operator) as Operator, operand, tokensOf(this)); // the rule's alternatives are operators
  },
  operation_rounded(operator, operand, _places) {
    return arithmetic(wordsOf(operator) as Operator, operand, tokensOf(this)); // the rule's alternatives are operators
  },
  operation_sortedBy: (_words, field, descending) => arranged('sorted', descending, field),
  operation_sorted: (_word, descending) => arranged('sorted', descending),
  operation_grouped: (_words, field) => arranged('grouped', undefined, field),
  operation_split: (_words, separator) => builtin('split by', separator),
  operation_joined: (_words, separator) => builtin('joined with', separator),
  operation_replaced: (_with, sought, _words, replacement) => builtin('replaced by', sought, replacement),
  operation_padded: (_words, count, _with, filler) => builtin('padded to', count, filler),
};

/** Consecutive arithmetic operations share one flat node. */
function arithmetic(operator: Operator, node: SyntaxNode, tokens: Tokens): Read<Step> {
  const operand = reader<Expression>(node);
  return (source) => (left, span) => {
    const operation = { operator, operand: operand(source), span: spanOf(source, tokens) };
    return left.kind === 'arithmetic'
      ? { ...left, operations: [...left.operations, operation], span }
      : { kind: 'arithmetic', first: left, operations: [operation], span };
  };
}

function arranged(how: Arranged['how'], descending: SyntaxNode | undefined, field?: SyntaxNode): Read<Step> {
  const by = field === undefined ? undefined : reader<Reference>(field);
  const isDescending = descending !== undefined && descending.parts.length > 0;
  return (source) => {
    const reference = by?.(source);
    const path = reference === undefined ? [] : [reference.root, ...reference.fields];
    return (list, span) => ({ kind: 'arranged', how, list, path, isDescending, span });
  };
}

function builtin(name: BuiltinName, ...nodes: SyntaxNode[]): Read<Step> {
  const operands = nodes.map((node) => reader<Expression>(node));
  return (source: Source) => {
    const others = operands.map((read) => read(source));
    return (left, span) => ({ kind: 'builtin', name, operands: [left, ...others], span });
  };
}
