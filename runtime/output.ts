// A value of a run → the value that leaves it: only JSON's own types, numbers tidied. Its own file, because it walks the largest
// data that a run has and is written for that: whatever is right already is shared, not copied.
import { tooDeep, tooLarge } from './complaints.js';
import { tidy } from './tidy.js';
import type { Value, WfRecord } from './types.js';

/**
 * Levels that lists and records may stand inside each other when they are shown, compared or put out. JSON.stringify recurses and
 * has a few thousand levels of stack; other parts of a host may recurse with larger frames.
 */
export const deepestValue = 1000;

/** More than the largest input file has room for; reached only where a value holds another one many times over. */
const mostValues = 50_000_000;

/** What one walk has left to visit, so that a list that holds another one 2^40 times over ends in an error. */
interface Budget {
  values: number;
}

/**
 * The value as it is put out: a missing value is `null`, numbers are tidied, -0 is 0; own fields only, `__proto__` among them.
 * Parts that need no change are shared with the original.
 * @throws WfError for more than 1,000 levels or 50,000,000 values.
 */
export function output(value: Value): Value {
  return typeof value === 'object' && value !== null ? outputOf(value, 1, { values: mostValues }) : scalar(value);
}

function scalar(value: Exclude<Value, Value[] | WfRecord>): Value {
  if (typeof value === 'number') return tidyOutput(value);
  return value === undefined ? null : value;
}

function tidyOutput(number: number): number | null {
  if (number === 0) return 0;
  if (Math.trunc(number) === number) return Number.isFinite(number) ? number : null;
  return Number.isNaN(number) ? null : tidy(number);
}

function outputOf(value: Value[] | WfRecord, depth: number, budget: Budget): Value {
  if (depth > deepestValue) throw tooDeep(deepestValue);
  return Array.isArray(value) ? outputList(value, depth, budget) : outputRecord(value, depth, budget);
}

function outputList(list: Value[], depth: number, budget: Budget): Value[] {
  spend(budget, list.length);
  let copy: Value[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    const put = typeof item === 'object' && item !== null ? outputOf(item, depth + 1, budget) : scalar(item);
    if (Object.is(put, item)) continue;
    copy ??= list.slice();
    copy[index] = put;
  }
  return copy ?? list;
}

function outputRecord(record: WfRecord, depth: number, budget: Budget): WfRecord {
  const keys = Object.keys(record);
  spend(budget, keys.length);
  let copy: WfRecord | undefined;
  for (const key of keys) {
    const item = record[key];
    const put = typeof item === 'object' && item !== null ? outputOf(item, depth + 1, budget) : scalar(item);
    if (Object.is(put, item)) continue;
    // The copy has this key as its own, so that the assignment below reaches data even where the key is `__proto__`.
    copy ??= { ...record };
    copy[key] = put;
  }
  return copy ?? record;
}

function spend(budget: Budget, values: number): void {
  budget.values -= values;
  if (budget.values < 0) throw tooLarge('a list or record of more than 50,000,000 values');
}
