// Calculates the next due time of a cron expression in a time zone. This decides what is due; the cron library only wakes us.
import { DAY_MS, MINUTE_MS } from '../../runtime/dates/date-unit.js';
import type { CronExpression } from './cron-expression.js';
import type { Wall, Zone } from './zone.js';

/** Covers the longest gap between two due times: 29 February on a given weekday, across a century without a leap year. */
const FURTHEST_DAYS = 366 * 41;

/**
 * Returns the first due time after an instant (both in milliseconds since 1970), or `undefined` if there is none.
 *
 * A schedule that includes every hour follows real time: it is due whenever the wall clock shows one of its minutes, so it
 * neither pauses nor bunches up when the clock changes. Any other schedule follows the calendar: each of its times is due once.
 * A time that the clock shows twice is due the first time; a time that the clock skips is due at the jump.
 */
export function nextDue(cron: CronExpression, zone: Zone, after: number): number | undefined {
  return cron.hours.length === 24 ? nextByRealTime(cron, zone, after) : nextByCalendar(cron, zone, after);
}

/** The next due times, at most `count`. */
export function nextDues(cron: CronExpression, zone: Zone, after: number, count: number): number[] {
  const dues: number[] = [];
  for (let due = nextDue(cron, zone, after); due !== undefined && dues.length < count; due = nextDue(cron, zone, due))
    dues.push(due);
  return dues;
}

/** The highest number of due times to count. */
export const MOST_COUNTED = 1000;

export interface PassedDues {
  readonly first: number;
  /** The last of all, counted or not. */
  readonly last: number;
  readonly count: number;
}

/** The due times after one moment, up to and including another; `undefined` if there are none. */
export function duesBetween(next: (after: number) => number | undefined, after: number, until: number): PassedDues | undefined {
  const dues: number[] = [];
  for (let due = next(after); due !== undefined && due <= until && dues.length < MOST_COUNTED; due = next(due)) dues.push(due);
  const [first] = dues;
  if (first === undefined) return undefined;
  const last = dues[dues.length - 1] ?? first;
  return { first, last: dues.length < MOST_COUNTED ? last : lastUpTo(next, last, until), count: dues.length };
}

/** The last due time up to a moment, found without the many in between. @param due an earlier one */
function lastUpTo(next: (after: number) => number | undefined, due: number, until: number): number {
  let [last, end] = [due, until];
  // `last` is a due time, and none follows `end`.
  while (end - last > 1) {
    const middle = Math.floor((last + end) / 2);
    const found = next(middle);
    if (found !== undefined && found <= until) last = found;
    else end = middle;
  }
  return last;
}

function nextByRealTime(cron: CronExpression, zone: Zone, after: number): number | undefined {
  let instant = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
  const end = after + FURTHEST_DAYS * DAY_MS;
  while (instant < end) {
    const wall = zone.wallOf(instant);
    const day = startOfDay(wall);
    if (isDueDay(cron, day)) {
      if (cron.minutes.includes(new Date(wall).getUTCMinutes())) return instant;
      instant += MINUTE_MS;
    } else {
      const next = nextDueDay(cron, day);
      if (next === undefined) return undefined;
      // Never backwards, even if a day begins twice.
      instant = Math.max(instant + MINUTE_MS, zone.instantOf(next));
    }
  }
  return undefined;
}

function nextByCalendar(cron: CronExpression, zone: Zone, after: number): number | undefined {
  const wallAfter = zone.wallOf(after);
  // Start two days earlier: a day that a zone skipped ends up on the next one.
  const start = startOfDay(wallAfter) - 2 * DAY_MS;
  for (let day = nextDueDay(cron, start); day !== undefined; day = nextDueDay(cron, day)) {
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const wall = day + (hour * 60 + minute) * MINUTE_MS;
        if (wall <= wallAfter - 2 * DAY_MS) continue;
        const instant = zone.instantOf(wall);
        if (instant > after) return instant;
      }
    }
  }
  return undefined;
}

/** The next calendar day that the expression includes. */
function nextDueDay(cron: CronExpression, day: Wall): Wall | undefined {
  for (let offset = 1; offset <= FURTHEST_DAYS; offset += 1) {
    if (isDueDay(cron, day + offset * DAY_MS)) return day + offset * DAY_MS;
  }
  return undefined;
}

function isDueDay(cron: CronExpression, day: Wall): boolean {
  const date = new Date(day);
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false;
  const byDate = cron.days.includes(date.getUTCDate()) && !(cron.lastDay && !isLastOfMonth(day));
  const byWeekday = cron.weekdays.includes(date.getUTCDay());
  return cron.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

const isLastOfMonth = (day: Wall): boolean => new Date(day + DAY_MS).getUTCDate() === 1;

function startOfDay(wall: Wall): Wall {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}
