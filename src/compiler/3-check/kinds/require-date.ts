// Reports an operand that must be a date or time and certainly isn't.

import { impossibleDay } from '../../../../runtime/dates/date-errors.js';
import { parseMoment } from '../../../../runtime/dates/moment.js';
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { readLocalDate } from '../expressions/local-dates.js';
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
  if (clock === undefined || (moment?.form ?? kind.form) !== 'date') return false;
  checker.report(
    catalogue.needsClockTime(expression.span, operandWords(checker.text, expression, { is: 'text', form: 'date' }), clock),
  );
  return true;
}
