// Breaks text into lines of a width in pixels, without a browser to measure it: from the usual widths of letters in a sans serif font.

/** Pixels of a character at a size of one pixel, by what it looks like. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljI.,:;'|!]/, 0.31],
  [/[ft()[\]{}r\-"/\\ ]/, 0.4],
  [/[mwMW@%—]/, 0.95],
  [/[A-Z&#<>+=~]/, 0.74],
  [/[\x21-\x7e·]/, 0.62],
];
/** Letters of other alphabets are wider, and most pictures are square. */
const OTHER = 1;

const known = new Map<string, number>();

function widthOf(character: string): number {
  let width = known.get(character);
  if (width === undefined) {
    width = widths.find(([pattern]) => pattern.test(character))?.[1] ?? (/^[\u00c0-\u052f]$/.test(character) ? 0.65 : OTHER);
    if (known.size < 1_000) known.set(character, width);
  }
  return width;
}

/** Pixels that a text takes on one line. */
export const textWidth = (text: string, size: number): number =>
  Array.from(text).reduce((sum, character) => sum + widthOf(character), 0) * size;

/** The text in lines that are no wider than `most` pixels. Breaks between words, and inside of one that is too long. */
export function wrap(text: string, size: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, size) <= most) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && textWidth(line + character, size) > most) {
        // A path breaks before one of its parts.
        const slash = line.lastIndexOf('/');
        const end = slash > 0 ? slash : line.length;
        lines.push(line.slice(0, end));
        line = line.slice(end);
      }
      line += character;
    }
  }
  return [...lines, line];
}
