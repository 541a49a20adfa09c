// A run whose time is over while it is not in memory, or that is cancelled then, has the log of one that waited there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { begun, storeKinds, testStore } from './test-store.js';

/** Which entries a log has, in an order that does not depend on the moment of each, nor on which branch notices the end first. */
const entriesOf = (log: readonly LogEntry[]): string[] =>
  log
    .map(({ time: _, durationMs, error, ...entry }) => ({ ...entry, lasts: typeof durationMs, error: typeof error }))
    .map((entry) => JSON.stringify(entry, Object.keys(entry).sort()))
    .sort();

/** Short enough for a run to wait in memory. */
const SHORT_DAYS = 50 / 86_400;

for (const kind of storeKinds)
  for (const name of ['main.wf', 'called-out-of-time.wf'])
    test(`${name}: the end of its time closes the steps of a run that is not in memory (${kind})`, async (t) => {
      t.after(() => {
        fakeClock.isInstant = false;
      });
      const scene = await testStore(t, kind);
      const engine = await scene.open();
      await engine.serve();
      const prepared = await scene.file(`out-of-time/${name}`);
      // However long the machine takes until the run waits, its time is not over.
      fakeClock.isInstant = true;
      const { run, end } = await begun(engine, prepared, { days: 2 });
      assert.equal((await end).kind, 'paused');
      fakeClock.isInstant = false;
      const state = await engine.settled(run, 'ended', 60_000);
      assert.equal(state?.status, name === 'main.wf' ? 'error' : 'completed');
      const log = await engine.log(run);
      const [begins, ends] = log.filter(({ type, step }) => type === 'step' && step === 'Outer');
      // The limit is a second from the start of the run, nearly all of it out of memory.
      const lasted = Number(ends?.durationMs);
      const after = Date.parse(String(begins?.time)) + lasted - Date.parse(String(state?.startedAt));
      assert.ok(after >= 1_000 && lasted > 0, `the outer step lasted ${lasted} ms, until ${after} ms after the start`);
      fakeClock.isInstant = true;
      const { run: inMemory } = await begun(engine, prepared, { days: SHORT_DAYS });
      const waits = name === 'main.wf' ? 4 : 1;
      await until(async () => (await engine.log(inMemory)).filter(({ type }) => type === 'wait').length === waits);
      fakeClock.isInstant = false;
      await engine.settled(inMemory, 'ended', 60_000);
      const expected = await engine.log(inMemory);
      assert.deepEqual(entriesOf(log), entriesOf(expected));
    });

for (const kind of storeKinds)
  test(`a run that is cancelled has the ends of its steps in its log, whether it was in memory or not (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const engine = await open();
    const prepared = await file('out-of-time/steps-and-waits.wf');
    const logs: (readonly LogEntry[])[] = [];
    for (const days of [2, SHORT_DAYS]) {
      const { run, end } = await begun(engine, prepared, { days });
      if (days === 2) assert.equal((await end).kind, 'paused');
      else await until(async () => (await engine.log(run)).filter(({ type }) => type === 'wait').length === 2);
      assert.equal((await engine.cancel(run)).kind, 'done');
      assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'cancelled');
      logs.push(await engine.log(run));
    }
    const [stored = [], inMemory = []] = logs;
    assert.deepEqual(entriesOf(stored), entriesOf(inMemory));
    const steps = stored.flatMap(({ type, step, event }) => (type === 'step' ? [`${step} ${event}`] : []));
    assert.deepEqual(steps.slice(0, 1), ['Outer start']);
    assert.deepEqual(steps.slice(1).sort(), ['Outer end', 'Part end', 'Part start', 'Waits end', 'Waits start']);
    const last = stored.at(-1);
    assert.equal(Number(last?.durationMs), Date.parse(`${last?.time}`) - Date.parse(`${stored[0]?.time}`));
  });

// Time limits apply to what a run does, not to what it repeats from its records later.

const HOUR_MS = 3_600_000;

for (const kind of storeKinds) {
  test(`called workflows that ended in time count as such when their limits are over (${kind})`, async (t) => {
    const { open, file, ledger } = await testStore(t, kind);
    t.after(() => {
      fakeClock.offset = 0;
    });
    const prepared = await file('called/in-time-long-ago/main.wf');
    const first = await open({ current: () => prepared });
    await first.serve();
    const { run } = await begun(first, prepared);
    await until(async () => (await first.state(run))?.waitingFor?.name === 'go');
    await first.close(0);
    fakeClock.offset = HOUR_MS;
    const second = await open({ current: () => prepared });
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    const state = await second.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { sum: 1_001 + 2_003 + 1_002 }], state?.message);
    assert.equal(ledger.received.length, 6);
    // The console can be opened at any time.
    fakeClock.offset = 3 * HOUR_MS;
    const traced = await second.retrace(run);
    assert.deepEqual([[...(traced?.reached.keys() ?? [])], traced?.doubt], [[15, 17, 19, 20, 22], undefined]);
  });

  test(`the limit of its caller ends a called workflow that only waits, for a message, a person or a time (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const engine = await open();
    await engine.serve();
    const { run } = await begun(engine, await file('called/waits-for-too-long/main.wf'));
    const state = await engine.settled(run, 'ended', 60_000);
    const late = 'Part: get part failed after 1 attempt: no answer within 1 second.';
    assert.deepEqual([state?.status, state?.outputs], ['completed', { said: [late, late, late] }]);
    const ends = (await engine.log(run)).filter(({ type, event }) => type === 'step' && event === 'end');
    assert.equal(ends.length, 3);
  });
}
