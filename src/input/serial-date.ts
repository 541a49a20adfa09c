// Converts the number that a workbook stores for a date or time into ISO 8601 text. Never creates a Date, which would depend on
// the time zone of the machine.

const MS_OF_DAY = 86_400_000;
/**
 * Days from 1970-01-01 back to the day before day 1 of each date system. Before March 1900, Excel counts one day less, because
 * it believes in 29 February 1900.
 */
const DAY_ZERO_1900 = -25_569;
const DAY_ZERO_1904 = -24_107;
const FALSE_LEAP_DAY = 60;
/** 9999-12-31, the last day that a workbook can represent. */
const LAST_DAY_1900 = 2_958_465;

/**
 * `2026-03-01` for a whole number of days, `2026-03-01T09:30:00` with a time, `09:30:00` for a time without a date (less than
 * one day); with milliseconds only if there are any. For formats of elapsed hours, minutes or seconds (`[h]:mm`), gives the
 * hours, even beyond 24: `36:00:00`. `undefined` if a workbook shows no date for the number (negative, or after the year 9999).
 */
export function serialDate(serial: number, format: string, date1904: boolean): string | undefined {
  const dayZero = date1904 ? DAY_ZERO_1904 : DAY_ZERO_1900;
  if (!(serial >= 0) || serial >= LAST_DAY_1900 + 1 - (DAY_ZERO_1904 - DAY_ZERO_1900) * Number(date1904)) return undefined;
  // A time is a fraction of a day, so it is never quite exact: 09:30 is 0.39583333333333331.
  const total = Math.round(serial * MS_OF_DAY);
  if (/\[[hms]+\]/i.test(format) || total < MS_OF_DAY) return clock(total);
  const early = !date1904 && serial < FALSE_LEAP_DAY ? 1 : 0;
  const days = Math.floor(total / MS_OF_DAY);
  const date = new Date((days + dayZero + early) * MS_OF_DAY).toISOString().slice(0, 10);
  const time = total - days * MS_OF_DAY;
  return time === 0 ? date : `${date}T${clock(time)}`;
}

function clock(total: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const ms = total % 1000;
  const text = `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1000) % 60)}`;
  return ms === 0 ? text : `${text}.${String(ms).padStart(3, '0')}`;
}
