// Semantic actions of conditions, and of expressions that test or map each item of a list.
import * as catalogue from '../diagnostics/catalogue/index.js';
import { optional, reader, readers, tokensOf, wordsOf } from './node-readers.js';
import { MAX_PARTS } from './operation-actions.js';
import { type Read, spanOf, type Tokens } from './source.js';
import type { Actions, SyntaxNode } from './syntax-node.js';
import type { Comparator, Expression, Iteration, Name, StateTest } from './tree.js';

/** One reader for `first (operator next)*`: a single part is returned as it is. */
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

function negation(negated: SyntaxNode, tokens: Tokens): Read<Expression> {
  const operand = reader<Expression>(negated);
  return (source) => ({ kind: 'not', operand: operand(source), span: spanOf(source, tokens) });
}

/** `each item in list where condition`, `some item in list satisfies condition`. */
function overItems(form: Iteration['form'], nodes: readonly SyntaxNode[], tokens: Tokens): Read<Expression> {
  const [item, list, condition] = nodes.map((node) => node.read());
  return (source) => ({
    kind: 'iteration',
    form,
    item: item?.(source) as Name, // the grammar names these three
    list: list?.(source) as Expression,
    value: undefined,
    condition: condition?.(source) as Expression,
    span: spanOf(source, tokens),
  });
}

type Loop = Pick<Iteration, 'item' | 'list' | 'condition'>;

/** What follows the value in `… for each item in list where condition`. */
function loop(nameNode: SyntaxNode, listNode: SyntaxNode, conditionNode: SyntaxNode): Read<Loop> {
  const item = reader<Name>(nameNode);
  const list = reader<Expression>(listNode);
  const condition = optional<Expression>(conditionNode);
  return (source) => ({ item: item(source), list: list(source), condition: condition?.(source) });
}

function mapped(valueNode: SyntaxNode, loopNode: SyntaxNode, tokens: Tokens): Read<Expression> {
  const value = reader<Expression>(valueNode);
  const over = optional<Loop>(loopNode);
  if (over === undefined) return value;
  return (source) => ({
    kind: 'iteration',
    form: 'map',
    ...over(source),
    value: value(source),
    span: spanOf(source, tokens),
  });
}

type Test = (left: Expression, span: Expression['span']) => Expression;

export const conditionActions: Actions = {
  value_filtered(_each, item, _in, list, _where, condition) {
    return overItems('filter', [item, list, condition], tokensOf(this));
  },
  value_value(value, loopNode) {
    return mapped(value, loopNode, tokensOf(this));
  },
  valueLoop: (_for, _each, item, _in, list, _where, condition) => loop(item, list, condition),
  pairValue_filtered(_each, item, _in, list, _where, condition) {
    return overItems('filter', [item, list, condition], tokensOf(this));
  },
  pairValue_value(value, loopNode) {
    return mapped(value, loopNode, tokensOf(this));
  },
  pairLoop: (_for, _each, item, _in, list, _where, condition) => loop(item, list, condition),
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
    return negation(negated, tokensOf(this));
  },
  option_not(_not, negated) {
    return negation(negated, tokensOf(this));
  },
  negation_quantified(quantifier, item, _in, list, _satisfies, condition) {
    return overItems(wordsOf(quantifier) as 'some' | 'every', [item, list, condition], tokensOf(this)); // the rule's alternatives
  },
  option_quantified(quantifier, item, _in, list, _satisfies, condition) {
    return overItems(wordsOf(quantifier) as 'some' | 'every', [item, list, condition], tokensOf(this)); // the rule's alternatives
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
};
