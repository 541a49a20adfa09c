// Numbers written like a sample, rounding up and down, remainders, percentages, and cancelled digits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { absoluteValue, percentOf, remainder, roundedDown, roundedUp } from '../../runtime/numbers/number-operations.js';
import { isNumberSample, parseNumber, readSample, writeNumber } from '../../runtime/numbers/parse-number.js';
import type { Value } from '../../runtime/types.js';
import { withoutCancelledDigits } from '../../runtime/values/arithmetic.js';
import { numberText } from '../../runtime/values/number-format.js';
import { withoutNoise } from '../../runtime/values/values.js';
import * as any from './arbitraries.js';
import { at, messageOf } from './failure.js';

test('writes a number like a sample', () => {
  const cases: [number, string, string][] = [
    [1234567.891, '1,234.50', '1,234,567.89'],
    [0.5, '1,234.50', '0.50'],
    [-1234.5, '1.234,50', '-1.234,50'],
    [1234.56, '1234.5', '1234.6'],
    [1234567.5, '1 234,50 €', '1 234 567,50 €'],
    [999.999, '1,234.50', '1,000.00'],
    [1.005, '1.234,50', '1,01'],
    [-0.001, '1,234.50', '0.00'],
    [1234.5, 'EUR 1.234,50', 'EUR 1.234,50'],
    [-1234.5, '$1,234.50', '-$1,234.50'],
    [1234.5, "1'234.50", "1'234.50"],
    [1234567, '1,234,567', '1,234,567'],
    [12.6, '1234', '13'],
    [1234567.5, '1 234', '1 234 568'],
    [1e21, '1,234.50', '1,000,000,000,000,000,000,000.00'],
    [12.5, '0.00 %', '12.50 %'],
  ];
  for (const [number, sample, text] of cases) assert.equal(writeNumber(number, sample), text);
});

test('reads a number like a sample', () => {
  const cases: [string, string, number][] = [
    ['1.234,50', '1.234,50', 1234.5],
    ['12,50', '1.234,50', 12.5],
    ['1234,5', '1.234,50', 1234.5],
    ['-1,234.50', '1,234.50', -1234.5],
    ['1\u202f234\u00a0567,89 €', '1 234,50 €', 1234567.89],
    ['1 234', '1 234,50 €', 1234],
    ['- 12', '1.234,50', -12],
    ['-$12.50', '$1,234.50', -12.5],
    ['€ -12,50', '€ 1.234,50', -12.5],
    [' 7 ', '1,234.50', 7],
  ];
  for (const [text, sample, number] of cases) assert.equal(parseNumber(text, sample), number);
  assert.equal(parseNumber(5, '1.234,50'), 5);
});

test('text in another format is not a number', () => {
  const wrong: [string, string][] = [
    ['1.234,50', '1,234.50'],
    ['1.5', '1.234,50'],
    ['1.23.456', '1.234,50'],
    ['1,234,5', '1,234.50'],
    ['12,', '1.234,50'],
    [',5', '1.234,50'],
    ['', '1.234,50'],
    ['abc', '1.234,50'],
    ['12 $', '1.234,50 €'],
    ['--5', '1,234.50'],
    ['1e5', '1,234.50'],
    ['9'.repeat(401), '1,234.50'],
  ];
  for (const [text, sample] of wrong) messageOf(() => parseNumber(text, sample), 'WF627');
  assert.equal(
    messageOf(() => parseNumber('1.234,50', '1,234.50', at('request.german', '"1,234.50"')), 'WF627'),
    'I can\'t read a number: "request.german" is text ("1.234,50"), which is not written like "1,234.50".',
  );
  assert.equal(
    messageOf(() => parseNumber('abc', '1,234.50', at('"abc"', '"1,234.50"')), 'WF627'),
    'I can\'t read a number: "abc" is not written like "1,234.50".',
  );
  assert.match(
    messageOf(() => parseNumber(null, '1,234.50', at('request.n')), 'WF627'),
    /"request\.n" is empty/,
  );
  assert.equal(
    messageOf(() => writeNumber('12', '1,234.50', at('request.n', '"1,234.50"')), 'WF601'),
    'I can\'t write it like "1,234.50": "request.n" is text ("12"), but it must be a number. To read it as a number, write: number of request.n.',
  );
});

test('reads back what it wrote', () => {
  const sample = fc.constantFrom('1,234.50', '1.234,50', '1234.5', '1 234,500 €', "CHF 1'234.50", '1,234,567');
  fc.assert(
    fc.property(any.decimal(9), sample, (number, written) => {
      const text = writeNumber(number, written);
      assert.equal(writeNumber(parseNumber(text, written), written), text);
    }),
  );
});

test('reports invalid samples', () => {
  const faults: [string, RegExp][] = [
    ['1,234', /leaves open whether "," separates thousands or the fraction: write 1,234\.50 or 1234,50/],
    ['1.234', /leaves open whether "\." separates thousands or the fraction: write 1\.234,50 or 1234\.50/],
    ['-1,234.50', /has a sign/],
    ['EUR', /contains no digits/],
    ['1/2', /contains "\/" between its digits/],
    ['12,34,567', /three digits after each separator/],
    ['1,23.50', /mixes its separators/],
    ['1.234,567.8', /mixes its separators/],
    ['0.0000000000000000', /more than 15 places/],
  ];
  for (const [sample, fault] of faults) {
    const read = readSample(sample);
    assert.ok(!read.ok, sample);
    assert.match(read.fault, fault);
  }
  assert.equal(
    messageOf(() => writeNumber(1, '1,234', at('total', '"1,234"')), 'WF640'),
    'The sample "1,234" leaves open whether "," separates thousands or the fraction: write 1,234.50 or 1234,50.',
  );
  messageOf(() => writeNumber(1, null), 'WF640');
  assert.ok(isNumberSample('1,234.50') && !isNumberSample('DD.MM.YYYY') && !isNumberSample("'Q1' YYYY"));
});

test('rounds up and down, on the decimal form', () => {
  assert.equal(roundedUp(1.001, 2), 1.01);
  assert.equal(roundedDown(1.999, 0), 1);
  assert.equal(roundedUp(0.1 + 0.2, 1), 0.3);
  assert.equal(roundedDown(0.29 * 100, 0), 29);
  assert.equal(roundedUp(-1.001, 2), -1.01);
  assert.equal(roundedDown(-1.999, 0), -1);
  assert.ok(Object.is(roundedDown(-0.5, 0), 0));
  assert.equal(roundedUp(1e-9, 2), 0.01);
  assert.match(
    messageOf(() => roundedDown('x', 0, at('request.t', '0')), 'WF601'),
    /but "rounded down to" needs a number/,
  );
  messageOf(() => roundedUp(null, 2), 'WF601');
  messageOf(() => roundedUp(1.5, 2.5), 'WF605');
});

test('rounding up and down encloses the number, one unit apart', () => {
  fc.assert(
    fc.property(any.decimal(9), fc.integer({ min: 0, max: 6 }), (number, places) => {
      const [down, up] = [roundedDown(number, places), roundedUp(number, places)];
      const shown = withoutNoise(number);
      assert.ok(Math.abs(down) <= Math.abs(shown) && Math.abs(shown) <= Math.abs(up));
      assert.equal(roundedDown(up, places), up);
      assert.equal(
        Math.round((up - down) * 10 ** places),
        (numberText(shown).split('.')[1] ?? '').length <= places ? 0 : Math.sign(shown),
        `${number}`,
      );
    }),
  );
});

test('a remainder has the sign of the divisor, as in a spreadsheet, and no noise', () => {
  assert.equal(remainder(7, 3), 1);
  assert.equal(remainder(-7, 3), 2);
  assert.equal(remainder(7, -3), -2);
  assert.ok(Object.is(remainder(-6, 3), 0));
  assert.equal(remainder(0.3, 0.1), 0);
  assert.equal(remainder(5.5, 2), 1.5);
  assert.equal(
    messageOf(() => remainder(1, 0, at('request.n', 'request.zero')), 'WF603'),
    'I can\'t divide "request.n" by zero: "request.zero" is 0.',
  );
  messageOf(() => remainder('a', 2), 'WF601');
});

test('absolute value and percent', () => {
  assert.equal(absoluteValue(-5.5), 5.5);
  assert.equal(percentOf(19, 100), 19);
  assert.equal(withoutNoise(percentOf(19, 59.99)), 11.3981);
  assert.match(
    messageOf(() => absoluteValue(null, at('request.none')), 'WF601'),
    /"request\.none" is empty/,
  );
  assert.match(
    messageOf(() => percentOf(19, null, at('19', 'request.none')), 'WF601'),
    /"request\.none" is empty/,
  );
  messageOf(() => percentOf(1e308, 1e308), 'WF604');
});

test('a difference of short decimals is exact', () => {
  const settled = (left: number, right: number): number => withoutCancelledDigits(left - right, left, right);
  assert.equal(settled(10.1, 10), 0.1);
  assert.equal(settled(0.3, 0.1), 0.2);
  assert.equal(settled(1e6 + 0.1, 1e6), 0.1);
  assert.equal(settled(1234567890123456, 1234567890123455), 1);
  const cents = fc.integer({ min: -(10 ** 11), max: 10 ** 11 });
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 1, max: 4 }), (one, other, places) => {
      const power = 10 ** places;
      const cancels = Math.abs(one - other) < Math.max(Math.abs(one), Math.abs(other));
      const result = settled(one / power, other / power);
      assert.equal((cancels ? result : withoutNoise(result)) + 0, (one - other) / power + 0);
    }),
  );
});

test('numbers that do not cancel stay exactly as they are', () => {
  fc.assert(
    fc.property(any.number, any.number, (one, other) => {
      const sum = one + other;
      if (Math.abs(sum) >= Math.max(Math.abs(one), Math.abs(other))) assert.equal(withoutCancelledDigits(sum, one, other), sum);
    }),
  );
});

test('operations on anything return a value or a run-time error', () => {
  fc.assert(
    fc.property(any.value, any.value, any.value, (one: Value, other: Value, third: Value) => {
      for (const run of [
        () => writeNumber(one, other),
        () => parseNumber(one, other),
        () => roundedUp(one, other),
        () => remainder(one, other),
        () => percentOf(one, third),
        () => absoluteValue(one),
      ]) {
        try {
          run();
        } catch (error) {
          assert.equal((error as Error).name, 'WfError');
        }
      }
    }),
  );
});
