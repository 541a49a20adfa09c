// Arbitrary values for property tests: numbers with and without noise, text with awkward characters, keys that exist on prototypes, and
// data of all shapes.
import fc from 'fast-check';
import type { Value, WfRecord } from '../../runtime/types.js';
import { PROTOTYPE_KEYS } from '../../runtime/values/fields.js';
import { record } from '../../runtime/values/record.js';

/** Decimals of at most `digits` digits, as people write them. */
export const decimal = (digits: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: -(10 ** digits) + 1, max: 10 ** digits - 1 }), fc.integer({ min: -14, max: 8 }))
    .map(([whole, exponent]) => Number(`${whole}e${exponent}`));

const noisy = fc.tuple(decimal(5), decimal(5)).map(([a, b]) => a + b);

export const number: fc.Arbitrary<number> = fc.oneof(
  decimal(6),
  decimal(12),
  noisy,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc
    .array(fc.constantFrom('a', '\ud83d', '\ude00', '\ue000', '\uffff', '"', '\\', '\n', '{', '12345678901234567890'), {
      maxLength: 5,
    })
    .map((parts) => parts.join('')),
);

export const key: fc.Arbitrary<string> = fc.oneof(fc.constantFrom('a', 'b', 'count', '0', '__proto__', ...PROTOTYPE_KEYS), text);

const fields = (value: fc.Arbitrary<Value>): fc.Arbitrary<WfRecord> =>
  fc.array(fc.tuple(key, value), { maxLength: 4 }).map(record);

/** Any value of the language. */
export const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Value>(null, undefined, true, false, 0, -0, ''),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fields(tie('value')),
  ),
})).value;

/** Freezes a value deeply, so that any attempt to change it throws. */
export function deepFreeze<T extends Value>(frozen: T): T {
  if (typeof frozen === 'object' && frozen !== null) {
    for (const item of Object.values(frozen)) deepFreeze(item);
    Object.freeze(frozen);
  }
  return frozen;
}

/** `levels` nested lists. */
export function nested(levels: number): Value {
  let made: Value = [];
  for (let level = 1; level < levels; level++) made = [made];
  return made;
}
