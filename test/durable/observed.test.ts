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
    const { file, open } = await kept(t, kind);
    const observer = await createMetrics(false);
    const engine = await open({ observer });
    await engine.serve();
    const prepared = await file('kept/call-and-message.wf');
    const { run, end } = await begun(engine, prepared);
    assert.equal((await end).kind, 'paused');
    const due = { prepared: await file('kept/rejection.wf'), request: {}, scheduledFor: '2026-03-02T09:00:00.000Z' };
    const scheduled = await engine.start(due);
    assert.ok(scheduled.kind === 'started');
    await scheduled.end;
    await engine.send({ name: 'go', body: {}, run });
    await until(async () => (await engine.state(run))?.status === 'completed');
    const counted = async (): Promise<readonly string[]> =>
      (await observer.render()).text.split('\n').filter((line) => /^wf_(?:runs|calls)_(?:total|in_flight)/.test(line));
    await until(async () => (await counted()).includes('wf_runs_in_flight 0'));
    assert.deepEqual(await counted(), [
      'wf_runs_total{workflow="rejection",outcome="rejected"} 1',
      'wf_runs_total{workflow="call-and-message",outcome="completed"} 1',
      'wf_calls_total{service="Ledger",status="200"} 1',
      'wf_runs_in_flight 0',
    ]);
  });
}

for (const kind of storeKinds) {
  test(`gauges what waits, and times commits (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const observer = await createMetrics(false);
    const engine = await open({ observer });
    observer.watchStore(engine);
    await engine.serve();
    const prepared = await file('kept/question-and-call.wf');
    for (let count = 0; count < 3; count++) assert.equal((await (await begun(engine, prepared)).end).kind, 'paused');
    const { run, end } = await begun(engine, await file('kept/call-and-message.wf'));
    assert.equal((await end).kind, 'paused');
    const rendered = async (): Promise<string> => (await observer.render()).text;
    await until(async () => (await rendered()).includes('wf_runs_unfinished{workflow="question-and-call",state="waiting"} 3\n'));
    const text = await rendered();
    for (const line of [
      'wf_runs_unfinished{workflow="call-and-message",state="waiting"} 1',
      'wf_tasks_open{workflow="question-and-call"} 3',
      'wf_tasks_overdue{workflow="question-and-call"} 0',
      'wf_store_up 1',
    ])
      assert.ok(text.includes(`\n${line}\n`), `${line} is not in\n${text}`);
    assert.match(text, /^wf_runs_oldest_waiting_seconds\{workflow="question-and-call"\} \d/m);
    assert.match(text, /^wf_store_commit_duration_seconds_count [1-9]/m);
    assert.equal(/^wf_store_lease_age_seconds \d/m.test(text), kind !== 'folder');
    await engine.cancel(run);
    await until(async () => !(await rendered()).includes('wf_runs_unfinished{workflow="call-and-message"'));
  });
}
