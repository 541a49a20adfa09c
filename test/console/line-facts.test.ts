// What is shown next to a line: whether it ran, how often, and which branch was taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineFacts } from '../../src/console/code/code-lines.js';
import { outlineOf } from '../../src/console/code/text-view.js';
import { testFile } from '../root.js';

const text = testFile('console/files/branches.wf');

const outline = outlineOf(text);

/** State and note of each line, given how often the statements were reached. */
const facts = (reached: Readonly<Record<number, number>>) => (line: number) => {
  const { state, note } = lineFacts(outline, line, (at) => reached[at] ?? 0);
  return `${state} ${note}`.trim();
};

test('lines that runs never reach are set aside', () => {
  const of = facts({});
  for (const line of [1, 2, 4, 5, 7, 8, 9, 10]) assert.equal(of(line), 'aside', `line ${line}`);
});

test('shows which of three branches was taken', () => {
  const of = facts({ 11: 1, 14: 1, 17: 1, 22: 1 });
  assert.equal(of(11), 'ran not taken');
  assert.equal(of(12), 'idle');
  assert.equal(of(13), 'ran taken');
  assert.equal(of(14), 'ran');
  assert.equal(of(15), 'idle not taken');
  assert.equal(of(16), 'idle');
});

test('shows a condition that was sometimes true, and the rounds of a loop', () => {
  const of = facts({ 11: 5, 12: 2, 17: 1, 18: 3, 22: 1 });
  assert.equal(of(11), 'ran taken 2 of 5×');
  assert.equal(of(12), 'ran 2×');
  assert.equal(of(17), 'ran 3 rounds');
  assert.equal(of(18), 'ran 3×');
  assert.equal(of(19), 'ran', 'what is saved belongs to the call');
  assert.equal(of(20), 'idle not taken');
  assert.equal(of(22), 'ran');
});

test('a condition that was never tested is idle, without a note', () => {
  const of = facts({});
  for (const line of [11, 12, 13, 15, 17, 18, 19, 20, 22]) assert.equal(of(line), 'idle', `line ${line}`);
});
