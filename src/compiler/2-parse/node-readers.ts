// Takes a matched node apart for semantic actions: its tokens, its words, and the readers of its parts.
import type { Node } from 'ohm-js';
import { wordOf } from '../1-layout/alphabet.js';
import { tokenText } from '../1-layout/line.js';
import { type Read, spanOf, type Tokens } from './source.js';
import type { Name } from './tree.js';

/** The semantic actions of some rules: each returns a function that reads its node from any line of the matched shape. */
export type Actions = Readonly<Record<string, (this: Node, ...parts: Node[]) => Read<unknown>>>;

/** Index of the first token of a node. Each token is one character of the matched text. */
export const firstToken = (node: Node): number => node.source.startIdx;

export const tokensOf = (node: Node): Tokens => ({ first: node.source.startIdx, last: node.source.endIdx - 1 });

/** The words that a node matched, as the grammar spells them: `is at least`. */
export const wordsOf = (node: Node): string => [...node.sourceString].map(wordOf).join(' ');

/** The reader of a node, from the action of its rule. Its type is that of the rule, which the node does not know. */
export const reader = <T>(node: Node): Read<T> => node.read();

/** The reader of an optional node. */
export function optional<T>(node: Node): Read<T> | undefined {
  const [only] = node.children;
  return only === undefined ? undefined : reader<T>(only);
}

/** The readers of a repeated node. */
export const readers = <T>(node: Node): Read<T>[] => node.children.map((child) => reader<T>(child));

/** Several words as one name, with single spaces between them. */
export function phraseName(node: Node): Read<Name> {
  const tokens = tokensOf(node);
  return (source) => ({ text: phraseWords(tokens)(source).join(' '), span: spanOf(source, tokens) });
}

export const phraseWords =
  (tokens: Tokens): Read<string[]> =>
  (source) => {
    const words: string[] = [];
    for (let index = tokens.first; index <= tokens.last; index++) words.push(tokenText(source.line, source.text, index));
    return words;
  };
