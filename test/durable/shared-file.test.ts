// The file that the processes of a store share: work that can't be done fails, whatever else waits for the file.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SharedFile } from '../../src/durable/store/sqlite/shared-file.js';
import { temporaryFolder } from '../temporary-folder.js';

const opened = (t: TestContext): SharedFile => new SharedFile(temporaryFolder(t, {}), undefined);

const add = (file: SharedFile, key: string): Promise<number> =>
  file.change(() => file.run('INSERT INTO meta(key, value) VALUES(?, ?)', key, 'x'));

test('of several changes at once, only the one at fault fails', async (t) => {
  const file = opened(t);
  t.after(() => file.close());
  const done = await Promise.allSettled([add(file, 'a'), add(file, 'b'), add(file, 'a'), add(file, 'c')]);
  assert.deepEqual(
    done.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(file.all("SELECT key FROM meta WHERE key IN ('a', 'b', 'c')").length, 3);
});

test('if the file fails, all changes fail', async (t) => {
  const file = opened(t);
  file.database.close();
  const done = await Promise.allSettled([add(file, 'a'), add(file, 'b')]);
  assert.deepEqual(
    done.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});

test('changes that wait when the file is closed fail', async (t) => {
  const file = opened(t);
  const waiting = Promise.allSettled([add(file, 'a'), add(file, 'b')]);
  file.close();
  for (const done of await waiting) assert.match(String(done.status === 'rejected' && done.reason), /The store is closed\./);
});
