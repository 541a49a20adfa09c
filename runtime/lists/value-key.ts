// Map keys for values. Values that are equal in the language have the same key.

import type { Value, WfRecord } from '../types.js';
import { mostText } from '../values/json-size.js';
import { withoutNoise } from '../values/number-format.js';
import { tooMuchText } from '../values/output.js';
import { workOnText } from '../workload.js';

/** Starts the key of a list or record. No text of a workflow contains it. */
const COMPOUND = '\ufdd2';

/**
 * The key of a value: numbers without noise, `empty` as null, lists and records by content. The order of fields and `empty` fields make no
 * difference.
 * @throws WfError for a list or record of more than 64 MB as text
 */
export function valueKey(value: Value): string | number | boolean | null {
  if (typeof value === 'number') return withoutNoise(value);
  if (typeof value === 'object' && value !== null) return COMPOUND + contents(value, new Map());
  return value ?? null;
}

/** @param known the texts of parts, which others may share */
function contents(value: Value, known: Map<Value, string>): string {
  if (typeof value === 'number') return String(withoutNoise(value) + 0);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  let text = known.get(value);
  if (text !== undefined) return text;
  text = Array.isArray(value) ? `[${joined(value, (item) => contents(item, known))}]` : `{${fieldsOf(value, known)}}`;
  workOnText(4 * text.length);
  known.set(value, text);
  return text;
}

function fieldsOf(record: WfRecord, known: Map<Value, string>): string {
  const keys = Object.keys(record).filter((key) => record[key] !== null && record[key] !== undefined);
  return joined(keys.sort(), (key) => `${JSON.stringify(key)}:${contents(record[key], known)}`);
}

/** The texts with commas between them. @throws WfError for more than 64 MB */
function joined<T>(parts: readonly T[], textOf: (part: T) => string): string {
  let text = '';
  for (let index = 0; index < parts.length; index++) {
    // A position within the list.
    text += (index === 0 ? '' : ',') + textOf(parts[index] as T);
    if (text.length > mostText) throw tooMuchText();
  }
  return text;
}
