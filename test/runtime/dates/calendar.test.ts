// Days, months, weeks, their parts, and the offsets of zones, compared with Temporal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { Calendar } from '../../../runtime/dates/calendar.js';
import { addMonths, civilDate, dayNumber, daysInMonth, isoWeek, weekdayIndex } from '../../../runtime/dates/civil-date.js';
import {
  type CalendarPeriod,
  type DatePart,
  datePart,
  endOfPeriod,
  startOfPeriod,
  todayIn,
} from '../../../runtime/dates/date-parts.js';
import { dateText, parseMoment } from '../../../runtime/dates/moment.js';
import { zoneNamed } from '../../../runtime/dates/time-zone.js';
import { runs } from '../../root.js';
import { at, messageOf } from '../failure.js';
import { date, instantIn, writtenIn, zoned, zoneName } from './arbitrary-dates.js';

const utc = new Calendar();

test('parts of a moment follow the clock of the zone', () => {
  const moment = zoneName.chain((zone) => fc.tuple(fc.constant(zone), writtenIn(zone)));
  fc.assert(
    fc.property(moment, ([zone, text]) => {
      const there = zoned(text, zone);
      const calendar = new Calendar(zone);
      const part = (name: DatePart): string | number => datePart(calendar, name, text);
      assert.deepEqual(
        [part('year'), part('month'), part('day'), part('hour'), part('minute'), part('week'), part('date')],
        [there.year, there.month, there.day, there.hour, there.minute, there.weekOfYear, there.toPlainDate().toString()],
      );
      assert.equal(part('weekday'), there.toLocaleString('en', { weekday: 'long' }));
      assert.equal(todayIn(calendar, there.toInstant().toString()), part('date'));
    }),
    { numRuns: runs(500) },
  );
});

test('finds starts and ends', () => {
  const of = (period: CalendarPeriod, text: string): [string, string] => [
    startOfPeriod(utc, period, text),
    endOfPeriod(utc, period, text),
  ];
  assert.deepEqual(of('week', '2026-05-20'), ['2026-05-18', '2026-05-24']);
  assert.deepEqual(of('week', '2026-03-01'), ['2026-02-23', '2026-03-01']);
  assert.deepEqual(of('month', '2026-05-20T10:00Z'), ['2026-05-01', '2026-05-31']);
  assert.deepEqual(of('month', '2028-02-10'), ['2028-02-01', '2028-02-29']);
  assert.deepEqual(of('quarter', '2026-05-20'), ['2026-04-01', '2026-06-30']);
  assert.deepEqual(of('quarter', '2026-12-31'), ['2026-10-01', '2026-12-31']);
  assert.deepEqual(of('year', '2026-05-20'), ['2026-01-01', '2026-12-31']);
  assert.equal(startOfPeriod(new Calendar('Europe/Berlin'), 'month', '2026-06-30T22:30:00Z'), '2026-07-01');
});

test('reports values without such a part', () => {
  assert.equal(
    messageOf(() => datePart(utc, 'hour', '2026-03-01', at('request.d')), 'WF623'),
    'I can\'t take the hour: "request.d" is a date (2026-03-01), which has no clock time. Use a time like 2026-03-01T09:30.',
  );
  assert.match(
    messageOf(() => datePart(utc, 'weekday', 5, at('request.n')), 'WF622'),
    /^I can't take the weekday: "request\.n" is a number \(5\)/,
  );
  assert.match(
    messageOf(() => endOfPeriod(utc, 'month', '2026-02-30', at('request.bad')), 'WF622'),
    /^I can't find the end of the month: "request\.bad" is text \("2026-02-30"\), and that day does not exist/,
  );
  messageOf(() => endOfPeriod(utc, 'week', '9999-12-31'), 'WF625');
});

// Days, months and weeks without zones, compared with Temporal.

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

// Offsets of zones, and the way back from the clock to the instant, compared with Temporal on and near clock changes.

const zoneAndInstant = zoneName.chain((zone) => fc.tuple(fc.constant(zone), instantIn(zone)));

test('the offset of an instant agrees with Temporal', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, instant]) => {
      const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
      assert.equal(zoneNamed(zone).offsetAt(instant), Math.round(there.offsetNanoseconds / 1_000_000));
    }),
    { numRuns: runs(1_000) },
  );
});

test('a clock time is the same instant as in Temporal, even if the clock shows it twice or never', () => {
  fc.assert(
    fc.property(zoneAndInstant, ([zone, wall]) => {
      const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();
      assert.equal(zoneNamed(zone).instantOf(wall), local.toZonedDateTime(zone).epochMilliseconds);
    }),
    { numRuns: runs(1_000) },
  );
});

test('reports an unknown zone', () => {
  assert.throws(() => zoneNamed('Berlin'), RangeError);
});
