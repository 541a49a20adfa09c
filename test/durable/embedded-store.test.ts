// What a folder hands out of itself, while some of its writes are still on their way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddedStore } from '../../src/durable/embedded/embedded-store.js';
import { newRunHex } from '../../src/durable/run-ids.js';
import { storedStates } from '../../src/durable/store/slot-writes.js';
import { prepareStoreFolder } from '../../src/durable/store/store-folder.js';
import type { VersionInfo } from '../../src/durable/stored-version.js';
import { kept } from './kept.js';

test('a run whose end is still being written does not continue', async (t) => {
  const { folder } = await kept(t, 'folder');
  const store = await EmbeddedStore.open({
    ...{ folder: prepareStoreFolder('runs', folder), key: undefined, env: {}, isRekeying: false },
    ...{ onProblem: assert.fail, onLost: () => false, onRenewed: async () => undefined },
  });
  t.after(() => store.close());
  const slot = await store.primary.take(true);
  const { v } = slot.version('flow', 'hash', { env: [] } as unknown as VersionInfo);
  const run = { slot, n: slot.newRun(), id: newRunHex(Date.now()) };
  slot.write(['run', run.n, run.id, v, storedStates.waiting, null, '{}', null, null]);
  await store.queue.settled();
  assert.equal((await store.load(run))?.wasWaiting, true);
  slot.write(['end', run.n, storedStates.cancelled, Date.now(), null]);
  assert.equal(await store.load(run), undefined);
});
