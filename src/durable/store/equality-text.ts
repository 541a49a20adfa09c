// Text that two values share exactly if `is` holds between them, so that an index can match messages with those who wait.

import type { Value } from '../../../runtime/types.js';
import { withoutNoise } from '../../../runtime/values/number-format.js';

export function equalityText(value: Value): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'number') return String(withoutNoise(value));
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(equalityText).join(',')}]`;
  const fields = Object.keys(value)
    .filter((key) => value[key] !== null && value[key] !== undefined)
    .sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${equalityText(value[key])}`).join(',')}}`;
}
