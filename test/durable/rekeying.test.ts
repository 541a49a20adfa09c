// An interrupted change of a store's key: reported at the next start, and finished by the same command.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { openStore } from '../../src/durable/open-store.js';
import type { TakenShard } from '../../src/durable/store/sqlite/shard.js';
import { SharedFile } from '../../src/durable/store/sqlite/shared-file.js';
import { StoreThread } from '../../src/durable/store/sqlite/store-thread.js';
import { ConfirmedDamage, ListedShards, UnreadableShards } from '../../src/durable/store/sqlite/unreadable-shards.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { begun, testStore } from './test-store.js';

after(dropTemplate);

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

test('reports an interrupted change of the key, and finishes it with the same keys', async (t) => {
  const { file, open, folder, env } = await testStore(t, 'folder');
  env.WF_STORE_KEY = key(1);
  const first = await open();
  const { run, end } = await begun(first, await file('single/word.wf'), { w: 'kept' });
  await end;
  await first.close(0);
  // As if the process had ended between the shards and the shared file.
  const shared = new SharedFile(path.join(folder, 'runs'), Buffer.alloc(32, 1));
  let changes = 0;
  const cutOff = new Proxy(shared, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'change' && ++changes === 2) return () => Promise.reject(new Error('cut off'));
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const thread = new StoreThread(
    path.join(folder, 'runs'),
    cutOff,
    new UnreadableShards(
      new ListedShards(path.join(folder, 'runs'), cutOff),
      new ConfirmedDamage(path.join(folder, 'runs')),
      () => undefined,
    ),
  );
  await assert.rejects(thread.rekey(Buffer.alloc(32, 2)), /cut off/);
  thread.close();
  shared.close();
  for (const byte of [1, 2]) {
    env.WF_STORE_KEY = key(byte);
    await assert.rejects(open(), { message: /^A change of the key of this store was interrupted/, hint: /wf runs rekey/ });
  }
  env.WF_STORE_KEY = key(1);
  await assert.rejects((await open({ isRekeying: true })).rekey(Buffer.alloc(32, 3)), { message: /decrypted with either key/ });
  await (await open({ isRekeying: true })).rekey(Buffer.alloc(32, 2));
  env.WF_STORE_KEY = key(2);
  assert.deepEqual((await (await open()).state(run))?.outputs, { w: 'kept' });
});

test('a process that opened a store before its key was changed writes nothing with the former key', async (t) => {
  const { open, env, file } = await testStore(t, 'folder');
  env.WF_STORE_KEY = key(1);
  const [early, rekeying] = [await open(), await open({ isRekeying: true })];
  await rekeying.rekey(Buffer.alloc(32, 2));
  const changed = { name: 'UsageError', message: 'The key of the store was changed meanwhile.', hint: /WF_STORE_KEY/ };
  await assert.rejects(early.send({ name: 'payment', body: {} }), changed);
  await assert.rejects(early.serve(), changed);
  env.WF_STORE_KEY = key(2);
  const late = await open();
  await (await begun(late, await file('single/word.wf'), { w: 'kept' })).end;
  assert.equal((await late.list({})).runs.length, 1);
});

test('a change of the key gives way to a process that has just taken a shard', async (t) => {
  const { open, env, folder } = await testStore(t, 'folder');
  env.WF_STORE_KEY = key(1);
  await (await open()).close(0);
  const runs = path.join(folder, 'runs');
  const threadOf = (shared: SharedFile): StoreThread =>
    new StoreThread(
      runs,
      shared,
      new UnreadableShards(new ListedShards(runs, shared), new ConfirmedDamage(runs), () => undefined),
    );
  const starting = threadOf(new SharedFile(runs, Buffer.alloc(32, 1)));
  const shared = new SharedFile(runs, Buffer.alloc(32, 1), true);
  let taken: Promise<TakenShard> | undefined;
  // It takes its shard between the search for shards and the mark.
  const late = new Proxy(shared, {
    get(target, name) {
      if (name === 'change') taken ??= starting.takeShard(false);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await assert.rejects(threadOf(late).rekey(Buffer.alloc(32, 2)), { message: 'Another process uses the store.' });
  assert.equal((await taken)?.shard, 0);
  starting.close();
  await (await open()).serve();
});

test('the key changes beside no process that is connected, and one that was cut off meanwhile writes nothing', async (t) => {
  const { open, env, file, database } = await testStore(t, 'PostgreSQL', true);
  if (database === undefined) return;
  env.WF_STORE_KEY = key(1);
  const asleep = await open();
  await asleep.serve();
  const { run, end } = await begun(asleep, await file('single/word.wf'), { w: 'kept' });
  await end;
  /** With connections of its own, as another process has them. */
  const elsewhere = (byte: number, isRekeying = false): Promise<DurableEngine> =>
    openStore(`${database}?application_name=other`, {
      cwd: process.cwd(),
      isRekeying,
      env: { ...env, WF_STORE_KEY: key(byte) },
    });
  const admin = new Client({ connectionString: database });
  await admin.connect();
  const rekeying = await elsewhere(1, true);
  // Whenever a process renews its lease.
  await admin.query(`
    CREATE FUNCTION expired() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.expires := now() - interval ''1 hour''; RETURN NEW; END';
    CREATE TRIGGER expired BEFORE INSERT OR UPDATE ON wf.processes FOR EACH ROW EXECUTE FUNCTION expired();
    UPDATE wf.processes SET expires = expires`);
  await assert.rejects(rekeying.rekey(Buffer.alloc(32, 2)), { message: 'Another process uses the store.' });
  const isRekeyed = async (): Promise<boolean> => {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'other'`,
    );
    return rekeying.rekey(Buffer.alloc(32, 2)).then(
      () => true,
      () => false,
    );
  };
  await until(isRekeyed);
  await admin.query('DROP TRIGGER expired ON wf.processes');
  await admin.end();
  // Until the process tries to connect again, its health still tells of the lost connection.
  await until(() => JSON.stringify(asleep.health()).includes('its key was changed'));
  const refused = await asleep.start({ prepared: await file('single/word.wf'), request: { w: 'late' }, respondAsync: true });
  assert.equal(refused.kind, 'unavailable');
  const later = await elsewhere(2);
  assert.deepEqual((await later.state(run))?.outputs, { w: 'kept' });
  assert.equal((await later.list({})).runs.length, 1);
  await later.close(0);
});
