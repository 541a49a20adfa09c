// Divides a line of source into pieces with their widths on a terminal, so that carets are below the right letters even after Chinese,
// emoji, combining accents, tabs and control characters.
import { oneLine } from '../../../runtime/values/one-line.js';

/** One letter as a reader sees it. */
export interface Piece {
  /** Its printed form. */
  readonly shown: string;
  /** Its width in columns: 0, 1 or 2, and more for a tab or an escape. */
  readonly width: number;
  /** UTF-16 offset of its end in the line. */
  readonly end: number;
}

const TAB = '    ';
const PLAIN = /^[\x20-\x7e]*$/;
// East Asian wide and full-width characters (Unicode Standard Annex 11), and those that terminals draw as pictures.
// Functions, because Unicode classes take V8 longer to compile than a whole small file.
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
