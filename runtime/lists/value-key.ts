// Map keys for values. Values that are equal in the language have the same key.

import type { Value } from '../types.js';
import { withoutNoise } from '../values/number-format.js';

/** Starts the key of a list or record. No text of a workflow contains it. */
const COMPOUND = '\ufdd2';

/**
 * The key of a value: numbers without noise, `empty` as null, lists and records by content. The order of fields and `empty` fields make no
 * difference.
 */
export function valueKey(value: Value): string | number | boolean | null {
  if (typeof value === 'number') return withoutNoise(value);
  if (typeof value === 'object' && value !== null) return COMPOUND + contents(value);
  return value ?? null;
}

function contents(value: Value): string {
  if (typeof value === 'number') return String(withoutNoise(value) + 0);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(contents).join(',')}]`;
  const keys = Object.keys(value).filter((key) => value[key] !== null && value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${contents(value[key])}`)
    .join(',')}}`;
}
