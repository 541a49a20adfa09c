// Reads the lines of a file from the tokens of the layout pass. Each line gets those between its INDENT and its DEDENT.
import { tokenClass } from '../1-layout/alphabet.js';
import type { Line, TokenLine, TokenStream } from '../1-layout/line.js';

/** A line whose block is still being read. */
interface OpenLine extends TokenLine {
  readonly children: OpenLine[];
}

/** The lines at the margin. */
export function readLines(tokens: TokenStream): Line[] {
  const top: OpenLine[] = [];
  /** The blocks around the next line, innermost last. */
  const around: OpenLine[][] = [];
  let block = top;
  for (const token of tokens) {
    switch (token) {
      case tokenClass.indent: {
        around.push(block);
        block = block.at(-1)?.children ?? block;
        break;
      }
      case tokenClass.dedent:
        block = around.pop() ?? top;
        break;
      default:
        // Any other mark ends a line, which stands before it.
        if (typeof token === 'object') block.push({ ...token, children: [] });
    }
  }
  return top;
}

/** Every line of a layout, in the order of the file. */
export function* linesOf(lines: readonly Line[]): Iterable<Line> {
  for (const line of lines) {
    yield line;
    yield* linesOf(line.children);
  }
}
