// Finds the end of a line, and how far it is indented.

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
