// Splits the text into lines of tokens and nests them by indentation: each line holds the lines indented under it.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { Placement } from './indentation.js';
import type { Line } from './line.js';
import { scanLine } from './scan-line.js';
import { strayHint } from './stray.js';

const UNIT = 4;

export interface Layout {
  /** The lines at the margin. */
  readonly lines: Line[];
  readonly diagnostics: Diagnostic[];
}

/** Splits `text` (without a byte order mark) into nested lines. Lines end with LF or CRLF; blank lines and comments are skipped. */
export function layout(text: string): Layout {
  const diagnostics: Diagnostic[] = [];
  const placement = new Placement();
  let number = 0;

  for (let start = 0; start < text.length; ) {
    number++;
    let next = text.indexOf('\n', start);
    if (next === -1) next = text.length;
    const end = text.charCodeAt(next - 1) === 0x0d && next > start ? next - 1 : next;
    const indentation = measure(text, start, end);
    start = next + 1;
    if (indentation.end === end || text.charCodeAt(indentation.end) === 0x23) continue;

    const line: Line = {
      number,
      depth: 0,
      start: indentation.end,
      end: indentation.end,
      shape: '',
      offsets: [],
      children: [],
      fault: undefined,
    };
    const lineStart = indentation.end - indentation.characters;
    scanLine(text, line, end);
    const fault = placement.place(line, indentation.width, { start: lineStart, end: indentation.end });
    if (indentation.special !== undefined) diagnostics.push(specialSpace(text, indentation.special));
    else if (indentation.tab) diagnostics.push(catalogue.tabIndentation({ start: lineStart, end: indentation.end }));
    else if (fault !== undefined) diagnostics.push(fault);
  }
  return { lines: placement.top, diagnostics };
}

interface Indentation {
  readonly width: number;
  readonly end: number;
  readonly characters: number;
  readonly tab: boolean;
  /** Offset of the first space that is none of the keyboard's: it counts as one. */
  readonly special: number | undefined;
}

const isSpecialSpace = (text: string, at: number): boolean => /^[\p{Zs}\u200b\ufeff]$/u.test(text.charAt(at));

function specialSpace(text: string, at: number): Diagnostic {
  const character = text.charAt(at);
  return catalogue.strayCharacter({ start: at, end: at + 1 }, character, strayHint(character, text, at));
}

/** Width of the indentation in columns; a tab reaches to the next multiple of 4. */
function measure(text: string, start: number, end: number): Indentation {
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
