// Reading and setting fields; lists for loops and `add`; the guard against changed prototypes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Value } from '../../runtime/types.js';
import { assertPlain, field, items, ownList, PROTOTYPE_KEYS, setField } from '../../runtime/values/fields.js';
import { parseJson } from '../../runtime/values/json.js';
import { record } from '../../runtime/values/record.js';
import { equal, show } from '../../runtime/values/values.js';
import { runs } from '../root.js';
import * as any from './arbitraries.js';
import { at, messageOf } from './failure.js';

const read = (value: Value, ...keys: string[]): Value => keys.reduce<Value>((owner, key) => field(owner, key), value);

test('fields, items and counts', () => {
  const request: Value = { user: { 'last-name': 'L' }, items: ['a', 'b'], box: { count: 'mine' }, bare: {} };
  assert.equal(read(request, 'user', 'last-name'), 'L');
  assert.equal(read(request, 'items', '1'), 'b');
  assert.equal(read(request, 'items', '9') ?? null, null);
  assert.equal(read(request, 'items', '01') ?? null, null);
  assert.equal(read(request, 'items', 'length') ?? null, null);
  assert.equal(read(request, 'items', 'count'), 2);
  assert.equal(read(request, 'box', 'count'), 'mine');
  assert.equal(read(request, 'bare', 'count') ?? null, null);
  assert.equal(read(request, 'nope', 'deeper', 'count') ?? null, null);
  assert.equal(field('f\u{1f600}ur', 'count'), 4);
});

test('a field of a number, boolean or text names what it was read from', () => {
  assert.equal(
    messageOf(() => field(5, 'b', at('request.a.b')), 'WF612'),
    'I can\'t read "b": "request.a" is a number (5), but only records and lists have fields.',
  );
  assert.equal(
    messageOf(() => field('Ada', 'first', at('request.name.first.letter')), 'WF612'),
    'I can\'t read "first": "request.name" is text ("Ada"), but only records and lists have fields.',
  );
  messageOf(() => field(true, 'count'), 'WF612');
  messageOf(() => field('text', '0'), 'WF612');
  messageOf(() => field('text', 'length'), 'WF612');
});

test('no key reads a prototype, and own data with that name is data', () => {
  for (const key of PROTOTYPE_KEYS) {
    assert.equal(field({}, key) ?? null, null, key);
    assert.equal(field([], key) ?? null, null, key);
    assert.equal(field(record([[key, 'mine']]), key), 'mine', key);
    const parsed = parseJson(`{${JSON.stringify(key)}:"mine"}`);
    assert.ok(parsed.ok);
    assert.equal(field(parsed.value, key), 'mine', key);
  }
});

test('whatever is read is part of the data', () => {
  fc.assert(
    fc.property(any.value, any.key, (value, key) => {
      if (typeof value === 'object' && value !== null) {
        const got = field(value, key);
        const own: Value[] = [null, undefined, ...Object.values(value), ...(Array.isArray(value) ? [value.length] : [])];
        assert.ok(own.some((item) => Object.is(item, got)));
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('setting a field copies what is on the path', () => {
  const order = any.deepFreeze({ id: 1, meta: { by: 'x', tags: ['a'] }, lines: [{ n: 1 }] });
  assert.deepEqual(setField(order, ['total'], 5), { ...order, total: 5 });
  const changed = setField(order, ['meta', 'by'], 'wf');
  assert.deepEqual(changed, { ...order, meta: { by: 'wf', tags: ['a'] } });
  assert.equal(read(changed, 'meta', 'tags'), order.meta.tags);
  assert.deepEqual(setField(null, ['a', 'b'], 1), { a: { b: 1 } });
  assert.deepEqual(setField({ a: null }, ['a', 'b'], 1), { a: { b: 1 } });
});

test('a field set under any name is own data and reads back; the original and every prototype stay unchanged', () => {
  fc.assert(
    fc.property(any.value, fc.array(any.key, { minLength: 1, maxLength: 3 }), any.value, (value, keys, put) => {
      const root = typeof value === 'object' && !Array.isArray(value) ? value : null;
      const before = show(root);
      any.deepFreeze(root ?? {});
      let changed: Value;
      try {
        changed = setField(root, keys, put);
      } catch (error) {
        assert.match(String(error), /only a record has fields to set/);
        return;
      }
      assert.ok(equal(read(changed, ...keys), put));
      assert.equal(show(root), before);
      for (const key of keys) assert.equal(Object.hasOwn(Object.prototype, key), key in Object.prototype);
    }),
    { numRuns: runs(3000) },
  );
  assert.equal(Object.keys(Object.prototype).length, 0);
  const polluting = setField({}, ['__proto__', 'polluted'], true);
  assert.equal('polluted' in {}, false);
  assert.equal(show(polluting), '{"__proto__":{"polluted":true}}');
});

test('only a record has fields to set', () => {
  assert.equal(
    messageOf(() => setField({ n: 5 }, ['n', 'x'], 1, at('order.n.x')), 'WF613'),
    'I can\'t set "x": "order.n" is a number (5), but only a record has fields to set.',
  );
  assert.match(
    messageOf(() => setField([1], ['0'], 1, at('rows.0')), 'WF613'),
    /"rows" is a list of 1 item/,
  );
  messageOf(() => setField('text', ['x'], 1), 'WF613');
});

test('prepares lists for loops and for add', () => {
  const list: Value[] = [1, 2];
  assert.equal(items(list), list);
  assert.deepEqual(items(null), []);
  const own = ownList(list);
  own.push(3);
  assert.deepEqual(list, [1, 2]);
  assert.deepEqual(ownList(undefined), []);
  assert.equal(
    messageOf(() => items(5, at('request.a')), 'WF610'),
    'I can\'t loop: "request.a" is a number (5), but "for each" needs a list.',
  );
  assert.equal(
    messageOf(() => ownList('x', at('seen')), 'WF611'),
    'I can\'t add an item: "seen" is text ("x"), but "add" needs a list.',
  );
  messageOf(() => items({ a: 1 }), 'WF610');
});

test('the guard detects a changed prototype', () => {
  assertPlain(['price', 'name']);
  for (const prototype of [Object.prototype, Array.prototype]) {
    Object.defineProperty(prototype, 'price', { value: 1, configurable: true });
    try {
      assert.throws(() => assertPlain(['name', 'price']), /"price"/);
    } finally {
      Reflect.deleteProperty(prototype, 'price');
    }
  }
});

test('the guard knows every name on the prototypes of this Node.js', () => {
  for (const key of [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)]) {
    assert.ok(PROTOTYPE_KEYS.has(key), key);
  }
});
