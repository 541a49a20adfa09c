// Text that looks like a date, but not in the format in which wf compares dates: `"01.03.2026"`, `"3/1/2026"`, `"2026-3-1"`.
import { impossibleDay } from '../../../../runtime/dates/date-errors.js';
import { writtenPattern } from '../../../../runtime/dates/written-pattern.js';
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';

const SEPARATOR = /[./-]/;

export interface LocalDate {
  /** The date in that format; `undefined` if day and month are ambiguous, or the day does not exist. */
  readonly iso: string | undefined;
  /** Its pattern, for `date of … written as`. */
  readonly pattern: string;
}

/** Warns about each operand of a comparison that is such text. */
export function checkLocalDates(checker: Checker, operands: readonly Expression[]): void {
  for (const operand of operands) {
    for (const text of operand.kind === 'list' ? operand.items : [operand]) {
      const date = localDateIn(text);
      if (date === undefined) continue;
      const written = checker.text.slice(text.span.start, text.span.end);
      checker.report(catalogue.localDate(text.span, written, date.iso, date.pattern));
    }
  }
}

function localDateIn(expression: Expression): LocalDate | undefined {
  if (expression.kind !== 'text' || expression.parts.length !== 1) return undefined;
  const [text] = expression.parts;
  return typeof text === 'string' ? readLocalDate(text) : undefined;
}

export function readLocalDate(text: string): LocalDate | undefined {
  const pattern = writtenPattern(text);
  // With two digits, it is at least as likely to be something else, such as a version.
  return pattern?.includes('YYYY') ? { iso: isoDate(text, pattern), pattern } : undefined;
}

function isoDate(text: string, pattern: string): string | undefined {
  const letters = pattern.split(SEPARATOR).map((part) => part.charAt(0));
  const numbers = text.split(SEPARATOR);
  const part = (letter: string): string => (numbers[letters.indexOf(letter)] ?? '').padStart(2, '0');
  const [year, month, day] = [part('Y'), part('M'), part('D')];
  const isAmbiguous = pattern.includes('/') && !pattern.startsWith('Y') && Number(day) <= 12;
  const iso = `${year}-${month}-${day}`;
  return isAmbiguous || impossibleDay(iso) !== undefined ? undefined : iso;
}
