// Semantic actions for decision tables: heads, headings, cells, and the look-up statement.
import type { Node } from 'ohm-js';
import type { CellTest, CellValue, HeadingTest } from '../../../../runtime/tables/table-types.js';
import type { Literal } from '../declaration-tree.js';
import type { CellLine, HeadingLine, LookUpOptionLine, StatementLine, TableLine } from '../line-node.js';
import { type Actions, optional, phraseName, reader, readers, wordsOf } from '../node-readers.js';
import type { Read, Source } from '../source.js';
import type { Name, Pair, Text } from '../tree.js';

type ReadCell = Read<CellLine>;

const test =
  (of: (source: Source) => CellTest): ReadCell =>
  (source) => ({ is: 'test', test: of(source) });

/** The value of a literal; `undefined` for a list and for text with values in it, which no cell may contain. */
function literalOf(literal: Literal): string | number | boolean | undefined {
  if (literal.kind === 'literals') return undefined;
  if (literal.kind === 'number') return literal.value;
  if (literal.kind === 'constant') return literal.value === true;
  return literal.parts.every((part) => typeof part === 'string') ? literal.parts.join('') : undefined;
}

function heading(nameNode: Node, testNode: Node | undefined): Read<HeadingLine> {
  const name = reader<Name>(nameNode);
  const test = testNode === undefined ? undefined : (wordsOf(testNode) as HeadingTest); // the rule's alternatives
  return (source) => ({ name: name(source).text, test });
}

export const tableActions: Actions = {
  tableLine_file(nameNode, _is, textNode, _end) {
    const name = reader<Name>(nameNode);
    const at = reader<Text>(textNode);
    const read: Read<TableLine> = (source) => ({ kind: 'file', name: name(source), at: at(source) });
    return read;
  },
  tableLine_rows(nameNode, _colon, _block) {
    const name = reader<Name>(nameNode);
    const read: Read<TableLine> = (source) => ({ kind: 'rows', name: name(source) });
    return read;
  },
  tableName: (words) => phraseName(words),
  headingLine_name: (name, test, _end) => heading(name, test.numChildren === 0 ? undefined : test),
  headingLine_quoted: (name, test, _end) => heading(name, test),
  cellLine_any: (_word, _end) => test(() => null),
  cellLine_empty: (_word, _end) => test(() => ['empty']),
  cellLine_oneOf(_words, literals, _end) {
    const items = reader<Literal[]>(literals);
    const read: ReadCell = (source) => {
      const values = items(source).map(literalOf);
      return values.some((value) => value === undefined)
        ? { is: 'unread' }
        : { is: 'test', test: ['one of', ...values.flatMap((value) => (value === undefined ? [] : [value]))] };
    };
    return read;
  },
  cellLine_comparison(words, literal, _end) {
    const word = wordsOf(words) as 'above' | 'below' | 'at least' | 'at most'; // the rule's alternatives
    const value = reader<Literal>(literal);
    const read: ReadCell = (source) => {
      const limit = literalOf(value(source));
      return typeof limit === 'number' ? { is: 'test', test: [word, limit] } : { is: 'unread' };
    };
    return read;
  },
  cellLine_between(_between, lowNode, _and, highNode, _end) {
    return limits(reader<Literal>(lowNode), reader<Literal>(highNode), true);
  },
  cellLine_limits(lowNode, _and, highNode, _end) {
    return limits(reader<Literal>(lowNode), reader<Literal>(highNode), false);
  },
  cellLine_value(literal, _end) {
    const value = reader<Literal>(literal);
    const read: ReadCell = (source) => {
      const fixed = literalOf(value(source));
      return fixed === undefined ? { is: 'unread' } : { is: 'test', test: fixed };
    };
    return read;
  },
  lookUp(_words, first, _separators, rest, _in, nameNode, pairsNode, _opening) {
    const results = [reader<Name>(first), ...readers<Name>(rest)];
    const table = reader<Name>(nameNode);
    const pairs = optional<Pair[]>(pairsNode);
    const read: Read<StatementLine> = (source) => ({
      kind: 'look up',
      results: results.map((result) => result(source)),
      table: table(source),
      pairs: pairs?.(source) ?? [],
    });
    return read;
  },
  lookUpOptionLine(_words, _colon, _block) {
    const read: Read<LookUpOptionLine> = () => ({ kind: 'nothing' });
    return read;
  },
};

function limits(low: Read<Literal>, high: Read<Literal>, isTest: boolean): ReadCell {
  return (source) => {
    const values: (CellValue | undefined)[] = [literalOf(low(source)), literalOf(high(source))];
    const [from, to] = values;
    if (from === undefined || to === undefined || from === null || to === null) return { is: 'unread' };
    if (!isTest) return { is: 'limits', low: from, high: to };
    return typeof from === 'boolean' || typeof to === 'boolean' ? { is: 'unread' } : { is: 'test', test: ['between', from, to] };
  };
}
