// What arrives for a run that has ended, or whose time is up: it reaches nobody, or somebody else, and nobody is told otherwise.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { DAY_MS } from '../../runtime/dates/date-unit.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { SHARED_FILE } from '../../src/durable/store/sqlite/store-folder.js';
import { until } from '../until.js';
import { begun, storeKinds, type TestStore, testStore } from './test-store.js';

interface Tables {
  readonly execute: (sql: string) => Promise<void>;
  readonly count: (table: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** A connection to what the processes of a store share. */
async function tables({ database, folder }: TestStore): Promise<Tables> {
  if (database === undefined) {
    const { DatabaseSync } = loadSqlite();
    // The engine may still be writing.
    const shared = new DatabaseSync(path.join(folder, 'runs', SHARED_FILE), { timeout: 10_000 });
    return {
      execute: async (sql) => shared.exec(sql.replaceAll('wf.', '')),
      count: async (table) => Number(shared.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count),
      close: async () => shared.close(),
    };
  }
  const client = new Client({ connectionString: database });
  await client.connect();
  return {
    execute: async (sql) => void (await client.query(sql)),
    count: async (table) => Number((await client.query(`SELECT count(*) AS count FROM wf.${table}`)).rows[0].count),
    close: () => client.end(),
  };
}

for (const kind of storeKinds) {
  test(`a message goes past a run that ended when its process died, before it stopped waiting (${kind})`, async (t) => {
    const setting = await testStore(t, kind);
    const engine = await setting.open();
    const file = await setting.file('single/payment-or-nothing.wf');
    const { run: dead, end } = await begun(engine, file);
    assert.equal((await end).kind, 'paused');
    const { execute, close } = await tables(setting);
    await execute('CREATE TABLE wf.seen AS SELECT * FROM wf.waiters');
    assert.equal((await engine.cancel(dead)).kind, 'done');
    await execute('INSERT INTO wf.waiters SELECT * FROM wf.seen');
    await close();
    await engine.serve();
    const { run, end: pause } = await begun(engine, file);
    assert.equal((await pause).kind, 'paused');
    const sent = await engine.send({ name: 'payment', body: { order: 1 } });
    assert.equal(sent.kind === 'sent' && sent.run, run);
    assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
  });

  test(`an answer that came in time counts, even if it is recorded after the time was up (${kind})`, async (t) => {
    const setting = await testStore(t, kind);
    const engine = await setting.open();
    await engine.serve();
    const { execute, close } = await tables(setting);
    // Another branch keeps the run in memory.
    setting.ledger.delayMs = () => 8_000;
    const { run } = await begun(engine, await setting.file('single/question-of-some-seconds.wf'), { seconds: 6 });
    await until(async () => (await engine.tasks()).tasks.length > 0);
    const [task] = (await engine.tasks()).tasks;
    // Someone else writes meanwhile, for longer than there is time.
    await execute(setting.database === undefined ? 'BEGIN IMMEDIATE' : 'BEGIN; SELECT * FROM wf.tasks FOR UPDATE');
    const answered = engine.answer(task?.task ?? '', { answer: 'yes' });
    await setTimeout(Date.parse(task?.due ?? '') + 500 - Date.now());
    await execute('COMMIT');
    await close();
    assert.equal((await answered).kind, 'answered');
    assert.deepEqual((await engine.settled(run, 'ended', 60_000))?.outputs, { said: 'yes' });
  });

  for (const seenBy of ['an answer', ...(kind === 'PostgreSQL' ? ['pruning'] : [])])
    test(`a question of a run that ended when its process died is over once ${seenBy} comes across it (${kind})`, async (t) => {
      const setting = await testStore(t, kind);
      const engine = await setting.open();
      await engine.serve();
      const { run } = await begun(engine, await setting.file('single/question-in-a-step.wf'));
      await until(async () => (await engine.tasks()).tasks.length > 0);
      const [task] = (await engine.tasks()).tasks;
      await until(async () => (await engine.state(run))?.waitingFor?.kind === 'person');
      const { execute, close } = await tables(setting);
      await execute('CREATE TABLE wf.seen AS SELECT * FROM wf.tasks');
      assert.equal((await engine.cancel(run)).kind, 'done');
      await until(async () => (await engine.tasks()).tasks.length === 0);
      await execute('DELETE FROM wf.tasks');
      await execute('INSERT INTO wf.tasks SELECT * FROM wf.seen');
      await close();
      assert.equal((await engine.tasks()).tasks.length, 1);
      if (seenBy === 'pruning') await engine.prune({ olderThanMs: DAY_MS });
      else assert.equal((await engine.answer(task?.task ?? '', { answer: 'yes' })).kind, 'over');
      assert.deepEqual((await engine.tasks()).tasks, []);
      assert.equal((await engine.task(task?.task ?? ''))?.status, 'over');
    });

  test(`pruning leaves nothing of a run, and everything of another (${kind})`, async (t) => {
    const setting = await testStore(t, kind);
    const engine = await setting.open();
    await engine.serve();
    const file = await setting.file('single/question-and-message.wf');
    const { execute, count, close } = await tables(setting);
    const shared = ['waiters', 'tasks', 'inbox', 'messages', 'message_fields'];
    const rows = async (): Promise<readonly number[]> => {
      const counts: number[] = [];
      for (const table of shared) counts.push(await count(table));
      return counts;
    };
    const { run, end } = await begun(engine, file);
    assert.equal((await end).kind, 'paused');
    await until(async () => (await rows())[0] === 1 && (await rows())[1] === 1);
    // Nothing in it waits for this.
    await engine.send({ name: 'other', body: { n: 1 }, run });
    for (const table of shared.slice(0, 2)) await execute(`CREATE TABLE wf.seen_${table} AS SELECT * FROM wf.${table}`);
    assert.equal((await engine.cancel(run)).kind, 'done');
    await until(async () => (await rows())[0] === 0);
    // As if its process had died right after its end.
    for (const table of shared.slice(0, 2)) {
      await execute(`DELETE FROM wf.${table}`);
      await execute(`INSERT INTO wf.${table} SELECT * FROM wf.seen_${table}`);
    }
    const { run: other, end: pause } = await begun(engine, file);
    assert.equal((await pause).kind, 'paused');
    await until(async () => (await rows())[0] === 2 && (await rows())[1] === 2);
    await engine.send({ name: 'other', body: { n: 1 }, run: other });
    assert.deepEqual(await rows(), [2, 2, 0, 2, 2]);
    assert.deepEqual(await engine.prune({ olderThanMs: -1_000 }), { runs: 1 });
    assert.deepEqual(await rows(), [1, 1, 0, 1, 1]);
    assert.equal((await engine.tasks()).tasks[0]?.run, other);
    await close();
  });
}
