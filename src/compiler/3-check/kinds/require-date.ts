// Reports an operand that must be a date or time and certainly isn't, and text that only looks like a date: `"01.03.2026"`, `"3/1/2026"`.
import { impossibleDay, writtenPattern } from '../../../../runtime/dates/date-errors.js';
import { parseMoment } from '../../../../runtime/dates/moment.js';
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { type Kind, operandWords } from './kind.js';
import { type Need, requireKind } from './require-kind.js';

const aDate: Need = { kinds: ['text'], words: 'a date or time' };

/**
 * Reports it and returns true if the operand is certainly wrong.
 * @param word the keyword that needs the date
 * @param clock what needs a clock time, in words; absent if a date is enough
 */
export function requireDate(checker: Checker, expression: Expression, kind: Kind, word: string, clock?: string): boolean {
  if (requireKind(checker, expression, kind, word, aDate)) return true;
  if (kind.is !== 'text') return false;
  const moment = kind.value === undefined ? undefined : parseMoment(kind.value);
  if (kind.value !== undefined && moment === undefined) {
    const local = readLocalDate(kind.value);
    checker.report(catalogue.invalidDate(expression.span, kind.value, impossibleDay(kind.value), local));
    return true;
  }
  if (kind.oneOf?.every((value) => parseMoment(value) === undefined)) {
    checker.report(
      catalogue.wrongKind(expression.span, operandWords(checker.text, expression, kind), word, aDate.words, undefined),
    );
    return true;
  }
  if (clock === undefined || (moment?.form ?? kind.form) !== 'date') return false;
  checker.report(
    catalogue.needsClockTime(expression.span, operandWords(checker.text, expression, { is: 'text', form: 'date' }), clock),
  );
  return true;
}

const SEPARATOR = /[./-]/;

interface LocalDate {
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

function readLocalDate(text: string): LocalDate | undefined {
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
