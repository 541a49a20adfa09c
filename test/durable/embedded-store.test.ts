// What a folder hands out of itself, while some of its writes are still on their way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRunHex } from '../../src/durable/model/run-ids.js';
import { storedStates } from '../../src/durable/model/run-rows.js';
import type { VersionInfo } from '../../src/durable/model/versions.js';
import { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';
import { prepareStoreFolder } from '../../src/durable/store/sqlite/store-folder.js';
import { kept } from './kept.js';

test('a run whose end is still being written does not continue', async (t) => {
  const { folder } = await kept(t, 'folder');
  const store = await SqliteStore.open({
    ...{ folder: prepareStoreFolder('runs', folder), key: undefined, env: {}, isRekeying: false },
    onProblem: assert.fail,
  });
  t.after(() => store.close());
  const shard = await store.custody.takeWriter();
  const { v } = await shard.importedVersion('flow', 'hash', { env: [] } as unknown as VersionInfo);
  const id = newRunHex(Date.now());
  const run = { writer: shard, n: shard.newRun(id), id };
  shard.write(['run', run.n, run.id, v, storedStates.waiting, null, '{}', null, null]);
  await store.queue.settled();
  assert.equal((await store.load(run))?.wasWaiting, true);
  shard.write(['end', run.n, storedStates.cancelled, Date.now(), null]);
  assert.equal(await store.load(run), undefined);
});
