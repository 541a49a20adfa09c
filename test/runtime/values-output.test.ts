// Equality, output, and input from foreign code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../runtime/in-turns.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { WfError } from '../../runtime/values/errors.js';
import { parseJson } from '../../runtime/values/json.js';
import { longOutput } from '../../runtime/values/output.js';
import { record } from '../../runtime/values/record.js';
import { equal, output, plain, show } from '../../runtime/values/values.js';
import * as any from './arbitraries.js';

const withCode = (code: string) => (error: unknown) => error instanceof WfError && error.code === code;

test('compares values by content', () => {
  const same: [Value, Value][] = [
    [null, undefined],
    [0.1 + 0.2, 0.3],
    [0, -0],
    [
      [1, [null]],
      [1, [undefined]],
    ],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: null }, {}],
    [{ a: 0.1 + 0.2 }, { a: 0.3 }],
    [record([['__proto__', 1]]), record([['__proto__', 1]])],
  ];
  const different: [Value, Value][] = [
    [6, '6'],
    [true, 'true'],
    [0, false],
    [0, null],
    ['', null],
    [[], {}],
    [[], null],
    [{}, null],
    [[1], [1, null]],
    [{ a: 1 }, { a: 1, b: 0 }],
    [{ a: 1 }, {}],
    [{ toString: null, a: 1 }, { a: 2 }],
    [record([['__proto__', 1]]), {}],
    [{}, record([['constructor', 1]])],
  ];
  for (const [left, right] of same) assert.ok(equal(left, right) && equal(right, left), `${show(left)} is ${show(right)}`);
  for (const [left, right] of different)
    assert.ok(!equal(left, right) && !equal(right, left), `${show(left)} is not ${show(right)}`);
});

test('a missing field never equals a member of a prototype', () => {
  const inherited: Value = {}.toString as unknown as Value; // Only a broken comparison could reach it.
  assert.equal(equal({ toString: inherited }, {}), false);
});

test('equality is reflexive, symmetric and holds for a copy', () => {
  fc.assert(
    fc.property(any.value, any.value, (left, right) => {
      assert.equal(equal(left, left), true);
      assert.equal(equal(left, structuredClone(left)), true);
      assert.equal(equal(left, right), equal(right, left));
      assert.equal(equal(left, output(left)), true);
    }),
  );
});

test('comparing deeply nested values is an error, not a crash', () => {
  assert.equal(equal(any.nested(1000), any.nested(1000)), true);
  assert.throws(() => equal(any.nested(100_000), any.nested(100_000)), withCode('WF619'));
});

test('output is JSON, without noise, with own fields', () => {
  const data = record([
    ['__proto__', 0.1 + 0.2],
    ['list', [undefined, -0, 1 / 3]],
    ['none', undefined],
  ]);
  assert.equal(JSON.stringify(output(data)), '{"__proto__":0.3,"list":[null,0,0.3333333333333333],"none":null}');
  assert.equal(Object.is(output(-0), 0), true);
  assert.equal(output(undefined), null);
});

test('shares what needs no change, and never changes the original', () => {
  const row = { a: 1, b: ['x', null] };
  const rows = [row, { n: 0.1 + 0.2 }];
  const put = output(any.deepFreeze(rows));
  assert.ok(Array.isArray(put) && put[0] === row && put !== rows);
  assert.equal(output(row), row);
  fc.assert(fc.property(any.value, (value) => void output(any.deepFreeze(value))));
});

test('output can be written and read back', () => {
  fc.assert(
    fc.property(any.value, (value) => {
      const put = output(value);
      const read = parseJson(JSON.stringify(put));
      assert.ok(read.ok);
      assert.equal(JSON.stringify(read.value), JSON.stringify(put));
    }),
  );
});

test('long output is the same, in turns, with its JSON', () => {
  const check = (value: Value[] | WfRecord): void => {
    const { put, json } = atOnce(longOutput(any.deepFreeze(value)));
    assert.deepEqual(put, output(value));
    assert.equal(put === value, output(value) === value);
    assert.equal(json, JSON.stringify(output(value)));
  };
  fc.assert(fc.property(any.value, (value) => check([value])));
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
  const long = record(keys.map((key) => [key, key]));
  check({ ...long, noise: 0.1 + 0.2, __proto__x: undefined, more: [long, long, '\u0000"'] });
  let turns = 0;
  for (const steps = longOutput([long, keys]); steps.next().done !== true; ) turns++;
  assert.ok(turns > 5 && turns < 20, `${turns} turns`);
  assert.throws(() => atOnce(longOutput([any.nested(1_001)])), withCode('WF619'));
  const text = 'x'.repeat(1024 * 1024);
  assert.throws(() => atOnce(longOutput(Array.from({ length: 65 }, () => text))), withCode('WF620'));
});

test('excessive depth or repetition is an error, not a crash', () => {
  assert.throws(() => output(any.nested(1001)), withCode('WF619'));
  const fields: Value = Array.from({ length: 100_000 }).reduce<Value>((inner) => ({ inner }), {});
  assert.throws(() => output(fields), withCode('WF619'));
  let bomb: Value = Array.from({ length: 1_000_000 }, () => 1);
  for (let level = 0; level < 40; level++) bomb = [bomb, bomb];
  assert.throws(() => output(bomb), withCode('WF620'));
});

test('what is contained many times is put out once, at each depth', () => {
  const row: Value = { amount: 0.1 + 0.2, name: 'x' };
  let shared: Value = Array.from({ length: 40 }, () => row);
  for (let level = 0; level < 6; level++) shared = level % 2 === 0 ? [shared, [shared]] : { one: shared, other: shared };
  const put = output(shared);
  assert.equal(show(put), JSON.stringify(JSON.parse(JSON.stringify(shared), (_, value) => (value === 0.1 + 0.2 ? 0.3 : value))));
  const { one, other } = put as WfRecord;
  assert.equal(one, other);
  // It fits at its first place, and is nested too deeply at the second one.
  let deep: Value = Array.from({ length: 100 }, () => 1);
  for (let level = 0; level < 600; level++) deep = [deep];
  let deeper: Value = deep;
  for (let level = 0; level < 600; level++) deeper = [deeper];
  assert.throws(() => output([deep, deeper]), withCode('WF619'));
});

test('converts foreign data to plain data', () => {
  class Order {
    id = 7;
    #secret = 1;
    get total(): number {
      return this.#secret;
    }
  }
  const shared = { x: 1 };
  const foreign = {
    date: new Date(Date.UTC(2026, 2, 1)),
    broken: new Date(Number.NaN),
    order: new Order(),
    map: new Map<unknown, unknown>([
      ['k', 1],
      [2, 'two'],
      [{}, 'no name'],
    ]),
    set: new Set(['a']),
    small: 12n,
    big: 12345678901234567890n,
    round: 10n ** 20n,
    nan: Number.NaN,
    far: Number.POSITIVE_INFINITY,
    run: () => 1,
    symbol: Symbol('s'),
    [Symbol('key')]: 1,
    url: new URL('https://example.com/a'),
    bare: Object.assign(Object.create(null), { y: 2 }),
    list: Object.assign(new Array(3), { 2: 3 }),
    twice: [shared, shared],
    proto: JSON.parse('{"__proto__":{"polluted":true}}'),
  };
  assert.equal(
    JSON.stringify(plain(foreign)),
    '{"date":"2026-03-01T00:00:00.000Z","broken":null,"order":{"id":7},"map":{"2":"two","k":1},"set":["a"],"small":12,' +
      '"big":"12345678901234567890","round":100000000000000000000,"nan":null,"far":null,"run":null,"symbol":null,' +
      '"url":"https://example.com/a","bare":{"y":2},"list":[null,null,3],"twice":[{"x":1},{"x":1}],"proto":{"__proto__":{"polluted":true}}}',
  );
  assert.equal('polluted' in {}, false);
});

test('foreign data that cannot be read is an error of the workflow', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = [cycle];
  const getter = Object.defineProperty({}, 'x', { enumerable: true, get: () => assert.fail('no entry') });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  for (const foreign of [cycle, getter, revoked.proxy, { toJSON: () => assert.fail('no entry') }]) {
    assert.throws(() => plain(foreign), withCode('WF621'));
  }
  assert.throws(() => plain(any.nested(100_000)), withCode('WF619'));
});

test('copies plain data unchanged', () => {
  fc.assert(
    fc.property(any.value, (value) => {
      const copy = plain(any.deepFreeze(value));
      assert.ok(equal(copy, value));
      if (typeof value === 'object' && value !== null) assert.notEqual(copy, value);
    }),
  );
});
