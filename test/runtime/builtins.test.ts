// count, sum, first, last, upper and lower case, trimmed, number and text of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldOfEach } from '../../runtime/lists/list-operations.js';
import type { Value } from '../../runtime/types.js';
import {
  countOf,
  firstOf,
  lastOf,
  lowercase,
  numberOf,
  sumOf,
  textOf,
  trimmed,
  uppercase,
} from '../../runtime/values/builtins.js';
import { field } from '../../runtime/values/fields.js';
import { show, withoutNoise } from '../../runtime/values/values.js';
import { processorTime, slowness } from '../processor-time.js';
import * as any from './arbitraries.js';
import { at, messageOf } from './failure.js';

test('count of', () => {
  assert.equal(countOf([1, null]), 2);
  assert.equal(countOf('abcd'), 4);
  assert.equal(countOf('a\u{1f600}\ud83d'), 3);
  assert.equal(countOf(undefined), 0);
  assert.equal(
    messageOf(() => countOf(5, at('request.n')), 'WF614'),
    'I can\'t count: "request.n" is a number (5), but "count of" needs a list or text.',
  );
  messageOf(() => countOf({ a: 1 }), 'WF614');
});

test('count of text is the number of its code points, like its field count', () => {
  fc.assert(
    fc.property(any.text, (text) => {
      assert.equal(countOf(text), Array.from(text).length);
      assert.equal(field(text, 'count'), countOf(text));
    }),
  );
});

test('sum of a list', () => {
  assert.equal(sumOf([1, 2, 3.5]), 6.5);
  assert.equal(sumOf([]), 0);
  assert.equal(sumOf(null), 0);
  assert.equal(sumOf([1, null, 2, undefined]), 3);
  assert.equal(sumOf([1.1, 2.2, 3.3]), 6.6);
  assert.equal(sumOf(Array.from({ length: 100_000 }, () => 0.1)), 10_000);
  assert.equal(sumOf([0.1, 0.2, -0.3]), 0);
  assert.equal(sumOf([1 / 3, 1 / 3]), 2 / 3);
  assert.equal(sumOf([9007199254740991, 0.5]), 9007199254740992);
  assert.equal(sumOf([1e300, 1e-300]), 1e300);
});

test('a sum of cents is exact', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 500 }), (cents) => {
      assert.equal(sumOf(cents.map((cent) => cent / 100)) + 0, cents.reduce((sum, cent) => sum + cent, 0) / 100 + 0);
    }),
  );
});

test('sum of reports what it cannot add', () => {
  assert.equal(
    messageOf(() => sumOf([1, 'x'], at('request.amounts')), 'WF615'),
    'I can\'t add up "request.amounts": item 1 is text ("x"), but "sum of" needs numbers. (Positions count from 0.)',
  );
  assert.equal(
    messageOf(() => sumOf(12, at('request.n')), 'WF615'),
    'I can\'t add it up: "request.n" is a number (12), but "sum of" needs a list of numbers.',
  );
  assert.equal(
    messageOf(() => sumOf([1e308, 1e308], at('x')), 'WF604'),
    'The sum of "x" is too large: the largest number is about 1.8e308.',
  );
  for (const value of [{}, 'abc', true] as Value[]) messageOf(() => sumOf(value), 'WF615');
});

const sumField = (root: Value, keys: readonly string[], location = at('rows')): number =>
  sumOf(fieldOfEach(root, keys, location), location);

test('sum of a field over a list of records', () => {
  const rows: Value = [{ amount: 1.5, net: { value: 1 } }, { amount: 2 }, {}, null, { amount: null, net: { value: 2 } }];
  const request: Value = { rows, amounts: [1, 2], orders: [{ lines: [{ n: 1 }, { n: 2 }] }, { lines: [{ n: 4 }] }] };
  assert.equal(sumField(rows, ['amount']), 3.5);
  assert.equal(sumField(request, ['amounts']), 3);
  assert.equal(sumField(request, ['rows', 'amount']), 3.5);
  assert.equal(sumField(request, ['rows', 'net', 'value']), 3);
  assert.equal(sumField(request, ['orders', 'lines', 'n']), 7);
  assert.equal(sumField(request, ['orders', '0', 'lines', 'n']), 3);
  assert.equal(sumField(request, ['nope', 'amount']), 0);
  assert.equal(sumField([{ count: 2 }, { count: 3 }], ['count']), 5);
  assert.equal(sumField([{}, {}], ['constructor']), 0);
  assert.match(
    messageOf(() => sumField([{ amount: '1' }], ['amount'], at('rows.amount')), 'WF615'),
    /"rows\.amount": item 0 is text \("1"\)/,
  );
  messageOf(() => sumField([5], ['amount'], at('rows.amount')), 'WF612');
  messageOf(() => sumField({ amount: 5 }, ['amount'], at('row.amount')), 'WF615');
});

test('first of, last of', () => {
  assert.equal(firstOf(['x', 'y']), 'x');
  assert.equal(lastOf(['x', 'y']), 'y');
  assert.equal(firstOf([]) ?? null, null);
  assert.equal(lastOf(undefined) ?? null, null);
  assert.equal(
    messageOf(() => firstOf('abc', at('request.word')), 'WF616'),
    'I can\'t take an item: "request.word" is text ("abc"), but "first of" needs a list.',
  );
  messageOf(() => lastOf({}), 'WF616');
});

test('uppercase, lowercase, trimmed', () => {
  assert.equal(uppercase('abc ß'), 'ABC SS');
  assert.equal(lowercase('ABC'), 'abc');
  assert.equal(trimmed('  a b \n'), 'a b');
  assert.equal(uppercase(null) ?? null, null);
  assert.equal(
    messageOf(() => uppercase(5, at('row.code')), 'WF617'),
    'I can\'t apply "uppercase of": "row.code" is a number (5), but it needs text. To use it as text, write: text of row.code.',
  );
  messageOf(() => lowercase(['A']), 'WF617');
  messageOf(() => trimmed({}), 'WF617');
});

test('number of', () => {
  const cases: [Value, number][] = [
    ['1200.50', 1200.5],
    [' 12 ', 12],
    ['-3', -3],
    ['+3', 3],
    ['007', 7],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    [2.5, 2.5],
    ['-0', 0],
  ];
  for (const [value, expected] of cases) assert.equal(numberOf(value) + 0, expected, String(value));
  for (const value of [
    '',
    ' ',
    '12 apples',
    '1,200',
    '0x10',
    'Infinity',
    'NaN',
    '1e400',
    '1e',
    '--1',
    '.',
    '1.2.3',
    '1_000',
    '٣',
    null,
    true,
    [],
    [1],
    {},
  ] as Value[]) {
    messageOf(() => numberOf(value), 'WF618');
  }
  assert.equal(
    messageOf(() => numberOf('12 apples', at('request.a')), 'WF618'),
    'I can\'t read a number: "request.a" is text ("12 apples"), but "number of" needs text such as "1200.50".',
  );
  assert.match(
    messageOf(() => numberOf(undefined, at('request.a')), 'WF618'),
    /"request\.a" is empty/,
  );
});

test('number of a long invalid text is fast', () => {
  const took = processorTime();
  for (const text of [`${'1'.repeat(1_000_000)}x`, `${' '.repeat(1_000_000)}x`, `1e${'1'.repeat(1_000_000)}x`])
    messageOf(() => numberOf(text), 'WF618');
  assert.ok(took() < 5000 * slowness());
});

test('number of the text of a number is that number', () => {
  fc.assert(fc.property(any.number, (number) => assert.equal(numberOf(textOf(number)), withoutNoise(number) + 0)));
});

test('text of anything is what is shown', () => {
  assert.equal(textOf(12), '12');
  assert.equal(textOf(null), '');
  fc.assert(fc.property(any.value, (value) => assert.equal(textOf(value), show(value))));
});

test('adds large and tiny amounts as decimals, too', () => {
  assert.equal(sumOf([123456789012, 0.000000000001, -123456789012]), 0.000000000001);
  assert.equal(sumOf([0.1, 123456789012, -0.1, -123456789012]), 0);
});
