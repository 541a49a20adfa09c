// Deletes finished runs from the file of a shard, in slices so short that its writer hardly waits. Any process may do this: a finished run
// belongs to no process.
import { hasEnded, storedStates } from '../../model/run-rows.js';
import { BUSY_MS, OtherShards } from './other-shards.js';
import { CHECKPOINT_PAGES } from './shard.js';
import { type Database, transaction } from './sqlite.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** Milliseconds per slice. Including the commit, the file is held for less than 20, also on a busy machine. */
const SLICE_MS = 2;
/** Milliseconds for reading what a slice deletes. */
const READING_MS = 5;
/** Runs searched for at a time. */
const BATCH = 500;
/** Maximum runs deleted by one statement. The time is checked in between. */
const RANGE = 50;

/** Minimum milliseconds that a run started with a key is kept. */
const KEYED_MS = 24 * 3_600_000;

/**
 * Settings of a connection that deletes. It moves the log only when asked. A statement that deletes several rows keeps copies of their pages:
 * in a file, it would wait for the disk while it holds the database.
 */
const SETTINGS = 'PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY';

/** Pages in the log from which all of it is moved, so that the next commit starts it over. Otherwise, commits of runs would soon move it. */
const LONG_LOG = 0.75 * CHECKPOINT_PAGES;
/** Milliseconds that this waits for readers. */
const READERS_MS = 3;

const finishedStates = Object.values(storedStates).filter((state) => hasEnded(state));

/** Runs that ended before this moment and may be deleted. */
const OLD = `state = ? AND id < unhex(?) AND finished <= ? AND (finished <= ? OR extra IS NULL OR json_extract(extra, '$.key') IS NULL)`;

interface Age {
  /** Milliseconds since 1970; 0 if only workflows that say so have their runs deleted. */
  readonly before: number;
  readonly now: number;
}

/** The first possible id after a moment. */
const idAfter = (ms: number): string => (Math.max(0, ms) + 1).toString(16).padStart(12, '0').padEnd(32, '0');

/** Runs of some versions, all of which are old at the same age. */
interface OldRuns {
  readonly condition: string;
  readonly values: (state: number) => (string | number)[];
}

/** The versions with `keep for`, by their time in milliseconds. */
function versionsByTime(database: Database): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const time = "CASE WHEN json_valid(info) THEN json_extract(info, '$.keepForMs') END";
  for (const { v, ms } of database.prepare(`SELECT v, ${time} AS ms FROM versions WHERE ms IS NOT NULL`).all())
    found.set(Number(ms), [...(found.get(Number(ms)) ?? []), Number(v)]);
  return found;
}

/** The shortest time for which a version says that its runs are kept, in milliseconds. */
export const shortestTime = (database: Database): number | undefined =>
  [...versionsByTime(database).keys()].sort((one, other) => one - other)[0];

function oldRuns(database: Database, { before, now }: Age): OldRuns[] {
  const since = (which: string, moment: number): OldRuns => ({
    condition: `${OLD}${which}`,
    values: (state) => [state, idAfter(moment), moment, Math.min(moment, now - KEYED_MS)],
  });
  const times = versionsByTime(database);
  const own = [...times].map(([ms, versions]) => since(` AND v IN (${versions.join(', ')})`, now - ms));
  if (before <= 0) return own;
  const listed = [...times.values()].flat();
  return [since(listed.length === 0 ? '' : ` AND v NOT IN (${listed.join(', ')})`, before), ...own];
}

export function countOldRuns(database: Database, age: Age): number {
  let count = 0;
  for (const { condition, values } of oldRuns(database, age)) {
    const statement = database.prepare(`SELECT count(*) AS count FROM runs WHERE ${condition}`);
    for (const state of finishedStates) count += Number(statement.get(...values(state))?.count ?? 0);
  }
  return count;
}

export const hasOldRuns = (database: Database, age: Age): boolean =>
  oldRuns(database, age).some(({ condition, values }) => {
    const statement = database.prepare(`SELECT 1 FROM runs WHERE ${condition} LIMIT 1`);
    return finishedStates.some((state) => statement.get(...values(state)) !== undefined);
  });

/**
 * Deletes some of them; returns how many, and 0 when none are left.
 * @param database a connection that commits no runs: with these settings, a commit is not on disk each time
 */
export function pruneSlice(database: Database, age: Age): number {
  for (const { condition, values } of oldRuns(database, age)) {
    for (const state of finishedStates) {
      const found = database
        .prepare(`SELECT n FROM runs WHERE ${condition} ORDER BY id LIMIT ${BATCH + 1}`)
        .all(...values(state));
      if (found.length === 0) continue;
      // The file is not held while the disk works, except by the last slice, which takes the others with it. If the power is cut before,
      // some runs are back, and are deleted the next time.
      const isLast = found.length <= BATCH;
      database.exec(`PRAGMA synchronous = ${isLast ? 'FULL' : 'NORMAL'}; ${SETTINGS}`);
      return deleteSome(database, readSome(database, rangesOf(found.slice(0, BATCH).map(({ n }) => Number(n)))));
    }
  }
  return 0;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Consecutive numbers, in the order given. Runs that were started one after the other are deleted twice as fast together. */
function rangesOf(numbers: readonly number[]): Range[] {
  const ranges: { first: number; last: number }[] = [];
  for (const n of numbers) {
    const current = ranges.at(-1);
    if (current !== undefined && n === current.last + 1 && n - current.first < RANGE) current.last = n;
    else ranges.push({ first: n, last: n });
  }
  return ranges;
}

/** Reads the entries of the first runs, and returns these. Old runs must come from the disk, and meanwhile the file should not be held. */
function readSome(database: Database, ranges: readonly Range[]): readonly Range[] {
  const entries = database.prepare('SELECT sum(length(body)) FROM entries WHERE n BETWEEN ? AND ?');
  const started = performance.now();
  const end = ranges.findIndex(({ first, last }) => {
    entries.get(first, last);
    return performance.now() - started > READING_MS;
  });
  return end < 0 ? ranges : ranges.slice(0, end + 1);
}

function deleteSome(database: Database, ranges: readonly Range[]): number {
  const entries = database.prepare('DELETE FROM entries WHERE n BETWEEN ? AND ?');
  const runs = database.prepare('DELETE FROM runs WHERE n BETWEEN ? AND ?');
  return transaction(database, () => {
    const started = performance.now();
    let deleted = 0;
    for (const { first, last } of ranges) {
      entries.run(first, last);
      runs.run(first, last);
      deleted += last - first + 1;
      if (performance.now() - started > SLICE_MS) break;
    }
    return deleted;
  });
}

/**
 * Moves the write-ahead log into the file. Others can write meanwhile, so the log keeps growing. Once it is long, they must wait while its
 * short rest is moved.
 */
export function moveLog(database: Database): void {
  const moved = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  if (Number(moved?.log) <= LONG_LOG) return;
  // It holds the file while it waits for readers.
  database.exec(`PRAGMA busy_timeout = ${READERS_MS}; PRAGMA wal_checkpoint(FULL); PRAGMA busy_timeout = ${BUSY_MS}`);
}

interface PrunedSlice {
  readonly deleted: number;
  /** Nothing is left to delete; also false if a file was busy. */
  readonly isOver: boolean;
  /** Where they were. */
  readonly shard: number | undefined;
}

/** Prunes the first shard that has something to delete. @param prune returns `undefined` for a busy file */
function pruneFirst(shards: readonly number[], prune: (shard: number) => number | undefined): PrunedSlice {
  let isBusy = false;
  for (const shard of shards) {
    const deleted = prune(shard);
    if (deleted === undefined) isBusy = true;
    else if (deleted > 0) return { deleted, isOver: false, shard };
  }
  return { deleted: 0, isOver: !isBusy, shard: undefined };
}

export class StorePruner {
  readonly #unreadable: UnreadableShards;
  readonly #files: OtherShards;

  constructor(folder: string, unreadable: UnreadableShards) {
    this.#unreadable = unreadable;
    this.#files = new OtherShards(folder, () => undefined, unreadable);
  }

  /** Deletes some runs that ended before this moment, of any shard. */
  pruneSlice(before: number, now: number): PrunedSlice {
    return pruneFirst(this.#unreadable.shards.numbers(), (shard) =>
      this.#files.ask(shard, (file) => pruneSlice(file, { before, now })),
    );
  }

  /** Moves the write-ahead log of a shard into its file. */
  moveLog(shard: number): void {
    this.#files.ask(shard, moveLog);
  }

  close(): void {
    this.#files.close();
  }
}
