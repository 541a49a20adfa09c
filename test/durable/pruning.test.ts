// Deletion of finished runs: consecutive ones go together, and nothing between them goes with them; `keep for` says when.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Pruning } from '../../src/durable/engine/pruning.js';
import { entryKinds } from '../../src/durable/model/entries.js';
import { type StoredState, storedStates } from '../../src/durable/model/run-rows.js';
import type { RunDeletion } from '../../src/durable/store/port.js';
import { moveLog, pruneSlice } from '../../src/durable/store/sqlite/shard-pruning.js';
import { type Database, loadSqlite, openDurable } from '../../src/durable/store/sqlite/sqlite.js';
import { prepareTables } from '../../src/durable/store/sqlite/store-format.js';
import { standIn } from '../stand-in.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

const OLD = 1_000_000;
const NOW = 2_000_000;

/** The `n`th run, with two entries. */
function add(database: Database, n: number, state: StoredState, at: number): void {
  const id = at.toString(16).padStart(12, '0') + n.toString(16).padStart(20, '0');
  const finished = state >= storedStates.completed ? at : null;
  database.prepare('INSERT INTO runs(n, id, v, state, finished) VALUES(?, unhex(?), 1, ?, ?)').run(n, id, state, finished);
  const entry = database.prepare('INSERT INTO entries(n, pos, kind, at) VALUES(?, ?, ?, ?)');
  for (const pos of [0, 1]) entry.run(n, pos, entryKinds.call, at);
}

function inMemory(): Database {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(':memory:');
  prepareTables(database, 'shard');
  return database;
}

/** Numbers of the runs left, by runs and by entries. */
function left(database: Database): [number[], number[]] {
  const numbers = (table: string): number[] =>
    database
      .prepare(`SELECT DISTINCT n FROM ${table} ORDER BY n`)
      .all()
      .map(({ n }) => Number(n));
  return [numbers('runs'), numbers('entries')];
}

test('deletes old finished runs in any order of states, and nothing between them', () => {
  const database = inMemory();
  const { completed, rejected, waiting, running } = storedStates;
  const kept: number[] = [];
  let old = 0;
  for (let n = 1; n <= 250; n++) {
    const state = n % 7 === 0 ? waiting : n % 11 === 0 ? running : n % 5 === 0 ? rejected : completed;
    const isRecent = n % 13 === 0;
    add(database, n, state, isRecent ? NOW - 1 : OLD);
    if (isRecent || state < completed) kept.push(n);
    else old++;
  }
  let deleted = 0;
  for (let slice = -1; slice !== 0; deleted += slice) slice = pruneSlice(database, { before: OLD, now: NOW });
  assert.equal(deleted, old);
  assert.deepEqual(left(database), [kept, kept]);
});

test('waits for the disk with the last slice only', () => {
  const database = inMemory();
  for (let n = 1; n <= 501; n++) add(database, n, storedStates.completed, OLD);
  const said: string[] = [];
  const heard: Database = {
    exec(sql) {
      said.push(/synchronous = (\w+)/.exec(sql)?.[1] ?? sql);
      database.exec(sql);
    },
    prepare: (sql) => database.prepare(sql),
    close: () => database.close(),
  };
  const slices: string[][] = [];
  while (pruneSlice(heard, { before: OLD, now: NOW }) > 0) slices.push(said.splice(0));
  assert.deepEqual(left(database), [[], []]);
  assert.deepEqual(slices[0], ['NORMAL', 'BEGIN IMMEDIATE', 'COMMIT']);
  assert.deepEqual(slices.at(-1), ['FULL', 'BEGIN IMMEDIATE', 'COMMIT']);
});

test('moves the log into the file only when asked, so that a slice does not wait for the disk', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-pruning-'));
  const database = openDurable(path.join(folder, 's0.db'), 0);
  t.after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  prepareTables(database, 'shard');
  database.exec('PRAGMA wal_autocheckpoint = 1');
  for (let n = 1; n <= 100; n++) add(database, n, storedStates.completed, OLD);
  const notMoved = (): number => {
    const log = database.prepare('PRAGMA wal_checkpoint(NOOP)').get();
    return Number(log?.log) - Number(log?.checkpointed);
  };
  assert.equal(notMoved(), 0);
  while (pruneSlice(database, { before: OLD, now: NOW }) > 0);
  assert.ok(notMoved() > 0);
  moveLog(database);
  assert.equal(notMoved(), 0);
});

test('does not wait for another process to move a long log', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-pruning-'));
  const [database, other] = [openDurable(path.join(folder, 's0.db'), 50), openDurable(path.join(folder, 's0.db'), 50)];
  t.after(() => {
    for (const one of [database, other]) one.close();
    rmSync(folder, { recursive: true });
  });
  prepareTables(database, 'shard');
  database.exec('PRAGMA wal_autocheckpoint = 0');
  add(database, 1, storedStates.completed, OLD);
  database.exec('UPDATE runs SET request = zeroblob(14e6)');
  other.exec('BEGIN IMMEDIATE');
  moveLog(database);
  other.exec('ROLLBACK');
  assert.equal(database.prepare('PRAGMA busy_timeout').get()?.timeout, 50);
  moveLog(database);
  add(other, 2, storedStates.completed, OLD);
  assert.ok(Number(other.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log) < 100);
});

test('a store that closes ends its pruning, and the next pruning deletes the rest', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const prepared = await file('single/output.wf');
  const engine = await open();
  for (let n = 0; n < 3; n++) await (await begun(engine, prepared, { n, word: 'w' })).end;
  const pruned = engine.prune({ olderThanMs: -1_000 }).catch(() => undefined);
  await engine.close(0);
  await pruned;
  const later = await open();
  await later.prune({ olderThanMs: -1_000 });
  assert.deepEqual((await later.list({})).runs, []);
});

test('closing waits for a deletion that has just begun, and ends it', async () => {
  let opened: (deletion: RunDeletion) => void = () => undefined;
  const beginning = new Promise<RunDeletion>((resolve) => {
    opened = resolve;
  });
  const queue = { settled: async () => undefined };
  const parts = { queue, pruning: { count: async () => 0, begin: () => beginning, deleteRest: async () => undefined } };
  // The parts of a store that pruning uses.
  const pruning = new Pruning(standIn<ConstructorParameters<typeof Pruning>[0]>(parts), () => undefined);
  const pruned = pruning.prune(0, false);
  await queue.settled();
  await Promise.resolve();
  let ends = 0;
  const closing = pruning.close().then(() => ends);
  opened({ slice: async () => assert.fail('it is closed'), end: async () => void ends++ });
  assert.ok((await closing) > 0, 'its files are closed');
  assert.deepEqual(await pruned, { runs: 0 });
});

// `keep for` in `config:`: how long the runs of a workflow are kept, whatever the store keeps, in both kinds of stores.

after(dropTemplate);

const DAY_MS = 86_400_000;

for (const kind of storeKinds) {
  test(`runs are kept as long as their workflow says, and what was asked goes with them (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const engine = await open();
    await engine.serve();
    const short = await begun(engine, await file('single/short-lived.wf'), { n: 1, name: 'Ada' });
    await short.end;
    const [task] = (await engine.tasks()).tasks;
    assert.ok(task);
    await engine.answer(task.task, { answer: 'Yes, Ada' });
    assert.equal((await engine.settled(short.run, 'ended', 60_000))?.status, 'completed');
    const long = await begun(engine, await file('single/long-lived.wf'), { n: 2 });
    const usual = await begun(engine, await file('single/output.wf'), { n: 3 });
    await Promise.all([long.end, usual.end]);
    await until(async () => (await engine.list({})).runs.length === 3);
    assert.deepEqual(await engine.prune({ olderThanMs: 90 * DAY_MS, dryRun: true }), { runs: 1 });
    assert.deepEqual(await engine.prune({ olderThanMs: 90 * DAY_MS }), { runs: 1 });
    assert.equal(await engine.state(short.run), undefined);
    assert.deepEqual((await engine.tasks({ closed: true })).tasks, []);
    // Older than this are all of them.
    assert.deepEqual(await engine.prune({ olderThanMs: -1_000 }), { runs: 1 });
    assert.deepEqual(
      (await engine.list({})).runs.map(({ run }) => run),
      [long.run],
    );
  });

  test(`a store that keeps runs forever deletes those of a workflow that says how long (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const first = await open();
    const runs = [];
    for (const name of ['single/output.wf', 'single/short-lived.wf'])
      runs.push(await begun(first, await file(name), { n: 1, name: 'Ada' }));
    await Promise.all(runs.map(({ end }) => end));
    const [kept1, short] = runs;
    assert.ok(kept1 && short);
    await first.cancel(short.run);
    await until(async () => (await first.state(short.run))?.status === 'cancelled');
    await first.close(0);
    const second = await open();
    await second.serve();
    await until(async () => (await second.list({})).runs.length === 1);
    assert.equal((await second.state(kept1.run))?.status, 'completed');
  });
}
