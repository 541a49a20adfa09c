// Types, text, truth and emptiness of values; numbers as in a spreadsheet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Value } from '../../runtime/types.js';
import { WfError } from '../../runtime/values/errors.js';
import { record } from '../../runtime/values/record.js';
import { exists, isEmpty, show, truthy, typeName, withoutNoise } from '../../runtime/values/values.js';
import { runs } from '../root.js';
import * as any from './arbitraries.js';

/** The rule for numbers in docs/language.md#values, literally, through the decimal text. */
function tidyByDefinition(number: number): number {
  if (Number.isInteger(number)) return number;
  const [digits = ''] = Math.abs(number).toExponential(14).split('e');
  const significant = digits.replace('.', '').replace(/0+$/, '').length;
  return significant <= 12 ? Number(number.toPrecision(15)) : number;
}

test('rounds the noise of binary fractions away, and nothing else', () => {
  const cases: [number, number][] = [
    [0.1 + 0.2, 0.3],
    [1.1 + 2.2 + 3.3, 6.6],
    [2.9999999999999996, 3],
    [-(0.1 + 0.2), -0.3],
    [0.1 + 0.7, 0.8],
    [1 / 3, 1 / 3],
    [51.50735091234567, 51.50735091234567],
    [1234567890123456, 1234567890123456],
    [123456789.12345678, 123456789.12345678],
    [0.1 + 0.2 - 0.3, 0.1 + 0.2 - 0.3],
    [1e-320, 1e-320],
    [5e-324, 5e-324],
    [1.7976931348623157e308, 1.7976931348623157e308],
  ];
  for (const [number, expected] of cases) assert.equal(withoutNoise(number), expected, String(number));
});

test('withoutNoise agrees with the definition', () => {
  fc.assert(
    fc.property(any.number, fc.integer({ min: -4, max: 4 }), (number, ulps) => {
      const near = number + ulps * Number.EPSILON * Math.abs(number);
      assert.equal(withoutNoise(near), tidyByDefinition(near));
    }),
    { numRuns: runs(20_000) },
  );
});

test('withoutNoise agrees with the definition near half a unit of the 15th digit', () => {
  const border = fc.tuple(
    fc.integer({ min: 100_000_000_000, max: 999_999_999_999 }),
    fc.constantFrom(
      '0003',
      '00039',
      '0004',
      '00041',
      '0005',
      '00050001',
      '00059',
      '0006',
      '00061',
      '0009',
      '001',
      '9995',
      '9996',
    ),
    fc.integer({ min: -30, max: 3 }),
  );
  fc.assert(
    fc.property(border, ([whole, noise, exponent]) => {
      const number = Number(`${whole}.${noise}e${exponent}`);
      assert.equal(withoutNoise(number), tidyByDefinition(number));
    }),
    { numRuns: runs(20_000) },
  );
});

test('a number of 12 digits or fewer stays the same, and applying withoutNoise twice changes nothing', () => {
  fc.assert(fc.property(any.decimal(12), (number) => assert.equal(withoutNoise(number), number)));
  fc.assert(fc.property(any.number, (number) => assert.equal(withoutNoise(withoutNoise(number)), withoutNoise(number))));
});

test('shows numbers in decimal notation', () => {
  const cases: [number, string][] = [
    [0.1 + 0.2, '0.3'],
    [-0, '0'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [1.5e-7, '0.00000015'],
    [-1e-7, '-0.0000001'],
    [1 / 3, '0.3333333333333333'],
    [1234567890123456, '1234567890123456'],
  ];
  for (const [number, expected] of cases) assert.equal(show(number), expected);
});

test('shows a number below 1e21 without an exponent, and reads it back', () => {
  fc.assert(
    fc.property(any.number, (number) => {
      const shown = show(number);
      if (Math.abs(number) < 1e21) assert.match(shown, /^-?\d+(\.\d+)?$/);
      assert.equal(Number(shown), withoutNoise(number) === 0 ? 0 : withoutNoise(number));
    }),
  );
});

test('shows other values', () => {
  assert.equal(show('as it is "\n'), 'as it is "\n');
  assert.equal(show(true), 'true');
  assert.equal(show(null), '');
  assert.equal(show(undefined), '');
  assert.equal(show([1, 'x', undefined, 0.1 + 0.2, -0]), '[1,"x",null,0.3,0]');
  assert.equal(
    show(
      record([
        ['k', { z: undefined }],
        ['__proto__', 0.1 + 0.2],
      ]),
    ),
    '{"k":{"z":null},"__proto__":0.3}',
  );
  assert.equal(show({ toJSON: 'data' }), '{"toJSON":"data"}');
});

test('ignores non-enumerable fields when showing a value or testing for emptiness', () => {
  const row: Value = {};
  Object.defineProperty(row, 'rows', { value: [1], enumerable: false });
  assert.equal(show(row), '{}');
  assert.equal(isEmpty(row), true);
});

test('a value nested too deeply to show is an error of the workflow', () => {
  assert.equal(show(any.nested(1000)), '['.repeat(1000) + ']'.repeat(1000));
  for (const levels of [1001, 200_000]) {
    assert.throws(
      () => show(any.nested(levels)),
      (error) => error instanceof WfError && error.code === 'WF619',
    );
  }
});

test('types have the names of the language', () => {
  const cases: [Value, string][] = [
    [null, 'empty'],
    [undefined, 'empty'],
    ['', 'text'],
    [0, 'number'],
    [false, 'boolean'],
    [[], 'list'],
    [{}, 'record'],
  ];
  for (const [value, name] of cases) assert.equal(typeName(value), name);
});

test('counts as true, is empty, exists', () => {
  // value, counts as true, is empty, exists
  const cases: [Value, boolean, boolean, boolean][] = [
    [null, false, true, false],
    [undefined, false, true, false],
    ['', false, true, true],
    [' ', true, false, true],
    ['nobody', true, false, true],
    [0, false, false, true],
    [-0, false, false, true],
    [0.1 + 0.2 - 0.3, true, false, true],
    [-1, true, false, true],
    [true, true, false, true],
    [false, false, false, true],
    [[], false, true, true],
    [[null], true, false, true],
    [{}, false, true, true],
    [record([['__proto__', null]]), true, false, true],
  ];
  for (const [value, isTrue, empty, there] of cases) {
    assert.deepEqual([truthy(value), isEmpty(value), exists(value)], [isTrue, empty, there], show(value));
  }
  for (const text of ['no', 'FALSE', 'n', 'Off', '0', 'no ']) assert.throws(() => truthy(text), /compare it/i, text);
});
