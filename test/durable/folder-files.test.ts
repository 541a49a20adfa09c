// The files of a folder: their writes are batched, wait for other processes, and fail only for what is at fault.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newRunHex } from '../../src/durable/model/run-ids.js';
import { type StoreWrite, storedStates } from '../../src/durable/model/run-rows.js';
import type { VersionInfo } from '../../src/durable/model/versions.js';
import { CommitQueue } from '../../src/durable/store/sqlite/commit-queue.js';
import { SharedFile } from '../../src/durable/store/sqlite/shared-file.js';
import { type Database, sqliteCodes, transaction } from '../../src/durable/store/sqlite/sqlite.js';
import { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';
import { prepareStoreFolder } from '../../src/durable/store/sqlite/store-folder.js';
import { standIn } from '../stand-in.js';
import { endWithTest, temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { testStore } from './test-store.js';

/** Longest time that the queue keeps writes nobody waits for. */
const LAZY_MS = 100;

interface Commit {
  readonly writes: readonly StoreWrite[];
  readonly finish: () => void;
}

/** A queue whose commits the test finishes. */
function queueOf(commits: Commit[]): CommitQueue {
  return new CommitQueue({
    commit: (_shard, writes) => new Promise((resolve) => commits.push({ writes, finish: resolve })),
    problemOf: () => undefined,
    onHealth: () => undefined,
    onLost: (error) => assert.fail(String(error)),
  });
}

test('a commit begins before those who waited for the last one continue', async () => {
  const commits: Commit[] = [];
  const queue = queueOf(commits);
  const first = queue.durable(queue.add(0, ['progress', 1]));
  await until(() => commits.length === 1);
  const second = queue.durable(queue.add(0, ['progress', 2]));
  const begun = first?.then(() => commits.length);
  commits[0]?.finish();
  assert.equal(await begun, 2);
  commits[1]?.finish();
  await second;
});

test('a write that nobody waits for follows, even if a commit takes longer than it may stay in memory', async () => {
  const commits: Commit[] = [];
  const queue = queueOf(commits);
  queue.add(0, ['progress', 1]);
  queue.flush();
  await until(() => commits.length === 1);
  queue.add(0, ['progress', 2]);
  queue.flushLazily();
  // Timers of one length fire in the order in which they were set.
  await pause(LAZY_MS);
  commits[0]?.finish();
  await until(() => commits.length === 2);
  assert.deepEqual(commits[1]?.writes, [['progress', 2]]);
  commits[1]?.finish();
  await queue.settled();
});

test('nobody waits for a write that follows soon, unless much is waiting to be written', async () => {
  const commits: Commit[] = [];
  const queue = queueOf(commits);
  queue.add(0, ['extra', 1, 'short']);
  assert.equal(queue.flushLazily(), undefined);
  queue.add(0, ['extra', 1, 'x'.repeat(5_000_000)]);
  const written = queue.flushLazily();
  assert.ok(written !== undefined);
  await until(() => commits.length === 1);
  commits[0]?.finish();
  await written;
  queue.add(0, ['extra', 1, 'short']);
  assert.equal(queue.flushLazily(), undefined, 'afterwards');
  queue.flush();
  await until(() => commits.length === 2);
  commits[1]?.finish();
  await queue.settled();
});

// The file that the processes of a store share: work that can't be done fails, whatever else waits for the file.

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

// A write to a file of a store waits for another process that holds it, without the growing pauses of SQLite.

/** A database that another process holds during the first attempts. */
function heldDuring(attempts: number): { readonly database: Database; readonly said: string[] } {
  const said: string[] = [];
  let left = attempts;
  const database: Database = {
    exec(sql) {
      said.push(sql);
      if (sql === 'BEGIN IMMEDIATE' && left-- > 0) throw Object.assign(new Error('locked'), { errcode: sqliteCodes.busy });
    },
    prepare: () => assert.fail('not used'),
    close: () => undefined,
  };
  return { database, said };
}

test('a patient write asks again until the file is free', () => {
  const { database, said } = heldDuring(3);
  assert.equal(
    transaction(database, () => 'done', 60_000),
    'done',
  );
  assert.deepEqual(said, [...Array(4).fill('BEGIN IMMEDIATE'), 'COMMIT']);
});

test('a write without patience reports that the file is held, and changes nothing', () => {
  const { database, said } = heldDuring(1);
  assert.throws(() => transaction(database, () => assert.fail('not reached')), /locked/);
  assert.deepEqual(said, ['BEGIN IMMEDIATE']);
});

// What a folder hands out of itself, while some of its writes are still on their way.

test('a run whose end is still being written does not continue', async (t) => {
  const { folder } = await testStore(t, 'folder');
  const store = await SqliteStore.open({
    folder: prepareStoreFolder('runs', folder),
    key: undefined,
    env: {},
    isRekeying: false,
    onProblem: assert.fail,
  });
  t.after(() => store.close());
  const shard = await store.custody.takeWriter();
  const { v } = await shard.importedVersion('flow', 'hash', standIn<VersionInfo>({ env: [] }));
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
