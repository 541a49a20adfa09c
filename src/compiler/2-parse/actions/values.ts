// Semantic actions for values: primaries, operations, conditions, and how they join.
import type { Node } from 'ohm-js';
import type { DateUnit } from '../../../../runtime/dates/date-unit.js';
import { tokenSpan, tokenText } from '../../1-layout/line.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { BuiltinName } from '../../vocabulary/builtin-names.js';
import {
  type Actions,
  firstToken,
  nameAt,
  optional,
  quotedNameAt,
  type Read,
  reader,
  readers,
  type Source,
  spanOf,
  type Tokens,
  tokensOf,
  wordsOf,
} from '../source.js';
import { quotedText, toPath } from '../text.js';
import type {
  AmountOfTime,
  Arranged,
  Comparator,
  Duration,
  Expression,
  Iteration,
  Name,
  Operator,
  Pair,
  Reference,
  StateTest,
  TimeUnit,
} from '../tree.js';

/** A built-in value with these operands, in the order of the file. */
function builtin(node: Node, name: BuiltinName, ...operandNodes: Node[]): Read<Expression> {
  const operands = operandNodes.map((operand) => reader<Expression>(operand));
  const tokens = tokensOf(node);
  return (source) => ({
    kind: 'builtin',
    name,
    operands: operands.map((read) => read(source)),
    span: spanOf(source, tokens),
  });
}

const partOf: Actions[string] = function (edge, count, characters, _of, operand) {
  const word = wordsOf(edge) as 'first' | 'last'; // the rule's alternatives
  return builtin(this, `${word} ${characters.numChildren > 0 ? 'characters' : 'items'} of`, count, operand);
};

const charactersOf: Actions[string] = function (_characters, from, _to, to, _of, operand) {
  return builtin(this, 'characters of', from, to, operand);
};

const referenceOf: Actions[string] = (node) => {
  const index = firstToken(node);
  return (source) => toPath(tokenText(source.line, source.text, index), tokenSpan(source.line, index));
};

export const primaryActions: Actions = {
  operand(primary, _percentOf, wholeNode) {
    const [whole] = wholeNode.children;
    return whole === undefined ? reader<Expression>(primary) : builtin(this, 'percent of', primary, whole);
  },
  primary_function(name, operand) {
    return builtin(this, wordsOf(name) as BuiltinName, operand); // the rule's alternatives are these names
  },
  primary_written(name, operand, pattern) {
    const word = wordsOf(name) as 'date of' | 'text of' | 'number of'; // the rule's alternatives
    const [as] = pattern.children;
    return as === undefined ? builtin(this, word, operand) : builtin(this, `${word} written as`, operand, as);
  },
  primary_time(_words, operand, pattern) {
    return builtin(this, 'time of written as', operand, pattern);
  },
  writtenAs: (_words, operand) => reader<Expression>(operand),
  primary_part: partOf,
  // The variable has the name of an operation: `first count of rows`.
  primary_partOfVariable: partOf,
  primary_characters: charactersOf,
  primary_charactersToVariable: charactersOf,
  primary_position(_words, sought, _in, list) {
    return builtin(this, 'position of', sought, list);
  },
  primary_remainder(_words, dividend, _by, divisor) {
    return builtin(this, 'remainder of', dividend, divisor);
  },
  primary_period(edge, period, _of, operand) {
    return builtin(this, `${wordsOf(edge)} ${wordsOf(period)}` as BuiltinName, operand); // edges and periods are those of the rule
  },
  primary_difference(unitNode, _from, fromNode, _to, toNode) {
    const unit = reader<DateUnit>(unitNode);
    const from = reader<Expression>(fromNode);
    const to = reader<Expression>(toNode);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({
      kind: 'difference',
      unit: unit(source),
      from: from(source),
      to: to(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  primary_record(_record, pairsNode) {
    const pairs = reader<Pair[]>(pairsNode);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'record', pairs: pairs(source), span: spanOf(source, tokens) });
    return read;
  },
  primary_group(_open, value, _close) {
    const inner = reader<Expression>(value);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'group', inner: inner(source), span: spanOf(source, tokens) });
    return read;
  },
  primary_list(_open, list, _close) {
    const items = optional<Expression[]>(list);
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'list', items: items?.(source) ?? [], span: spanOf(source, tokens) });
    return read;
  },
  // A group of brackets that was cut out because it nests too deeply.
  primary_nested(group) {
    const index = firstToken(group);
    return (source) => source.nested?.(index);
  },
  items(first, _comma, rest) {
    const items = [reader<Expression>(first), ...readers<Expression>(rest)];
    const read: Read<Expression[]> = (source) => items.map((item) => item(source));
    return read;
  },
  primary_constant(word) {
    const value = { true: true, false: false, empty: null }[wordsOf(word)] ?? null;
    const tokens = tokensOf(this);
    const read: Read<Expression> = (source) => ({ kind: 'constant', value, span: spanOf(source, tokens) });
    return read;
  },
  unit(words) {
    // The rule's alternatives are the units, some in the singular.
    const unit = wordsOf(words).replace(/s?$/, 's') as DateUnit;
    return () => unit;
  },
  reference: referenceOf,
  variable: referenceOf,
  place(node) {
    return nameAt(firstToken(node));
  },
  name(node) {
    return nameAt(firstToken(node));
  },
  fieldName: (node) => reader<Name>(node),
  quotedName(node) {
    return quotedNameAt(firstToken(node));
  },
  sortKey: (node) => reader<Reference | Name>(node),
  path(node) {
    return nameAt(firstToken(node));
  },
  number(node) {
    const index = firstToken(node);
    const read: Read<Expression> = (source) => {
      const written = tokenText(source.line, source.text, index);
      return { kind: 'number', value: Number(written), written, span: tokenSpan(source.line, index) };
    };
    return read;
  },
  text(node) {
    const index = firstToken(node);
    const read: Read<Expression> = (source) => quotedText(source, tokenSpan(source.line, index));
    return read;
  },
};

/** More parts than anyone writes in one expression. The emitted code nests as deep as the chain is long. */
const MAX_PARTS = 500;

/** The result of an operation on the value before it; `span` covers both. */
type Step = (left: Expression, span: Expression['span']) => Expression;

export const operationActions: Actions = {
  sum(operand, _operators, rest) {
    const first = reader<Expression>(operand);
    if (rest.numChildren === 0) return first;
    const steps = readers<Step>(rest);
    const tokens = tokensOf(this);
    const ends = rest.children.map((step) => tokensOf(step).last);
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
  operation_split: (_words, separator) => builtinStep('split by', separator),
  operation_joined: (_words, separator) => builtinStep('joined with', separator),
  operation_replaced: (_with, sought, _words, replacement) => builtinStep('replaced by', sought, replacement),
  operation_padded: (_words, count, _with, filler) => builtinStep('padded to', count, filler),
};

/** Consecutive arithmetic operations share one flat node. */
function arithmetic(operator: Operator, node: Node, tokens: Tokens): Read<Step> {
  const operand = reader<Expression>(node);
  return (source) => (left, span) => {
    const operation = { operator, operand: operand(source), span: spanOf(source, tokens) };
    return left.kind === 'arithmetic'
      ? { ...left, operations: [...left.operations, operation], span }
      : { kind: 'arithmetic', first: left, operations: [operation], span };
  };
}

function arranged(how: Arranged['how'], descending: Node | undefined, field?: Node): Read<Step> {
  const by = field === undefined ? undefined : reader<Reference | Name>(field);
  const isDescending = descending !== undefined && descending.numChildren > 0;
  return (source) => {
    const key = by?.(source);
    const path = key === undefined ? [] : 'text' in key ? [key.text] : [key.root, ...key.fields];
    return (list, span) => ({ kind: 'arranged', how, list, path, pathSpan: key?.span, isDescending, span });
  };
}

function builtinStep(name: BuiltinName, ...nodes: Node[]): Read<Step> {
  const operands = nodes.map((node) => reader<Expression>(node));
  return (source: Source) => {
    const others = operands.map((read) => read(source));
    return (left, span) => ({ kind: 'builtin', name, operands: [left, ...others], span });
  };
}

/** One reader for `first (operator next)*`: a single part is returned as it is. */
function logic(operator: 'and' | 'or', first: Node, rest: Node, tokens: Tokens): Read<Expression> {
  const parts = [reader<Expression>(first), ...readers<Expression>(rest)];
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return (source) => {
    const span = spanOf(source, tokens);
    if (parts.length > MAX_PARTS) source.report(catalogue.expressionTooLong(span, MAX_PARTS));
    return { kind: 'logic', operator, operands: parts.map((part) => part(source)), span };
  };
}

function negation(negated: Node, tokens: Tokens): Read<Expression> {
  const operand = reader<Expression>(negated);
  return (source) => ({ kind: 'not', operand: operand(source), span: spanOf(source, tokens) });
}

/** `each item in list where condition`, `some item in list satisfies condition`. */
function overItems(form: Iteration['form'], nodes: readonly Node[], tokens: Tokens): Read<Expression> {
  const [item, list, condition] = nodes.map((node) => reader(node));
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

/** The rest after the value in `… for each item in list where condition`. */
function loop(nameNode: Node, listNode: Node, conditionNode: Node): Read<Loop> {
  const item = reader<Name>(nameNode);
  const list = reader<Expression>(listNode);
  const condition = optional<Expression>(conditionNode);
  return (source) => ({ item: item(source), list: list(source), condition: condition?.(source) });
}

function mapped(valueNode: Node, loopNode: Node, tokens: Tokens): Read<Expression> {
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

/** Semantic actions of conditions, and of expressions that test or map each item of a list. */
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

/** Semantic actions of pairs and durations. */
export const expressionActions: Actions = {
  timeSpan(amountNode, unitNode) {
    const tokens = tokensOf(this);
    const amount = reader<Expression>(amountNode);
    const unit = reader<DateUnit>(unitNode);
    const read: Read<AmountOfTime> = (source) => ({ amount: amount(source), unit: unit(source), span: spanOf(source, tokens) });
    return read;
  },
  duration(number, word) {
    const index = firstToken(number);
    const unit = wordsOf(word).replace(/s?$/, 's') as TimeUnit; // the rule's alternatives are the units, some in the singular
    const tokens = tokensOf(this);
    const read: Read<Duration> = (source) => ({
      amount: Number(tokenText(source.line, source.text, index)),
      unit,
      span: spanOf(source, tokens),
    });
    return read;
  },
  pairs: (_with, first, _and, rest) => pairList(first, rest),
  conditions: (_where, first, _and, rest) => pairList(first, rest),
  pair(name, choice) {
    const key = reader<Name>(name);
    const value = reader<Expression>(choice);
    const read: Read<Pair> = (source) => ({ key: key(source), value: value(source) });
    return read;
  },
};

function pairList(first: Node, rest: Node): Read<Pair[]> {
  const pairs = [reader<Pair>(first), ...readers<Pair>(rest)];
  return (source) => pairs.map((pair) => pair(source));
}
