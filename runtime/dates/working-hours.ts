// Working hours such as `monday to friday 9:00 to 17:00`: adds them to a moment, and counts them between two. Exact across changes of the
// clock. Whole years are counted once and kept, so that spans of many years take one step each. Years without a holiday, and before or after
// all irregular changes of clocks, share the counts of the others that have the same days.
import { civilDate, dayNumber, weekdayIndex } from './civil-date.js';
import { DAY_MS } from './date-unit.js';
import type { TimeZone } from './time-zone.js';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const SPAN = /^([a-z]+)(?:\s+to\s+([a-z]+))?\s+(\d{1,2}):(\d{2})\s+to\s+(\d{1,2}):(\d{2})$/i;
const MINUTE_MS = 60_000;

/** For each weekday from Monday: when it opens and closes, in minutes since midnight, in order and without overlaps. */
type OpenWeek = readonly (readonly (readonly [from: number, to: number])[])[];

/** Reads spans that are separated by commas; `undefined` for anything else. */
export function readWorkingHours(text: string): OpenWeek | undefined {
  const week: [number, number][][] = WEEKDAYS.map(() => []);
  for (const written of text.split(',')) {
    const [all, first = '', last = first, ...digits] = SPAN.exec(written.trim()) ?? [];
    const [one, other] = [WEEKDAYS.indexOf(first.toLowerCase()), WEEKDAYS.indexOf((last ?? first).toLowerCase())];
    const [hours = 0, minutes = 0, untilHours = 0, untilMinutes = 0] = digits.map(Number);
    const [from, to] = [hours * 60 + minutes, untilHours * 60 + untilMinutes];
    if (all === undefined || one < 0 || other < 0 || minutes > 59 || untilMinutes > 59 || from >= to || to > 24 * 60)
      return undefined;
    for (let day = one; ; day = (day + 1) % 7) {
      week[day]?.push([from, to]);
      if (day === other) break;
    }
  }
  return week.map(withoutOverlaps);
}

function withoutOverlaps(spans: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...spans].sort((one, other) => one[0] - other[0])) {
    const before = merged.at(-1);
    if (before !== undefined && from <= before[1]) before[1] = Math.max(before[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

interface Year {
  /** The number of its first day. */
  readonly first: number;
  /** Open milliseconds before each of its days, and in the whole year at the end. */
  readonly before: Float64Array;
}

export class WorkingHours {
  readonly #zone: TimeZone;
  readonly #week: OpenWeek;
  readonly #holidays: ReadonlySet<number>;
  readonly #years = new Map<number, Year>();
  readonly #yearsWithHolidays: ReadonlySet<number>;

  /** @param holidays day numbers, on which nothing is open */
  constructor(zone: TimeZone, week: OpenWeek, holidays: ReadonlySet<number>) {
    this.#zone = zone;
    this.#week = week;
    this.#holidays = holidays;
    this.#yearsWithHolidays = new Set([...holidays].map((day) => civilDate(day).year));
  }

  /**
   * The instant after so much open time. One that ends at closing time ends then.
   * @param ms above 0; below 0 goes back, and ends at an opening rather than at the closing before it
   * @returns `undefined` beyond the calendar
   */
  plus(instant: number, ms: number): number | undefined {
    const step = ms > 0 ? 1 : -1;
    let left = Math.abs(ms);
    let day = this.#dayOf(instant);
    let end = this.#within(day, instant, left, step);
    if (end.at !== undefined) return end.at;
    left = end.left;
    for (;;) {
      const next = this.#skip(day, left, step);
      if (next === undefined) return undefined;
      ({ day, left } = next);
      end = this.#within(day, step > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, left, step);
      if (end.at !== undefined) return end.at;
      left = end.left;
    }
  }

  /** Open milliseconds from one instant to the other; negative if the second is earlier. */
  between(from: number, to: number): number {
    if (to < from) return -this.between(to, from);
    const [first, last] = [this.#dayOf(from), this.#dayOf(to)];
    if (first === last) return this.#openIn(first, from, to);
    const whole = this.#openOnDays(first + 1, last);
    return this.#openIn(first, from, Number.POSITIVE_INFINITY) + whole + this.#openIn(last, Number.NEGATIVE_INFINITY, to);
  }

  #dayOf(instant: number): number {
    return Math.floor(this.#zone.wallOf(instant) / DAY_MS);
  }

  #spans(day: number): readonly (readonly [number, number])[] {
    return this.#holidays.has(day) ? [] : (this.#week[weekdayIndex(day)] ?? []);
  }

  /** When a day opens and closes, as instants. */
  #instants(day: number): (readonly [number, number])[] {
    return this.#spans(day).map(
      ([from, to]) =>
        [this.#zone.instantOf(day * DAY_MS + from * MINUTE_MS), this.#zone.instantOf(day * DAY_MS + to * MINUTE_MS)] as const,
    );
  }

  #openIn(day: number, from: number, to: number): number {
    return this.#instants(day).reduce(
      (sum, [opens, closes]) => sum + Math.max(0, Math.min(closes, to) - Math.max(opens, from)),
      0,
    );
  }

  /** Goes through the rest of a day: where the time is used up, or how much of it is left. */
  #within(day: number, from: number, left: number, step: 1 | -1): { readonly at?: number; readonly left: number } {
    const spans = this.#instants(day);
    for (const [opens, closes] of step > 0 ? spans : spans.reverse()) {
      const [start, end] = step > 0 ? [Math.max(opens, from), closes] : [opens, Math.min(closes, from)];
      if (end <= start) continue;
      if (left <= end - start) return { at: step > 0 ? start + left : end - left, left: 0 };
      left -= end - start;
    }
    return { left };
  }

  /** The day in which the time is used up, and what is left of it at the beginning of that day. */
  #skip(after: number, left: number, step: 1 | -1): { readonly day: number; readonly left: number } | undefined {
    let day = after + step;
    for (let year = civilDate(day).year; year >= 0 && year <= 9_999; year += step) {
      const { first, before } = this.#year(year);
      const days = before.length - 1;
      const at = day - first;
      const passed = step > 0 ? (before[at] ?? 0) : (before[at + 1] ?? 0);
      const rest = step > 0 ? (before[days] ?? 0) - passed : passed;
      if (rest < left) {
        left -= rest;
        day = step > 0 ? first + days : first - 1;
        continue;
      }
      const found = step > 0 ? lastBelow(before, passed + left) : firstFrom(before, passed - left) - 1;
      const open = step > 0 ? (before[found] ?? 0) - passed : passed - (before[found + 1] ?? 0);
      return { day: first + found, left: left - open };
    }
    return undefined;
  }

  #openOnDays(from: number, to: number): number {
    let sum = 0;
    for (let day = from; day < to; ) {
      const { first, before } = this.#year(civilDate(day).year);
      const end = Math.min(to, first + before.length - 1);
      sum += (before[end - first] ?? 0) - (before[day - first] ?? 0);
      day = end;
    }
    return sum;
  }

  #year(year: number): Year {
    const known = this.#years.get(year);
    if (known !== undefined) return known;
    const first = dayNumber(year, 1, 1);
    const days = dayNumber(year + 1, 1, 1) - first;
    const alike = this.#yearsWithHolidays.has(year) ? year : yearLike(year);
    const made = { first, before: alike === year ? this.#openBefore(first, days) : this.#year(alike).before };
    this.#years.set(year, made);
    return made;
  }

  #openBefore(first: number, days: number): Float64Array {
    const before = new Float64Array(days + 1);
    let [weekEnd, isExact] = [0, false];
    for (let at = 0; at < days; at++) {
      const day = first + at;
      if (at >= weekEnd) {
        weekEnd = at + 7;
        // Only in a week in which the clock changes may a day be longer or shorter than it looks.
        isExact = this.#zone.mayChangeBetween(day - 1, day + 9);
      }
      const open = isExact
        ? this.#openIn(day, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
        : this.#spans(day).reduce((sum, [from, to]) => sum + (to - from) * MINUTE_MS, 0);
      before[at + 1] = (before[at] ?? 0) + open;
    }
    return before;
  }
}

/** Clocks change from 1811 on, and follow the same rules each year from 2101 on. */
const [firstRegular, lastRegular] = [1_800, 2_128];

/** A year whose days and changes of the clock are the same. 28 years without a missing leap day have all kinds. */
function yearLike(year: number): number {
  if (year >= firstRegular && year <= lastRegular) return year;
  const isSame = (other: number): boolean =>
    [0, 1].every((more) => weekdayIndex(dayNumber(year + more, 1, 1)) === weekdayIndex(dayNumber(other + more, 1, 1)));
  let alike = (year < firstRegular ? firstRegular : lastRegular + 1) - 28;
  while (!isSame(alike)) alike++;
  return alike;
}

/** The last index whose value is below `limit`. */
function lastBelow(values: Float64Array, limit: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last index whose value is at most `limit`, plus one: the first one above it. */
function firstFrom(values: Float64Array, limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
