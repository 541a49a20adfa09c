// Runs move from a store in a folder to one on PostgreSQL, and back: finished ones as they are, unfinished ones to continue there.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import type { PortableLine } from '../../src/durable/model/portable-lines.js';
import { openStore } from '../../src/durable/open-store.js';
import { LineChecker } from '../../src/durable/transfer/checked-line.js';
import { endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { dropTemplate, testDatabase } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

for (const [from, to] of [
  ['folder', 'PostgreSQL'],
  ['PostgreSQL', 'folder'],
] as const) {
  test(`runs move from a store of kind ${from} to one of kind ${to}, and continue there`, async (t) => {
    const { file, open, ledger, env } = await testStore(t, from);
    const target = await testStore(t, to);
    const calls = await file('single/calls-around-a-message.wf');
    const first = await open();
    const simple = { prepared: await file('single/output.wf'), request: { n: 4 }, key: 'k1' };
    const done = await first.start(simple);
    assert.ok(done.kind === 'started');
    await done.end;
    const { run, end } = await begun(first, calls, { n: 1 });
    assert.equal((await end).kind, 'paused');

    const command = await target.open({ env: { LEDGER_URL: 'http://localhost:1' } });
    assert.deepEqual(await command.moving.import(first.moving.export()), { runs: 2, unfinished: 1, known: 0 });
    await command.close(0);
    const second = await target.open({ env });
    assert.deepEqual(await second.moving.import(first.moving.export()), { runs: 0, unfinished: 0, known: 2 });
    await first.close(0);
    await second.serve();
    assert.deepEqual((await second.state(done.run))?.outputs, { n: 4 });
    const again = await second.start(simple);
    assert.deepEqual([again.kind, again.kind === 'known' && again.run], ['known', done.run]);
    await until(async () => (await second.state(run))?.waitingFor?.kind === 'message');
    assert.equal(await second.moving.unrecorded(), 0);
    await second.send({ name: 'go', body: { word: 'now' }, run });
    await until(async () => (await second.state(run))?.status === 'completed');
    assert.deepEqual((await second.state(run))?.outputs, { sum: 2_003, word: 'now' });
    const types = (await second.log(run)).map(({ type }) => type);
    assert.ok(!types.includes('warning'), 'the environment at its start is unknown here');
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [1, 2],
    );
  });
}

for (const kind of storeKinds) {
  test(`a message is not recorded until a process continues its run (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const first = await open();
    const { run, end } = await begun(first, await file('single/message.wf'));
    await end;
    await first.close(0);
    const command = await open();
    await command.send({ name: 'go', body: {}, run });
    assert.equal(await command.moving.unrecorded(), 1);
    await command.close(0);
    const second = await open();
    await second.serve();
    assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.equal(await second.moving.unrecorded(), 0);
  });
}

test('a suspended process still uses the store after its lease has expired', async (t) => {
  const { open, env, file, database } = await testStore(t, 'PostgreSQL', true);
  if (database === undefined) return;
  const asleep = await open();
  await (await begun(asleep, await file('single/word.wf'), { w: 'kept' })).end;
  // With connections of its own, as another process has them.
  const command = await openStore(`${database}?application_name=other`, { cwd: process.cwd(), env });
  endWithTest(t, () => command.close(0));
  const admin = new Client({ connectionString: database });
  await admin.connect();
  await admin.query(`UPDATE wf.processes SET expires = now() - interval '1 hour'`);
  assert.equal(await command.moving.isUsedElsewhere(), true);
  await admin.end();
  await asleep.close(0);
  assert.equal(await command.moving.isUsedElsewhere(), false);
});

test('an import that was interrupted anywhere is completed by the next one', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const target = await testStore(t, 'PostgreSQL', true);
  if (target.database === undefined) return;
  const first = await open();
  const keyed = { prepared: await file('single/two-calls.wf'), request: {}, key: 'k1' };
  const done = await first.start(keyed);
  assert.ok(done.kind === 'started');
  await done.end;
  const second = await target.open();
  await second.serve();
  const admin = new Client({ connectionString: target.database });
  await admin.connect();
  await admin.query(`CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''cut''; END'`);
  for (const table of ['dbos.operation_outputs', 'wf.runs', 'wf.keys']) {
    await admin.query(`CREATE TRIGGER cut BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION cut()`);
    await assert.rejects(second.moving.import(first.moving.export()), table === 'wf.keys' ? /cut/ : /could not be written/);
    assert.equal((await second.list({})).runs.length, 0);
    await admin.query(`DROP TRIGGER cut ON ${table}`);
  }
  await admin.end();
  assert.deepEqual(await second.moving.import(first.moving.export()), { runs: 1, unfinished: 0, known: 0 });
  assert.equal((await second.start(keyed)).kind, 'known');
  assert.deepEqual(await second.log(done.run), await first.log(done.run));
});

test('many runs are imported at once, each of them once, and a fault leaves none halfway', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const first = await open();
  const prepared = await file('single/output.wf');
  for (let n = 0; n < 40; n++) await (await begun(first, prepared, { n })).end;
  const lines: PortableLine[] = [];
  for await (const line of first.moving.export()) lines.push(line, ...(line.kind === 'run' ? [line] : []));
  async function* inTurn(to: number): AsyncIterable<PortableLine> {
    yield* lines.slice(0, to);
    if (to < lines.length) throw new Error('cut off');
  }
  const second = await (await testStore(t)).open();
  await assert.rejects(second.moving.import(inTurn(50)), /cut off/);
  const { runs: before } = await second.list({ limit: 100 });
  assert.deepEqual(await second.moving.import(inTurn(lines.length)), {
    runs: 40 - before.length,
    unfinished: 0,
    known: 40 + before.length,
  });
  const { runs } = await second.list({ limit: 100 });
  assert.equal(new Set(runs.map(({ run }) => run)).size, 40);
});

test('what several processes have recorded in a folder is imported: each knows other lines of a version', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const calls = await file('single/calls-around-a-message.wf');
  const [first, second] = [await open(), await open()];
  const waiting = await begun(first, calls, { n: 1 });
  await waiting.end;
  const done = await begun(second, calls, { n: 2 });
  await done.end;
  await second.serve();
  await second.send({ name: 'go', body: { word: 'now' }, run: done.run });
  await second.settled(done.run, 'ended', 60_000);
  const target = await (await testStore(t, 'folder')).open();
  const checker = new LineChecker();
  async function* checked(): AsyncIterable<PortableLine> {
    let number = 0;
    for await (const line of first.moving.export()) {
      checker.check(JSON.parse(JSON.stringify(line)), ++number);
      yield line;
    }
  }
  assert.deepEqual(await target.moving.import(checked()), { runs: 2, unfinished: 1, known: 0 });
  assert.deepEqual(await target.journal(done.run), await second.journal(done.run));
});

test('runs are imported into a database that no process has used before', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const database = await testDatabase(true);
  if (database === undefined) return t.skip('there is no PostgreSQL here');
  t.after(() => database.drop());
  const first = await open();
  const { run, end } = await begun(first, await file('single/output.wf'), { n: 4 });
  await end;
  const command = await openStore(database.address, { cwd: process.cwd(), env: {} });
  endWithTest(t, () => command.close(0));
  assert.deepEqual(await command.moving.import(first.moving.export()), { runs: 1, unfinished: 0, known: 0 });
  assert.deepEqual((await command.state(run))?.outputs, { n: 4 });
});
