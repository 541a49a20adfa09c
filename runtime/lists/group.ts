// `orders grouped by country` and `unique of …`. Finds equal values by key instead of comparing all pairs.
import { atOnce, inChunks, type Steps } from '../in-turns.js';
import type { SourceLocation, Value, WfRecord } from '../types.js';
import { workload } from '../workload.js';
import { fieldReader } from './field-reader.js';
import { listOf } from './list-operand.js';
import { valueKey } from './value-key.js';

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
