// Renders diagnostics as text for a terminal.
import { oneLine } from '../../../runtime/values/one-line.js';
import { type LocatedDiagnostic, MOST_SHOWN, type Severity } from './diagnostic.js';
import { excerpt } from './excerpt.js';
import { paint } from './paint.js';
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

/** A list in words: `a, b or c`. */
export const anyOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** `1 error`, `2 errors`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
