// Takes a matched node apart for semantic actions: its tokens, its words, and the readers of its parts.
import { wordOf } from '../1-layout/alphabet.js';
import { tokenText } from '../1-layout/line.js';
import { type Read, spanOf, type Tokens } from './source.js';
import type { SyntaxNode } from './syntax-node.js';
import type { Name } from './tree.js';

export const tokensOf = (node: SyntaxNode): Tokens => ({ first: node.first, last: node.end - 1 });

/** The words that a node matched, as the grammar spells them: `is at least`. */
export const wordsOf = (node: SyntaxNode): string => [...node.characters].map(wordOf).join(' ');

/** `read` of a node. Its type is that of the rule, which the node does not know. */
export const reader = <T>(node: SyntaxNode): Read<T> => node.read<T>();

/** `read` of an optional node. */
export const optional = <T>(node: SyntaxNode): Read<T> | undefined => node.parts[0]?.read<T>();

export const readers = <T>(node: SyntaxNode): Read<T>[] => node.parts.map((part) => part.read<T>());

/** Several words as one name, with single spaces between them. */
export function phraseName(node: SyntaxNode): Read<Name> {
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
