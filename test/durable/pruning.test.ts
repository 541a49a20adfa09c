// Deletion of finished runs from the file of a slot: consecutive runs go together, and nothing between them goes with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneSlice } from '../../src/durable/store/slot-pruning.js';
import { entryKinds, type StoredState, storedStates } from '../../src/durable/store/slot-writes.js';
import { type Database, loadSqlite } from '../../src/durable/store/sqlite.js';
import { prepareTables } from '../../src/durable/store/store-format.js';

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
  prepareTables(database, 'slot');
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
  for (let slice = -1; slice !== 0; deleted += slice) slice = pruneSlice(database, { before: OLD, now: NOW }, true);
  assert.equal(deleted, old);
  assert.deepEqual(left(database), [kept, kept]);
});

/** What each slice says to the file. */
function slicesOf(isOwn: boolean): string[][] {
  const database = inMemory();
  for (let n = 1; n <= 1_001; n++) add(database, n, storedStates.completed, OLD);
  const said: string[] = [];
  const heard: Database = {
    exec(sql) {
      if (!sql.includes('wal_autocheckpoint')) said.push(/synchronous = (\w+)/.exec(sql)?.[1] ?? sql);
      database.exec(sql);
    },
    prepare: (sql) => database.prepare(sql),
    close: () => database.close(),
  };
  const slices: string[][] = [];
  while (pruneSlice(heard, { before: OLD, now: NOW }, isOwn) > 0) slices.push(said.splice(0));
  assert.deepEqual(left(database), [[], []]);
  return slices;
}

test('waits for the disk with the last slice only', () => {
  const slices = slicesOf(false);
  assert.deepEqual(slices[0], ['NORMAL', 'BEGIN IMMEDIATE', 'COMMIT']);
  assert.deepEqual(slices.at(-1), ['FULL', 'BEGIN IMMEDIATE', 'COMMIT']);
});

test('never weakens the connection that also commits runs', () => {
  for (const said of slicesOf(true)) assert.deepEqual(said, ['BEGIN IMMEDIATE', 'COMMIT']);
});
