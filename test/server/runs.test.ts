// `runs at once:`: with a store, requests wait in line, in order; without one, they are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunsInLine } from '../../src/server/workflows/runs.js';

test('further runs get their turn in order, and each workflow has its own line', async () => {
  const line = new RunsInLine(true);
  const begun: number[] = [];
  const enter = (n: number): Promise<void> => {
    const turn = line.enter('order', 2);
    assert.notEqual(turn, 'full');
    return Promise.resolve(turn === 'full' ? undefined : turn).then(() => void begun.push(n));
  };
  const all = [1, 2, 3, 4].map(enter);
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(begun, [1, 2]);
  assert.equal(line.enter('other', 1), undefined);
  line.leave('order');
  await all[2];
  assert.deepEqual(begun, [1, 2, 3]);
  line.leave('order');
  await all[3];
  line.leave('order');
  // One has left without a successor.
  assert.equal(line.enter('order', 2), undefined);
  assert.notEqual(line.enter('order', 2), undefined);
});

test('runs that continue without a request count, and never wait', async () => {
  const line = new RunsInLine(true);
  const ends: (() => void)[] = [];
  for (let n = 0; n < 2; n++) line.continues('order', new Promise<void>((resolve) => ends.push(resolve)));
  let hasTurn = false;
  const turn = line.enter('order', 1);
  assert.ok(turn instanceof Promise);
  const begun = turn.then(() => {
    hasTurn = true;
  });
  ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasTurn, false);
  ends[1]?.();
  await begun;
  assert.ok(line.enter('order', 1) instanceof Promise);
});

test('without a store, and beyond a thousand, there is no line', () => {
  const none = new RunsInLine(false);
  assert.deepEqual([none.enter('order', 1), none.enter('order', 1)], [undefined, 'full']);
  none.leave('order');
  assert.equal(none.enter('order', 1), undefined);
  const long = new RunsInLine(true);
  assert.equal(long.enter('order', 1), undefined);
  for (let n = 0; n < 1_000; n++) assert.ok(long.enter('order', 1) instanceof Promise);
  assert.equal(long.enter('order', 1), 'full');
});
