// The input of semantic actions, and how they take a matched node apart. They run once per line shape and return functions, which read the
// text and spans of a concrete line from here, so a known shape needs no new match.
import type { Node } from 'ohm-js';
import { wordOf } from '../1-layout/alphabet.js';
import { type Line, lineSpan, tokenSpan, tokenText } from '../1-layout/line.js';
import { quotedNameFault } from '../1-layout/scan-line.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { nameWritten } from '../vocabulary/field-names.js';
import type { Name } from './tree.js';

export interface Source {
  /** The whole file. */
  readonly text: string;
  readonly line: Line;
  readonly report: (diagnostic: Diagnostic) => void;
  /** In a part of a deeply nested line: reads the group that one of its tokens stands for. */
  readonly nested?: (token: number) => unknown;
}

/** Reads a part of one line. */
export type Read<T> = (source: Source) => T;

/** The tokens of a node in the current line. */
export interface Tokens {
  readonly first: number;
  readonly last: number;
}

export const spanOf = (source: Source, tokens: Tokens): Span => tokenSpan(source.line, tokens.first, tokens.last);

export const nameAt =
  (index: number): Read<Name> =>
  (source) => ({ text: tokenText(source.line, source.text, index), span: tokenSpan(source.line, index) });

/** A name in quotes. */
export const quotedNameAt =
  (index: number): Read<Name> =>
  (source) => {
    const span = tokenSpan(source.line, index);
    const fault = quotedNameFault(source.text, span);
    if (fault !== undefined) source.report(fault);
    return { text: nameWritten(tokenText(source.line, source.text, index)), span };
  };

/** The span of a statement: its own line, without its block. */
export const place = (source: Source): { span: Span; line: number } => ({
  span: lineSpan(source.line),
  line: source.line.number,
});

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
