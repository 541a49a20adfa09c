// Semantic actions of the value rules: each gives back a function that reads its node from a line of this shape.

import { wordOf } from '../1-layout/alphabet.js';
import { tokenSpan, tokenText } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { nameAt, type Read, spanOf, type Tokens } from './source.js';
import type { Actions, SyntaxNode } from './syntax-node.js';
import { quotedText, toReference } from './text.js';
import type {
  Comparator,
  Duration,
  Expression,
  Name,
  Operation,
  Operator,
  Pair,
  ReadyMadeName,
  StateTest,
  TimeUnit,
} from './tree.js';

/** More parts than a person writes in one expression; the emitted code nests as deep as a chain is long. */
const MAX_PARTS = 500;

export const tokensOf = (node: SyntaxNode): Tokens => ({ first: node.first, last: node.end - 1 });

/** The words that a node matched, as they are written in the grammar: `is at least`. */
export const wordsOf = (node: SyntaxNode): string => [...node.characters].map(wordOf).join(' ');

/** `read` of a node; its type is that of the rule, which the node does not know. */
export const reader = <T>(node: SyntaxNode): Read<T> => node.read<T>();

/** `read` of an optional node. */
export const optional = <T>(node: SyntaxNode): Read<T> | undefined => node.parts[0]?.read<T>();

export const readers = <T>(node: SyntaxNode): Read<T>[] => node.parts.map((part) => part.read<T>());

/** One reader for `first (operator next)*`: a single part stands for itself. */
function logic(operator: 'and' | 'or', first: SyntaxNode, rest: SyntaxNode, tokens: Tokens): Read<Expression> {
  const parts = [reader<Expression>(first), ...readers<Expression>(rest)];
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return (source) => {
    const span = spanOf(source, tokens);
    if (parts.length > MAX_PARTS) source.report(catalogue.expressionTooLong(span, MAX_PARTS));
    return { kind: 'logic', operator, operands: parts.map((part) => part(source)), span };
  };
}

type Test = (left: Expression, span: Expression['span']) => Expression;

export const valueActions: Actions = {
  disjunction(first, _or, rest) {
    return logic('or', first, rest, tokensOf(this));
  },
  conjunction(first, _and, rest) {
    return logic('and', first, rest, tokensOf(this));
  },
  choice(first, _or, rest) {
    return logic('or', first, rest, tokensOf(this));
  },
  negation_not(_not, negated) {
    const operand = reader<Expression>(negated);
    const tokens = tokensOf(this);
    return (source: Parameters<typeof operand>[0]) => ({ kind: 'not', operand: operand(source), span: spanOf(source, tokens) });
  },
  comparison(sum, test) {
    const left = reader<Expression>(sum);
    const right = optional<Test>(test);
    if (right === undefined) return left;
    const tokens = tokensOf(this);
    return (source: Parameters<typeof left>[0]) => right(source)(left(source), spanOf(source, tokens));
  },
  test_between(_between, lowest, _and, highest) {
    const low = reader<Expression>(lowest);
    const high = reader<Expression>(highest);
    const read: Read<Test> = (source) => (value, span) => ({
      kind: 'between',
      value,
      low: low(source),
      high: high(source),
      span,
    });
    return read;
  },
  test_state(words) {
    const state = wordsOf(words) as StateTest['state']; // the rule's alternatives are these states
    const read: Read<Test> = () => (value, span) => ({ kind: 'state', state, value, span });
    return read;
  },
  test_comparison(words, sum) {
    const comparator = wordsOf(words) as Comparator; // the rule's alternatives are the comparators
    const right = reader<Expression>(sum);
    const read: Read<Test> = (source) => (left, span) => ({ kind: 'comparison', comparator, left, right: right(source), span });
    return read;
  },
  sum(operand, rest) {
    const first = reader<Expression>(operand);
    if (rest.parts.length === 0) return first;
    const operations = readers<Operation>(rest);
    const tokens = tokensOf(this);
    return (source: Parameters<typeof first>[0]) => {
      const span = spanOf(source, tokens);
      if (operations.length > MAX_PARTS) source.report(catalogue.expressionTooLong(span, MAX_PARTS));
      return { kind: 'arithmetic', first: first(source), operations: operations.map((read) => read(source)), span };
    };
  },
  operation_arithmetic(operator, operand) {
    return operation(wordsOf(operator) as Operator, operand, tokensOf(this)); // the rule's alternatives are the operators
  },
  operation_rounded(_rounded, operand, _places) {
    return operation('rounded to', operand, tokensOf(this));
  },
  operand_function(name, operand) {
    const ready = wordsOf(name) as ReadyMadeName; // the rule's alternatives are these names
    const argument = reader<Expression>(operand);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({
      kind: 'ready-made',
      name: ready,
      argument: argument(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  operand_group(_open, value, _close) {
    const inner = reader<Expression>(value);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'group', inner: inner(source), span: spanOf(source, tokens) });
    return read;
  },
  operand_list(_open, list, _close) {
    const items = optional<Expression[]>(list);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'list', items: items?.(source) ?? [], span: spanOf(source, tokens) });
    return read;
  },
  items(first, _comma, rest) {
    const items = [reader<Expression>(first), ...readers<Expression>(rest)];
    const read: Read<Expression[]> = (source) => items.map((item) => item(source));
    return read;
  },
  operand_constant(word) {
    const value = { true: true, false: false, empty: null }[wordsOf(word)] ?? null;
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'constant', value, span: spanOf(source, tokens) });
    return read;
  },
  reference(node) {
    const index = node.first;
    const read: Read<Expression> = (source) =>
      toReference(tokenText(source.line, source.text, index), tokenSpan(source.line, index));
    return read;
  },
  place(node) {
    const index = node.first;
    return nameAt(index);
  },
  name(node) {
    return nameAt(node.first);
  },
  path(node) {
    return nameAt(node.first);
  },
  number(node) {
    const index = node.first;
    const read: Read<Expression> = (source) => {
      const written = tokenText(source.line, source.text, index);
      return { kind: 'number', value: Number(written), written, span: tokenSpan(source.line, index) };
    };
    return read;
  },
  text(node) {
    const index = node.first;
    const read: Read<Expression> = (source) => quotedText(source, tokenSpan(source.line, index));
    return read;
  },
  duration(number, word) {
    const index = number.first;
    const unit = wordsOf(word).replace(/s?$/, 's') as TimeUnit; // the rule's alternatives are the units, some in the singular
    const tokens = tokensOf(this);
    const read: Read<Duration> = (source) => ({
      amount: Number(tokenText(source.line, source.text, index)),
      unit,
      span: spanOf(source, tokens),
    });
    return read;
  },
  pairs(_with, first, _and, rest) {
    const pairs = [reader<Pair>(first), ...readers<Pair>(rest)];
    const read: Read<Pair[]> = (source) => pairs.map((pair) => pair(source));
    return read;
  },
  pair(name, choice) {
    const key = reader<Name>(name);
    const value = reader<Expression>(choice);
    const read: Read<Pair> = (source) => ({ key: key(source), value: value(source) });
    return read;
  },
};

function operation(operator: Operator, node: SyntaxNode, tokens: Tokens): Read<Operation> {
  const operand = reader<Expression>(node);
  return (source) => ({ operator, operand: operand(source), span: spanOf(source, tokens) });
}
