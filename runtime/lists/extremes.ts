// `highest of`, `lowest of`, `average of`. Empty items don't count.

import { atOnce, type Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { sumOf } from '../values/builtins.js';
import { numberOrder, textOrder } from '../values/comparison.js';
import { workload } from '../workload.js';
import { listOf, noCommonOrder, notAverageable } from './list-operand.js';

/** The largest number, or the text that sorts last; `empty` if there is none. @throws WfError for items of different kinds */
export function highestOf(value: Value, location?: SourceLocation): Value {
  return atOnce(extreme('highest of', 1, value, location));
}

/** As `highestOf`, in turns. */
export const highestSteps = (value: Value, location?: SourceLocation): Steps<Value> => extreme('highest of', 1, value, location);

/** The smallest number, or the text that sorts first, as `highestOf`. */
export function lowestOf(value: Value, location?: SourceLocation): Value {
  return atOnce(extreme('lowest of', -1, value, location));
}

/** As `lowestOf`, in turns. */
export const lowestSteps = (value: Value, location?: SourceLocation): Steps<Value> => extreme('lowest of', -1, value, location);

function* extreme(word: string, sign: 1 | -1, value: Value, location: SourceLocation | undefined): Steps<Value> {
  const list = listOf(word, value, location);
  let best: string | number | undefined;
  let bestIndex = 0;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === null || item === undefined) continue;
    if (best === undefined && (typeof item === 'number' || typeof item === 'string')) [best, bestIndex] = [item, index];
    else if (typeof item === 'number' && typeof best === 'number') {
      if (numberOrder(item, best) * sign > 0) [best, bestIndex] = [item, index];
    } else if (typeof item === 'string' && typeof best === 'string') {
      if (textOrder(item, best) * sign > 0) [best, bestIndex] = [item, index];
    } else {
      const before = best === undefined ? undefined : { index: bestIndex, value: best };
      const here = { index, value: item };
      throw noCommonOrder(word, '', before ?? here, before === undefined ? undefined : here, location);
    }
    if (index % 4_096 === 4_095 || workload.isDue) yield;
  }
  return best ?? null;
}

/** The sum divided by the number of items that are not empty; `empty` if there are none. @throws WfError for an item that is not a number */
export function averageOf(value: Value, location?: SourceLocation): Value {
  const list = listOf('average of', value, location);
  let count = 0;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === null || item === undefined) continue;
    if (typeof item !== 'number') throw notAverageable(item, index, location);
    count++;
  }
  return count === 0 ? null : sumOf(list as Value[], location) / count; // only read
}
