// A write to a file of a store waits for another process that holds it, without the growing pauses of SQLite.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, sqliteCodes, transaction } from '../../src/durable/store/sqlite/sqlite.js';

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
