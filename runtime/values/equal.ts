// The `is` comparison, which membership and `contains` use, too.

import type { Value, WfRecord } from '../types.js';
import { work } from '../workload.js';
import { withoutNoise } from './number-format.js';
import { deepestValue } from './output.js';
import { tooDeep } from './value-errors.js';

/**
 * Deep equality. Values of different types are never equal; numbers are compared without noise; `null` and a missing value are
 * both `empty`, so `{"a": empty}` equals `{}`. The order of fields doesn't matter.
 * @throws WfError if both values are nested more than 1,000 levels deep
 */
export function equal(left: Value, right: Value): boolean {
  return equalAt(left, right, 1);
}

function equalAt(left: Value, right: Value, depth: number): boolean {
  if (left === right) return true;
  if (typeof left === 'number') return typeof right === 'number' && withoutNoise(left) === withoutNoise(right);
  if (left === null || left === undefined) return right === null || right === undefined;
  if (typeof left !== 'object' || typeof right !== 'object' || right === null) return false;
  if (depth > deepestValue) throw tooDeep(deepestValue);
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right, depth);
  return !Array.isArray(right) && equalRecords(left, right, depth);
}

function equalLists(left: Value[], right: Value[], depth: number): boolean {
  if (left.length !== right.length) return false;
  work(left.length);
  for (let index = 0; index < left.length; index++) {
    if (!equalAt(left[index], right[index], depth + 1)) return false;
  }
  return true;
}

function equalRecords(left: WfRecord, right: WfRecord, depth: number): boolean {
  const keys = Object.keys(left);
  work(keys.length);
  for (const key of keys) {
    if (!equalAt(left[key], Object.hasOwn(right, key) ? right[key] : null, depth + 1)) return false;
  }
  for (const key of Object.keys(right)) {
    if (right[key] !== null && right[key] !== undefined && !Object.hasOwn(left, key)) return false;
  }
  return true;
}
