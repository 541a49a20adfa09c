// Which run is ended, over a heap whose collections the test decides on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MemoryAccount, memoryWatch } from '../../runtime/run/run-memory.js';
import { type Heap, limitRunMemory, usualRunMemory } from '../../src/engine/memory-watch.js';

const LIMIT = 100;

interface FakeHeap extends Heap {
  /** What a run holds, and garbage, in bytes. */
  held: number;
  garbage: number;
  /** How often it was stopped for a collection. */
  stops: number;
  /** The engine collects by itself. */
  collected(): void;
}

function watched(t: import('node:test').TestContext, limit = 10_000): { heap: FakeHeap; open: () => MemoryAccount } {
  let listener = (): void => undefined;
  const heap: FakeHeap = {
    held: 0,
    garbage: 0,
    stops: 0,
    limit,
    used: () => 1_000 + heap.held + heap.garbage,
    onCollected(given) {
      listener = given;
    },
    collect() {
      heap.stops++;
      heap.garbage = 0;
    },
    collected() {
      heap.garbage = 0;
      listener();
    },
  };
  t.after(limitRunMemory(LIMIT, heap));
  return { heap, open: () => memoryWatch()?.open() ?? assert.fail() };
}

/** A part of a run that allocates. */
function works(heap: FakeHeap, account: MemoryAccount, held: number, garbage = 0): boolean {
  account.begin();
  heap.held += held;
  heap.garbage += garbage;
  return account.isOver();
}

test('ends a run that still holds too much after a collection', (t) => {
  const { heap, open } = watched(t);
  const run = open();
  assert.equal(works(heap, run, 150), false, 'it may be garbage');
  heap.collected();
  assert.equal(works(heap, run, 1), true);
});

test('does not end a run for its garbage, however much it is', (t) => {
  const { heap, open } = watched(t);
  const run = open();
  for (let round = 0; round < 50; round++) {
    assert.equal(works(heap, run, 1, 200), false);
    heap.collected();
    assert.equal(works(heap, run, 0, 1), false);
  }
});

test('does not end runs that only hold too much together', (t) => {
  const { heap, open } = watched(t);
  const runs = [1, 2, 3].map(open);
  for (let round = 0; round < 20; round++) {
    for (const run of runs) assert.equal(works(heap, run, 4, 40), false);
    heap.collected();
  }
});

test('ends the large one, not those beside it', (t) => {
  const { heap, open } = watched(t);
  const [large, small] = [open(), open()];
  for (let round = 0; round < 40; round++) {
    works(heap, large, 3);
    assert.equal(works(heap, small, 0, 0.1), false);
  }
  heap.collected();
  assert.equal(works(heap, small, 0, 0.1), false);
  assert.equal(works(heap, large, 0, 1), true);
});

test('stops for a collection only when the heap is almost full, and then ends the largest', (t) => {
  const { heap, open } = watched(t, 1_500);
  const [first, second] = [open(), open()];
  assert.equal(works(heap, first, 90), false);
  assert.equal(works(heap, second, 95, 20), true, 'of two that may stay otherwise');
  assert.equal(heap.stops, 1);
});

test('when many small runs fill the heap together, ends those that hold as much as others', (t) => {
  const { heap, open } = watched(t, 1_500);
  const small = open();
  works(heap, small, 1);
  const runs = Array.from({ length: 20 }, open);
  const ended = runs.filter((run) => {
    if (!works(heap, run, 20)) return false;
    heap.held -= 20;
    return true;
  });
  assert.equal(ended.length > 0 && ended.length < 20, true, `${ended.length} of 20`);
  assert.equal(works(heap, small, 1), false);
});

test('there is room for a value once garbage is gone, and none beside values that are held', (t) => {
  const { heap, open } = watched(t, 1_500);
  open();
  const hasRoom = (bytes: number) => memoryWatch()?.hasRoom?.(bytes);
  heap.garbage = 400;
  assert.deepEqual([hasRoom(10), heap.stops], [true, 1]);
  heap.held = 400;
  assert.equal(hasRoom(10), false);
});

test('counts what services answer', (t) => {
  const { heap, open } = watched(t);
  const run = open();
  heap.held += 200;
  run.add(100);
  assert.equal(works(heap, run, 0), false);
  heap.collected();
  assert.equal(works(heap, run, 0), true);
});

test('forgets a run that has ended', (t) => {
  const { heap, open } = watched(t);
  const [ended, run] = [open(), open()];
  works(heap, ended, 90);
  works(heap, run, 60);
  ended.close();
  heap.held -= 90;
  heap.collected();
  assert.equal(works(heap, run, 20), false);
});

test('a quarter of a small heap, and 256 MB of a large one', () => {
  assert.equal(usualRunMemory({ limit: 400 }), 100);
  assert.equal(usualRunMemory({ limit: 8 * 1024 ** 3 }), 256 * 1024 ** 2);
});
