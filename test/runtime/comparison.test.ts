// Order, membership, starts and ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Value } from '../../runtime/types.js';
import {
  above,
  atLeast,
  atMost,
  below,
  between,
  contains,
  endsWith,
  oneOf,
  startsWith,
} from '../../runtime/values/comparison.js';
import { record } from '../../runtime/values/record.js';
import { equal, withoutNoise } from '../../runtime/values/values.js';
import { runs } from '../root.js';
import * as any from './arbitraries.js';
import { at, messageOf } from './failure.js';

test('compares numbers without noise', () => {
  assert.equal(above(6, 5), true);
  assert.equal(above(0.1 + 0.2, 0.3), false);
  assert.equal(atMost(0.1 + 0.2, 0.3), true);
  assert.equal(below(0.3, 0.1 + 0.2), false);
  assert.equal(atLeast(0.3, 0.1 + 0.2), true);
  assert.equal(above(1e308, -1e308), true);
  assert.equal(between(6, 6, 7), true);
  assert.equal(between(8, 6, 7), false);
  assert.equal(between(0.1 + 0.2, 0.1, 0.3), true);
});

test('compares text by code point', () => {
  assert.equal(above('2026-02-01', '2026-01-31'), true);
  assert.equal(below('', 'a'), true);
  assert.equal(below('Z', 'a'), true);
  // U+1F600 is above U+FF5E, although its first half is below.
  assert.equal(above('\u{1f600}', '\uff5e'), true);
  assert.equal(below('\ud83d\uff5e', '\u{1f600}'), true);
  assert.equal(between('b', 'a', 'c'), true);
});

/** Compares code points one by one, as the order is defined. */
function orderByDefinition(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  for (let index = 0; ; index++) {
    const [x, y] = [a?.[index], b?.[index]];
    if (x === undefined || y === undefined) return (x === undefined ? 0 : 1) - (y === undefined ? 0 : 1);
    if (x !== y) return x - y;
  }
}

test('the order of text agrees with its definition', () => {
  fc.assert(
    fc.property(any.text, any.text, any.text, (start, left, right) => {
      const order = orderByDefinition(start + left, start + right);
      assert.equal(above(start + left, start + right), order > 0);
      assert.equal(below(start + left, start + right), order < 0);
    }),
    { numRuns: runs(5000) },
  );
});

test('exactly one of above, below and equal holds for two numbers', () => {
  fc.assert(
    fc.property(any.number, any.number, (left, right) => {
      assert.equal(Number(above(left, right)) + Number(below(left, right)) + Number(equal(left, right)), 1);
      assert.equal(atLeast(left, right), !below(left, right));
      assert.equal(atMost(left, right), !above(left, right));
    }),
  );
});

test('the order of numbers ignores noise, even if they are close', () => {
  fc.assert(
    fc.property(any.number, fc.integer({ min: -2000, max: 2000 }), (number, ulps) => {
      const near = number + ulps * Number.EPSILON * number;
      const [first, second] = [withoutNoise(number), withoutNoise(near)];
      assert.equal(above(number, near), first > second);
      assert.equal(below(number, near), first < second);
    }),
    { numRuns: runs(10_000) },
  );
});

test('reports values without an order', () => {
  assert.equal(
    messageOf(() => above(null, 3, at('request.a', '3')), 'WF606'),
    'I can\'t compare: "request.a" is empty, but "is above" needs two numbers or two text values.',
  );
  assert.equal(
    messageOf(() => above('x', 3, at('request.a', '3')), 'WF606'),
    'I can\'t compare: "request.a" is text ("x") and 3 is a number, but "is above" needs two numbers or two text values.',
  );
  assert.equal(
    messageOf(() => below('12', 3, at('request.a', '3')), 'WF606'),
    'I can\'t compare: "request.a" is text ("12") and 3 is a number, but "is below" needs two numbers or two text values. To read it as a number, write: number of request.a.',
  );
  // As texts, "9:00" would be after "17:30".
  assert.equal(
    messageOf(() => below('9:00', '17:30', at('request.opens', '"17:30"')), 'WF606'),
    'I can\'t compare: "request.opens" is text ("9:00"), but the other time of day is longer. Write both alike: request.opens padded to 5 with "0".',
  );
  assert.match(
    messageOf(() => between('12:00', '09:00', '9:30'), 'WF606'),
    /other time of day is longer/,
  );
  assert.equal(below('09:00', '17:30'), true);
  assert.equal(below('9:00', '17:30 or later'), false);
  assert.match(
    messageOf(() => above([1, 2], 20, at('request.blocked', '20')), 'WF606'),
    /To count its items, write: count of request\.blocked\.$/,
  );
  assert.match(
    messageOf(() => between(5, 1, undefined, at('x', '1', 'request.high')), 'WF606'),
    /"request\.high" is empty, but "is between" needs/,
  );
  assert.match(
    messageOf(() => between(5, 9, null, at('x', '9', 'request.high')), 'WF606'),
    /"request\.high" is empty/,
  );
  for (const [left, right] of [
    [true, false],
    [[], []],
    [{}, 1],
    [null, null],
  ] as [Value, Value][])
    messageOf(() => atLeast(left, right), 'WF606');
});

test('contains searches text, lists and records', () => {
  const cases: [Value, Value, boolean][] = [
    ['hello', 'ell', true],
    ['hello', 'Ell', false],
    ['order 42', 42, true],
    ['0.3', 0.1 + 0.2, true],
    ['it is true', true, true],
    ['null', null, false],
    ['', '', true],
    [['a', 'b'], 'a', true],
    [['1'], 1, false],
    [[0.3], 0.1 + 0.2, true],
    [[{ a: 1 }], { a: 1 }, true],
    [[1, null], undefined, true],
    [[1], [1], false],
    [{ k: null }, 'k', true],
    [{ 7: 'x' }, 7, true],
    [{}, 'toString', false],
    [{}, '__proto__', false],
    [record([['__proto__', 1]]), '__proto__', true],
    [null, 'x', false],
    [undefined, null, false],
  ];
  for (const [container, sought, expected] of cases)
    assert.equal(contains(container, sought), expected, JSON.stringify([container, sought]));
});

test('contains reports what cannot contain anything', () => {
  assert.equal(
    messageOf(() => contains(441234, '44', at('request.phone', '"44"')), 'WF607'),
    'I can\'t search: "request.phone" is a number (441234), but "contains" needs text, a list or a record. To use it as text, write: text of request.phone.',
  );
  messageOf(() => contains(true, 't'), 'WF607');
  assert.match(
    messageOf(() => contains('a', ['a'], at('x', 'request.list')), 'WF607'),
    /"request\.list" is a list of 1 item, but text can only contain text/,
  );
  assert.match(
    messageOf(() => contains({}, {}), 'WF607'),
    /looks for field names in a record/,
  );
});

test('starts with, ends with', () => {
  assert.equal(startsWith('hello', 'he'), true);
  assert.equal(startsWith('441234', 44), true);
  assert.equal(endsWith('hello', 'lo'), true);
  assert.equal(endsWith('hello', 'he'), false);
  assert.equal(startsWith(null, 'a'), false);
  assert.equal(startsWith('null', null), false);
  assert.equal(endsWith('undefined', undefined), false);
  assert.equal(
    messageOf(() => startsWith(441234, '44', at('request.phone', '"44"')), 'WF608'),
    'I can\'t compare: "request.phone" is a number (441234), but "starts with" needs two text values. To use it as text, write: text of request.phone.',
  );
  assert.match(
    messageOf(() => endsWith('a', ['a'], at('x', 'y')), 'WF608'),
    /"y" is a list of 1 item, but "ends with" needs two text values/,
  );
  messageOf(() => startsWith(['a'], 'a'), 'WF608');
});

test('is one of', () => {
  assert.equal(oneOf('hello', ['hi', 'hello']), true);
  assert.equal(oneOf(1, ['1']), false);
  assert.equal(oneOf(null, [undefined]), true);
  assert.equal(oneOf('x', null), false);
  assert.equal(
    messageOf(() => oneOf('x', 'xyz', at('a', 'request.allowed')), 'WF609'),
    'I can\'t compare: "request.allowed" is text ("xyz"), but "is one of" needs a list.',
  );
});
