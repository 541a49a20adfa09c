// Calendar arithmetic without time zones. Days are counted from 1970-01-01 in the proleptic Gregorian calendar.

/** A calendar day. */
export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** Days in 400 years, the period of the calendar. */
const ERA = 146_097;
/** Days from 0000-03-01, where eras begin, to 1970-01-01. */
const TO_1970 = 719_468;

/** Days since 1970-01-01. `month` is 1 to 12; a `day` past the end of the month runs into the next. */
export function dayNumber(year: number, month: number, day: number): number {
  // With years that begin in March, the leap day comes last.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA + dayOfEra - TO_1970;
}

export function civilDate(days: number): CivilDate {
  const shifted = days + TO_1970;
  const era = Math.floor(shifted / ERA);
  const dayOfEra = shifted - era * ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / (ERA - 1))) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Moves to the same day of another month, or to its last day if that month is shorter. */
export function addMonths(days: number, months: number): number {
  const { year, month, day } = civilDate(days);
  const total = year * 12 + month - 1 + months;
  const newYear = Math.floor(total / 12);
  const newMonth = total - newYear * 12 + 1;
  return dayNumber(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

/** 0 for Monday to 6 for Sunday. */
export const weekdayIndex = (days: number): number => (((days + 3) % 7) + 7) % 7;

/** ISO 8601: week 1 contains the first Thursday of the year. */
export function isoWeek(days: number): number {
  const thursday = days - weekdayIndex(days) + 3;
  return Math.floor((thursday - dayNumber(civilDate(thursday).year, 1, 1)) / 7) + 1;
}

export const weekdayNames: readonly string[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
