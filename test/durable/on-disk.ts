// A copy of a store in use, as a process that dies now would leave it on disk, without locks.
import { cpSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { type Database, loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';

/** @returns the folder of the copy, which contains it as `runs` */
export function copyOfStore(folder: string): string {
  const copy = mkdtempSync(path.join(folder, 'copy-'));
  cpSync(path.join(folder, 'runs'), path.join(copy, 'runs'), { recursive: true, filter: (name) => !name.endsWith('.lock') });
  return copy;
}

/** Rows in a copy of the first shard, or of what processes share. */
export function rowsOnDisk(
  folder: string,
  sql: string,
  file: 's0' | 'common' = 's0',
): readonly Readonly<Record<string, unknown>>[] {
  const { DatabaseSync } = loadSqlite();
  const database: Database = new DatabaseSync(path.join(copyOfStore(folder), 'runs', `${file}.db`));
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
