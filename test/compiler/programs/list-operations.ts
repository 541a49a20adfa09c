// Operations on lists and records, written only from docs/values.md.
import { count } from './text-operations.js';
import { calculate, equal, Fault, field, isList, isRecord, order, readyMade, type Val } from './values.js';

/** The list; an empty one for `empty`. */
const listOf = (value: Val): readonly Val[] => {
  if (value === null) return [];
  if (!isList(value)) throw new Fault('needs a list');
  return value;
};

/** By their words, with a `#` for each operand. */
export const listOperations: Readonly<Record<string, (...operands: readonly Val[]) => Val>> = {
  'first # of #': (most = null, list = null) => listOf(list).slice(0, count(most)),
  'last # of #': (most = null, list = null) => {
    const [items, length] = [listOf(list), count(most)];
    return items.filter((_, index) => index >= items.length - length);
  },
  'reversed #': (list = null) => [...listOf(list)].reverse(),
  'position of # in #': (sought = null, list = null) => {
    const index = listOf(list).findIndex((item) => equal(item, sought));
    return index === -1 ? null : index;
  },
  'fields of #': (value = null) => {
    if (value === null) return [];
    if (!isRecord(value)) throw new Fault('needs a record');
    return [...value.keys()];
  },
  'unique of #': (list = null) => {
    const items = listOf(list);
    return items.filter((item, index) => items.findIndex((other) => equal(other, item)) === index);
  },
  'highest of #': (list = null) => extreme(listOf(list), 1),
  'lowest of #': (list = null) => extreme(listOf(list), -1),
  'average of #': (list = null) => {
    const items = listOf(list).filter((item) => item !== null);
    const sum = readyMade('sum of', items);
    return items.length === 0 ? null : calculate('divided by', sum, items.length);
  },
};

function extreme(list: readonly Val[], sign: 1 | -1): Val {
  const items = list.filter((item) => item !== null);
  for (const item of items) order(item, items[0] ?? null);
  return items.reduce<Val>((best, item) => (best === null || order(item, best) * sign > 0 ? item : best), null);
}

/** Equal items keep their order, also if the others descend. */
export function sorted(value: Val, keys: readonly string[], isDescending: boolean): Val[] {
  const items = listOf(value).map((item) => ({ item, key: keys.reduce(field, item) }));
  for (const { key } of items) order(key, items[0]?.key ?? null);
  const sign = isDescending ? -1 : 1;
  return items.sort((one, other) => sign * order(one.key, other.key)).map(({ item }) => item);
}

export function grouped(value: Val, keys: readonly string[]): Val[] {
  const groups: { readonly key: Val; readonly items: Val[] }[] = [];
  for (const item of listOf(value)) {
    const key = keys.reduce(field, item);
    const group = groups.find((other) => equal(other.key, key));
    if (group === undefined) groups.push({ key, items: [item] });
    else group.items.push(item);
  }
  return groups.map(
    ({ key, items }) =>
      new Map<string, Val>([
        ['key', key],
        ['items', items],
      ]),
  );
}
