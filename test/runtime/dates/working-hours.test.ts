// Working hours, against a count that looks at each day.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayNumber, weekdayIndex } from '../../../runtime/dates/civil-date.js';
import { TimeZone } from '../../../runtime/dates/time-zone.js';
import { readWorkingHours, WorkingHours } from '../../../runtime/dates/working-hours.js';

const DAY = 86_400_000;
const week =
  readWorkingHours('monday to friday 9:00 to 12:30, monday to friday 13:30 to 18:00, sunday 0:00 to 24:00') ?? assert.fail();
const holidays = [2024, 2130, 2400].map((year) => dayNumber(year, 7, 3));

/** Open time from one instant to the other, day by day. */
function counted(zone: TimeZone, from: number, to: number): number {
  let sum = 0;
  for (let day = Math.floor(from / DAY) - 2; day <= Math.floor(to / DAY) + 2; day++)
    for (const [opens, closes] of holidays.includes(day) ? [] : (week[weekdayIndex(day)] ?? [])) {
      const [start, end] = [opens, closes].map((minutes) => zone.instantOf(day * DAY + minutes * 60_000));
      sum += Math.max(0, Math.min(end ?? 0, to) - Math.max(start ?? 0, from));
    }
  return sum;
}

for (const name of ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Europe/Berlin'])
  test(`counts as day by day in ${name}`, () => {
    const zone = new TimeZone(name);
    const hours = new WorkingHours(zone, week, new Set(holidays));
    const years = fc.oneof(
      fc.integer({ min: 1_700, max: 2_600 }),
      fc.constantFrom(1_799, 1_811, 1_943, 2_024, 2_087, 2_128, 2_400),
    );
    fc.assert(
      fc.property(years, fc.nat(365 * 24 * 60), fc.nat(3 * 365 * 24 * 60), (year, minute, minutes) => {
        const from = dayNumber(year, 1, 1) * DAY + minute * 60_000;
        const to = from + minutes * 60_000;
        const open = counted(zone, from, to);
        assert.equal(hours.between(from, to), open);
        if (open === 0) return;
        const end = hours.plus(from, open) ?? assert.fail();
        assert.equal(counted(zone, from, end), open);
      }),
      { numRuns: 60 },
    );
  });
