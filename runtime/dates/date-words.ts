// The names of months and weekdays in the languages that `config:` can name. English is wf's own; `Intl` knows the others.
import { weekdayNames } from './civil-date.js';
import { monthNames } from './date-errors.js';

export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const;

type Length = 'long' | 'short';

export interface DateWords {
  /** @param month from 1 @param withDay in a date, as in `1 marca`; otherwise alone, as in `marzec` */
  month(month: number, length: Length, withDay: boolean): string;
  /** @param weekday from 0, which is Monday */
  weekday(weekday: number, length: Length): string;
  /** The names of a month: in a date, and alone. */
  months(length: Length): readonly (readonly string[])[];
  weekdays(length: Length): readonly (readonly string[])[];
}

const cut = (name: string, length: Length): string => (length === 'short' ? name.slice(0, 3) : name);
const each = (names: readonly string[], length: Length): string[][] => names.map((name) => [cut(name, length)]);

const english: DateWords = {
  month: (month, length) => cut(monthNames[month - 1] ?? '', length),
  weekday: (weekday, length) => cut(weekdayNames[weekday] ?? '', length),
  months: (length) => each(monthNames, length),
  weekdays: (length) => each(weekdayNames, length),
};

const known = new Map<string, DateWords>([['en', english]]);

/** @param language one of `languages`; English by default */
export function dateWords(language = 'en'): DateWords {
  const found = known.get(language);
  if (found !== undefined) return found;
  const made = wordsOf(language);
  known.set(language, made);
  return made;
}

function wordsOf(language: string): DateWords {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const names = (part: 'month' | 'weekday', length: Length, withDay: boolean): string[] => {
    const format = new Intl.DateTimeFormat(language, {
      [part]: length,
      timeZone: 'UTC',
      ...(withDay ? { day: 'numeric' } : {}),
    });
    // The first of January 2024 is a Monday.
    const dates =
      part === 'month' ? numbers(12).map((at) => Date.UTC(2024, at, 1)) : numbers(7).map((at) => Date.UTC(2024, 0, at + 1));
    return dates.map((date) => format.formatToParts(date).find(({ type }) => type === part)?.value ?? '');
  };
  const namesOf = (length: Length) => {
    const months = names('month', length, true);
    const alone = names('month', length, false);
    const weekdays = names('weekday', length, false);
    return {
      months,
      alone,
      weekdays,
      readMonths: months.map((name, at) => withoutStops([name, alone[at] ?? ''])),
      readWeekdays: weekdays.map((name) => withoutStops([name])),
    };
  };
  const made = { long: namesOf('long'), short: namesOf('short') };
  return {
    month: (month, length, withDay) => made[length][withDay ? 'months' : 'alone'][month - 1] ?? '',
    weekday: (weekday, length) => made[length].weekdays[weekday] ?? '',
    months: (length) => made[length].readMonths,
    weekdays: (length) => made[length].readWeekdays,
  };
}

/** People leave out the full stop of a short name. */
const withoutStops = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, name.replace(/\.$/, '')])),
];
