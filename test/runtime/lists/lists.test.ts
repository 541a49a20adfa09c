// Sorting, grouping, extremes and parts of lists, compared with slow definitions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  averageOf,
  fieldOfEach,
  fieldsOf,
  firstItems,
  groupedBy,
  highestOf,
  lastItems,
  lowestOf,
  positionOf,
  reversed,
  uniqueOf,
} from '../../../runtime/lists/list-operations.js';
import { sorted } from '../../../runtime/lists/sort.js';
import type { Value } from '../../../runtime/types.js';
import { numberOrder, textOrder } from '../../../runtime/values/comparison.js';
import { equal } from '../../../runtime/values/equal.js';
import * as any from '../arbitraries.js';
import { at, messageOf } from '../failure.js';

const rows: Value = [
  { n: 'b', p: 2 },
  { n: 'a', p: 2 },
  { n: 'c', p: 1 },
];
const names = (list: readonly Value[]): Value[] => list.map((row) => (row as { n: string }).n);

test('sorts', () => {
  assert.deepEqual(names(sorted(rows, ['p'], false)), ['c', 'b', 'a']);
  assert.deepEqual(names(sorted(rows, ['p'], true)), ['b', 'a', 'c']);
  assert.deepEqual(sorted(['b', 'a', 'C'], [], false), ['C', 'a', 'b']);
  assert.deepEqual(sorted([10, 9, 2.5], [], false), [2.5, 9, 10]);
  assert.deepEqual(sorted([10, 9, 2.5], [], true), [10, 9, 2.5]);
  assert.deepEqual(sorted(null, ['x'], false), []);
  assert.deepEqual(sorted([{ a: { b: 2 } }, { a: { b: 1 } }], ['a', 'b'], false), [{ a: { b: 1 } }, { a: { b: 2 } }]);
  assert.deepEqual(names(rows), ['b', 'a', 'c'], 'the list itself stays');
});

test('sorting is stable, and follows the comparisons', () => {
  const check = <T extends Value>(values: T[], order: (one: T, other: T) => number, isDescending: boolean): void => {
    const records = values.map((value, index) => ({ value, index }));
    const slow = [...records].sort((one, other) => (isDescending ? -1 : 1) * order(one.value, other.value));
    assert.deepEqual(sorted(records, ['value'], isDescending), slow);
  };
  const few = fc.oneof(any.number, fc.integer({ min: 0, max: 3 }));
  fc.assert(fc.property(fc.array(few), fc.boolean(), (list, down) => check(list, numberOrder, down)));
  fc.assert(fc.property(fc.array(any.text), fc.boolean(), (list, down) => check(list, textOrder, down)));
});

test('reports what cannot be sorted', () => {
  const fails = (value: Value, keys: string[], code = 'WF628'): string =>
    messageOf(() => sorted(value, keys, false, at('request.rows')), code);
  assert.equal(
    fails([1, 'a'], []),
    'I can\'t compare the items of "request.rows": item 0 is a number (1) and item 1 is text ("a"), but "sorted" needs values of one kind. (Positions count from 0.)',
  );
  assert.equal(
    fails([{ p: 1 }, {}], ['p']),
    'I can\'t compare the items of "request.rows": "p" of item 0 is a number (1) and "p" of item 1 is empty, but "sorted by" needs values of one kind. (Positions count from 0.) To leave out the empty ones, write: each … in … where … exists.',
  );
  assert.match(fails([true, false], []), /item 0 is a boolean \(true\), but "sorted" needs numbers or text/);
  assert.match(fails([null, 2], []), /item 0 is empty and item 1 is a number \(2\)/);
  assert.match(fails([{}, [1]], []), /item 0 is a record, but/);
  assert.equal(fails(5, [], 'WF629'), 'I can\'t apply "sorted": "request.rows" is a number (5), but it needs a list.');
  assert.match(fails([5], ['p'], 'WF612'), /"request\.rows\.0" is a number/);
});

test('groups', () => {
  const mixed: Value = [
    { k: 1 },
    { k: '1' },
    {},
    { k: 1 },
    { k: '__proto__' },
    { k: null },
    { k: { a: 1, b: null } },
    { k: { a: 1 } },
  ];
  const groups = groupedBy(mixed, ['k']);
  assert.deepEqual(
    groups.map(({ key, items }) => [key, (items as Value[]).length]),
    [
      [1, 2],
      ['1', 1],
      [null, 2],
      ['__proto__', 1],
      [{ a: 1, b: null }, 2],
    ],
  );
  assert.deepEqual(groupedBy(null, ['k']), []);
  messageOf(() => groupedBy(5, ['k']), 'WF629');
});

test('groups and unique values follow equality', () => {
  const values = fc.array(
    fc.oneof(any.value, fc.constantFrom<Value>(0.1 + 0.2, 0.3, -0, 0, '0', null, [], {}, [null], { a: null })),
  );
  fc.assert(
    fc.property(values, (list) => {
      const slow: Value[] = [];
      for (const value of list) if (!slow.some((known) => equal(known, value))) slow.push(value);
      assert.deepEqual(uniqueOf(list), slow);
      const groups = groupedBy(
        list.map((k) => ({ k })),
        ['k'],
      );
      assert.deepEqual(
        groups.map(({ key }) => key),
        slow.map((value) => value ?? null),
      );
      for (const { key, items } of groups) for (const item of items as { k: Value }[]) assert.ok(equal(item.k, key));
    }),
  );
});

test('finds highest, lowest, average', () => {
  assert.equal(highestOf([3, 9, 2]), 9);
  assert.equal(lowestOf([3, 9, -2.5]), -2.5);
  assert.equal(highestOf([null, -2, -3]), -2);
  assert.equal(highestOf(['2026-03-01', null, '2026-10-01']), '2026-10-01');
  assert.equal(averageOf([1, 2, 6]), 3);
  assert.equal(averageOf([0.1, 0.2]), 0.15);
  assert.equal(averageOf([2, null, 4]), 3);
  for (const list of [null, [], [null]] as Value[])
    assert.deepEqual([highestOf(list), lowestOf(list), averageOf(list)], [null, null, null]);
  assert.match(
    messageOf(() => highestOf([null, 1, 'a'], at('request.mixed')), 'WF628'),
    /item 1 is a number \(1\) and item 2 is text \("a"\), but "highest of" needs values of one kind/,
  );
  assert.match(
    messageOf(() => lowestOf([{}]), 'WF628'),
    /item 0 is a record, but "lowest of" needs numbers or text/,
  );
  assert.match(
    messageOf(() => averageOf([1, 'a'], at('request.mixed')), 'WF615'),
    /item 1 is text \("a"\)/,
  );
});

test('takes parts of a list', () => {
  assert.deepEqual(firstItems(2, [1, 2, 3]), [1, 2]);
  assert.deepEqual(lastItems(2, [1, 2, 3]), [2, 3]);
  assert.deepEqual(firstItems(9, [1]), [1]);
  assert.deepEqual(lastItems(9, [1]), [1]);
  assert.deepEqual(lastItems(0, [1]), []);
  assert.deepEqual(firstItems(3, null), []);
  assert.deepEqual(reversed([1, 2, 3]), [3, 2, 1]);
  assert.equal(positionOf('b', ['a', 'b', 'b']), 1);
  assert.equal(positionOf({ a: 2 }, [{ a: 1 }, { a: 2 }]), 1);
  assert.equal(positionOf('z', null), null);
  assert.deepEqual(fieldsOf({ pear: 1, apple: 2 }), ['pear', 'apple']);
  assert.deepEqual(fieldsOf(undefined), []);
  assert.equal(
    messageOf(() => firstItems('x', [1], at('request.list', 'request.t')), 'WF638'),
    'I can\'t count the items: "request.t" is text ("x"), but it must be a whole number from 0.',
  );
  for (const count of [-1, 1.5, null] as Value[]) messageOf(() => lastItems(count, [1]), 'WF638');
  assert.match(
    messageOf(() => fieldsOf(5, at('request.n')), 'WF637'),
    /only a record has fields/,
  );
});

test('reads own fields only, even if the process has changed a prototype', () => {
  const list: Value = [{ rank: 1 }, {}];
  Object.defineProperty(Object.prototype, 'rank', { value: 2, configurable: true });
  try {
    assert.deepEqual(fieldOfEach(list, ['rank']), [1, null]);
    assert.deepEqual(
      groupedBy(list, ['rank']).map(({ key }) => key),
      [1, null],
    );
  } finally {
    Reflect.deleteProperty(Object.prototype, 'rank');
  }
});
