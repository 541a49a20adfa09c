// Semantic actions for the lines of `inputs:`.
import type {
  BoundWord,
  CountRange,
  InputKind,
  InputLimit,
  InputLine,
  Literal,
  OpenItem,
  Presence,
  ScalarName,
} from '../declaration-tree.js';
import { type Actions, optional, reader, readers, tokensOf, wordsOf } from '../node-readers.js';
import { type Read, spanOf } from '../source.js';
import type { Name, NumberLiteral, Text } from '../tree.js';

/** `texts`, `text` → `text`: in a list, the plural names the kind of its items. */
const singular = (words: string): ScalarName =>
  // The rule's alternatives are these names.
  words.replace(/addresses$/, 'address').replace(/(text|number|date|time|record)s$/, '$1') as ScalarName;

const constants: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

export const inputActions: Actions = {
  inputLine(nameNode, _is, kindNode, presenceNode, _end) {
    const name = reader<Name>(nameNode);
    const kind = reader<InputKind>(kindNode);
    const presence = optional<Presence>(presenceNode);
    const tokens = tokensOf(kindNode);
    const read: Read<InputLine> = (source) => ({
      name: name(source),
      kind: { ...kind(source), span: spanOf(source, tokens) },
      presence: presence?.(source),
    });
    return read;
  },
  inputKind_choice(_words, literals) {
    const values = reader<Literal[]>(literals);
    const read: Read<InputKind> = (source) => ({ is: 'choice', values: values(source) });
    return read;
  },
  inputKind_yesOrNo: (_words) => (): InputKind => ({ is: 'yes or no' }),
  inputKind_anything: (_word) => (): InputKind => ({ is: 'anything' }),
  inputKind_openList(_a, _words, countNode, item) {
    const of = wordsOf(item) as OpenItem; // the rule's alternatives
    const count = optional<CountRange>(countNode);
    const read: Read<InputKind> = (source) => ({ is: 'list', of, count: count?.(source), limits: [] });
    return read;
  },
  inputKind_list(_a, _words, countNode, items, limitNodes) {
    const of = singular(wordsOf(items));
    const count = optional<CountRange>(countNode);
    const limits = readers<InputLimit>(limitNodes);
    const read: Read<InputKind> = (source) => ({
      is: 'list',
      of,
      count: count?.(source),
      limits: limits.map((limit) => limit(source)),
    });
    return read;
  },
  inputKind_scalar(_a, words, limitNodes) {
    const name = wordsOf(words) as ScalarName; // the rule's alternatives
    const limits = readers<InputLimit>(limitNodes);
    const read: Read<InputKind> = (source) => ({ is: 'scalar', name, limits: limits.map((limit) => limit(source)) });
    return read;
  },
  inputLimit_range(_from, lowNode, _to, highNode) {
    const low = reader<Literal>(lowNode);
    const high = reader<Literal>(highNode);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({
      kind: 'range',
      low: low(source),
      high: high(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  inputLimit_bound(_of, words, literal) {
    const word = wordsOf(words) as BoundWord; // the rule's alternatives
    const value = reader<Literal>(literal);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({ kind: 'bound', word, value: value(source), span: spanOf(source, tokens) });
    return read;
  },
  inputLimit_characters(_of, countNode, _characters) {
    const count = reader<CountRange>(countNode);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({ kind: 'characters', count: count(source), span: spanOf(source, tokens) });
    return read;
  },
  inputLimit_like(_like, text) {
    const pattern = reader<Text>(text);
    const tokens = tokensOf(this);
    const read: Read<InputLimit> = (source) => ({ kind: 'like', pattern: pattern(source), span: spanOf(source, tokens) });
    return read;
  },
  countRange_least(_words, number) {
    const least = reader<NumberLiteral>(number);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: least(source), most: undefined, span: spanOf(source, tokens) });
    return read;
  },
  countRange_most(_words, number) {
    const most = reader<NumberLiteral>(number);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: undefined, most: most(source), span: spanOf(source, tokens) });
    return read;
  },
  countRange_between(leastNode, _to, mostNode) {
    const least = reader<NumberLiteral>(leastNode);
    const most = reader<NumberLiteral>(mostNode);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: least(source), most: most(source), span: spanOf(source, tokens) });
    return read;
  },
  countRange_exactly(number) {
    const count = reader<NumberLiteral>(number);
    const tokens = tokensOf(this);
    const read: Read<CountRange> = (source) => ({ least: count(source), most: count(source), span: spanOf(source, tokens) });
    return read;
  },
  presence_optional: (_comma, _word) => (): Presence => ({ is: 'optional' }),
  presence_otherwise(_comma, _word, literal) {
    const value = reader<Literal>(literal);
    const read: Read<Presence> = (source) => ({ is: 'otherwise', value: value(source) });
    return read;
  },
  literals(first, _comma, rest) {
    const items = [reader<Literal>(first), ...readers<Literal>(rest)];
    const read: Read<Literal[]> = (source) => items.map((item) => item(source));
    return read;
  },
  literal_list(_open, literals, _close) {
    const items = optional<Literal[]>(literals);
    const tokens = tokensOf(this);
    const read: Read<Literal> = (source) => ({ kind: 'literals', items: items?.(source) ?? [], span: spanOf(source, tokens) });
    return read;
  },
  literal_constant(word) {
    const value = constants[wordsOf(word)] ?? false;
    const tokens = tokensOf(this);
    const read: Read<Literal> = (source) => ({ kind: 'constant', value, span: spanOf(source, tokens) });
    return read;
  },
};
