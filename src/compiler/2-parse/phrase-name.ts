// Parses several words as one name: of a step, of a table.
import { tokenText } from '../1-layout/line.js';
import { tokensOf } from './node-readers.js';
import { type Read, spanOf, type Tokens } from './source.js';
import type { SyntaxNode } from './syntax-node.js';
import type { Name } from './tree.js';

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
