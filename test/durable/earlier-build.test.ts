// What earlier builds of wf have left: stores (`earlier-build/make.mjs`) whose runs are shown and go on, columns, and runtimes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { LightAbort } from '../../src/durable/engine/live-run.js';
import { addressOfEffect } from '../../src/durable/model/addresses.js';
import { entryKinds } from '../../src/durable/model/entries.js';
import type { VersionInfo } from '../../src/durable/model/versions.js';
import { RunnableVersions } from '../../src/durable/store/shared/versions.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { root } from '../root.js';
import { dropTemplate } from './test-database.js';
import { begun, type StoreKind, storeKinds, type TestStore, testStore } from './test-store.js';

after(dropTemplate);

const source = path.join(root, 'test/durable/earlier-build');

const unzipped = (name: string): Buffer => gunzipSync(readFileSync(path.join(source, name)));

/** Puts the store of the earlier build in the place of the one to be opened. */
async function restore({ folder, database }: TestStore): Promise<void> {
  if (database === undefined) {
    mkdirSync(path.join(folder, 'runs'));
    for (const name of readdirSync(path.join(source, 'folder')))
      writeFileSync(path.join(folder, 'runs', name.replace(/\.gz$/, '')), unzipped(`folder/${name}`), { mode: 0o600 });
    return;
  }
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query(String(unzipped('database.sql.gz')));
  await client.end();
}

/** The ids of the runs with these requests: two that wait, one of them with its answer, one that was cancelled. */
async function runsOf(engine: DurableEngine): Promise<readonly [waiting: string, answered: string, cancelled: string]> {
  const { runs } = await engine.list({ workflow: 'order' });
  const byRequest = new Map(runs.map(({ about, run }) => [about, run]));
  const ids = ['1', '2', '3'].map((about) => byRequest.get(about) ?? assert.fail(`There is no run with the request ${about}.`));
  return ids as [string, string, string]; // three requests
}

const stepsOf = ({ ledger }: TestStore, run: number): number[] =>
  ledger.received.filter((received) => received.run === run).map(({ step }) => step);

async function opened(t: Parameters<typeof testStore>[0], kind: StoreKind): Promise<{ store: TestStore; engine: DurableEngine }> {
  const store = await testStore(t, kind, true);
  await restore(store);
  return { store, engine: await store.open() };
}

for (const kind of storeKinds) {
  test(`${kind}: runs of an earlier build are shown as before`, async (t) => {
    const { engine } = await opened(t, kind);
    const [waiting, answered, cancelled] = await runsOf(engine);
    const states = await Promise.all([waiting, answered, cancelled].map((run) => engine.state(run)));
    assert.deepEqual(
      states.map((state) => state?.status),
      ['waiting', 'waiting', 'cancelled'],
    );
    const log = (await engine.log(waiting)).map(
      ({ type, message, step, event, ok }) => message ?? step ?? event ?? `${type} ${ok}`,
    );
    assert.ok(log.includes('order 1'), log.join());
    const journal = await engine.journal(waiting);
    const kinds = new Map<string, number>();
    for (const { kind: of } of journal?.entries ?? []) kinds.set(of, (kinds.get(of) ?? 0) + 1);
    assert.deepEqual(
      ['call', 'retry', 'workflow', 'fork', 'message', 'person'].map((of) => kinds.get(of)),
      [5, 1, 2, 3, 1, 1],
    );
    const [called, ...others] = (await engine.list({ parent: waiting })).runs;
    assert.deepEqual([called?.workflow, called?.status, others], ['part', 'completed', []]);
    assert.equal((await engine.get(called?.run ?? ''))?.outputs?.v, 1_002);
    const { reached } = (await engine.retrace(waiting)) ?? assert.fail('It cannot be retraced.');
    assert.equal(reached.get(23), 2, 'the call in the rounds');
  });

  test(`${kind}: waiting runs of an earlier build go on, and send nothing again`, async (t) => {
    const { store, engine } = await opened(t, kind);
    const [waiting, answered] = await runsOf(engine);
    await engine.serve();
    const [task, ...others] = (await engine.tasks()).tasks;
    assert.deepEqual([task?.run, others], [waiting, []]);
    await engine.answer(task?.task ?? '', { answer: 'no' });
    for (const order of [1, 2]) await engine.send({ name: 'payment', body: { order, amount: 5 } });
    const ends = await Promise.all([waiting, answered].map((run) => engine.settled(run, 'ended', 60_000)));
    assert.deepEqual(
      ends.map((state) => [state?.status, state?.outputs]),
      [
        ['completed', { part: 1_002, found: [1_003, 1_004], decision: 'no', six: 1_006 }],
        ['completed', { part: 2_002, found: [2_003, 2_004], decision: 'yes', six: 2_006 }],
      ],
    );
    assert.deepEqual(stepsOf(store, 1).sort(), [5, 6, 7]);
    assert.deepEqual(stepsOf(store, 2).sort(), [5, 7]);
  });

  test(`${kind}: a run of an earlier build is repeated from where it was cancelled`, async (t) => {
    const { store, engine } = await opened(t, kind);
    await engine.serve();
    const [, , cancelled] = await runsOf(engine);
    const again = await engine.rerun(cancelled, { from: 'failure', workflow: 'recorded' });
    assert.ok(again.kind === 'started', again.kind);
    assert.equal((await again.end).kind, 'paused');
    const { tasks } = await engine.tasks();
    await engine.answer(tasks.find(({ run }) => run === again.run)?.task ?? '', { answer: 'yes' });
    await engine.send({ name: 'payment', body: { order: 3, amount: 5 } });
    assert.equal((await engine.settled(again.run, 'ended', 60_000))?.status, 'completed');
    assert.deepEqual(stepsOf(store, 3).sort(), [5, 6, 7]);
  });
}

/** What the journal of the run with request 1 contains, without times and results. */
async function addressesIn(engine: DurableEngine): Promise<string[]> {
  for await (const line of engine.moving.export()) {
    if (line.kind !== 'run' || line.request !== '{"n":1}') continue;
    const effects = line.entries.filter(({ kind, seq }) => seq !== null && kind !== entryKinds.log);
    return effects.map(({ kind, branch, seq, part }) => `${kind} ${addressOfEffect(branch, seq)} ${part}`).sort();
  }
  return [];
}

for (const kind of storeKinds) {
  test(`${kind}: a new run has its effects at the addresses at which an earlier build recorded them`, async (t) => {
    const earlier = await opened(t, kind);
    const before = await addressesIn(earlier.engine);
    await earlier.engine.close(0);
    const store = await testStore(t, kind);
    const failed = new Set<number>();
    store.ledger.fails = ({ step }) => step === 2 && failed.size < failed.add(step).size;
    const engine = await store.open();
    const { end } = await begun(engine, await store.file('../earlier-build/workflows/order.wf'), { n: 1 });
    assert.equal((await end).kind, 'paused');
    assert.ok(before.length > 10);
    assert.deepEqual(await addressesIn(engine), before);
  });
}

// Earlier builds write a column that this one does not know any more. Both work over the same folder.

test('a run with the column of an earlier build is shown, and continues; the column stays for that build', async (t) => {
  const { folder, file, open } = await testStore(t, 'folder');
  const prepared = await file('single/message.wf');
  const first = await open();
  const { run, end } = await begun(first, prepared);
  assert.equal((await end).kind, 'paused');
  await first.close(0);
  const { DatabaseSync } = loadSqlite();
  const stored = new DatabaseSync(path.join(folder, 'runs', 's0.db'));
  const reached = JSON.stringify({ 12: 1 });
  // As an earlier build writes it.
  stored.exec(`UPDATE runs SET reached = '${reached}'`);
  stored.close();
  const second = await open();
  await second.serve();
  assert.equal((await second.get(run))?.status, 'waiting');
  await second.send({ name: 'go', body: {}, run });
  assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
  await second.close(0);
  const after = new DatabaseSync(path.join(folder, 'runs', 's0.db'));
  t.after(() => after.close());
  assert.equal(after.prepare('SELECT reached FROM runs').get()?.reached, reached);
});

// A run ends with the runtime of wf that it began with, which may be older than this program.

/** As emitted and bundled by a version that knew only `AbortSignal`. */
const texts: Readonly<Record<string, string>> = {
  module: `const { run } = require('wf-runtime'); exports.workflow = { compiler: '0.0.9', name: 'Old' }; exports.run = run;`,
  runtime: `export const run = (request, { signal }) => new Promise((resolve) => {
    const end = () => resolve(signal.reason.message);
    if (signal.aborted) end(); else signal.addEventListener('abort', end);
  });`,
};

for (const when of ['before it starts', 'while it runs']) {
  test(`a run with an older runtime is cancelled ${when}`, async () => {
    const info: VersionInfo = {
      title: 'Old',
      version: 1,
      file: 'old.wf',
      trigger: 't',
      kind: 'linked',
      module: 'module',
      text: 'text',
      runtime: 'runtime',
      folder: '/',
      env: [],
      sites: [],
    };
    const hash = createHash('sha256').update(JSON.stringify(info)).digest('hex');
    const { run } = await new RunnableVersions(async (name) => texts[name]).get({ v: 1, workflow: 'old', hash, info });
    const signal = new LightAbort();
    if (when === 'before it starts') signal.abort(new Error('cancelled'));
    const ended = run({}, { signal });
    signal.abort(new Error('cancelled'));
    assert.equal(await ended, 'cancelled');
  });
}
