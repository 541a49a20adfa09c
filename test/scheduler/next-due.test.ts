// When a schedule is due: over both clock changes, at month ends, on leap days.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readZone } from '../../src/scheduler/read-plan.js';
import { parseCron } from '../../src/timetable/cron-expression.js';
import { duesBetween, nextDue, nextDues } from '../../src/timetable/next-due.js';
import { Zone } from '../../src/timetable/zone.js';
import { thrownUsageError } from './thrown-usage-error.js';

const MINUTE = 60_000;

function due(cron: string, zone: string, after: string, count: number): string[] {
  return nextDues(parseCron(cron), new Zone(zone), Date.parse(after), count).map((instant) =>
    new Date(instant).toISOString().slice(0, 16),
  );
}

test('of very many due times, the last is known although not all are counted', () => {
  const last = (cron: string, after: string, until: string): string => {
    const [plan, zone] = [parseCron(cron), new Zone('Europe/Berlin')];
    const passed = duesBetween((time) => nextDue(plan, zone, time), Date.parse(after), Date.parse(until));
    return `${passed?.count} ${new Date(passed?.last ?? 0).toISOString().slice(0, 16)}`;
  };
  assert.equal(last('* * * * *', '2026-03-01T00:00:30Z', '2026-03-05T12:34:56Z'), '1000 2026-03-05T12:34');
  assert.equal(last('* * * * *', '2026-03-01T00:00Z', '2026-03-05T12:34Z'), '1000 2026-03-05T12:34');
  assert.equal(last('*/5 9 * * 1', '2020-01-01T00:00Z', '2026-04-01T00:00Z'), '1000 2026-03-30T07:55');
  assert.equal(last('0 9 * * *', '2026-03-01T00:00Z', '2026-03-05T12:34Z'), '5 2026-03-05T08:00');
});

test('a time that the clock skips is due at the jump', () => {
  assert.deepEqual(due('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', 4), [
    '2026-03-28T01:30',
    '2026-03-29T01:00', // 03:00 summer time
    '2026-03-30T00:30',
    '2026-03-31T00:30',
  ]);
  assert.deepEqual(due('30 2 * * *', 'America/New_York', '2026-03-07T00:00Z', 3), [
    '2026-03-07T07:30',
    '2026-03-08T07:00',
    '2026-03-09T06:30',
  ]);
  // Several times in the gap are one run, as are a time in the gap and one at its end.
  assert.deepEqual(due('*/15 2,3 * * *', 'Europe/Berlin', '2026-03-28T23:30Z', 3), [
    '2026-03-29T01:00',
    '2026-03-29T01:15',
    '2026-03-29T01:30',
  ]);
  // Midnight itself can be skipped.
  assert.deepEqual(due('0 0 * * *', 'Africa/Cairo', '2026-04-22T23:00Z', 3), [
    '2026-04-23T22:00',
    '2026-04-24T21:00',
    '2026-04-25T21:00',
  ]);
  // So can a whole day: Samoa had no 30 December 2011.
  assert.deepEqual(due('0 9 * * *', 'Pacific/Apia', '2011-12-28T20:00Z', 3), [
    '2011-12-29T19:00',
    '2011-12-30T10:00',
    '2011-12-30T19:00',
  ]);
});

test('a time that the clock shows twice is due once, the first time', () => {
  assert.deepEqual(due('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30']);
  assert.deepEqual(due('30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', 2), ['2026-11-01T05:30', '2026-11-02T06:30']);
  assert.deepEqual(due('30 2 * * *', 'America/New_York', '2026-10-31T12:00Z', 2), ['2026-11-01T07:30', '2026-11-02T07:30']);
  assert.deepEqual(due('0 */2 * * *', 'Europe/Berlin', '2026-10-24T21:00Z', 4), [
    '2026-10-24T22:00',
    '2026-10-25T00:00',
    '2026-10-25T03:00',
    '2026-10-25T05:00',
  ]);
});

test('an hourly schedule follows real time', () => {
  assert.deepEqual(due('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30Z', 4), [
    '2026-10-25T00:00',
    '2026-10-25T01:00',
    '2026-10-25T02:00',
    '2026-10-25T03:00',
  ]);
  assert.deepEqual(due('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30Z', 3), [
    '2026-03-29T00:00',
    '2026-03-29T01:00',
    '2026-03-29T02:00',
  ]);
  for (const after of ['2026-10-24T23:00Z', '2026-03-28T23:00Z']) {
    const times = nextDues(parseCron('*/5 * * * *'), new Zone('America/New_York'), Date.parse(after), 200);
    assert.ok(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 5 * MINUTE));
  }
  // Half an hour of daylight saving, and an offset of 45 minutes.
  assert.deepEqual(due('0 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:10Z', 3), [
    '2026-04-04T15:30',
    '2026-04-04T16:30',
    '2026-04-04T17:30',
  ]);
  assert.deepEqual(due('0 * * * *', 'Asia/Kathmandu', '2026-04-04T14:10Z', 2), ['2026-04-04T14:15', '2026-04-04T15:15']);
  assert.deepEqual(due('*/30 * * * 1', 'UTC', '2026-03-02T23:40Z', 2), ['2026-03-09T00:00', '2026-03-09T00:30']);
});

test('handles month ends, leap days, and what never comes', () => {
  assert.deepEqual(due('0 9 31 * *', 'UTC', '2026-01-31T09:00Z', 3), [
    '2026-03-31T09:00',
    '2026-05-31T09:00',
    '2026-07-31T09:00',
  ]);
  assert.deepEqual(due('0 9 29-31 2,4 *', 'UTC', '2027-12-01T00:00Z', 4), [
    '2028-02-29T09:00',
    '2028-04-29T09:00',
    '2028-04-30T09:00',
    '2029-04-29T09:00',
  ]);
  assert.deepEqual(due('0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', 2), ['2028-02-29T00:00', '2032-02-29T00:00']);
  assert.deepEqual(due('0 0 29 2 *', 'UTC', '2096-03-01T00:00Z', 1), ['2104-02-29T00:00']);
  assert.deepEqual(due('0 0 30 2 *', 'UTC', '2026-01-01T00:00Z', 1), []);
  assert.deepEqual(due('* * 31 4,6 *', 'UTC', '2026-01-01T00:00Z', 1), []);
});

test('a date and a weekday together: either is enough', () => {
  assert.deepEqual(due('0 9 13 * 5', 'UTC', '2026-03-01T00:00Z', 4), [
    '2026-03-06T09:00',
    '2026-03-13T09:00',
    '2026-03-20T09:00',
    '2026-03-27T09:00',
  ]);
  assert.deepEqual(due('0 9 */2 * 1', 'UTC', '2026-03-01T00:00Z', 2), ['2026-03-09T09:00', '2026-03-23T09:00']);
});

test('accepts names of time zones in any case, and refuses all else with a guess', () => {
  assert.equal(readZone('africa/lagos').name, 'Africa/Lagos');
  assert.equal(readZone('Asia/Kolkata').name, 'Asia/Kolkata');
  assert.ok(readZone(undefined).name.length > 0);
  assert.match(thrownUsageError(() => readZone('Mars/Base')).message, /"Mars\/Base"/);
  assert.match(thrownUsageError(() => readZone('new york')).message, /Did you mean "America\/New_York"\?/);
  for (const zone of ['', '+02:00', '-05:00', '../etc/passwd', 'Europe', ' '])
    assert.match(thrownUsageError(() => readZone(zone)).hint, /IANA/, zone);
});

test('around every clock change: in order, none skipped, none repeated', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'America/Santiago',
    'Africa/Casablanca',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 2024, max: 2030 }),
      fc.nat(23),
      fc.nat(59),
      (name, year, hour, minute) => {
        const zone = new Zone(name);
        const start = zone.instantOf(Date.UTC(year, 0, 1));
        const end = zone.instantOf(Date.UTC(year + 1, 0, 1));
        const times = nextDues(parseCron(`${minute} ${hour} * * *`), zone, start - 1, 366).filter((time) => time < end);
        const days = new Set(times.map((time) => Math.floor(zone.wallOf(time) / 86_400_000)));
        assert.equal(days.size, times.length, 'one a day');
        assert.equal(times.length, (end - start) % 86_400_000 === 0 ? Math.round((end - start) / 86_400_000) : times.length);
        assert.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)));
      },
    ),
    { numRuns: 20 },
  );
});

test('finds the last day of the month, whatever its length', () => {
  const cron = parseCron('30 18 L * *', { lastDay: true });
  const zone = new Zone('Europe/Berlin');
  assert.deepEqual(
    nextDues(cron, zone, Date.UTC(2027, 11, 30), 5).map((due) => zone.show(due)),
    ['2027-12-31 18:30', '2028-01-31 18:30', '2028-02-29 18:30', '2028-03-31 18:30', '2028-04-30 18:30'],
  );
  assert.equal(zone.show(nextDue(cron, zone, Date.UTC(2026, 1, 27, 18)) ?? 0), '2026-02-28 18:30');
  // Standard cron can't express it.
  assert.throws(() => parseCron('30 18 L * *'), /I can't read its day of month "L"/);
});
