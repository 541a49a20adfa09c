// What a folder hands out of itself, while some of its writes are still on their way.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { newRunHex } from '../../src/durable/model/run-ids.js';
import { storedStates } from '../../src/durable/model/run-rows.js';
import type { VersionInfo } from '../../src/durable/model/versions.js';
import { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';
import { prepareStoreFolder } from '../../src/durable/store/sqlite/store-folder.js';
import { endWithTest, temporaryFolder } from '../temporary-folder.js';
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

test('a store opens while another process deletes the log of a file that it closes', async (t) => {
  const cwd = temporaryFolder(t);
  const folder = prepareStoreFolder('runs', cwd);
  writeFileSync(path.join(folder, 'common.db'), Buffer.alloc(8_192));
  const closing = new Worker(
    `const { rmSync, writeFileSync } = require('node:fs');
    for (;;) { writeFileSync(${JSON.stringify(path.join(folder, 's0.db-wal'))}, ''); rmSync(${JSON.stringify(path.join(folder, 's0.db-wal'))}); }`,
    { eval: true },
  );
  endWithTest(t, () => closing.terminate());
  await new Promise((resolve) => closing.once('online', resolve));
  for (let opened = 0; opened < 3_000; opened++) assert.equal(prepareStoreFolder('runs', cwd), folder);
});
