// The input of semantic actions. They run once per line shape and return functions, which read the text and spans of a concrete line from
// here, so a known shape needs no new match.

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
