// `text of … written as …`: a sample such as "1,234.50" is for numbers, a pattern such as "DD.MM.YYYY" for dates.
import type { Calendar } from '../dates/calendar.js';
import { writeDate } from '../dates/write-date.js';
import { isNumberSample } from '../numbers/number-sample.js';
import { writeNumber } from '../numbers/write-number.js';
import type { SourceLocation, Value } from '../types.js';

/** @throws WfError as `writeNumber` and `writeDate` */
export function writtenAs(calendar: Calendar, value: Value, pattern: Value, location?: SourceLocation): string {
  const isNumber = typeof pattern === 'string' ? isNumberSample(pattern) : typeof value === 'number';
  return isNumber ? writeNumber(value, pattern, location) : writeDate(calendar, value, pattern, location);
}
