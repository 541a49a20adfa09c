// Formats a source line for a terminal, with carets under the fault.
import { type Piece, pieces } from './columns.js';

/** Maximum columns of a line shown whole. */
const LONGEST = 160;
/** Characters further from the fault than this, in UTF-16 units, are not examined. */
const REACH = 1000;
/** Columns to keep before the fault in a shortened line. */
const LEAD = 40;
const CUT = '…';

export interface Excerpt {
  readonly line: string;
  readonly carets: string;
}

/** `column` counts from 1 and `length` is at least 1, both in UTF-16 units. */
export function excerpt(sourceLine: string, column: number, length: number): Excerpt {
  // Omit the indentation, unless it is the fault itself.
  const indentation = sourceLine.search(/\S/);
  const skip = indentation !== -1 && column > indentation ? indentation : 0;
  const near = Math.max(skip, column - 1 - REACH);
  const all = pieces(sourceLine.slice(near, column + REACH));
  const from = column - 1 - near;
  const first = indexAt(all, from);
  const last = Math.max(indexAt(all, from + length - 1), first);
  const isWhole = near === skip && column + REACH >= sourceLine.length;
  if (isWhole && widthOf(all) <= LONGEST) return draw('', all, first, last, '');

  const fitsFromStart = near === skip && widthOf(all.slice(0, last + 1)) <= LONGEST - CUT.length;
  const begin = fitsFromStart ? 0 : back(all, first, LEAD);
  const before = begin > 0 || near > skip ? CUT : '';
  const end = forward(all, begin, LONGEST - before.length - CUT.length);
  const after = end < all.length || column + REACH < sourceLine.length ? CUT : '';
  return draw(before, all.slice(begin, end), first - begin, Math.min(last, end - 1) - begin, after);
}

function draw(before: string, shown: readonly Piece[], first: number, last: number, after: string): Excerpt {
  const offset = before.length + widthOf(shown.slice(0, first));
  const width = Math.max(widthOf(shown.slice(first, last + 1)), 1);
  return { line: before + shown.map((piece) => piece.shown).join('') + after, carets: ' '.repeat(offset) + '^'.repeat(width) };
}

const widthOf = (some: readonly Piece[]): number => some.reduce((sum, piece) => sum + piece.width, 0);

/** Index of the piece at this offset; past the last one if the offset is at the end of the line. */
function indexAt(all: readonly Piece[], offset: number): number {
  const index = all.findIndex((piece) => piece.end > offset);
  return index === -1 ? all.length : index;
}

/** The first of the pieces that fit into `columns` before `index`. */
function back(all: readonly Piece[], index: number, columns: number): number {
  let begin = Math.min(index, all.length);
  for (let width = 0; begin > 0; begin--) {
    width += all[begin - 1]?.width ?? 0;
    if (width > columns) break;
  }
  return begin;
}

/** One past the last piece that fits into `columns` from `index` on. */
function forward(all: readonly Piece[], index: number, columns: number): number {
  let end = index;
  for (let width = 0; end < all.length; end++) {
    width += all[end]?.width ?? 0;
    if (width > columns) break;
  }
  return end;
}
