// `date of … written as "DD.MM.YYYY"` and the like: a literal pattern or sample must be valid, and fit the text before it.
import { matchDate, type PatternPart, readingFault, readPattern } from '../../../../runtime/dates/date-pattern.js';
import { dateWords, languages } from '../../../../runtime/dates/date-words.js';
import { isNumberSample, type NumberSample, numberLike, readSample } from '../../../../runtime/numbers/parse-number.js';
import { withPrivateParts } from '../../../../runtime/values/errors.js';
import type { Builtin, Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import type { Kind } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import { aNumber, requireKind } from '../kinds/require-kind.js';

export function checkWrittenAs(checker: Checker, { name, operands }: Builtin, kinds: readonly Kind[]): void {
  const [operand, as] = operands;
  const [kind, pattern] = kinds;
  if (operand === undefined || as === undefined || kind === undefined) return;
  if (pattern?.is !== 'text' || pattern.value === undefined) return;
  const text = kind.is === 'text' ? kind.value : undefined;
  switch (name) {
    case 'number of written as': {
      const sample = sampleIn(checker, as, pattern.value);
      if (sample !== undefined && text !== undefined && numberLike(text, sample) === undefined)
        reportUnfit(checker, operand, `is not written like ${sourceOf(checker, as)}`);
      return;
    }
    case 'text of written as':
      if (kind.is !== 'number' && isExampleDate(checker, as, pattern.value)) return;
      if (isNumberSample(pattern.value)) {
        sampleIn(checker, as, pattern.value);
        requireKind(checker, operand, kind, 'written as a sample', aNumber);
      } else if (partsIn(checker, as, pattern.value) !== undefined)
        requireDate(checker, operand, kind, 'written as a date', /[Hms]/.test(pattern.value) ? pattern.value : undefined);
      return;
    default: {
      if (isExampleDate(checker, as, pattern.value)) return;
      const parts = partsIn(checker, as, pattern.value, name === 'time of written as' ? 'time' : 'date');
      if (parts === undefined || text === undefined) return;
      const found = matchDate(text, parts, dateWords(checker.language));
      if (found === undefined) {
        const other = languages.find((language) => typeof matchDate(text, parts, dateWords(language)) === 'object');
        // A mistake in `config:` may hide the language.
        if (other !== undefined && checker.diagnostics.length > 0) return;
        reportUnfit(checker, operand, `is not written as ${sourceOf(checker, as)}`, other);
      } else if (typeof found === 'string') reportUnfit(checker, operand, withPrivateParts(found));
    }
  }
}

const FORMS_OF_DATES =
  'DD.MM.YYYY|D.M.YYYY|DD.MM.YY|YYYY-MM-DD|DD/MM/YYYY|MM/DD/YYYY|D/M/YYYY|M/D/YYYY|DD-MM-YYYY|D MMMM YYYY|D. MMMM YYYY|D MMM YYYY|MMMM D, YYYY|MMM D, YYYY|dddd, D MMMM YYYY|dddd, D. MMMM YYYY|dddd, MMMM D, YYYY|D MMMM|D. MMMM|MMMM D|MMMM YYYY';

/** Reports a date in place of a pattern: `written as "1 January 2026"`. */
function isExampleDate(checker: Checker, as: Expression, written: string): boolean {
  if (!/\d/.test(written)) return false;
  const words = [checker.language, ...languages].map((language) => dateWords(language));
  const form = FORMS_OF_DATES.split('|')
    .flatMap((date) => [date, `${date} HH:mm`, `${date} H:mm`])
    .find((pattern) => {
      const read = readPattern(pattern);
      return read.ok && words.some((known) => matchDate(written, read.parts, known) !== undefined);
    });
  if (form !== undefined) checker.report(catalogue.exampleDate(as.span, sourceOf(checker, as), form));
  return form !== undefined;
}

const sourceOf = ({ text }: Checker, { span }: Expression): string => text.slice(span.start, span.end);

/** @param language that its months and weekdays are in */
const reportUnfit = (checker: Checker, operand: Expression, why: string, language?: string): void =>
  checker.report(catalogue.notWrittenAs(operand.span, sourceOf(checker, operand), why, language));

/** The literal sample, if it is valid. */
function sampleIn(checker: Checker, as: Expression, written: string): NumberSample | undefined {
  const read = readSample(written);
  if (read.ok) return read.sample;
  checker.report(catalogue.invalidPattern(as.span, 'sample', sourceOf(checker, as), read.fault));
  return undefined;
}

/** The literal pattern, if it is valid. @param word what it reads; absent if it is used for writing */
function partsIn(checker: Checker, as: Expression, written: string, word?: 'date' | 'time'): readonly PatternPart[] | undefined {
  const read = readPattern(written);
  const fault = read.ok ? (word === undefined ? undefined : readingFault(read.parts, word)) : read.fault;
  if (fault === undefined) return read.ok ? read.parts : undefined;
  checker.report(catalogue.invalidPattern(as.span, 'pattern', sourceOf(checker, as), fault));
  return undefined;
}
