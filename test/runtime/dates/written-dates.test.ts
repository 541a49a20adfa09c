// Dates in other formats: reading and writing by pattern, and guessing the pattern of text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Calendar } from '../../../runtime/dates/calendar.js';
import { writtenPattern } from '../../../runtime/dates/date-errors.js';
import { readDate, readPattern, readTime, writeDate } from '../../../runtime/dates/date-pattern.js';
import { languages } from '../../../runtime/dates/date-words.js';
import { at, messageOf } from '../failure.js';
import { date } from './arbitrary-dates.js';

const utc = new Calendar();

test('reads', () => {
  assert.equal(readDate(utc, '31.12.2026', 'DD.MM.YYYY'), '2026-12-31');
  assert.equal(readDate(utc, '3/1/2026', 'M/D/YYYY'), '2026-03-01');
  assert.equal(readDate(utc, '03/01/2026', 'M/D/YYYY'), '2026-03-01');
  assert.equal(readDate(utc, '3 March 2026', 'D MMMM YYYY'), '2026-03-03');
  assert.equal(readDate(utc, '03-mar-26', 'DD-MMM-YY'), '2026-03-03');
  assert.equal(readDate(utc, '01.01.69', 'DD.MM.YY'), '1969-01-01');
  assert.equal(readDate(utc, 20261231, 'YYYYMMDD'), '2026-12-31');
  assert.equal(readDate(utc, 'Tue, 3 March 2026', 'ddd, D MMMM YYYY'), '2026-03-03');
  assert.equal(readDate(utc, '31.12.2026 23:59', 'DD.MM.YYYY HH:mm'), '2026-12-31');
  assert.equal(readTime(utc, '31.12.2026 9:05', 'DD.MM.YYYY H:mm'), '2026-12-31T09:05');
  assert.equal(
    readTime(utc, "on 2026-12-31 at 09:05:07 o'clock", "'on' YYYY-MM-DD 'at' HH:mm:ss 'o''clock'"),
    '2026-12-31T09:05:07',
  );
});

test('writes', () => {
  const write = (value: string, pattern: string): string => writeDate(utc, value, pattern);
  assert.equal(write('2026-12-31', 'D MMMM YYYY'), '31 December 2026');
  assert.equal(write('2026-03-01', 'DD.MM.YY'), '01.03.26');
  assert.equal(write('2026-03-01T09:05:07Z', 'YYYY-MM-DD HH:mm:ss'), '2026-03-01 09:05:07');
  assert.equal(write('2026-03-01T09:05:07Z', 'H:mm'), '9:05');
  assert.equal(write('2026-03-01', 'ddd, MMM D'), 'Sun, Mar 1');
  assert.equal(write('0007-03-01', 'dddd M/D/YYYY'), 'Thursday 3/1/0007');
  assert.equal(writeDate(new Calendar('Europe/Berlin'), '2026-06-30T22:30:00Z', 'DD.MM.YYYY HH:mm'), '01.07.2026 00:30');
});

test('reads back what it wrote', () => {
  const pattern = fc.constantFrom('DD.MM.YYYY', 'M/D/YYYY', 'D MMMM YYYY', 'YYYYMMDD', 'dddd, MMM D YYYY', "D 'of' MMMM, YYYY");
  fc.assert(
    fc.property(date, pattern, (text, written) => {
      assert.equal(readDate(utc, writeDate(utc, text, written), written), text);
    }),
  );
});

test('reports text that does not fit', () => {
  const fails = (value: unknown, pattern: unknown, code: string, source = 'request.d'): string =>
    messageOf(() => readDate(utc, value as string, pattern as string, at(source, JSON.stringify(pattern))), code);
  assert.equal(
    fails('31.02.2026', 'DD.MM.YYYY', 'WF626'),
    'I can\'t read the date: "request.d" is text ("31.02.2026"), which names a day that does not exist: February 2026 has 28 days.',
  );
  assert.equal(
    fails('31.12.26', 'DD.MM.YYYY', 'WF626', '"31.12.26"'),
    'I can\'t read the date: "31.12.26" is not written as "DD.MM.YYYY".',
  );
  assert.equal(
    fails('Mon 3 March 2026', 'ddd D MMMM YYYY', 'WF626'),
    'I can\'t read the date: "request.d" is text ("Mon 3 March 2026"), which names the wrong weekday: that day is a Tuesday.',
  );
  assert.equal(fails(null, 'DD.MM.YYYY', 'WF626'), 'I can\'t read the date: "request.d" is empty, but it must be text.');
  for (const text of ['', '1.12.2026', '31.12.2026 ', '31.12.20266', '31-12-2026', '00.12.2026', '31.13.2026'])
    fails(text, 'DD.MM.YYYY', 'WF626');
  messageOf(() => readTime(utc, '31.12.2026 24:00', 'DD.MM.YYYY HH:mm'), 'WF626');
  messageOf(() => writeDate(utc, '2026-03-01', 'HH:mm'), 'WF623');
  messageOf(() => writeDate(utc, 'soon', 'DD'), 'WF622');
});

test('reports invalid patterns', () => {
  const faults: [string, string][] = [
    ['yyyy-MM-DD', 'contains "yyyy"; write YYYY instead'],
    ['MM/DD/YYY', 'contains "YYY"; write the year as YY or YYYY'],
    ['D of MMMM', 'contains "of"; put your own words in single quotes: \'of\''],
    ["D 'of MMMM", 'has a quote that is never closed'],
    ['YYYY-MM-DDTHH:mm', 'contains "T"; put your own words in single quotes: \'T\''],
    ['--', 'contains no part of a date, such as DD, MM or YYYY'],
  ];
  for (const [pattern, fault] of faults) assert.deepEqual(readPattern(pattern), { ok: false, fault });
  assert.equal(
    messageOf(() => readDate(utc, '12.2026', 'MM.YYYY', at('request.d', '"MM.YYYY"')), 'WF640'),
    'The pattern "MM.YYYY" has no day.',
  );
  assert.match(
    messageOf(() => readDate(utc, '1112026', 'DMYYYY'), 'WF640'),
    /leaves open where the day ends: write DD, or put a separator after it/,
  );
  assert.match(
    messageOf(() => readDate(utc, 'x', 5, at('request.d', 'request.p')), 'WF640'),
    /"request\.p" is a number \(5\), but it must be text like "DD\.MM\.YYYY"/,
  );
});

test('guesses the pattern of text that looks like a date', () => {
  const patterns: [string, string | undefined][] = [
    ['01.03.2026', 'DD.MM.YYYY'],
    ['1.3.2026', 'D.M.YYYY'],
    ['3/1/2026', 'M/D/YYYY'],
    ['13/1/2026', 'D/M/YYYY'],
    ['12/31/26', 'MM/DD/YY'],
    ['2026-3-1', 'YYYY-M-D'],
    ['2026/03/01', 'YYYY/MM/DD'],
    ['2026-03-01', undefined],
    ['1.2.3', undefined],
    ['31.02.2026', 'DD.MM.YYYY'],
    ['32.13.2026', undefined],
    ['soon', undefined],
  ];
  for (const [text, pattern] of patterns) assert.equal(writtenPattern(text), pattern, text);
});

test('writes and reads the months and weekdays of a language', () => {
  const wrote: [string, string, string][] = [
    ['de', 'dddd, D. MMMM YYYY', 'Sonntag, 1. März 2026'],
    ['fr', 'dddd D MMMM YYYY', 'dimanche 1 mars 2026'],
    ['es', "D 'de' MMMM 'de' YYYY", '1 de marzo de 2026'],
    ['it', 'dddd D MMMM YYYY', 'domenica 1 marzo 2026'],
    ['nl', 'dddd D MMMM YYYY', 'zondag 1 maart 2026'],
    ['pt', 'MMMM YYYY', 'março 2026'],
    // In a date, the month is in the genitive; alone, it is not.
    ['pl', 'D MMMM YYYY', '1 marca 2026'],
    ['pl', 'MMMM YYYY', 'marzec 2026'],
  ];
  for (const [language, pattern, text] of wrote) {
    const calendar = new Calendar('UTC', [], undefined, language);
    assert.equal(writeDate(calendar, '2026-03-01', pattern), text);
    if (/D/.test(pattern))
      assert.equal(
        readDate(
          calendar,
          text.replace(/m\p{L}+/u, (month) => month.toUpperCase()),
          pattern,
        ),
        '2026-03-01',
      );
  }
});

test('reads back what it wrote in every language, long and short', () => {
  const pattern = fc.constantFrom('D MMMM YYYY', 'dddd, D. MMMM YYYY', 'ddd D MMM YYYY', 'MMM D, YYYY');
  fc.assert(
    fc.property(date, pattern, fc.constantFrom(...languages), (text, written, language) => {
      const calendar = new Calendar('UTC', [], undefined, language);
      assert.equal(readDate(calendar, writeDate(calendar, text, written), written), text);
    }),
  );
});
