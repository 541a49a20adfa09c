// Long loops let other work run.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { completed, type Main } from '../../runtime/define.js';
import { Run } from '../../runtime/run/run.js';
import { call } from '../../runtime/services/call.js';
import type { WfRecord } from '../../runtime/types.js';
import { TimeSlice } from '../../runtime/workload.js';
import { compile } from '../../src/compiler/compile.js';
import { workflow } from '../commands/wf.js';
import { loadEmitted } from '../compiler/load-emitted.js';
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

// Costly rounds of a loop use up its time slice: it checks the clock after a few of them, however many cheap rounds came before.
// Counts checks instead of measuring time.

const HEAVY = 24;

/** Values that take a fraction of a millisecond to read. */
const request: WfRecord = {
  record: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, index])),
  numbers: Array.from({ length: 60_000 }, (_, index) => index),
  rows: Array.from({ length: 60_000 }, (_, index) => ({ n: index })),
  text: 'x'.repeat(600_000),
  words: 'a b '.repeat(30_000),
  light: Array.from({ length: 4_000 }, () => 1),
  heavy: Array.from({ length: HEAVY }, (_, index) => index),
};

/**
 * Maximum rounds between two checks of the clock, in a loop with this statement after one of cheap rounds. At most one if the statement
 * checks the clock itself in each round.
 */
async function roundsBetweenLooks(t: TestContext, statement: string): Promise<number> {
  const all = t.mock.method(Run.prototype, 'nextSlice').mock;
  const text = workflow(
    ['set copy to request.record', 'set list to request.numbers', 'set total to 0', 'set found to 0']
      .concat('for each one in request.light:', '    set total to total plus one')
      .concat('for each item in request.heavy:', `    ${statement}`, 'complete with total total')
      .map((line) => `    ${line}`)
      .join('\n'),
  );
  const compiled = compile(Buffer.from(text), { file: 'costly.wf' });
  assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics));
  const { run } = await loadEmitted(compiled.emitted.code);
  const loops: { readonly rounds: number; readonly total: number }[] = [];
  const { status, message } = await run(request, {
    env: {},
    onProgress: (_line, rounds, total) => void loops.push({ rounds, total }),
  });
  assert.equal(status, 'completed', `${statement}: ${message}`);
  // Of the first few copies, none is counted.
  if (all.callCount() - loops.length >= HEAVY - 8) return 1;
  const looks = loops.filter(({ total }) => total === HEAVY).map(({ rounds }) => rounds);
  return Math.max(...[...looks, HEAVY].map((rounds, index) => rounds - (looks[index - 1] ?? 0)));
}

for (const statement of [
  'set copy.field0 to item',
  'set copy.{item} to item',
  'set found to sum of list',
  'set found to sum of request.rows.n',
  'set found to highest of list',
  'set found to request.numbers sorted',
  'set found to unique of list',
  'set found to first 3 of list',
  'set found to position of 59999 in list',
  'set found to list contains 59999',
  'set found to item is one of list',
  'set found to list plus [item]',
  'set found to each n in list where n is above 5',
  'set found to count of request.text',
  'set found to uppercase of request.text',
  'set found to trimmed request.text',
  'set found to request.words split by " "',
  'set found to request.words with " " replaced by ""',
  'set found to request.text contains "y"',
  'set found to request.text is like "*y"',
  'set found to text of list',
  'log request.text',
  'log "{request.text}."',
]) {
  test(`a loop with "${statement}" checks the clock after a few rounds`, async (t) => {
    const rounds = await roundsBetweenLooks(t, statement);
    assert.ok(rounds <= 9, `${rounds} rounds without a look`);
  });
}

test('cheap rounds share a check of the clock', async (t) => {
  assert.equal(await roundsBetweenLooks(t, 'set found to item times 2'), HEAVY);
});
