// Time limits apply to what a run does, not to what it repeats from its records later.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { begun, kept, storeKinds } from './kept.js';

const HOUR_MS = 3_600_000;

for (const kind of storeKinds) {
  test(`called workflows that ended in time count as such when their limits are over (${kind})`, async (t) => {
    const { open, file, ledger } = await kept(t, kind);
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
    const { open, file } = await kept(t, kind);
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
