// The difference of two texts: complete, and as short as possible.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hunks, lineDiff } from '../../src/console/code/line-diff.js';
import { runs } from '../root.js';

const shown = (before: string, after: string): string =>
  lineDiff(before, after)
    .map(({ change, text }) => `${change === 'same' ? ' ' : change === 'old' ? '-' : '+'}${text}`)
    .join('|');

test('finds kept, removed and added lines', () => {
  assert.equal(shown('a\nb\nc\n', 'a\nx\nc\n'), ' a|-b|+x| c');
  assert.equal(shown('a\nb\nc\nd\n', 'b\nd\ne\n'), '-a| b|-c| d|+e');
  assert.equal(shown('a\r\nb\r\n', 'a\nb'), ' a| b', 'line ends are no difference');
});

test('the removed and kept lines are the old text, the added and kept ones the new text', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(`${before}\n`, `${after}\n`);
      const side = (not: string): string =>
        lines
          .filter(({ change }) => change !== not)
          .map((line) => line.text)
          .join('\n');
      assert.equal(side('new'), before);
      assert.equal(side('old'), after);
    }),
    { numRuns: runs(500) },
  );
});

test('reports unrelated texts one after the other, quickly', () => {
  const many = (word: string): string => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n');
  assert.equal(lineDiff(many('a'), many('b')).length, 10_000);
});

test('shows only the surroundings of a change', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
  const near = hunks(lineDiff(before, before.replace('line 10', 'line X')), 1);
  assert.deepEqual(
    near.map((line) => (line === undefined ? '…' : line.text)),
    ['…', 'line 9', 'line 10', 'line X', 'line 11', '…'],
  );
});
