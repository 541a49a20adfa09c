// What operators learn of runs: log lines and errors of those whose caller was answered, and metrics.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import type { DurableEngine, FailedRun } from '../../src/durable/durable-engine.js';
import { createRunReports } from '../../src/engine/records/run-reports.js';
import { createMetrics } from '../../src/server/metrics.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

for (const kind of storeKinds) {
  test(`a run that continues in another process tells its log lines and its error there (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const prepared = await file('single/error-after-message.wf');
    const first = await open();
    const { run, end } = await begun(first, prepared, { waits: 'yes', id: 'A-7' });
    assert.equal((await end).kind, 'paused');
    await first.close(0);
    const lines: string[] = [];
    const failed: FailedRun[] = [];
    const second = await open({
      onLog: (id, { message }, workflow) => void lines.push(`${workflow} ${id} ${message ?? ''}`),
      onError: (failure) => void failed.push(failure),
    });
    await second.send({ name: 'go', body: {}, run });
    await second.serve();
    assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'error');
    assert.ok(lines.includes(`${prepared.basename} ${run} after A-7`), JSON.stringify(lines));
    assert.deepEqual(
      failed.map((failure) => [failure.run, failure.workflow, failure.file, failure.outcome.error?.line]),
      [[run, prepared.basename, 'error-after-message.wf', 11]],
    );
  });

  test(`the error of a run whose caller waits for it is told to the caller alone (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const failed: FailedRun[] = [];
    const engine = await open({ onError: (failure) => void failed.push(failure) });
    const { end } = await begun(engine, await file('single/error-after-message.wf'), { waits: 'no', id: 'A-7' });
    const ended = await end;
    assert.equal(ended.kind === 'outcome' && ended.outcome.status, 'error');
    assert.deepEqual(failed, []);
  });

  test(`the bug behind an internal error is told, and is not stored (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const bug = new TypeError('not a function');
    const prepared = { ...(await file('single/error-after-message.wf')), run: () => Promise.reject(bug) };
    const engine = await open();
    const { run, end } = await begun(engine, prepared, { waits: 'no', id: 'A-7' });
    const ended = await end;
    assert.ok(ended.kind === 'outcome');
    assert.deepEqual([ended.outcome.error?.code, ended.cause], ['WF699', bug]);
    assert.doesNotMatch(JSON.stringify(await engine.get(run)), /not a function/);
  });
}

test('a run that the database refuses is reported, does nothing, and holds up no other', async (t) => {
  const { open, file, database, ledger } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const problems: string[] = [];
  const engine = await open({ onProblem: (sentence) => problems.push(sentence) });
  const prepared = await file('single/two-calls.wf');
  assert.equal((await (await begun(engine, prepared)).end).kind, 'outcome');
  const admin = new Client({ connectionString: database });
  await admin.connect();
  await admin.query(`ALTER TABLE wf.runs ADD CONSTRAINT no_refused CHECK (position('refused' IN request) = 0) NOT VALID`);
  await admin.end();
  const refused = { prepared, request: { order: 'refused' } };
  const started = await engine.start(refused);
  assert.ok(started.kind === 'started');
  // Nobody may be told that it is accepted: the store will never have it.
  assert.equal(await started.recorded(true), false);
  assert.equal((await started.end).kind, 'lost');
  await engine.start({ ...refused, respondAsync: true });
  assert.equal(problems.length, 1, 'once, however many there are');
  assert.match(problems[0] ?? '', /^A run cannot be recorded at the moment: .*no_refused/);
  assert.equal(engine.health().ok, true);
  assert.equal((await (await begun(engine, prepared, { order: 'A-7' })).end).kind, 'outcome');
  assert.equal(ledger.received.length, 4, 'those of the other two runs');
});

for (const kind of storeKinds) {
  test(`each run that ends here is reported once, with its log, wherever it began (${kind})`, async (t) => {
    const { open, file, folder } = await testStore(t, kind);
    const prepared = await file('single/error-after-message.wf');
    const alerts: { status: string; line: number; run: string }[] = [];
    const webhook = await stub(t, (body) => alerts.push(JSON.parse(body)));
    const problems: string[] = [];
    const reports = await createRunReports({
      outputLog: 'logs',
      alert: webhook,
      env: {},
      cwd: folder,
      linkOf: (run) => `https://wf.example.com/runs/${run}`,
      onProblem: (sentence) => problems.push(sentence),
    });
    assert.ok(reports);
    const reporting = async () => {
      const engine: DurableEngine = await open({ onLeft: (left) => reports.left(left, engine) });
      return engine;
    };
    const first = await reporting();
    const { run, end } = await begun(first, prepared, { waits: 'yes', id: 'A-7' });
    assert.equal((await end).kind, 'paused');
    await first.close(0);
    const second = await reporting();
    await second.send({ name: 'go', body: {}, run });
    await second.serve();
    await second.settled(run, 'ended', 60_000);
    await second.close(0);
    await reports.close();
    const [name, ...more] = readdirSync(path.join(folder, 'logs'));
    assert.deepEqual([more, problems], [[], []]);
    const log = JSON.parse(readFileSync(path.join(folder, 'logs', name ?? ''), 'utf8'));
    assert.deepEqual([log.schema, log.runId, log.status, log.error.line], ['wf-log/1', run, 'error', 11]);
    assert.ok(log.entries.some(({ message }: { message?: string }) => message === 'after A-7'));
    assert.deepEqual(
      alerts.map(({ status, line, run }) => [status, line, run]),
      [['error', 11, run]],
    );
  });
}

for (const kind of storeKinds) {
  test(`a run that ends while the store closes is reported before it is closed (${kind})`, async (t) => {
    const { open, file, folder, ledger } = await testStore(t, kind);
    const prepared = await file('single/call-and-output.wf');
    const problems: string[] = [];
    const reports = await createRunReports({
      outputLog: 'logs',
      alert: undefined,
      env: {},
      cwd: folder,
      linkOf: () => undefined,
      onProblem: (sentence) => problems.push(sentence),
    });
    assert.ok(reports);
    const engine: DurableEngine = await open({ onLeft: (left) => reports.left(left, engine) });
    const asked = new Promise<void>((resolve) => {
      ledger.onRequest = () => resolve();
    });
    ledger.delayMs = () => 300;
    await begun(engine, prepared, { id: 7 });
    await asked;
    await engine.close(20_000);
    assert.deepEqual([readdirSync(path.join(folder, 'logs')).length, problems], [1, []]);
  });
}

async function stub(t: TestContext, receive: (body: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      receive(body);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// The metrics of a server with a store: each run counts once, whatever started it and however often it left memory.

after(dropTemplate);

for (const kind of storeKinds) {
  test(`counts runs of requests and of schedules, and those that waited, once (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const observer = await createMetrics(false);
    const engine = await open({ observer });
    await engine.serve();
    const prepared = await file('single/call-and-message.wf');
    const { run, end } = await begun(engine, prepared);
    assert.equal((await end).kind, 'paused');
    const due = { prepared: await file('single/rejection.wf'), request: {}, scheduledFor: '2026-03-02T09:00:00.000Z' };
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
    const { file, open } = await testStore(t, kind);
    const observer = await createMetrics(false);
    const engine = await open({ observer });
    observer.watchStore(engine);
    await engine.serve();
    const prepared = await file('single/question-and-call.wf');
    for (let count = 0; count < 3; count++) assert.equal((await (await begun(engine, prepared)).end).kind, 'paused');
    const { run, end } = await begun(engine, await file('single/call-and-message.wf'));
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
