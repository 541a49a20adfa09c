// Creates records whose keys come from data: every key becomes the record's own, whatever its name. This is the one place where
// `__proto__` could slip through.
import type { Value, WfRecord } from '../values/value-types.js';

/** Sets a field as the record's own data. `__proto__` is a name like any other. */
export function setOwn(record: WfRecord, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    record[key] = value;
  }
}

/** A record with these fields in this order. A repeated key keeps its first place and its last value. */
export function record(pairs: readonly (readonly [key: string, value: Value])[]): WfRecord {
  const made: WfRecord = {};
  for (const [key, value] of pairs) setOwn(made, key, value);
  return made;
}

export const isRecord = (value: Value): value is WfRecord => typeof value === 'object' && value !== null && !Array.isArray(value);
