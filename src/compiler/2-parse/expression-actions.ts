// Semantic actions of pairs and durations.
import { tokenText } from '../1-layout/line.js';
import { reader, readers, tokensOf, wordsOf } from './node-readers.js';
import { type Read, spanOf } from './source.js';
import type { Actions, SyntaxNode } from './syntax-node.js';
import type { Duration, Expression, Name, Pair, TimeUnit } from './tree.js';

export const expressionActions: Actions = {
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
  pairs: (_with, first, _and, rest) => pairList(first, rest),
  conditions: (_where, first, _and, rest) => pairList(first, rest),
  pair(name, choice) {
    const key = reader<Name>(name);
    const value = reader<Expression>(choice);
    const read: Read<Pair> = (source) => ({ key: key(source), value: value(source) });
    return read;
  },
};

function pairList(first: SyntaxNode, rest: SyntaxNode): Read<Pair[]> {
  const pairs = [reader<Pair>(first), ...readers<Pair>(rest)];
  return (source) => pairs.map((pair) => pair(source));
}
