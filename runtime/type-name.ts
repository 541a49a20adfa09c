// A value → the word that the language has for its type. Its own file, because messages and values both need it.
import type { Value } from './types.js';

export type TypeName = 'empty' | 'text' | 'number' | 'boolean' | 'list' | 'record';

/** The type of a value in the words of language.md 3. */
export function typeName(value: Value): TypeName {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'record';
  return typeof value === 'number' ? 'number' : 'boolean';
}
