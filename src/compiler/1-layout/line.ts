// The tokens of a file: those of each line as one string of the private alphabet, with their offsets, and marks between the lines. Also
// finds where a line ends, and how far it is indented.
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
  /** The mistake that the layout pass found in this line. If set, its tokens must not be matched. */
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

/** Columns per level of indentation. */
export const UNIT = 4;

/** The end of the line that starts at `start`, without its line break, and the start of the next one. */
export function lineAt(text: string, start: number): { readonly end: number; readonly next: number } {
  let stop = text.indexOf('\n', start);
  if (stop === -1) stop = text.length;
  return { end: text.charCodeAt(stop - 1) === 0x0d && stop > start ? stop - 1 : stop, next: stop + 1 };
}

interface Indentation {
  readonly width: number;
  readonly end: number;
  readonly characters: number;
  readonly tab: boolean;
  /** Offset of the first space that no keyboard types; it counts as one column. */
  readonly special: number | undefined;
}

const isSpecialSpace = (text: string, at: number): boolean => /^[\p{Zs}\u200b\ufeff]$/u.test(text.charAt(at));

/** Width of the indentation in columns; a tab reaches to the next multiple of 4. */
export function measure(text: string, start: number, end: number): Indentation {
  let width = 0;
  let tab = false;
  let special: number | undefined;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20) width++;
    else if (code === 0x09) {
      tab = true;
      width += UNIT - (width % UNIT);
    } else if (code > 127 && isSpecialSpace(text, at)) {
      special ??= at;
      width++;
    } else break;
  }
  return { width, end: at, characters: at - start, tab, special };
}
