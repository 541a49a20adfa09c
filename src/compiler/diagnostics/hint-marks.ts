// A hint is a text for people, with marks around what the compiler itself goes by: a correction, or the reason of the mistake. `error` and
// `warning` make fields of a diagnostic of the marks, so nothing reads the words of a message.
import type { Diagnostic, Fix } from './diagnostic.js';

/** Control characters, which no hint contains otherwise. One of a source file is lost in a hint. */
const marks: Readonly<Record<Fix['as'] | 'why', string>> = {
  words: '\u0001',
  lines: '\u0002',
  example: '\u0003',
  line: '\u0004',
  why: '\u0005',
  above: '\u0006',
};
const anyMark = new RegExp(`[${Object.values(marks).join('')}]`, 'g');

const fix = (as: Fix['as'], intro: string, text: string): string => [marks[as], intro, marks[as], text, marks[as]].join('');

/** Words in place of those at fault. */
export const instead = (words: string): string => fix('words', '', words);

/** Lines in place of the words at fault, or of their line. @param lines indented by 4 spaces from the second one on */
export const writeLines = (lines: string): string => fix('lines', 'Write:\n    ', lines);

/** The form of a line, which may be the very line that is meant. @param lines like those of `writeLines` */
export const likeThis = (lines: string): string =>
  lines.includes('\n') ? `Write it like this:\n    ${lines}` : fix('example', 'Write it like this:\n    ', lines);

/** The line that is meant. */
export const writeInstead = (line: string): string => fix('line', 'Write this instead:\n    ', line);

/** The line that is meant by the lines at fault and the one above them. */
export const writeOnOneLine = (line: string): string => fix('above', 'Write it all on one line:\n    ', line);

/** A hint that gives the reason, so that none is looked for. */
export const why = (hint: string): string => marks.why + hint;

/** The fields of a diagnostic that a hint with marks stands for. */
export function readHint(marked: string): Pick<Diagnostic, 'hint' | 'fix' | 'saysWhy'> {
  const found = (['words', 'lines', 'example', 'line', 'above'] as const).flatMap((as): Fix[] => {
    const [, intro = '', text = '', ...rest] = marked.split(marks[as]);
    return rest.length === 1 ? [{ as, text: text.replaceAll('\n    ', '\n'), shown: intro + text }] : [];
  });
  return {
    hint: marked.replace(anyMark, ''),
    ...(found[0] === undefined ? {} : { fix: found[0] }),
    ...(marked.includes(marks.why) ? { saysWhy: true } : {}),
  };
}
