// Gives up the runs in a file of a store that is lost or damaged, where no backup can bring them back. Everything else is as before the loss.
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../engine/usage-error.js';
import type { SharedFile } from './shared-file.js';
import { endShared, taskStates } from './shared-tasks.js';
import { slotFile, slotFileName } from './slot.js';
import { type Database, loadSqlite, sqliteCodes } from './sqlite.js';
import { troubleError, type UnreadableSlots } from './unreadable-slots.js';

export interface GivenUp {
  /** Where what is left of the file is now; `undefined` if nothing is. */
  readonly keptAs: string | undefined;
}

/** SQLite's companion files come first: an interrupted removal must not leave a log to a file that is created later. */
const COMPANIONS = ['-wal', '-shm', ''];

/**
 * Removes a slot from the store. Its file gets another name.
 * @param file name of the file, such as `s1.db`
 * @throws UsageError if the store has no such file, or it can be read, or belongs to another user
 */
export async function giveUpFile(shared: SharedFile, unreadable: UnreadableSlots, file: string): Promise<GivenUp> {
  const { slots } = unreadable;
  const slot = slots.numbers().find((number) => slotFileName(number) === file);
  if (slot === undefined)
    throw new UsageError(
      `The store has no file ${JSON.stringify(file)} with runs.`,
      'wf runs list names the files that cannot be read.',
    );
  if (unreadable.tolerate(slot, () => withFile(slots.folder, slot, requireSound)) !== undefined)
    throw new UsageError(`The file ${file} of the store can be read. Its runs are not given up.`);
  const trouble = unreadable.troubleOf(slot);
  if (trouble === 'denied') throw troubleError(trouble, file);
  const keptAs = moveAside(slotFile(slots.folder, slot));
  await slots.remove(slot);
  unreadable.forget(slot);
  await endOrphans(shared, unreadable);
  return { keptAs };
}

function withFile<T>(folder: string, slot: number, work: (database: Database) => T): T {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(slotFile(folder, slot));
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
async function endOrphans(shared: SharedFile, unreadable: UnreadableSlots): Promise<void> {
  const rows = shared.all(
    `SELECT lower(hex(run)) AS run FROM (SELECT run FROM waiters UNION SELECT run FROM inbox UNION SELECT run FROM tasks WHERE state = ?)`,
    taskStates.open,
  );
  const orphans = new Set(rows.map(({ run }) => String(run)));
  const { slots } = unreadable;
  for (const slot of slots.numbers()) {
    const isRead = unreadable.tolerate(slot, () => withFile(slots.folder, slot, (database) => leaveOut(database, orphans)));
    if (isRead === undefined) return;
  }
  for (const run of orphans) await endShared(shared, run);
}

function leaveOut(database: Database, runs: Set<string>): true {
  // A process that died while it created the file has left it without tables.
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'runs'").get() === undefined) return true;
  const statement = database.prepare('SELECT 1 FROM runs WHERE id = unhex(?)');
  for (const run of runs) if (statement.get(run) !== undefined) runs.delete(run);
  return true;
}
