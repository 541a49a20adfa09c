// How semantic actions take a matched node apart: its tokens, its words, and the readers of its parts.
import { wordOf } from '../1-layout/alphabet.js';
import type { Read, Tokens } from './source.js';
import type { SyntaxNode } from './syntax-node.js';

export const tokensOf = (node: SyntaxNode): Tokens => ({ first: node.first, last: node.end - 1 });

/** The words that a node matched, as the grammar spells them: `is at least`. */
export const wordsOf = (node: SyntaxNode): string => [...node.characters].map(wordOf).join(' ');

/** `read` of a node. Its type is that of the rule, which the node does not know. */
export const reader = <T>(node: SyntaxNode): Read<T> => node.read<T>();

/** `read` of an optional node. */
export const optional = <T>(node: SyntaxNode): Read<T> | undefined => node.parts[0]?.read<T>();

export const readers = <T>(node: SyntaxNode): Read<T>[] => node.parts.map((part) => part.read<T>());
