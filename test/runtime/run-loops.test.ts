// Long loops let other work run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, type Main } from '../../runtime/define.js';
import { call } from '../../runtime/services/call.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import { processorTime } from '../processor-time.js';
import { runMain } from '../services/stub.js';

/** A loop as the compiler emits it; each round takes about `roundUs` microseconds. */
const loop =
  (rounds: number, roundUs = 0): Main =>
  async (run) => {
    let fuel = run.refuel();
    let sum = 0;
    for (let i = 0; i < rounds; ) {
      const stop = Math.min(rounds, i + fuel);
      fuel -= stop - i;
      for (; i < stop; i++) {
        sum += i;
        if (roundUs > 0) {
          const until = performance.now() + roundUs / 1000;
          while (performance.now() < until);
        }
      }
      if (fuel <= 0) fuel = run.refuel() || (await run.yieldToEventLoop());
    }
    return completed([['sum', sum]]);
  };

/** A loop over a plugin that answers immediately, and so never releases the event loop. */
const callingLoop =
  (rounds: number): Main =>
  async (run) => {
    const service = { name: 'P', kind: 'plugin', load: async () => ({ call: () => ({ value: 1 }) }) } as const;
    let fuel = run.refuel();
    for (let i = 0; i < rounds; ) {
      const stop = Math.min(rounds, i + fuel);
      fuel -= stop - i;
      for (; i < stop; i++)
        await call(run, { service, verb: 'get', description: '', parameters: [], handled: false, location: [1, 1, 1], site: 0 });
      if (fuel <= 0) fuel = run.refuel() || (await run.yieldToEventLoop());
    }
    return undefined;
  };

/** Mean milliseconds of processor time between two turns of the event loop during the work. */
async function meanSilence(work: Promise<unknown>): Promise<number> {
  const took = processorTime();
  let turns = 0;
  let going = true;
  const look = (): void => {
    turns++;
    if (going) setImmediate(look);
  };
  setImmediate(look);
  await work;
  going = false;
  // Work that never yields ends before the first measurement: then it counts as one pause from start to end.
  return took() / (turns + 1);
}

for (const [title, work] of [
  ['five million light rounds', () => runMain(loop(5_000_000))],
  ['heavy rounds', () => runMain(loop(200, 1_000))],
  ['calls that are answered at once', () => runMain(callingLoop(20_000), { keepLog: false })],
  ['mock calls', () => runMain(callingLoop(50_000), { keepLog: false, mock: true })],
  ['twenty loops at once', () => Promise.all(Array.from({ length: 20 }, () => runMain(loop(30, 1_000))))],
] as const) {
  test(`${title}: others get their turn`, async () => {
    const silence = await meanSilence(work());
    // The target is 20 ms; a slow machine gets more.
    assert.ok(silence < 100, `${silence} ms`);
  });
}

test('the loop is right, whatever the slices', async () => {
  for (const rounds of [1, 15, 16, 17, 1_000, 100_001]) {
    assert.equal((await runMain(loop(rounds))).outputs?.sum, (rounds * (rounds - 1)) / 2);
  }
});

test('slices grow while they are quick, shrink when they are slow, and end when it is time to yield', () => {
  let now = 0;
  const portions = new TimeSlice(() => now);
  assert.equal(portions.next(), 32);
  assert.equal(portions.next(), 64);
  for (let index = 0; index < 20; index++) portions.next();
  assert.equal(portions.next(), 4_096);
  now += 4;
  assert.equal(portions.next(), 2_048);
  now += 4;
  assert.equal(portions.next(), 0);
  assert.ok(portions.released() > 0);
  now += 10_000;
  assert.equal(portions.next(), 0);
  assert.equal(portions.released(), 1);
});
