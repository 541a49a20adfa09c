// Times and durations in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationWords, moment, timeLeft } from '../../src/console/html/moment.js';

test('shows durations in their two largest units', () => {
  const cases: [number, string][] = [
    [0, '0 ms'],
    [0.4, 'under 1 ms'],
    [34, '34 ms'],
    [1_234, '1.2 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [184_000, '3 min 4 s'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 day'],
    [3 * 86_400_000 + 4 * 3_600_000 + 1, '3 days 4 h'],
  ];
  for (const [ms, words] of cases) assert.equal(durationWords(ms), words);
});

test('shows a time in UTC, with the exact one for the script', () => {
  assert.equal(
    moment('2026-03-02T09:30:05.123Z').toString(),
    '<time datetime="2026-03-02T09:30:05.123Z">2 Mar 2026, 09:30:05 UTC</time>',
  );
  assert.equal(moment('<b>').toString(), '<time datetime="&lt;b&gt;">&lt;b&gt;</time>', 'what is no time is shown as it is');
});

test('shows the time left, or that it is up', () => {
  const now = Date.parse('2026-03-02T09:00:00Z');
  assert.match(timeLeft('2026-03-02T09:03:04Z', now).toString(), />in 3 min 4 s</);
  assert.match(timeLeft('2026-03-02T08:00:00Z', now).toString(), />due now</);
});
