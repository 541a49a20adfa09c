// The tokens of a file: those of each line as one string of the private alphabet, with their offsets, and marks between the lines.
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';

/** The tokens of one line. */
export interface TokenLine {
  /** 1-based. */
  readonly number: number;
  /** Levels of blocks around it; 0 at the margin. */
  depth: number;
  /** Offset of the first character after the indentation. */
  readonly start: number;
  /** Offset after the last token. */
  end: number;
  /** One character per token, without the closing `<indent>` or `<eol>`. */
  shape: string;
  /** Start and end offset of each token: two entries per token. */
  readonly offsets: number[];
  /** The text lines under it, without their indentation; the token `lines` represents all of them. */
  pieces?: readonly Span[];
  /** What the layout pass found wrong with this line. If set, its tokens must not be matched. */
  fault: Diagnostic | undefined;
}

/**
 * The tokens of a file in their order. Each line is followed by a mark, a character of the private alphabet: the end of the line, or an INDENT
 * if the lines of a block follow. A DEDENT follows the last of these.
 */
export type TokenStream = readonly (TokenLine | string)[];

/** A line with those of its block, as the parser reads them from the stream. */
export interface Line extends Readonly<TokenLine> {
  readonly children: readonly Line[];
}

/** The text of the token at `index`. */
export const tokenText = (line: Pick<Line, 'offsets'>, text: string, index: number): string =>
  text.slice(line.offsets[2 * index], line.offsets[2 * index + 1]);

/** The span of the tokens from `first` to `last`, inclusive. Past the end, the position after the last token. */
export function tokenSpan(line: Pick<Line, 'offsets' | 'end'>, first: number, last: number = first): Span {
  const start = line.offsets[2 * first];
  const end = line.offsets[2 * last + 1];
  // The closing token has no offsets: it is where the line ends.
  return { start: start ?? line.end, end: end ?? line.end };
}

/** The span of the whole line, without its indentation. */
export const lineSpan = (line: Pick<Line, 'start' | 'end'>): Span => ({ start: line.start, end: line.end });
