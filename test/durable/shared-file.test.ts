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

test('a row that has no checksum yet, and gets one from another process while it is read, is not damaged', async (t) => {
  const folder = temporaryFolder(t, {});
  const first = new SharedFile(folder, undefined);
  t.after(() => first.close());
  // As an earlier build, or the process that has just created the store, leaves it.
  first.database.exec("UPDATE meta SET sum = NULL WHERE key = 'secret'; INSERT INTO meta(key) VALUES('without sums')");
  const { all } = SharedFile.prototype;
  t.mock.method(SharedFile.prototype, 'all', function (this: SharedFile, ...args: Parameters<typeof all>) {
    const rows = all.apply(this, args);
    if (this !== first) first.sums.complete();
    return rows;
  });
  const second = new SharedFile(folder, undefined);
  second.close();
});
