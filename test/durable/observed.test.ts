// The metrics of a server with a store: each run counts once, whatever started it and however often it left memory.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMetrics } from '../../src/server/metrics.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

for (const kind of storeKinds) {
  test(`counts runs of requests and of schedules, and those that waited, once (${kind})`, async (t) => {
    const { workflow, open } = await kept(t, kind);
    const observer = await createMetrics(false);
    const engine = await open({ observer });
    await engine.serve();
    const prepared = await workflow('send one using Ledger at "/1/1"\nwait for go\n    save the message as it\ncomplete');
    const { run, end } = await begun(engine, prepared);
    assert.equal((await end).kind, 'paused');
    const due = { prepared: await workflow('reject with "no"'), request: {}, scheduledFor: '2026-03-02T09:00:00.000Z' };
    const scheduled = await engine.start(due);
    assert.ok(scheduled.kind === 'started');
    await scheduled.end;
    await engine.send({ name: 'go', body: {}, run });
    await until(async () => (await engine.state(run))?.status === 'completed');
    const counted = async (): Promise<readonly string[]> =>
      (await observer.render()).text.split('\n').filter((line) => /^wf_(?:runs|calls)/.test(line));
    await until(async () => (await counted()).includes('wf_runs_in_flight 0'));
    assert.deepEqual(await counted(), [
      'wf_runs_total{workflow="flow2",outcome="rejected"} 1',
      'wf_runs_total{workflow="flow1",outcome="completed"} 1',
      'wf_calls_total{service="Ledger",status="200"} 1',
      'wf_runs_in_flight 0',
    ]);
  });
}
