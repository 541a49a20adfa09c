// Renders diagnostics as text for a terminal: the message, and the line with carets under the fault. Colours have the form that every
// terminal supports.
import { counted } from '../../../runtime/texts/words.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import { type LocatedDiagnostic, MOST_SHOWN, type Severity } from './diagnostic.js';
import { didYouMean } from './suggest.js';

/** A fault to show: a diagnostic of the check, or a run-time error, which may have no line. */
export type Fault = Pick<LocatedDiagnostic, 'code' | 'severity' | 'file' | 'message' | 'suggestion' | 'hint'> &
  Partial<Pick<LocatedDiagnostic, 'line' | 'column' | 'length' | 'sourceLine'>>;

const INDENT = '    ';
const TITLES: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning' };
const COLOURS = { error: 'red', warning: 'yellow' } as const;

/** Characters of all messages together. */
const MOST_CHARACTERS = 700_000;
/** Of a source line in a message. */
const LONGEST_LINE = 2_000;

/** The first hundred errors and as many warnings, and what to say about the others. */
export function firstFaults<T extends Fault>(
  faults: readonly T[],
): { readonly shown: readonly T[]; readonly more: string | undefined } {
  const counts: Record<Severity, number> = { error: 0, warning: 0 };
  const hidden: Record<Severity, number> = { error: 0, warning: 0 };
  let characters = 0;
  const shown = faults.filter(({ severity, message, hint = '', sourceLine = '' }) => {
    const size = message.length + hint.length + Math.min(sourceLine.length, LONGEST_LINE);
    const fits = ++counts[severity] <= MOST_SHOWN && characters + size <= MOST_CHARACTERS;
    if (fits) characters += size;
    else hidden[severity]++;
    return fits;
  });
  const more = (['error', 'warning'] as const).flatMap((severity) =>
    hidden[severity] > 0 ? [counted(hidden[severity], `more ${severity}`)] : [],
  );
  const rest = more.length > 0 ? `${more.join(' and ')} not shown. Correct the first ones, and check again.` : undefined;
  return { shown, more: rest };
}

/**
 * One block per fault, for the first hundred errors and as many warnings, separated by blank lines, without a final line break. Without a line, the header only names the file; without a
 * source line, or with a blank one, there is no excerpt.
 */
export function renderText(faults: readonly Fault[], options: { readonly colour: boolean }): string {
  const { shown, more } = firstFaults(faults);
  const blocks = shown.map((fault) => renderFault(fault, options.colour));
  if (more !== undefined) blocks.push(more);
  return blocks.join('\n\n');
}

function renderFault(fault: Fault, colour: boolean): string {
  const inColour = (text: string): string => paint(text, COLOURS[fault.severity], colour);
  const place = fault.line === undefined ? '' : `, line ${fault.line}`;
  const lines = [inColour(`${TITLES[fault.severity]} in ${oneLine(fault.file)}${place} (${fault.code}):`), ''];
  if (fault.sourceLine?.trim()) {
    const { line, carets } = excerpt(fault.sourceLine, fault.column ?? 1, fault.length ?? 1);
    const spaces = carets.indexOf('^');
    lines.push(INDENT + line, INDENT + carets.slice(0, spaces) + inColour(carets.slice(spaces)));
  }
  lines.push(...indented(fault.message));
  if (fault.suggestion !== undefined) lines.push('', INDENT + didYouMean(oneLine(fault.suggestion)));
  if (fault.hint !== undefined) lines.push('', ...indented(`Hint: ${fault.hint}`));
  return lines.join('\n');
}

/** The lines of our own text. By now, text from users is one line each. */
const indented = (text: string): string[] => text.split('\n').map((line) => (line === '' ? '' : INDENT + oneLine(line)));

/** `2 errors and 1 warning in 1 file.`, without zero counts. */
export function summary(diagnostics: readonly Pick<LocatedDiagnostic, 'severity' | 'file'>[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const found = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : ''].filter(Boolean);
  if (found.length === 0) return 'No errors and no warnings.';
  return `${found.join(' and ')} in ${counted(new Set(diagnostics.map(({ file }) => file)).size, 'file')}.`;
}

const codes = { red: 31, green: 32, yellow: 33, grey: 90 } as const;

export type Colour = keyof typeof codes;

export const paint = (text: string, colour: Colour, isOn: boolean): string =>
  isOn ? `\u001b[${codes[colour]}m${text}\u001b[39m` : text;

/** Maximum columns of a line shown whole. */
const LONGEST = 160;
/** Characters further from the fault than this, in UTF-16 units, are not examined. */
const REACH = 1000;
/** Columns to keep before the fault in a shortened line. */
const LEAD = 40;
const CUT = '…';

interface Excerpt {
  readonly line: string;
  readonly carets: string;
}

/** `column` counts from 1 and `length` is at least 1, both in UTF-16 units. */
function excerpt(sourceLine: string, column: number, length: number): Excerpt {
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

/** One letter as a reader sees it. */
interface Piece {
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

/**
 * Divides a line of source into pieces with their widths on a terminal, so that carets are below the right letters even after Chinese,
 * emoji, combining accents, tabs and control characters.
 */
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
