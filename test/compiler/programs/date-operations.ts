// Operations on dates and times, written only from docs/values.md, with Temporal as the calendar.
import { Temporal } from 'temporal-polyfill';
import { Fault, show, TooBig, type Val, withoutNoise } from './values.js';

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(:\d\d(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

interface Moment {
  readonly written: string;
  readonly isDate: boolean;
  readonly at: Temporal.ZonedDateTime;
  /** What the clock shows. A time without an offset is as written, even if the clock skips it. */
  readonly wall: Temporal.PlainDateTime;
}

export class Dates {
  readonly #zone: string;

  constructor(zone: string) {
    this.#zone = zone;
  }

  today(instant: Date): string {
    return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(this.#zone).toPlainDate().toString();
  }

  /** Whether it is a date, or a date and time, of the calendar. */
  exists(value: string): boolean {
    try {
      return this.#moment(value).written === value;
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  }

  #moment(value: Val): Moment {
    if (typeof value !== 'string' || !FORM.test(value)) throw new Fault('needs a date');
    const isDate = value.length === 10;
    try {
      if (/(Z|[+-]\d\d:?\d\d)$/.test(value.slice(10))) {
        const at = Temporal.Instant.from(value).toZonedDateTimeISO(this.#zone);
        return { written: value, isDate, at, wall: at.toPlainDateTime() };
      }
      const wall = Temporal.PlainDateTime.from(value, { overflow: 'reject' });
      return { written: value, isDate, at: wall.toZonedDateTime(this.#zone), wall };
    } catch {
      throw new Fault('needs a date that exists');
    }
  }

  #time(value: Val): Moment {
    const moment = this.#moment(value);
    if (moment.isDate) throw new Fault('needs a time');
    return moment;
  }

  /** `plus` and `minus` with a unit: `working days`, `months`. The amount has its sign. */
  shift(value: Val, amount: Val, unit: string): string {
    try {
      return this.#shifted(value, amount, unit);
    } catch (error) {
      // Temporal has no dates as far away as that, and neither has the calendar of a workflow.
      throw error instanceof RangeError ? new Fault('outside the calendar') : error;
    }
  }

  #shifted(value: Val, amount: Val, unit: string): string {
    if (typeof amount !== 'number') throw new Fault('needs an amount');
    const size = withoutNoise(amount);
    if (/second|minute|hour/.test(unit)) {
      const ms = { s: 1_000, m: 60_000, h: 3_600_000 }[unit.charAt(0)] ?? 0;
      const moment = this.#time(value);
      return this.#inForm(moment, moment.at.add({ milliseconds: Math.round(size * ms) }));
    }
    const moment = this.#moment(value);
    if (!Number.isInteger(size)) throw new Fault('needs a whole amount');
    if (size === 0) return moment.written;
    if (Math.abs(size) > 4_000_000) throw new Fault('outside the calendar');
    const day = moment.wall.toPlainDate();
    const moved = unit.startsWith('working') ? workingDay(day, size) : day.add({ [plural(unit)]: size });
    return this.#inForm(moment, moved.toPlainDateTime(moment.wall.toPlainTime()).toZonedDateTime(this.#zone));
  }

  /** Another moment, written like this one. */
  #inForm({ written, isDate }: Moment, at: Temporal.ZonedDateTime): string {
    const [, seconds, fraction = '', offset = ''] = FORM.exec(written) ?? [];
    const zone = offset === '' ? this.#zone : offset === 'Z' ? 'UTC' : offset.replace(/^(...):?/, '$1:');
    const there = at.withTimeZone(zone).toPlainDateTime();
    if (there.year < 0 || there.year > 9_999) throw new Fault('outside the calendar');
    if (isDate) return there.toPlainDate().toString();
    const digits = Math.max(fraction.length, there.millisecond > 0 ? 3 : 0);
    const hasSeconds = seconds !== undefined || there.second > 0 || digits > 0;
    const precision = hasSeconds ? { fractionalSecondDigits: digits as 0 | 3 } : { smallestUnit: 'minute' as const }; // up to 9
    return there.toString(precision) + offset;
  }

  /** `days from … to …`: whole units. */
  difference(unit: string, from: Val, to: Val): number {
    if (/second|minute|hour/.test(unit)) {
      const [start, end] = [this.#time(from), this.#time(to)];
      const largestUnit = plural(unit) as 'hours'; // or minutes, or seconds
      return start.at.toInstant().until(end.at.toInstant(), { largestUnit })[largestUnit] + 0;
    }
    const [start, end] = [this.#moment(from), this.#moment(to)];
    const [first, last] = [start.at.toPlainDate(), end.at.toPlainDate()];
    if (unit.startsWith('working')) return workingDays(first, last);
    const isByDate = start.isDate || end.isDate;
    const days = isByDate ? first.until(last).days : start.at.until(end.at, { largestUnit: 'days' }).days;
    if (/^day/.test(unit)) return days + 0;
    if (/^week/.test(unit)) return Math.trunc(days / 7) + 0;
    const months = monthsBetween(first, first.add({ days }));
    return (/^year/.test(unit) ? Math.trunc(months / 12) : months) + 0;
  }

  part(name: string, value: Val): Val {
    const { wall: at } = name === 'hour' || name === 'minute' ? this.#time(value) : this.#moment(value);
    switch (name) {
      case 'weekday':
        return weekdays[at.dayOfWeek - 1] ?? '';
      case 'week':
        return at.weekOfYear ?? 0;
      case 'date':
        return at.toPlainDate().toString();
      default:
        return at[name as 'day' | 'month' | 'year' | 'hour' | 'minute'];
    }
  }

  /** `start of month of value`, `end of …`. */
  edge(which: string, period: string, value: Val): string {
    const day = this.#moment(value).at.toPlainDate();
    const first =
      period === 'week'
        ? day.subtract({ days: day.dayOfWeek - 1 })
        : day.with({
            day: 1,
            month: period === 'year' ? 1 : period === 'quarter' ? Math.floor((day.month - 1) / 3) * 3 + 1 : day.month,
          });
    if (which === 'start') return first.toString();
    const next = period === 'quarter' ? first.add({ months: 3 }) : first.add({ [`${period}s`]: 1 });
    return next.subtract({ days: 1 }).toString();
  }

  compare(word: string, left: Val, right: Val): boolean {
    const [one, other] = [this.#moment(left), this.#moment(right)];
    const order =
      one.isDate || other.isDate
        ? Temporal.PlainDate.compare(one.at.toPlainDate(), other.at.toPlainDate())
        : Temporal.Instant.compare(one.at.toInstant(), other.at.toInstant());
    if (order === 0) return word.includes('on or');
    return order < 0 === word.endsWith('before');
  }

  written(value: Val, pattern: Val): string {
    if (typeof pattern !== 'string') throw new Fault('pattern');
    const { wall: at } = /[Hms]/.test(pattern.replace(/'[^']*'/g, '')) ? this.#time(value) : this.#moment(value);
    const two = (number: number, token: string): string => String(number).padStart(token.length, '0');
    return pattern.replace(TOKENS, (token) => {
      switch (token.charAt(0)) {
        case 'Y':
          return token === 'YY' ? two(at.year % 100, token) : two(at.year, token);
        case 'M':
          return token.length < 3 ? two(at.month, token) : named(months, at.month, token);
        case 'D':
          return two(at.day, token);
        case 'd':
          return named(weekdays, at.dayOfWeek, token);
        case 'H':
          return two(at.hour, token);
        case 'm':
          return two(at.minute, token);
        case 's':
          return two(at.second, token);
        default:
          return token.slice(1, -1);
      }
    });
  }

  /** `date of … written as …`, `time of … written as …`. */
  read(word: string, value: Val, pattern: Val): string {
    if (typeof pattern !== 'string') throw new Fault('pattern');
    if (typeof value !== 'string' && typeof value !== 'number') throw new Fault('needs text');
    const found: Record<string, number> = {};
    const tokens: string[] = [];
    const expression = pattern.replace(/[.*+?^$()|[\]\\{}/]/g, '\\$&').replace(TOKENS, (token) => {
      if (token.startsWith("'")) return token.slice(1, -1);
      tokens.push(token);
      if (token === 'MMMM') return `(${months.join('|')})`;
      return token.length === 1 ? '(\\d{1,2})' : `(\\d{${token.length}})`;
    });
    for (const needed of word === 'time' ? 'YMDH' : 'YMD')
      if (!tokens.some((token) => token.startsWith(needed))) throw new Fault('the pattern lacks a part');
    const match = new RegExp(`^${expression}$`, 'i').exec(show(value));
    if (match === null) throw new Fault('it does not fit');
    tokens.forEach((token, index) => {
      const text = match[index + 1] ?? '';
      const month = months.findIndex((name) => name.toLowerCase() === text.toLowerCase());
      found[token.charAt(0)] = token === 'MMMM' ? month + 1 : token === 'YY' ? shortYear(Number(text)) : Number(text);
    });
    const { Y: year = 0, M: month = 0, D: day = 0, H: hour = 0, m: minute = 0, s: second } = found;
    try {
      const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString();
      const time = new Temporal.PlainTime(hour, minute, second ?? 0);
      if (word === 'date') return date;
      return `${date}T${time.toString(second === undefined ? { smallestUnit: 'minute' } : { smallestUnit: 'second' })}`;
    } catch {
      throw new Fault('no such day');
    }
  }
}

const TOKENS = /'[^']*'|YYYY|YY|MMMM|MMM|MM|M|dddd|ddd|DD|D|HH|H|mm|ss/g;
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const named = (names: readonly string[], number: number, token: string): string =>
  (names[number - 1] ?? '').slice(0, token.length === 3 ? 3 : undefined);

const shortYear = (year: number): number => year + (year < 69 ? 2_000 : 1_900);

const plural = (unit: string): string => (unit.endsWith('s') ? unit : `${unit}s`);

/** Complete months: those whose day has come. */
function monthsBetween(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  if (Temporal.PlainDate.compare(first, last) > 0) return -monthsBetween(last, first);
  const count = (last.year - first.year) * 12 + last.month - first.month;
  return last.day < first.day ? count - 1 : count;
}

function workingDay(from: Temporal.PlainDate, amount: number): Temporal.PlainDate {
  if (Math.abs(amount) > 5_000) throw new TooBig();
  let day = from;
  for (let left = Math.abs(amount); left > 0; ) {
    day = day.add({ days: Math.sign(amount) });
    if (day.dayOfWeek <= 5) left--;
  }
  return day;
}

/** Those after the first, up to and including the last. */
function workingDays(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  if (Temporal.PlainDate.compare(first, last) > 0) return -workingDays(last, first) + 0;
  if (first.until(last).days > 20_000) throw new TooBig();
  let count = 0;
  for (let day = first.add({ days: 1 }); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    if (day.dayOfWeek <= 5) count++;
  return count;
}
