// A damaged row is one run that cannot be read, in both kinds of stores; a shared file without its content is refused, as a missing one is.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, type TestStore, testStore } from './test-store.js';

after(dropTemplate);

/** Writes a text into a column of each run with this value in its request. */
async function spoil({ folder, database }: TestStore, column: string, text: string, run: string): Promise<void> {
  if (database === undefined) {
    const file = new (loadSqlite().DatabaseSync)(path.join(folder, 'runs', 's0.db'));
    file.prepare(`UPDATE runs SET ${column} = ? WHERE id = unhex(?)`).run(text, run.replaceAll('-', ''));
    file.close();
    return;
  }
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query(`UPDATE wf.runs SET ${column} = $1 WHERE id = $2`, [text, run.replaceAll('-', '')]);
  await client.end();
}

for (const kind of storeKinds) {
  for (const isEncrypted of [false, true]) {
    test(`a damaged row is one unreadable run in lists, pages and exports (${kind}${isEncrypted ? ', encrypted' : ''})`, async (t) => {
      const store = await testStore(t, kind, isEncrypted);
      const { open, file, env } = store;
      const options = isEncrypted ? { env: { ...env, WF_STORE_KEY: Buffer.alloc(32, 5).toString('base64') } } : {};
      const first = await open(options);
      const prepared = await file('single/output.wf');
      const runs: string[] = [];
      for (const n of [1, 2, 3]) {
        const started = await begun(first, prepared, { n });
        await started.end;
        runs.push(started.run);
      }
      await first.close(0);
      const [whole = '', inRequest = '', inOutcome = ''] = runs;
      await spoil(store, 'request', '{"n": 2', inRequest);
      await spoil(store, 'outcome', '[7]', inOutcome);
      const engine = await open(options);
      const listed = (await engine.list({})).runs;
      assert.deepEqual(listed.map(({ run }) => run).sort(), [...runs].sort());
      for (const { run, message, about } of listed)
        if (run === whole) assert.equal(about, '1');
        else assert.match(`${message} ${about}`, /^The record of this run is damaged.* It cannot be read$/);
      assert.deepEqual((await engine.get(whole))?.outputs, { n: 1 });
      for (const run of [inRequest, inOutcome]) {
        assert.match((await engine.get(run))?.message ?? '', /damaged/);
        assert.equal((await engine.state(run))?.outputs, undefined);
        assert.equal((await engine.rerun(run, { from: 'start', workflow: 'recorded' })).kind, 'not possible');
        assert.equal((await engine.retrace(run))?.reached.size, 0);
      }
      const exported = [];
      for await (const { run } of engine.export()) exported.push(run);
      assert.deepEqual(exported.sort(), [...runs].sort());
      await assert.rejects(async () => {
        for await (const _ of engine.moving.export());
      }, /is damaged, so it cannot be exported/);
    });
  }
}

for (const [loss, lose] of [
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => truncateSync(file)],
  ['shortened', (file: string) => truncateSync(file, 1_000)],
  ['shortened', (file: string) => truncateSync(file, 4_096)],
] as const)
  test(`a store whose shared file is ${loss} is refused, and nothing is created in its place`, async (t) => {
    const { open, file, folder } = await testStore(t, 'folder');
    const first = await open();
    await (await begun(first, await file('single/output.wf'), { n: 1 })).end;
    await first.close(0);
    lose(path.join(folder, 'runs', 'common.db'));
    const message = `The store runs cannot be used: its file common.db is ${loss}.`;
    await assert.rejects(open(), {
      name: 'UsageError',
      message,
      hint: 'Nothing was touched. Restore the whole folder from a backup.',
    });
  });

test('records of an earlier build get their checksums once; from then on, one without is damaged', async (t) => {
  const { open, file, folder } = await testStore(t, 'folder');
  const first = await open();
  await (await begun(first, await file('single/two-questions.wf'))).end;
  const change = async (sql: string): Promise<void> => {
    const common = new (loadSqlite().DatabaseSync)(path.join(folder, 'runs/common.db'));
    common.exec(sql);
    common.close();
  };
  const asked = async (): Promise<unknown> => (await first.tasks()).tasks[0]?.question;
  // As an earlier build does.
  await change("UPDATE tasks SET due = 1e15; INSERT INTO views(id, body) VALUES ('x', '{}')");
  assert.equal(await asked(), 'decide');
  await first.close(0);
  const said: string[] = [];
  const second = await open({ onProblem: (sentence) => void said.push(sentence) });
  assert.equal((await second.tasks()).tasks[0]?.question, 'decide');
  assert.deepEqual(said, []);
  await change('UPDATE tasks SET sum = NULL');
  assert.match((await second.tasks()).tasks[0]?.question ?? '', /is damaged/);
  assert.match(said.join(), /^A record of the store is damaged, and is not used: the question /);
});

for (const kind of storeKinds)
  test(`a question whose record was changed is one unreadable question in the list (${kind})`, async (t) => {
    const { open, file, folder, database } = await testStore(t, kind);
    const first = await open();
    for (const n of [1, 2]) await (await begun(first, await file('single/two-questions.wf'), { n })).end;
    const [whole, damaged] = (await first.tasks()).tasks;
    assert.ok(whole !== undefined && damaged !== undefined);
    await first.close(0);
    const sql = (table: string, at: string): string => `UPDATE ${table} SET body = '{"service": "P' WHERE id = ${at}`;
    if (database === undefined) {
      const common = new (loadSqlite().DatabaseSync)(path.join(folder, 'runs/common.db'));
      common.prepare(sql('tasks', '?')).run(damaged.task);
      common.close();
    } else {
      const client = new Client({ connectionString: database });
      await client.connect();
      await client.query(sql('wf.tasks', '$1'), [damaged.task]);
      await client.end();
    }
    const engine = await open();
    const listed = new Map((await engine.tasks()).tasks.map(({ task, question }) => [task, question]));
    assert.equal(listed.get(whole.task), whole.question);
    assert.match(
      listed.get(damaged.task) ?? '',
      /^The record of the question [\w-]+ is damaged, so it cannot be read\. Restore /,
    );
    await assert.rejects(engine.answer(damaged.task, { answer: 'ok' }), {
      name: 'UsageError',
      message: /question .* is damaged/,
    });
  });

for (const kind of storeKinds)
  test(`a journal that someone changed into something else is one damaged run (${kind})`, async (t) => {
    const { open, file, folder, database } = await testStore(t, kind);
    const first = await open();
    const prepared = await file('single/error-after-message.wf');
    const { run, end } = await begun(first, prepared, { waits: 'yes', id: 1 });
    await end;
    const other = await begun(first, prepared, { id: 2 });
    await other.end;
    await first.close(0);
    if (database === undefined) {
      const shard = new (loadSqlite().DatabaseSync)(path.join(folder, 'runs/s0.db'));
      // Its checksum goes with that, as with what an earlier build writes.
      const change = `UPDATE entries SET body = '{"name":' WHERE n = (SELECT n FROM runs WHERE id = unhex(?))`;
      shard.prepare(change).run(run.replaceAll('-', ''));
      shard.close();
    } else {
      const client = new Client({ connectionString: database });
      await client.connect();
      const spoilt = (column: string): string => `${column} = replace(${column}, '"name', '"na"me')`;
      const spoiltText = (column: string): string => `${column} = replace(${column}, '\\"name', '\\"na\\"me')`;
      for (const change of [spoilt, spoiltText]) {
        await client.query(`UPDATE dbos.operation_outputs SET ${change('output')}`);
        await client.query(`UPDATE wf.runs SET ${change('head')}, ${change('tail')}`);
      }
      await client.end();
    }
    const engine = await open();
    assert.match((await engine.get(run))?.message ?? '', /^The record of this run is damaged/);
    assert.match(JSON.stringify(await engine.log(run)), /is damaged, so it cannot be read/);
    await assert.rejects(engine.journal(run), /is damaged, so it cannot be read/);
    assert.deepEqual((await engine.get(other.run))?.outputs, { x: 1 });
    assert.equal((await engine.list({})).runs.length, 2);
  });

test('a shard whose last trigger has no name any more is damaged, and nothing is added to it again', async (t) => {
  const { open, file, folder } = await testStore(t, 'folder');
  const first = await open();
  await (await begun(first, await file('single/output.wf'), { n: 1 })).end;
  await first.close(0);
  const shard = path.join(folder, 'runs/s0.db');
  const bytes = readFileSync(shard);
  const at = bytes.lastIndexOf(0x33, bytes.indexOf('triggerentries_without_sum'));
  // The type of a text of 19 bytes becomes that of a blob.
  bytes.writeUInt8(0x32, at);
  writeFileSync(shard, bytes);
  const engine = await open();
  await engine.serve();
  assert.match(JSON.stringify((await engine.list({})).unreadable), /s0\.db/);
  assert.deepEqual(readFileSync(shard), bytes);
});
