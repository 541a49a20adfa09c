import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongOutcomes } from '../../src/engine/long-outcomes.js';

const GB = 1024 ** 3;

/** Enters each of these, and says who has a turn. */
function entered(room: LongOutcomes, runs: readonly { name: string }[]): Set<string> {
  const having = new Set<string>();
  for (const run of runs) void room.enter(run).then(() => having.add(run.name));
  return having;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const runs = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
const [a = { name: '' }, b = { name: '' }, c = { name: '' }] = runs;

test('as many runs have a long outcome at a time as the heap has room for, in the order of their arrival', async () => {
  const room = new LongOutcomes(GB);
  const having = entered(room, runs);
  await turn();
  assert.deepEqual([...having], ['a', 'b']);
  room.leave(a);
  await turn();
  assert.deepEqual([...having], ['a', 'b', 'c']);
});

test('in a small heap, it is one; runs that end while they wait are no one’s turn', async () => {
  const room = new LongOutcomes(GB / 4);
  const having = entered(room, runs);
  room.leave(b);
  room.leave(c);
  room.leave({});
  await turn();
  assert.deepEqual([...having], ['a']);
  room.leave(a);
  room.leave(a);
  await turn();
  assert.deepEqual([...having], ['a', 'd']);
});
