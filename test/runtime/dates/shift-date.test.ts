// plus and minus with units: examples, Temporal as the oracle for random days and clock changes, working days one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { Calendar } from '../../../runtime/dates/calendar.js';
import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import { shiftDate } from '../../../runtime/dates/shift-date.js';
import { runs } from '../../root.js';
import { at, messageOf } from '../failure.js';
import { date, writtenIn, zoned, zoneName } from './arbitrary-dates.js';

const utc = new Calendar();
const plus = (value: string, amount: number, unit: DateUnit, calendar = utc): string =>
  shiftDate(calendar, value, 1, amount, unit);
const minus = (value: string, amount: number, unit: DateUnit, calendar = utc): string =>
  shiftDate(calendar, value, -1, amount, unit);

test('months and years end on the last day of a shorter month', () => {
  assert.equal(plus('2026-01-31', 1, 'months'), '2026-02-28');
  assert.equal(plus('2028-01-31', 1, 'months'), '2028-02-29');
  assert.equal(minus('2026-03-31', 1, 'months'), '2026-02-28');
  assert.equal(plus('2024-02-29', 1, 'years'), '2025-02-28');
  assert.equal(plus('2024-02-29', 4, 'years'), '2028-02-29');
  assert.equal(plus('2026-12-15', 3, 'weeks'), '2027-01-05');
  assert.equal(plus('1900-02-28', 1, 'days'), '1900-03-01');
  assert.equal(plus('2026-03-01', -1, 'days'), '2026-02-28');
});

test('a result keeps the format of the first value', () => {
  assert.equal(plus('2026-03-01T09:30', 1, 'days'), '2026-03-02T09:30');
  assert.equal(plus('2026-03-01T09:30', 90, 'seconds'), '2026-03-01T09:31:30');
  assert.equal(plus('2026-03-01T09:30', 1.5, 'hours'), '2026-03-01T11:00');
  assert.equal(plus('2026-03-01T09:30:00', 0.25, 'seconds'), '2026-03-01T09:30:00.250');
  assert.equal(plus('2026-03-01T23:30:00.123456789+0545', 1, 'hours'), '2026-03-02T00:30:00.123456789+0545');
  assert.equal(plus('2026-03-01T09:05:00.000Z', 2, 'hours'), '2026-03-01T11:05:00.000Z');
  assert.equal(plus('2026-03-01T09:05Z', 1, 'months'), '2026-04-01T09:05Z');
});

test('0 of anything changes nothing', () => {
  for (const unit of ['days', 'weeks', 'months', 'years', 'working days'] as const)
    assert.equal(plus('2026-10-25T02:30:00Z', 0, unit, new Calendar('Europe/Berlin')), '2026-10-25T02:30:00Z');
  assert.equal(plus('2026-12-26', 0, 'working days'), '2026-12-26');
});

test('ignores the noise of binary fractions in a number of days', () => {
  assert.equal(plus('2026-03-01', 0.1 * 30, 'days'), '2026-03-04');
});

const calendarUnit = fc.constantFrom('days', 'weeks', 'months', 'years' as const);

test('moves dates as Temporal does', () => {
  fc.assert(
    fc.property(date, calendarUnit, fc.integer({ min: -500, max: 500 }), (text, unit, amount) => {
      const moved = Temporal.PlainDate.from(text).add({ [unit]: amount });
      fc.pre(moved.year >= 0 && moved.year <= 9_999);
      assert.equal(plus(text, amount, unit), moved.toString().replace(/^\+00/, ''));
      assert.equal(minus(text, -amount, unit), moved.toString());
    }),
    { numRuns: runs(1_000) },
  );
});

test('moves times as Temporal does, over clock changes in every zone', () => {
  const unit = fc.oneof(calendarUnit, fc.constantFrom('hours', 'minutes', 'seconds' as const));
  const moment = zoneName.chain((zone) => fc.tuple(fc.constant(zone), writtenIn(zone)));
  fc.assert(
    fc.property(moment, unit, fc.integer({ min: -100, max: 100 }), ([zone, text], by, amount) => {
      const moved = zoned(text, zone).add({ [by]: amount });
      const result = plus(text, amount, by, new Calendar(zone));
      // If the clock shows a time twice, its digits alone are ambiguous: the first one is meant.
      if (/\d$/.test(text) && !/[+-]\d{2}:?\d{2}$/.test(text)) assert.equal(result, shown(moved));
      else assert.equal(zoned(result, zone).epochMilliseconds, moved.epochMilliseconds);
    }),
    { numRuns: runs(2_000) },
  );
});

const shown = (moment: Temporal.ZonedDateTime): string => moment.toPlainDateTime().toString({ fractionalSecondDigits: 3 });

test('counts working days one by one', () => {
  const holidays = ['2026-12-25', '2027-01-01', '2026-12-26', '2027-04-02', '2027-04-05', '2027-04-06', '2027-04-07'];
  const calendar = new Calendar('UTC', holidays);
  const works = (day: Temporal.PlainDate): boolean => day.dayOfWeek <= 5 && !holidays.includes(day.toString());
  const day = fc.integer({ min: 0, max: 900 }).map((days) => Temporal.PlainDate.from('2025-06-01').add({ days }).toString());
  fc.assert(
    fc.property(day, fc.integer({ min: -400, max: 400 }), (text, amount) => {
      let there = Temporal.PlainDate.from(text);
      for (let left = Math.abs(amount); left > 0; ) {
        there = there.add({ days: Math.sign(amount) });
        if (works(there)) left--;
      }
      assert.equal(plus(text, amount, 'working days', calendar), there.toString());
    }),
    { numRuns: runs(500) },
  );
});

test('counts working days without holidays', () => {
  assert.equal(plus('2026-12-24', 1, 'working days'), '2026-12-25');
  assert.equal(plus('2026-12-26', 1, 'working days'), '2026-12-28');
  assert.equal(minus('2026-12-28', 1, 'working days'), '2026-12-25');
  assert.equal(plus('2026-12-25', 10, 'working days'), '2027-01-08');
  assert.equal(plus('2026-12-24T16:00', 3, 'working days'), '2026-12-29T16:00');
});

test('reports what cannot be moved', () => {
  const fails = (value: unknown, amount: unknown, unit: DateUnit, code: string): string =>
    messageOf(() => shiftDate(utc, value as string, 1, amount as number, unit, at('request.d', 'request.n')), code);
  assert.equal(
    fails('soon', 3, 'days', 'WF622'),
    'I can\'t add days: "request.d" is text ("soon"), but it must be a date like 2026-03-01 or a time like 2026-03-01T09:30.',
  );
  assert.equal(
    fails('2026-02-30', 1, 'days', 'WF622'),
    'I can\'t add days: "request.d" is text ("2026-02-30"), and that day does not exist: February 2026 has 28 days.',
  );
  assert.equal(
    fails('01.03.2026', 2, 'weeks', 'WF622'),
    'I can\'t add weeks: "request.d" is text ("01.03.2026"), but it must be a date like 2026-03-01 or a time like 2026-03-01T09:30. To read it as a date, write: date of request.d written as "DD.MM.YYYY".',
  );
  assert.match(fails(null, 1, 'days', 'WF622'), /"request\.d" is empty/);
  assert.equal(
    fails('2026-03-01', 2, 'hours', 'WF623'),
    'I can\'t add hours: "request.d" is a date (2026-03-01), which has no clock time. Use a time like 2026-03-01T09:30.',
  );
  assert.equal(
    fails('2026-03-01', 'soon', 'days', 'WF624'),
    'I can\'t count the days: "request.n" is text ("soon"), but it must be a number.',
  );
  assert.equal(
    fails('2026-03-01', 1.5, 'days', 'WF624'),
    'I can\'t count the days: "request.n" is a number (1.5), but it must be a whole number.',
  );
  for (const amount of [9_000, 1e300])
    assert.equal(
      fails('2026-03-01', amount, 'years', 'WF625'),
      '"request.d" plus "request.n" years is outside the calendar, which covers the years 0 to 9999.',
    );
});

test('reports what is not a date', () => {
  for (const text of [
    '2026-2-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2027-02-29',
    '20260301',
    '2026-03-01 09:30',
    '2026-03-01T9:30',
    '2026-03-01T24:00',
    '2026-03-01T25:00',
    '2026-03-01T09:60',
    '2026-03-01T09:30:60',
    '2026-03-01T09:30:00.',
    '2026-03-01T09:30+2',
    '2026-03-01T09:30+25:00',
    '2026-03-01t09:30z',
    '2026-03-01T',
    '２０２６-03-01',
    '12026-03-01',
    ' 2026-03-01',
    '',
  ])
    messageOf(() => shiftDate(utc, text, 1, 1, 'days'), 'WF622');
});
