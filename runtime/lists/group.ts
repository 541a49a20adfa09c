// `orders grouped by country` and `unique of …`. Finds equal values by key instead of comparing all pairs: values that are equal in the language
// have the same key.

import { atOnce, inChunks, type Steps } from '../in-turns.js';
import type { SourceLocation, Value, WfRecord } from '../types.js';
import { mostText } from '../values/json-size.js';
import { withoutNoise } from '../values/number-format.js';
import { tooMuchText } from '../values/output.js';
import { workload, workOnText } from '../workload.js';
import { fieldReader } from './field-of-each.js';
import { listOf } from './list-operand.js';

/**
 * Records with `key` and `items`, in order of first appearance. Items without the field have the key `empty`.
 * @throws WfError for anything but a list, and for items without fields
 */
export function groupedBy(value: Value, keys: readonly string[], location?: SourceLocation): WfRecord[] {
  return atOnce(groupedSteps(value, keys, location));
}

/** As `groupedBy`, in turns. */
export function* groupedSteps(value: Value, keys: readonly string[], location?: SourceLocation): Steps<WfRecord[]> {
  const list = listOf('grouped by', value, location);
  const read = fieldReader(keys, location);
  const groups = new Map<unknown, Value[]>();
  const made: WfRecord[] = [];
  yield* inChunks(list.length, (start, end) => {
    let index = start;
    do {
      const item = list[index];
      const found = read(item, index);
      const key = valueKey(found);
      const items = groups.get(key);
      if (items !== undefined) items.push(item);
      else {
        const first: Value[] = [item];
        groups.set(key, first);
        made.push({ key: found ?? null, items: first });
      }
      index++;
    } while (index < end && !workload.isDue);
    return index;
  });
  return made;
}

/** The list without repeated values. Of equal values, the first is kept. @throws WfError for anything but a list */
export function uniqueOf(value: Value, location?: SourceLocation): Value[] {
  return atOnce(uniqueSteps(value, location));
}

/** As `uniqueOf`, in turns. */
export function* uniqueSteps(value: Value, location?: SourceLocation): Steps<Value[]> {
  const list = listOf('unique of', value, location);
  const seen = new Set<unknown>();
  const kept: Value[] = [];
  yield* inChunks(list.length, (start, end) => {
    let index = start;
    do {
      const item = list[index++];
      const key = valueKey(item);
      if (!seen.has(key)) {
        seen.add(key);
        kept.push(item);
      }
    } while (index < end && !workload.isDue);
    return index;
  });
  return kept;
}

/** Starts the key of a list or record. No text of a workflow contains it. */
const COMPOUND = '\ufdd2';

/**
 * The key of a value: numbers without noise, `empty` as null, lists and records by content. The order of fields and `empty` fields make no
 * difference.
 * @throws WfError for a list or record of more than 64 MB as text
 */
function valueKey(value: Value): string | number | boolean | null {
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
