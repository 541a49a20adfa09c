// Differences between dates or times, and their order: examples, Temporal as the oracle, and general laws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Calendar } from '../../../runtime/dates/calendar.js';
import { dateDifference, isAfter, isBefore, isOnOrAfter, isOnOrBefore } from '../../../runtime/dates/compare-dates.js';
import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import { shiftDate } from '../../../runtime/dates/shift-date.js';
import { runs } from '../../root.js';
import { at, messageOf } from '../failure.js';
import { date, writtenIn, zoned, zoneName } from './arbitrary-dates.js';

const utc = new Calendar();
const berlin = new Calendar('Europe/Berlin');
const between = (unit: DateUnit, from: string, to: string, calendar = utc): number => dateDifference(calendar, unit, from, to);

test('counts whole units, negative if backwards', () => {
  assert.equal(between('years', '2000-05-20', '2026-05-19'), 25);
  assert.equal(between('years', '2000-05-20', '2026-05-20'), 26);
  assert.equal(between('months', '2026-01-15', '2026-03-14'), 1);
  assert.equal(between('weeks', '2026-03-01', '2026-03-20'), 2);
  assert.equal(between('days', '2026-03-10', '2026-03-01'), -9);
  assert.equal(between('years', '2026-06-15', '2024-06-16'), -1);
  assert.equal(between('months', '2026-03-31', '2026-02-28'), -1);
  assert.equal(between('months', '2026-01-31', '2026-02-28'), 0);
  assert.equal(between('years', '2008-02-29', '2026-02-28'), 17);
  assert.equal(between('years', '2008-02-29', '2026-03-01'), 18);
  assert.equal(between('years', '2008-02-29', '2028-02-29'), 20);
  assert.ok(Object.is(between('days', '2026-03-01', '2026-03-01'), 0));
  assert.ok(Object.is(between('weeks', '2026-03-02', '2026-03-01'), 0));
});

test('counts units between times', () => {
  assert.equal(between('hours', '2026-03-01T08:00:00Z', '2026-03-01T10:59:59Z'), 2);
  assert.equal(between('minutes', '2026-03-01T08:00:00+01:00', '2026-03-01T08:00:00Z'), 60);
  assert.equal(between('days', '2026-03-01T08:00:00Z', '2026-03-02T07:00:00Z'), 0);
  assert.equal(between('hours', '2026-03-01T10:00', '2026-03-01T08:30'), -1);
  assert.equal(between('seconds', '2026-03-01T08:00:00.0005Z', '2026-03-01T08:00:01.0001Z'), 0);
  assert.equal(between('months', '2026-01-15T10:00', '2026-03-15T09:59'), 1);
  assert.equal(between('months', '2026-03-15T09:59', '2026-01-15T10:00'), -1);
  assert.equal(between('hours', '2026-03-28T12:00', '2026-03-29T12:00', berlin), 23);
  assert.equal(between('days', '2026-10-24T10:00:00Z', '2026-10-25T10:00:00Z', berlin), 0);
  // In 1995, the clock of this zone went from 00:01 on 29 October back to 23:01 on the day before.
  const back = new Calendar('America/St_Johns');
  assert.equal(between('days', '1995-10-28T02:30:59Z', '1995-10-29T02:31:00Z', back), 1);
  assert.equal(between('days', '1995-10-28T02:31:30Z', '1995-10-29T02:31:00Z', back), 0);
  assert.equal(between('days', '1995-10-29T02:30:59Z', '1995-10-29T02:31:00Z', back), 0);
  assert.equal(between('days', '1995-10-29T02:31:00Z', '1995-10-29T02:30:59Z', back), 0);
  assert.equal(between('days', '1970-04-26T03:30:59.999Z', '1995-10-29T02:31Z', back), 9317);
  assert.equal(between('months', '1995-09-29T02:30:30Z', '1995-10-29T02:31:00Z', back), 1);
});

test('compared with a date, a time counts as its day in the zone', () => {
  assert.equal(between('days', '2026-06-30', '2026-06-30T22:30:00Z'), 0);
  assert.equal(between('days', '2026-06-30', '2026-06-30T22:30:00Z', berlin), 1);
  assert.ok(isAfter(berlin, '2026-06-30T22:30:00Z', '2026-06-30'));
  assert.ok(isOnOrBefore(utc, '2026-06-30T22:30:00Z', '2026-06-30'));
});

test('counts as many days as Temporal can add, and as many hours as it counts', () => {
  // In a zone that skipped a whole day, that day ends when the one before it does.
  const two = zoneName
    .filter((zone) => zone !== 'Pacific/Apia')
    .chain((zone) => fc.tuple(fc.constant(zone), writtenIn(zone), writtenIn(zone)));
  fc.assert(
    fc.property(two, ([zone, from, to]) => {
      const [start, end] = [zoned(from, zone), zoned(to, zone)];
      const calendar = new Calendar(zone);
      const [days, sign] = [between('days', from, to, calendar), Math.sign(end.epochMilliseconds - start.epochMilliseconds)];
      const passed = (count: number): number => end.epochMilliseconds - start.add({ days: count }).epochMilliseconds;
      assert.ok(passed(days) * sign >= 0);
      // A day that would end in a skipped hour may end exactly when the one before it does.
      const next = start.add({ days: days + sign });
      if (sign !== 0 && next.toPlainTime().equals(start.toPlainTime())) assert.ok(passed(days + sign) * sign < 0);
      assert.equal(between('hours', from, to, calendar), start.until(end, { largestUnit: 'hours' }).hours + 0);
    }),
    { numRuns: runs(1_000) },
  );
});

test('counts as many months and years of dates as day-by-day counting finds', () => {
  const day = (text: string): number => Number(text.slice(8));
  fc.assert(
    fc.property(date, date, (one, other) => {
      const [from, to] = one <= other ? [one, other] : [other, one];
      fc.pre(to < '9999');
      const months = between('months', from, to);
      const come = shiftDate(utc, from, 1, months, 'months');
      // A month too short for the day does not reach it.
      assert.ok(come <= to && (day(come) === day(from) || to > come || months === 0));
      const next = shiftDate(utc, `${from.slice(0, 8)}01`, 1, months + 1, 'months').slice(0, 7);
      assert.ok(to < `${next}-${from.slice(8)}`);
      assert.equal(between('years', from, to), Math.trunc(months / 12));
      for (const unit of ['days', 'weeks', 'months', 'years', 'working days'] as const)
        assert.equal(between(unit, to, from) + 0, -between(unit, from, to) + 0);
    }),
    { numRuns: runs(1_000) },
  );
});

test('working days are those after the first day, up to and including the second', () => {
  assert.equal(between('working days', '2026-12-24', '2026-12-31'), 5);
  assert.equal(between('working days', '2026-12-31', '2026-12-24'), -5);
  assert.equal(between('working days', '2026-12-24', '2027-01-04', new Calendar('UTC', ['2026-12-25', '2027-01-01'])), 5);
  const calendar = new Calendar('UTC', ['2026-12-25', '2026-01-01', '2026-04-06']);
  const inOneYear = fc.integer({ min: 0, max: 600 }).map((days) => shiftDate(utc, '2025-10-01', 1, days, 'days'));
  fc.assert(
    fc.property(inOneYear, fc.integer({ min: 0, max: 300 }), (from, amount) => {
      assert.equal(between('working days', from, shiftDate(calendar, from, 1, amount, 'working days'), calendar), amount);
    }),
  );
});

test('the order of times is that of their instants', () => {
  const two = zoneName.chain((zone) => fc.tuple(fc.constant(zone), writtenIn(zone), writtenIn(zone)));
  fc.assert(
    fc.property(two, ([zone, left, right]) => {
      const calendar = new Calendar(zone);
      const gap = zoned(left, zone).epochMilliseconds - zoned(right, zone).epochMilliseconds;
      assert.equal(isBefore(calendar, left, right), gap < 0);
      assert.equal(isAfter(calendar, left, right), gap > 0);
      assert.equal(isOnOrBefore(calendar, left, right), gap <= 0);
      assert.equal(isOnOrAfter(calendar, left, right), gap >= 0);
    }),
  );
  assert.ok(isBefore(utc, '2026-03-01T09:30:00.0001Z', '2026-03-01T10:30:00.0002+01:00'));
});

test('reports what cannot be compared', () => {
  assert.equal(
    messageOf(() => isBefore(utc, '2026-03-01', '3/1/2026', at('today', 'request.due')), 'WF622'),
    'I can\'t compare: "request.due" is text ("3/1/2026"), but it must be a date like 2026-03-01 or a time like 2026-03-01T09:30. To read it as a date, write: date of request.due written as "M/D/YYYY".',
  );
  assert.match(
    messageOf(() => dateDifference(utc, 'days', '2026-03-01', 5, at('request.a', 'request.b')), 'WF622'),
    /^I can't count the days: "request\.b" is a number \(5\), but it must be a date/,
  );
  messageOf(() => dateDifference(utc, 'hours', '2026-03-01', '2026-03-01T10:00'), 'WF623');
});
