// Guesses the pattern of a date that is not in ISO 8601, for hints.

/** Day and month of `a.b.YYYY`. If both orders make sense, the separator decides. */
function orderOf(first: number, second: number, separator: string): 'day first' | 'month first' | undefined {
  const dayFirst = isDay(first, second);
  const monthFirst = isDay(second, first);
  if (dayFirst && monthFirst) return separator === '/' ? 'month first' : 'day first';
  return dayFirst ? 'day first' : monthFirst ? 'month first' : undefined;
}

/** Whether they can be meant as a day and a month, even if that month has fewer days. */
const isDay = (day: number, month: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

/** `01.03.2026` → `DD.MM.YYYY`; `undefined` for ISO 8601 and for text that doesn't look like a date. */
export function writtenPattern(text: string): string | undefined {
  const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (yearLast !== null) {
    const [, first = '', separator = '', second = '', year = ''] = yearLast;
    const order = orderOf(Number(first), Number(second), separator);
    if (order === undefined) return undefined;
    const isPadded = first.length === 2 && second.length === 2;
    const [day, month] = isPadded ? ['DD', 'MM'] : ['D', 'M'];
    const parts = order === 'day first' ? [day, month] : [month, day];
    return [...parts, year.length === 4 ? 'YYYY' : 'YY'].join(separator);
  }
  const yearFirst = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (yearFirst === null) return undefined;
  const [, , separator = '', month = '', day = ''] = yearFirst;
  if (!isDay(Number(day), Number(month))) return undefined;
  const isPadded = month.length === 2 && day.length === 2;
  if (isPadded && separator === '-') return undefined;
  return ['YYYY', ...(isPadded ? ['MM', 'DD'] : ['M', 'D'])].join(separator);
}
