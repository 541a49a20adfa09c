// Gives up the runs in a lost or damaged file of a store that no backup can bring back. Everything else stays as it was.
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../../engine/usage-error.js';
import { type GivenUp, troubleError } from '../../model/file-troubles.js';
import { taskStates } from '../../model/tasks.js';
import { SharedTables } from '../shared/shared-tables.js';
import { shardFile, shardFileName } from './shard.js';
import { type SharedFile, sqliteSql } from './shared-file.js';
import { folderColumns } from './shared-thread.js';
import { type Database, loadSqlite, sqliteCodes } from './sqlite.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** SQLite's companion files come first: an interrupted removal must not leave a log to a file that is created later. */
const COMPANIONS = ['-wal', '-shm', ''];

/**
 * Removes a shard from the store. Its file gets another name.
 * @param file name of the file, such as `s1.db`
 * @throws UsageError if the store has no such file, or it can be read, or belongs to another user
 */
export async function giveUpFile(shared: SharedFile, unreadable: UnreadableShards, file: string): Promise<GivenUp> {
  const { shards } = unreadable;
  const shard = shards.numbers().find((number) => shardFileName(number) === file);
  if (shard === undefined)
    throw new UsageError(
      `The store has no file ${JSON.stringify(file)} with runs.`,
      'wf runs list names the files that cannot be read.',
    );
  if (unreadable.tolerate(shard, () => withFile(shards.folder, shard, requireSound)) !== undefined)
    throw new UsageError(`The file ${file} of the store can be read. Its runs are not given up.`);
  const trouble = unreadable.troubleOf(shard);
  if (trouble === 'denied') throw troubleError(trouble, file);
  const keptAs = moveAside(shardFile(shards.folder, shard));
  await shards.remove(shard);
  unreadable.forget(shard);
  await endOrphans(shared, unreadable);
  return { keptAs };
}

function withFile<T>(folder: string, shard: number, work: (database: Database) => T): T {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(shardFile(folder, shard));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** @throws an error that counts as damage */
function requireSound(database: Database): true {
  const answer = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  if (answer !== 'ok') throw Object.assign(new Error(String(answer)), { errcode: sqliteCodes.corrupt });
  return true;
}

/** Returns the new name; `undefined` if there is no file. */
function moveAside(file: string): string | undefined {
  const whole = existsSync(file);
  let aside = `${file}.given-up`;
  for (let number = 2; COMPANIONS.some((companion) => existsSync(`${aside}${companion}`)); number++)
    aside = `${file}.given-up-${number}`;
  for (const companion of COMPANIONS) {
    if (existsSync(`${file}${companion}`)) renameSync(`${file}${companion}`, `${aside}${companion}`);
  }
  return whole ? path.basename(aside) : undefined;
}

/**
 * Ends the waits and questions of runs that are in no file any more: they would get what is meant for others. If another file can't be
 * read, these runs may be in that one, and nothing ends.
 */
async function endOrphans(shared: SharedFile, unreadable: UnreadableShards): Promise<void> {
  const rows = shared.all(
    `SELECT lower(hex(run)) AS run FROM (SELECT run FROM waiters UNION SELECT run FROM inbox UNION SELECT run FROM tasks WHERE state = ?)`,
    taskStates.open,
  );
  const orphans = new Set(rows.map(({ run }) => String(run)));
  const { shards } = unreadable;
  for (const shard of shards.numbers()) {
    const isRead = unreadable.tolerate(shard, () => withFile(shards.folder, shard, (database) => leaveOut(database, orphans)));
    if (isRead === undefined) return;
  }
  const tables = new SharedTables(
    sqliteSql(shared, () => true),
    folderColumns,
  );
  await tables.endShared([...orphans]);
}

function leaveOut(database: Database, runs: Set<string>): true {
  // A process that died while it created the file has left it without tables.
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'runs'").get() === undefined) return true;
  const statement = database.prepare('SELECT 1 FROM runs WHERE id = unhex(?)');
  for (const run of runs) if (statement.get(run) !== undefined) runs.delete(run);
  return true;
}
