// Copies a store in a folder while it is used, as it was at one moment: a snapshot of each file is taken while nobody can change the shared
// one, and copied at leisure with SQLite's backup.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { faultCode, fileFault } from '../../../engine/files/file-fault.js';
import { UsageError } from '../../../engine/usage-error.js';
import type { StoreCopy } from '../../model/run-views.js';
import { shardFileName } from './shard.js';
import { type Database, loadSqlite, sqliteCode, sqliteCodes } from './sqlite.js';
import { SHARED_FILE, syncFolder } from './store-folder.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** Milliseconds that this waits for whoever changes the shared file. */
const PATIENCE_MS = 10_000;
/** Pages copied in one step. */
const RATE = 1_000;

/**
 * @param source the folder of the store @param target absolute; there is nothing at it yet, or an empty folder
 * @throws UsageError if something is there, or part of the store can't be read
 */
export async function backUp(source: string, target: string, unreadable: UnreadableShards): Promise<StoreCopy> {
  refuseTarget(source, target);
  // Complete when it gets its name: half a copy must not look like a store.
  const partial = mkdtempSync(`${target}.partial-`);
  try {
    const snapshots = snapshotsOf(source, unreadable);
    try {
      for (const [name, database] of snapshots) await copy(database, path.join(partial, name));
    } finally {
      for (const database of snapshots.values()) database.close();
    }
    syncFolder(partial);
    if (existsSync(target)) rmSync(target, { recursive: true }); // it is empty
    renameSync(partial, target);
    syncFolder(path.dirname(target));
    const names = [...snapshots.keys()];
    return { files: names.length, bytes: names.reduce((sum, name) => sum + statSync(path.join(target, name)).size, 0) };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    const fault = error instanceof UsageError ? undefined : faultOf(error);
    if (fault === undefined) throw error;
    throw new UsageError(`The copy cannot be written: ${fault}.`, 'The store is as it was. Name a folder that can be written.');
  }
}

/** The reason why the copy can't be written, as the end of a sentence; `undefined` for any other error. */
function faultOf(error: unknown): string | undefined {
  const code = sqliteCode(error);
  if (code === sqliteCodes.full) return 'the disk is full';
  if (code === sqliteCodes.ioError) return 'the disk reports an error';
  return code !== 0 || faultCode(error) === '' ? undefined : fileFault(error);
}

function refuseTarget(source: string, target: string): void {
  const inside = path.relative(source, target);
  if (inside === '' || !(inside.startsWith('..') || path.isAbsolute(inside)))
    throw new UsageError('The copy cannot be inside the store.', 'Name another folder.');
  if (!existsSync(path.dirname(target)))
    throw new UsageError(
      `There is no folder for the copy: ${path.basename(path.dirname(target))} does not exist.`,
      'Create it first.',
    );
  if (existsSync(target) && !(statSync(target).isDirectory() && readdirSync(target).length === 0))
    throw new UsageError(
      'The copy cannot be written: there is something at that path already.',
      'Name a folder that does not exist yet.',
    );
}

/** A connection with an open snapshot of each file, by its name; all of one moment. @throws UsageError if one can't be read */
function snapshotsOf(source: string, unreadable: UnreadableShards): Map<string, Database> {
  const { DatabaseSync } = loadSqlite();
  const opened = new Map<string, Database>();
  const open = (name: string): Database => {
    const database = new DatabaseSync(path.join(source, name), { timeout: PATIENCE_MS });
    opened.set(name, database);
    return database;
  };
  const gate = new DatabaseSync(path.join(source, SHARED_FILE), { timeout: PATIENCE_MS });
  try {
    // Everything that a run needs of the shared file is there before the run; with this, nothing of it is gone before the run has taken it.
    gate.exec('BEGIN IMMEDIATE');
    for (const shard of unreadable.shards.numbers())
      unreadable.insist(shard, () => {
        const database = open(shardFileName(shard));
        if (!begin(database)) opened.delete(shardFileName(shard));
      });
    begin(open(SHARED_FILE));
    return opened;
  } catch (error) {
    for (const database of opened.values()) database.close();
    throw error;
  } finally {
    gate.close();
  }
}

/** Opens the snapshot of a file. Returns whether it has tables: its process may have just created it. */
function begin(database: Database): boolean {
  database.exec('BEGIN');
  if (database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined) return true;
  database.close();
  return false;
}

async function copy(database: Database, file: string): Promise<void> {
  const { backup } = loadSqlite();
  await backup(database, file, { rate: RATE });
  chmodSync(file, 0o600);
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
