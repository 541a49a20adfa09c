// The parts of dotted names, and how they are written: `row."Unit price".{currency}`. A field whose name is more than a word has quotes; a
// variable whose name is several words is written as one.

/** A name that needs no quotes. Unicode classes are compiled on demand, as in scan-line.ts. */
const PLAIN = /^(?:\d+|[A-Za-z_](?:[\w-]*\w)?)$/;
const plain = (): RegExp => /^(?:\d+|[\p{L}_](?:[\p{L}\p{M}\p{Nd}_-]*[\p{L}\p{M}\p{Nd}_])?)$/u;

/** A part of a dotted name, with its offsets in it. Quotes and braces belong to it. */
export interface NamePart {
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** Splits a dotted name that the scanner has read. */
export function pathParts(path: string): NamePart[] {
  const parts: NamePart[] = [];
  for (let start = 0; start <= path.length; ) {
    const opening = path.charAt(start);
    const close =
      opening === '"' ? endOfQuotes(path, start, path.length) : opening === '{' ? path.indexOf('}', start) + 1 : start;
    const dot = close < start ? -1 : path.indexOf('.', close);
    const end = dot === -1 ? path.length : dot;
    parts.push({ written: path.slice(start, end), start, end });
    start = end + 1;
  }
  return parts;
}

/** The names in a dotted name without values. */
export const fieldsOfPath = (path: string): string[] =>
  path.includes('"') ? pathParts(path).map(({ written }) => nameWritten(written)) : path.split('.');

/** The name that is written like this, with quotes or without. */
export const nameWritten = (written: string): string =>
  written.startsWith('"') ? written.slice(1, -1).replace(/\\(["\\])|([{}])\2/g, '$1$2') : written;

/** Writes a name as it stands after a dot, in a pair, or in `inputs:`. */
export const writtenField = (name: string): string =>
  PLAIN.test(name) || plain().test(name) ? name : `"${name.replace(/["\\]/g, '\\$&').replace(/[{}]/g, '$&$&')}"`;

/** Writes a variable and its fields. */
export const pathAsWritten = ({ root, fields }: { readonly root: string; readonly fields: readonly string[] }): string =>
  [root, ...fields.map(writtenField)].join('.');

/** Offset after the closing quote of the text that opens at `start`, or -1 if the line ends before it. */
export function endOfQuotes(text: string, start: number, lineEnd: number): number {
  for (let at = start + 1; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
  return -1;
}

/** A name that is written further down is not searched for. */
const FARTHEST = 100_000;

/** @param words a name or a field with spaces: `request.first name` */
export function sameInOneWord(words: string, text: string): { readonly name: string; readonly hint: string } {
  const dot = words.lastIndexOf('.') + 1;
  const [path, parts] = [words.slice(0, dot), words.slice(dot).split(' ')];
  const camel = parts.map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join('');
  const ways = [parts.join('-'), parts.join('_'), camel].map((way) => path + way);
  const searched = text.slice(0, FARTHEST);
  const known = ways.find((way) => new RegExp(`(?<![\\p{L}\\p{N}_-])${way.slice(dot)}(?![\\p{L}\\p{N}_-])`, 'u').test(searched));
  return known === undefined
    ? {
        name: dot === 0 ? (ways[0] ?? words) : `${path}"${words.slice(dot)}"`,
        hint:
          dot === 0
            ? `A name is one word: ${ways[0]}, ${ways[1]} or ${ways[2]}.`
            : 'A field whose name has spaces or signs is written in quotes, as in the input.',
      }
    : { name: known, hint: 'A name is one word.' };
}
