// Line 58: whoever can write to the tables of a store does not decide what servers execute.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from 'pg';
import { hashOfText, type VersionInfo } from '../../src/durable/model/versions.js';
import { begun, type StoreKind, storeKinds, testStore } from '../durable/test-store.js';
import { until } from '../until.js';
import { attack, head, type Server, startServerVictim } from './victim.js';

const workflow = `config:
    name: "Waits"
    version: 1

workflow:
    trigger: t

    wait 3 seconds
    complete with done true
`;

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

async function runIn(
  t: TestContext,
  { port }: Server,
): Promise<{ readonly id: string; readonly state: string; readonly all: string }> {
  const all = await attack(t, port, get('/runs')).closed;
  const [, id = ''] = /"run":"([^"]+)"/.exec(all) ?? [];
  const one = id === '' ? all : await attack(t, port, get(`/runs/${id}`)).closed;
  return { id, state: /"status":"([^"]+)"/.exec(one)?.[1] ?? '', all: one };
}

const EVIL = `require('node:fs').writeFileSync('pwned', '');`;

/** What an attacker who can write to the folder of a store changes. */
const changes: Readonly<Record<string, (database: InstanceType<typeof DatabaseSync>) => void>> = {
  'the text of its module': (database) => {
    const sql =
      "UPDATE contents SET data = ? || data WHERE instr(data, 'async function main') > 0 AND instr(data, 'exports') > 0";
    assert.ok(Number(database.prepare(sql).run(EVIL).changes) > 0);
  },
  'every text': (database) => {
    assert.ok(Number(database.prepare('UPDATE contents SET data = ?').run(EVIL).changes) > 1);
  },
};

for (const [title, change] of Object.entries(changes)) {
  test(`58. A store in which somebody changed ${title} executes nothing of it`, async (t) => {
    const store = { words: ['--store', 'store'] };
    const first = await startServerVictim(t, workflow, { ...store });
    void attack(t, first.port, head('Content-Length: 2'), '{}').closed;
    while ((await runIn(t, first)).id === '') assert.ok(first.child.exitCode === null);
    first.child.kill('SIGKILL');
    await first.ended;
    const database = new DatabaseSync(path.join(first.folder, 'store/common.db'));
    change(database);
    database.close();
    const second = await startServerVictim(t, workflow, { words: ['--store', path.join(first.folder, 'store')] });
    let run = await runIn(t, second);
    while (run.state === 'running' || run.state === 'waiting') run = await runIn(t, second);
    assert.equal(run.state, 'stuck', run.all);
    assert.match(run.all, /or was changed there|belongs to was changed/);
    assert.doesNotMatch(run.all, /internal|at .*\.js/i);
    for (const folder of [first.folder, second.folder]) assert.ok(!existsSync(path.join(folder, 'pwned')));
    assert.equal((await second.stop()).code, 0);
  });
}

/** A version whose module is another text, with hashes that fit. */
function evilVersion(info: string): { readonly module: string; readonly hash: string; readonly info: string } {
  const { environment: _, ...version } = JSON.parse(info) as VersionInfo;
  const evil = JSON.stringify({ ...version, module: hashOfText(EVIL) });
  return { module: hashOfText(EVIL), hash: hashOfText(evil), info: evil };
}

/** Makes all runs execute another module, by every means but the key. */
const replacements: Readonly<Record<StoreKind, (place: string) => Promise<void>>> = {
  async PostgreSQL(address) {
    const client = new Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query('SELECT v, info FROM wf.versions');
    for (const { v, info } of rows) {
      const { module, hash, info: evil } = evilVersion(info);
      await client.query('INSERT INTO wf.contents(hash, used, data) VALUES ($1, 0, $2)', [module, EVIL]);
      await client.query('UPDATE wf.versions SET hash = $1, info = $2 WHERE v = $3', [hash, evil, v]);
    }
    await client.end();
  },
  async folder(folder) {
    const common = new DatabaseSync(path.join(folder, 'common.db'));
    const shard = new DatabaseSync(path.join(folder, 's0.db'));
    for (const { v, info } of shard.prepare('SELECT v, info FROM versions').all()) {
      const { module, hash, info: evil } = evilVersion(String(info));
      common.prepare('INSERT INTO contents(hash, used, data) VALUES (?, 0, ?)').run(module, EVIL);
      // As a row of a version of wf that knew no checksums.
      shard.prepare('UPDATE versions SET hash = ?, info = ?, sum = NULL WHERE v = ?').run(hash, evil, Number(v));
    }
    shard.exec("INSERT INTO meta(key, value) VALUES('last without sums', 1000) ON CONFLICT(key) DO UPDATE SET value = 1000");
    shard.close();
    common.close();
  },
};

for (const kind of storeKinds)
  test(`58. With a key, a run executes only the version that it was started with (${kind})`, async (t) => {
    const { env: others, folder, database, open, file } = await testStore(t, kind, true);
    const env = { ...others, WF_STORE_KEY: Buffer.alloc(32, 5).toString('base64') };
    const first = await open({ env });
    const { run, end } = await begun(first, await file('single/calls-around-a-message.wf'), { n: 1 });
    await end;
    await first.close(0);
    await replacements[kind](database ?? path.join(folder, 'runs'));
    const second = await open({ env });
    await second.serve();
    await second.send({ name: 'go', body: { word: 'w' }, run });
    await until(async () => (await second.state(run))?.status === 'stuck');
    assert.match((await second.state(run))?.message ?? '', /was changed in the store/);
    assert.ok(!existsSync('pwned'));
  });

test('58. A database in which somebody changed every text executes nothing of it', async (t) => {
  const { database = '', open, file } = await testStore(t, 'PostgreSQL');
  const first = await open();
  const { run, end } = await begun(first, await file('single/calls-around-a-message.wf'), { n: 1 });
  await end;
  await first.close(0);
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query('UPDATE wf.contents SET data = $1', [EVIL]);
  await client.end();
  const second = await open();
  await second.serve();
  await second.send({ name: 'go', body: { word: 'w' }, run });
  await until(async () => (await second.state(run))?.status === 'stuck');
  assert.match((await second.state(run))?.message ?? '', /not in the store any more, or was changed there/);
  assert.ok(!existsSync('pwned'));
});
