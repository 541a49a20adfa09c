// Turns any JavaScript value (the answer of a plugin, the input of a host) into a value of the language. Beyond this boundary,
// all data is plain, with own fields and no code.

import type { Value, WfRecord } from '../types.js';
import { WfError } from './errors.js';
import { deepestValue } from './output.js';
import { setOwn } from './record.js';
import { tooDeep, unreadable } from './value-errors.js';

/**
 * A plain copy of foreign data. Functions, symbols, `undefined`, NaN and infinities become `empty`. A Date, or anything else
 * with `toJSON`, becomes what that returns; a Map becomes a record of its entries; a Set a list; other objects their own
 * enumerable fields; a bigint a number if that has the same digits, otherwise text.
 * @throws WfError for a cycle, more than 1,000 levels, or a getter or `toJSON` that throws
 */
export function plain(foreign: unknown): Value {
  try {
    return plainOf(foreign, new Set());
  } catch (error) {
    if (error instanceof WfError) throw error;
    throw unreadable(error instanceof Error ? error.message : 'reading one of its fields failed');
  }
}

/** `around`: the objects that contain this one. A value may occur twice, but not inside itself. */
function plainOf(foreign: unknown, around: Set<object>): Value {
  switch (typeof foreign) {
    case 'string':
    case 'boolean':
      return foreign;
    case 'number':
      return Number.isFinite(foreign) ? foreign : null;
    case 'bigint':
      return String(Number(foreign)) === String(foreign) ? Number(foreign) : String(foreign);
    case 'object':
      return foreign === null ? null : plainObject(foreign, around);
    default:
      return null;
  }
}

function plainObject(foreign: object, around: Set<object>): Value {
  if (around.has(foreign)) throw unreadable('a value contains itself');
  if (around.size >= deepestValue) throw tooDeep(deepestValue);
  around.add(foreign);
  const value = contents(foreign, around);
  around.delete(foreign);
  return value;
}

function contents(foreign: object, around: Set<object>): Value {
  if ('toJSON' in foreign && typeof foreign.toJSON === 'function') return plainOf(foreign.toJSON(), around);
  if (Array.isArray(foreign)) return Array.from(foreign, (item: unknown) => plainOf(item, around));
  if (foreign instanceof Set) return Array.from(foreign, (item: unknown) => plainOf(item, around));
  const record: WfRecord = {};
  const entries = foreign instanceof Map ? foreign : Object.entries(foreign);
  for (const [key, item] of entries) {
    // Keys that are objects or symbols have no name in the language.
    if (typeof key === 'string' || typeof key === 'number') setOwn(record, String(key), plainOf(item, around));
  }
  return record;
}
