// Days, months and weeks without zones, compared with Temporal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addMonths, civilDate, dayNumber, daysInMonth, isoWeek, weekdayIndex } from '../../../runtime/dates/civil-date.js';
import { dateText, parseMoment } from '../../../runtime/dates/moment.js';
import { runs } from '../../root.js';
import { date } from './arbitrary-dates.js';

test('a day number agrees with Temporal, and converts back to the same date', () => {
  const epoch = Temporal.PlainDate.from('1970-01-01');
  fc.assert(
    fc.property(date, (text) => {
      const there = Temporal.PlainDate.from(text);
      const days = dayNumber(there.year, there.month, there.day);
      assert.equal(days, epoch.until(there).days);
      assert.deepEqual(civilDate(days), { year: there.year, month: there.month, day: there.day });
      assert.equal(weekdayIndex(days), there.dayOfWeek - 1);
      assert.equal(isoWeek(days), there.weekOfYear);
      assert.equal(daysInMonth(there.year, there.month), there.daysInMonth);
      assert.equal(dateText(days), text);
      assert.equal(parseMoment(text)?.day, days);
    }),
    { numRuns: runs(2_000) },
  );
});

test('adds months as Temporal does, clamped to the last day', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: -600, max: 600 }), (text, months) => {
      const there = Temporal.PlainDate.from(text);
      const moved = there.add({ months });
      assert.equal(
        addMonths(dayNumber(there.year, there.month, there.day), months),
        dayNumber(moved.year, moved.month, moved.day),
      );
    }),
    { numRuns: runs(1_000) },
  );
});
