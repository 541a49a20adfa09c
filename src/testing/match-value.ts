// Compares expected and actual values: outputs, and the parameters of calls.

import type { Value } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/is-record.js';
import { equal, show } from '../../runtime/values/values.js';

/** Characters of a value to show. */
const longestValue = 200;

/**
 * The differences, one line each: `outputs.level: expected 4, got 3`. Records match if they contain the expected fields. Lists
 * must have the same length, and each item must match. `null` stands for `empty` and matches a missing field. Numbers compare
 * as they do in the language.
 */
export function differences(expected: Value, got: Value, path: string): string[] {
  if (isRecord(expected) && isRecord(got)) {
    return Object.keys(expected).flatMap((key) =>
      differences(expected[key], Object.hasOwn(got, key) ? got[key] : null, `${path}.${key}`),
    );
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    const items = expected.slice(0, got.length).flatMap((item, index) => differences(item, got[index], `${path}.${index}`));
    return expected.length === got.length ? items : [difference(`${path}.count`, expected.length, got.length), ...items];
  }
  return equal(expected, got) ? [] : [difference(path, expected, got)];
}

/** `outputs.level: expected 4, got 3`. */
export const difference = (path: string, expected: Value, got: Value): string =>
  `${path}: expected ${shown(expected)}, got ${shown(got)}`;

/** A value as JSON, so that `"3"` and `3` differ, cut off if it is long. */
export function shown(value: Value): string {
  if (value === null || value === undefined) return 'empty';
  const text = typeof value === 'string' ? JSON.stringify(value) : show(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}… (${text.length} characters)`;
}
