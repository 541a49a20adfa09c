// The words of --every, cron expressions, and both in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCron } from '../../src/timetable/cron-expression.js';
import { describeCron, unevenSteps } from '../../src/timetable/describe-cron.js';
import { wordsToCron } from '../../src/timetable/words-to-cron.js';
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
