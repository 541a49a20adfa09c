// Text that looks like a date, but not in the format in which wf compares dates: `"01.03.2026"`, `"3/1/2026"`, `"2026-3-1"`.
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';

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
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (year !== '')
    return plausible({ iso: isoDate(year, month, day), pattern: `${letters('D', day)}.${letters('M', month)}.YYYY` }, day, month);
  const [, one = '', two = '', full = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (full !== '') {
    const isDayFirst = Number(one) > 12;
    const isClear = isDayFirst || Number(two) > 12;
    const [first, second] = isDayFirst ? ['D', 'M'] : ['M', 'D'];
    const pattern = `${letters(first ?? 'M', one)}/${letters(second ?? 'D', two)}/YYYY`;
    const iso = isClear ? isoDate(full, isDayFirst ? two : one, isDayFirst ? one : two) : undefined;
    return plausible({ iso, pattern }, isDayFirst ? one : two, isDayFirst ? two : one);
  }
  const [, y = '', m = '', d = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (y === '' || (m.length === 2 && d.length === 2)) return undefined;
  return plausible({ iso: isoDate(y, m, d), pattern: `YYYY-${letters('M', m)}-${letters('D', d)}` }, d, m);
}

/** `1.2.2026` may be a date; `45.2.2026` is something else. */
const plausible = (date: LocalDate, day: string, month: string): LocalDate | undefined =>
  Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12 ? date : undefined;

const letters = (letter: string, digits: string): string => (digits.length === 2 ? letter + letter : letter);

function isoDate(year: string, month: string, day: string): string | undefined {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : undefined;
}
