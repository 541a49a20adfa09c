// The name of a value's type in the language.
import type { Value } from '../values/value-types.js';

export type TypeName = 'empty' | 'text' | 'number' | 'boolean' | 'list' | 'record';

/** The type of a value, as messages name it. */
export function typeName(value: Value): TypeName {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'record';
  return typeof value === 'number' ? 'number' : 'boolean';
}
