// Operations on text: split and join, replace, pad, characters, and patterns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitsPattern, isLike } from '../../runtime/texts/like.js';
import {
  charactersAtEnd,
  charactersAtStart,
  charactersBetween,
  joined,
  padded,
  replaced,
  split,
} from '../../runtime/texts/text-operations.js';
import { processorTime, slowness } from '../processor-time.js';
import { runs } from '../root.js';
import * as any from './arbitraries.js';
import { at, messageOf } from './failure.js';

test('splits, joins, replaces', () => {
  assert.deepEqual(split('a,,b', ','), ['a', '', 'b']);
  assert.deepEqual(split('a\u{1f600}', ''), ['a', '\u{1f600}']);
  assert.equal(split(null, ','), null);
  assert.equal(joined([1, true, 'x', null, [2]], '-'), '1-true-x--[2]');
  assert.equal(joined(null, ','), '');
  assert.equal(replaced('aaa', 'a', '$&'), '$&$&$&');
  assert.equal(replaced('a b c', ' ', ''), 'abc');
  assert.equal(replaced('12.5', '.', 7), '1275');
  assert.equal(replaced(null, 'a', 'b'), null);
  fc.assert(
    fc.property(any.text, any.text, any.text, (text, sought, replacement) => {
      fc.pre(sought !== '');
      assert.equal(joined(split(text, sought), replacement), replaced(text, sought, replacement));
    }),
  );
});

test('pads', () => {
  assert.equal(padded(7, 3, '0'), '007');
  assert.equal(padded('1234', 3, '0'), '1234');
  assert.equal(padded('\u{1f600}', 3, '-'), '--\u{1f600}');
  assert.equal(padded('x', 6, 'ab'), 'ababax');
  assert.equal(padded(null, 3, '0'), null);
});

test('characters are code points, counted from 1', () => {
  assert.equal(charactersAtStart(3, 'INV-7'), 'INV');
  assert.equal(charactersAtEnd(2, 'ABCD'), 'CD');
  assert.equal(charactersBetween(2, 5, 'ABCDEFG'), 'BCDE');
  assert.equal(charactersBetween(5, 2, 'ABCDEFG'), '');
  assert.equal(charactersAtStart(3, null), null);
  const number = fc.integer({ min: 0, max: 12 });
  fc.assert(
    fc.property(any.text, number, number, (text, one, other) => {
      const characters = Array.from(text);
      assert.equal(charactersAtStart(one, text), characters.slice(0, one).join(''));
      assert.equal(charactersAtEnd(one, text), one === 0 ? '' : characters.slice(-one).join(''));
      assert.equal(charactersBetween(one + 1, other, text), characters.slice(one, other).join(''));
    }),
  );
});

test('is like', () => {
  const fits: [string, string, boolean][] = [
    ['INV-2026-DEx 17', 'INV-####-@@*', true],
    ['INV-226-DE', 'INV-####-@@*', false],
    ['inv-2026-DE', 'INV-####-@@*', false],
    ['xINV-2026-DE', 'INV-####-@@*', false],
    ['abc', 'a.c', false],
    ['a', 'a?', false],
    ['', '*', true],
    ['größe', '@@@@@', true],
    ['x\ny', 'x?y', true],
    ['a[1]+(2)$', 'a[#]+(#)$', true],
    ['\u{1f600}b', '?b', true],
    ['1a', '@#', false],
    ['aXbXc', '*X*', true],
    ['٣', '#', false],
  ];
  for (const [text, pattern, expected] of fits) assert.equal(isLike(text, pattern), expected, `${text} ${pattern}`);
  assert.equal(isLike(null, '*'), false);
});

test('patterns match what an equivalent regular expression matches', () => {
  const meaning: Record<string, string> = { '#': '[0-9]', '@': '\\p{L}', '?': '.', '*': '.*' };
  const piece = fc.constantFrom('#', '@', '?', '*', 'a', '1', '.', '\u{1f600}');
  const character = fc.constantFrom('a', 'b', '1', '.', '*', '\u{1f600}', '\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(character, { maxLength: 10 }), (pieces, characters) => {
      const source = pieces.map((part) => meaning[part] ?? part.replace('.', '\\.')).join('');
      const [text, pattern] = [characters.join(''), pieces.join('')];
      assert.equal(fitsPattern(text, pattern), new RegExp(`^(?:${source})$`, 'su').test(text), `${text} ${pattern}`);
    }),
    { numRuns: runs(2_000) },
  );
});

test('a pattern with many stars takes time in proportion to the text', () => {
  const took = processorTime();
  assert.equal(fitsPattern('a'.repeat(1_000_000), `${'*a'.repeat(30)}b`), false);
  assert.ok(took() < 5_000 * slowness());
});

test('reports what is not text', () => {
  const message = (run: () => unknown, code: string): string => messageOf(run, code);
  assert.equal(
    message(() => split(5, ',', at('request.n', '","')), 'WF617'),
    'I can\'t apply "split by": "request.n" is a number (5), but it needs text. To use it as text, write: text of request.n.',
  );
  message(() => joined('abc', ','), 'WF629');
  message(() => replaced(['a'], 'a', 'b'), 'WF617');
  assert.match(
    message(() => replaced('a', '', 'b'), 'WF639'),
    /the text to replace is empty/,
  );
  message(() => padded('a', 3, ''), 'WF639');
  message(() => padded('a', 2_000_000, '0'), 'WF620');
  message(() => padded({}, 3, '0'), 'WF617');
  message(() => charactersAtStart(-1, 'abc'), 'WF638');
  message(() => charactersBetween(0, 2, 'abc'), 'WF638');
  message(() => isLike(5, '#'), 'WF608');
  message(() => isLike('5', 5), 'WF608');
  message(() => isLike('5', '#'.repeat(1_001)), 'WF639');
});
