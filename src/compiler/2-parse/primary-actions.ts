// Semantic actions of the smallest values: names, literals, and built-in values that start with keywords.

import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import { tokenSpan, tokenText } from '../1-layout/line.js';
import type { BuiltinName } from '../vocabulary/builtin-names.js';
import { optional, reader, readers, tokensOf, wordsOf } from './node-readers.js';
import { nameAt, type Read, spanOf } from './source.js';
import type { Actions, SyntaxNode } from './syntax-node.js';
import { quotedText, toPath } from './text.js';
import type { Expression, Pair } from './tree.js';

/** A built-in value with these operands, in the order of the file. */
function builtin(node: SyntaxNode, name: BuiltinName, ...operandNodes: SyntaxNode[]): Read<Expression> {
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
  return builtin(this, `${word} ${characters.parts.length > 0 ? 'characters' : 'items'} of`, count, operand);
};

const charactersOf: Actions[string] = function (_characters, from, _to, to, _of, operand) {
  return builtin(this, 'characters of', from, to, operand);
};

export const primaryActions: Actions = {
  operand(primary, percentage) {
    const [of] = percentage.parts;
    const whole = of?.parts.at(-1);
    return whole === undefined ? reader<Expression>(primary) : builtin(this, 'percent of', primary, whole);
  },
  primary_function(name, operand) {
    return builtin(this, wordsOf(name) as BuiltinName, operand); // the rule's alternatives are these names
  },
  primary_written(name, operand, pattern) {
    const word = wordsOf(name) as 'date of' | 'text of' | 'number of'; // the rule's alternatives
    const as = pattern.parts[0]?.parts.at(-1);
    return as === undefined ? builtin(this, word, operand) : builtin(this, `${word} written as`, operand, as);
  },
  primary_time(_words, operand, pattern) {
    const [as = operand] = pattern.parts.slice(-1);
    return builtin(this, 'time of written as', operand, as);
  },
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
  reference(node) {
    const index = node.first;
    const read: Read<Expression> = (source) => toPath(tokenText(source.line, source.text, index), tokenSpan(source.line, index));
    return read;
  },
  place(node) {
    return nameAt(node.first);
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
};
