// plus, minus, times, divided by, rounded: results and messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Value } from '../../runtime/types.js';
import { dividedBy, minus, plus, rounded, times } from '../../runtime/values/arithmetic.js';
import { withoutNoise } from '../../runtime/values/values.js';
import { runs } from '../root.js';
import * as any from './arbitraries.js';
import { at, messageOf } from './failure.js';

test('plus adds numbers and joins lists', () => {
  assert.equal(plus(2, 3), 5);
  assert.deepEqual(plus([1], [2, 3]), [1, 2, 3]);
  const list: Value[] = any.deepFreeze([1]);
  assert.notEqual(plus(list, []), list);
});

test('minus, times, divided by', () => {
  assert.equal(minus(2, 3), -1);
  assert.equal(times(6, -2), -12);
  assert.equal(dividedBy(7, 2), 3.5);
});

test('arithmetic on anything but numbers reports the value, its type and the fix', () => {
  const location = at('request.price', '2');
  assert.equal(
    messageOf(() => minus('ten', 2, location), 'WF601'),
    'I can\'t subtract: "request.price" is text ("ten"), but "minus" needs two numbers.',
  );
  assert.equal(
    messageOf(() => times('10', 2, location), 'WF601'),
    'I can\'t multiply: "request.price" is text ("10"), but "times" needs two numbers. To read it as a number, write: number of request.price.',
  );
  assert.equal(
    messageOf(() => dividedBy(null, 2, location), 'WF601'),
    'I can\'t divide: "request.price" is empty, but "divided by" needs two numbers.',
  );
  assert.equal(
    messageOf(() => minus(2, 'a', at('2', '"a"')), 'WF601'),
    'I can\'t subtract: "a" is text, but "minus" needs two numbers.',
  );
  assert.equal(
    messageOf(() => minus(2, [1]), 'WF601'),
    'I can\'t subtract: the value after "minus" is a list of 1 item, but "minus" needs two numbers.',
  );
  assert.equal(
    messageOf(() => rounded(true, 2, at('request.ok', '2')), 'WF601'),
    'I can\'t round: "request.ok" is a boolean (true), but "rounded to" needs a number.',
  );
});

test('plus with incompatible values names both sides', () => {
  const rule = '"plus" needs two numbers or two lists.';
  assert.equal(
    messageOf(() => plus([1, 2], 5, at('request.items', '5')), 'WF602'),
    `I can't add: "request.items" is a list of 2 items and 5 is a number, but ${rule}`,
  );
  assert.equal(
    messageOf(() => plus('Dear ', undefined, at('"Dear "', 'request.name')), 'WF602'),
    `I can't add: "Dear " is text and "request.name" is empty, but ${rule} To join texts, write: "{first}{second}".`,
  );
  assert.equal(
    messageOf(() => plus('100', 5, at('request.total', 'fee')), 'WF602'),
    `I can't add: "request.total" is text ("100") and "fee" is a number (5), but ${rule} To join texts, write: "{request.total}{fee}". To read it as a number, write: number of request.total.`,
  );
  for (const [left, right] of [
    [1, true],
    [null, null],
    [{}, 'a'],
    ['a', []],
    ['a', 'b'],
    ['n', 5],
    ['is ', true],
    [null, 1],
  ] as [Value, Value][]) {
    messageOf(() => plus(left, right), 'WF602');
  }
});

test('describes a long text, which may be a secret, instead of cutting it', () => {
  const secret = 'k'.repeat(80);
  const message = messageOf(() => minus(secret, 1, at('key', '1')), 'WF601');
  assert.match(message, /"key" is text of 80 characters/);
  assert.doesNotMatch(message, /kk/);
});

test('escapes control characters of values in messages', () => {
  assert.match(
    messageOf(() => minus('a\n\u001b[31m', 1, at('x', '1')), 'WF601'),
    /"a\\n\\u001b\[31m"/,
  );
});

test('reports division by zero, and results beyond the range of numbers', () => {
  assert.equal(
    messageOf(() => dividedBy(1, 0, at('1', 'request.n')), 'WF603'),
    'I can\'t divide 1 by zero: "request.n" is 0.',
  );
  assert.equal(
    messageOf(() => dividedBy(1, -0, at('total', '0')), 'WF603'),
    'I can\'t divide "total" by zero.',
  );
  messageOf(() => times(1e308, 10), 'WF604');
  messageOf(() => plus(1.7e308, 1.7e308), 'WF604');
  messageOf(() => minus(-1.7e308, 1.7e308), 'WF604');
  assert.equal(
    messageOf(() => dividedBy(1e308, 1e-10, at('a', 'b')), 'WF604'),
    'The result of "a" divided by "b" is too large: the largest number is about 1.8e308.',
  );
});

test('lists beyond any memory are an error', () => {
  messageOf(() => plus(new Array<Value>(10_000_000), [1]), 'WF620');
});

test('rounded rounds decimal halves away from zero', () => {
  const cases: [number, number, number][] = [
    [1.005, 2, 1.01],
    [2.345, 2, 2.35],
    [-2.5, 0, -3],
    [2.5, 0, 3],
    [-1.005, 2, -1.01],
    [0.1 + 0.2, 1, 0.3],
    [2.675, 2, 2.68],
    [1.45, 1, 1.5],
    [0.285 + 0, 2, 0.29],
    [1e-7, 3, 0],
    [5e-7, 6, 0.000001],
    [1e300, 2, 1e300],
    [123456789012345680, 5, 123456789012345680],
    [9.995, 2, 10],
    [1 / 3, 15, 0.333333333333333],
    [4503599627370495.5, 0, 4503599627370496],
  ];
  for (const [number, places, expected] of cases) assert.equal(rounded(number, places), expected, `${number} to ${places}`);
  assert.equal(Object.is(rounded(-0.3, 0), 0), true);
});

/** Rounds the decimal text of the number without noise, using only integers. */
function roundedByDefinition(number: number, places: number): number {
  const [mantissa = '', exponent = '0'] = Math.abs(withoutNoise(number)).toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length + places;
  const digits = BigInt(whole + fraction);
  const unit = 10n ** BigInt(Math.abs(shift));
  const units = shift >= 0 ? digits * unit : (digits * 2n + unit) / (2n * unit);
  const result = Number(`${units}e-${places}`);
  return number < 0 && result !== 0 ? -result : result;
}

test('rounded agrees with decimal arithmetic', () => {
  const half = fc.tuple(any.decimal(6), fc.constantFrom(0, 5e-1, 5e-2, 5e-3, 5e-4)).map(([number, more]) => number + more);
  fc.assert(
    fc.property(fc.oneof(any.number, half), fc.integer({ min: 0, max: 15 }), (number, places) => {
      assert.equal(rounded(number, places), roundedByDefinition(number, places));
    }),
    { numRuns: runs(20_000) },
  );
});

test('places must be a whole number from 0 to 15', () => {
  for (const places of [-1, 1.5, 16, '2', null]) messageOf(() => rounded(1.5, places), 'WF605');
  assert.equal(
    messageOf(() => rounded(1.5, -1, at('x', 'request.places')), 'WF605'),
    'I can\'t round: "request.places" is a number (-1), but the number of places must be a whole number from 0 to 15.',
  );
});
