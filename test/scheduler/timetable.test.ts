// The words of --every, cron expressions, and both in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readZone } from '../../src/scheduler/read-plan.js';
import { parseCron } from '../../src/timetable/cron-expression.js';
import { describeCron, unevenSteps } from '../../src/timetable/describe-cron.js';
import { duesBetween, nextDue, nextDues } from '../../src/timetable/next-due.js';
import { wordsToCron } from '../../src/timetable/words-to-cron.js';
import { Zone } from '../../src/timetable/zone.js';
import { thrownUsageError } from './thrown-usage-error.js';

const WORDS: readonly (readonly [words: string, cron: string, inWords: string])[] = [
  ['minute', '* * * * *', 'every minute'],
  ['1 minute', '*/1 * * * *', 'every minute'],
  ['5 minutes', '*/5 * * * *', 'every 5 minutes'],
  ['05 minutes', '*/5 * * * *', 'every 5 minutes'],
  ['15 minute', '*/15 * * * *', 'every 15 minutes'],
  ['59 minutes', '*/59 * * * *', 'every 59 minutes'],
  ['hour', '0 * * * *', 'every hour'],
  ['1 hour', '0 */1 * * *', 'every hour'],
  ['2 hours', '0 */2 * * *', 'every 2 hours'],
  ['2 HOURS', '0 */2 * * *', 'every 2 hours'],
  ['23 hours', '0 */23 * * *', 'every day at 00:00 and 23:00'],
  ['day', '0 0 * * *', 'every day at 00:00'],
  ['day at 9:00', '0 9 * * *', 'every day at 09:00'],
  ['DAY AT 09:00', '0 9 * * *', 'every day at 09:00'],
  ['  day   at  0:00 ', '0 0 * * *', 'every day at 00:00'],
  ['day at 23:59', '59 23 * * *', 'every day at 23:59'],
  ['day at 9am', '0 9 * * *', 'every day at 09:00'],
  ['day at 2:30 AM', '30 2 * * *', 'every day at 02:30'],
  ['day at 12am', '0 0 * * *', 'every day at 00:00'],
  ['day at 12pm', '0 12 * * *', 'every day at 12:00'],
  ['day at 12:30AM', '30 0 * * *', 'every day at 00:30'],
  ['day at 5:30pm', '30 17 * * *', 'every day at 17:30'],
  ['Monday at 9:05', '5 9 * * 1', 'every Monday at 09:05'],
  ['mon', '0 0 * * 1', 'every Monday at 00:00'],
  ['tuesday', '0 0 * * 2', 'every Tuesday at 00:00'],
  ['tue at 1:01', '1 1 * * 2', 'every Tuesday at 01:01'],
  ['Wednesday', '0 0 * * 3', 'every Wednesday at 00:00'],
  ['wed', '0 0 * * 3', 'every Wednesday at 00:00'],
  ['thursday', '0 0 * * 4', 'every Thursday at 00:00'],
  ['thu', '0 0 * * 4', 'every Thursday at 00:00'],
  ['friday', '0 0 * * 5', 'every Friday at 00:00'],
  ['fri at 17:30', '30 17 * * 5', 'every Friday at 17:30'],
  ['saturday', '0 0 * * 6', 'every Saturday at 00:00'],
  ['sat', '0 0 * * 6', 'every Saturday at 00:00'],
  ['sunday', '0 0 * * 0', 'every Sunday at 00:00'],
  ['sun at 23:59', '59 23 * * 0', 'every Sunday at 23:59'],
  ['weekday', '0 0 * * 1-5', 'every Monday to Friday at 00:00'],
  ['weekday at 8:15', '15 8 * * 1-5', 'every Monday to Friday at 08:15'],
  ['weekdays', '0 0 * * 1-5', 'every Monday to Friday at 00:00'],
  ['Weekdays at 7pm', '0 19 * * 1-5', 'every Monday to Friday at 19:00'],
  ['weekends', '0 0 * * 0,6', 'every Sunday and Saturday at 00:00'],
  ['weekend at 10:00', '0 10 * * 0,6', 'every Sunday and Saturday at 10:00'],
  ['monday and thursday at 9:00', '0 9 * * 1,4', 'every Monday and Thursday at 09:00'],
  ['Thu and Mon', '0 0 * * 1,4', 'every Monday and Thursday at 00:00'],
  ['sunday, wed and fri at 5:30pm', '30 17 * * 0,3,5', 'every Sunday, Wednesday and Friday at 17:30'],
  ['mon, tue, and sat at 6:00', '0 6 * * 1,2,6', 'every Monday, Tuesday and Saturday at 06:00'],
  ['mon and mon', '0 0 * * 1', 'every Monday at 00:00'],
  ['weekends and wednesday', '0 0 * * 0,3,6', 'every Sunday, Wednesday and Saturday at 00:00'],
  ['weekdays and weekends at 8:00', '0 8 * * *', 'every day at 08:00'],
  ['month', '0 0 1 * *', 'on day 1 of every month at 00:00'],
  ['month at 9:00', '0 9 1 * *', 'on day 1 of every month at 09:00'],
  ['first day of the month at 9:00', '0 9 1 * *', 'on day 1 of every month at 09:00'],
  ['last day of the month', '0 0 L * *', 'on the last day of every month at 00:00'],
  ['the last day of the month at 18:00', '0 18 L * *', 'on the last day of every month at 18:00'],
];

test('every form of --every gives its cron expression, and reads back in words', () => {
  for (const [words, cron, inWords] of WORDS) {
    assert.equal(wordsToCron(words), cron, words);
    assert.equal(describeCron(parseCron(cron, { lastDay: true })), inWords, words);
  }
});

test('refuses all other words: quotes them, and lists the forms in the hint', () => {
  const cases = [
    '', 'someday', 'minutes', 'hours', '0 minutes', '60 minutes', '1.5 minutes', '-5 minutes', '0 hours', '24 hours', '25 hours', '5', '5 days', 'days', '1 day',
    'day at', 'day at 24:00', 'day at 25:00', 'day at 9:60', 'day at 9', 'day at 9:5', 'day at 009:00', 'day at 13pm', 'day at 0am', 'day at 9:00:00', 'day at noon',
    'at 9:00', 'hour at 9:00', 'mondays', 'mo', 'monday 9:00', 'every day', 'monday at 9:00 and friday', 'monday and', 'and monday', 'monday, ', 'day and monday', 'monday and month', 'months', '2 months', 'last day', 'last monday of the month', 'monday thursday', '5 minutes 5 hours', '*/5 * * * *', 'constructor', '__proto__',
  ]; // biome-ignore format: one table
  for (const words of cases) {
    const { message, hint } = thrownUsageError(() => wordsToCron(words));
    assert.ok(message.includes(`"${words}"`), `${words}: ${message}`);
    assert.match(hint, /<N> minutes \(1 to 59\)[\s\S]*<weekday> at <time>/);
  }
  assert.match(thrownUsageError(() => wordsToCron('25 hours')).message, /number of hours must be a whole number from 1 to 23/);
  assert.match(
    thrownUsageError(() => wordsToCron('day at 25:00')).message,
    /I can't read "25:00" in "day at 25:00" as a time of day/,
  );
});

test('reads cron expressions field by field', () => {
  const cron = parseCron('  0,30   8-18/5 1,15  */6 5-7 ');
  assert.equal(cron.text, '0,30 8-18/5 1,15 */6 5-7');
  assert.deepEqual(
    [cron.minutes, cron.hours, cron.days, cron.months, cron.weekdays, cron.eitherDay],
    [[0, 30], [8, 13, 18], [1, 15], [1, 7], [0, 5, 6], true],
  );
  assert.deepEqual(parseCron('0 0 * * 7').weekdays, [0]);
  assert.deepEqual(parseCron('0 0 * * *').weekdays, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(parseCron('0 0 */2 * 1').eitherDay, false);
});

test('refuses an invalid cron expression in words that name the fault', () => {
  const cases: readonly (readonly [cron: string, message: RegExp])[] = [
    ['', /"" has 0 fields.*exactly five/],
    ['@daily', /"@daily" has 1 field, .*five/],
    ['* * * *', /has 4 fields/],
    ['* * * * * *', /"\* \* \* \* \* \*" has 6 fields.*exactly five/],
    ['0 0 0 1 1 * 2026', /has 7 fields/],
    ['61 * * * *', /its minute "61" is not between 0 and 59/],
    ['0 24 * * *', /its hour "24" is not between 0 and 23/],
    ['0 0 0 * *', /its day of month "0" is not between/],
    ['0 0 32 * *', /its day of month "32" is not between/],
    ['0 0 1 13 *', /its month "13" is not between/],
    ['0 0 * * 8', /its weekday "8" is not between/],
    ['*/0 * * * *', /"\*\/0" \(minute\) must be from 1 to 59/],
    ['*/60 * * * *', /"\*\/60"/],
    ['5-1 * * * *', /range "5-1" \(minute\) runs backwards; did you mean "5-59,0-1"\?/],
    ['0 22-2 * * *', /"22-2" \(hour\)/],
    ['0 0 * * mon', /I can't read its weekday "mon"/],
    ['0 0 * jan *', /I can't read its month "jan"/],
    ['5/15 * * * *', /"5\/15" has a step without a range; write "5-59\/15"/],
    ['1,,2 * * * *', /empty entry/],
    ['1.5 * * * *', /I can't read its minute "1.5"/],
    ['-1 * * * *', /I can't read its minute "-1"/],
    ['0 0 L * *', /I can't read its day of month "L"/],
    ['0 0 ? * *', /"\?"/],
    ['0 0 * * 1#2', /"1#2"/],
    ['99999999999999999999 * * * *', /its minute "99999999999999999999" is not between/],
  ];
  for (const [cron, message] of cases) {
    const error = thrownUsageError(() => parseCron(cron));
    assert.match(error.message, message);
    assert.match(error.hint, /five fields:[\s\S]*weekday \(0-7/);
  }
});

test('describes cron in words', () => {
  const cases: readonly (readonly [cron: string, words: string])[] = [
    ['30 6 * * 1-5', 'every Monday to Friday at 06:30'],
    ['*/15 9-17 * * 1-5', 'every 15 minutes, in hours 9 to 17, every Monday to Friday'],
    ['5 * * * *', 'every hour at minute 5'],
    ['0,30 * * * *', 'every hour at minutes 0 and 30'],
    ['0 */3 * * 1', 'every 3 hours, every Monday'],
    ['5 */2 * * *', 'every hour at minute 5, in every 2nd hour from 0'],
    ['0 6,18 * * *', 'every day at 06:00 and 18:00'],
    ['0 9 13 * *', 'on day 13 of every month at 09:00'],
    ['0 9 13 * 5', 'on day 13 of every month and every Friday at 09:00'],
    ['0 9 1-7 * */6', 'on days 1 to 7 of every month if it is a Sunday or a Saturday at 09:00'],
    ['0 0 29 2 *', 'on day 29 of February at 00:00'],
    ['0 0 * 6-8 *', 'every day in June to August at 00:00'],
    ['0 0 * 1,7 1', 'every Monday in January and July at 00:00'],
    ['* * * * *', 'every minute'],
    ['* 3 * * *', 'every minute, in hour 3'],
  ];
  for (const [cron, words] of cases) assert.equal(describeCron(parseCron(cron)), words, cron);
});

test('reports an uneven step', () => {
  assert.deepEqual(unevenSteps(parseCron('*/5 * * * *')), []);
  assert.deepEqual(unevenSteps(parseCron('0 */6 * * *')), []);
  assert.match(
    unevenSteps(parseCron('*/7 * * * *')).join(),
    /7 minutes do not divide 60 evenly, so the gap at the hour is shorter: from minute 56 to minute 0 \(4 minutes\)/,
  );
  assert.match(unevenSteps(parseCron('*/59 * * * *')).join(), /from minute 59 to minute 0 \(1 minute\)/);
  assert.match(
    unevenSteps(parseCron('0 */5 * * *')).join(),
    /5 hours do not divide 24 evenly, so the gap at midnight is shorter: from hour 20 to hour 0 \(4 hours\)/,
  );
  assert.match(unevenSteps(parseCron('0 0 */2 * *')).join(), /end of a month/);
});

// When a schedule is due: over both clock changes, at month ends, on leap days.

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
