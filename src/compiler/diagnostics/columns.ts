// A line of source goes in, its pieces with the columns they take on a terminal come out: carets stand under the right letters also
// after Chinese, emoji, accents written as marks of their own, tabs and control characters.
import { oneLine } from '../../../runtime/one-line.js';

/** One letter as a reader sees it. */
export interface Piece {
  /** What is printed for it. */
  readonly shown: string;
  /** Columns that it takes: 0, 1 or 2, and more for a tab or an escape. */
  readonly width: number;
  /** UTF-16 offset of its end in the line. */
  readonly end: number;
}

const TAB = '    ';
const PLAIN = /^[\x20-\x7e]*$/;
// East Asian wide and full-width characters (Unicode Standard Annex 11), and what terminals draw as a picture.
// Functions, because classes of Unicode take V8 longer to get ready than a small file takes altogether.
const wide = (): RegExp =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u;
const mark = (): RegExp => /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

let graphemes: Intl.Segmenter | undefined;

export function pieces(line: string): Piece[] {
  if (PLAIN.test(line)) return Array.from(line, (shown, index) => ({ shown, width: 1, end: index + 1 }));
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(line), ({ segment, index }) => ({ ...show(segment), end: index + segment.length }));
}

function show(segment: string): { shown: string; width: number } {
  if (segment === '\t') return { shown: TAB, width: TAB.length };
  const shown = oneLine(segment);
  if (shown !== segment) return { shown, width: shown.length };
  if (mark().test(segment)) return { shown, width: 0 };
  return { shown, width: wide().test(segment) ? 2 : 1 };
}
