// Deletes finished runs from the file of a slot, in slices so short that its writer hardly waits. Any process may do this: a finished run
// belongs to no one.
import { CHECKPOINT_PAGES } from './slot.js';
import { firstFinished, storedStates } from './slot-writes.js';
import { type Database, transaction } from './sqlite.js';

/** Milliseconds per slice. Including the commit, the file is held for less than 20, also on a busy machine. */
const SLICE_MS = 3;
/** Pages of the write-ahead log that are moved into the file at once: deletions fill it, and moving all of it would take too long. */
const PRUNING_PAGES = 250;
/** Runs searched for at a time. */
const BATCH = 1_000;
/** Maximum runs deleted by one statement. The time is checked in between. */
const RANGE = 50;

/** Minimum milliseconds that a run started with a key is kept. */
const KEYED_MS = 24 * 3_600_000;

const finishedStates = Object.values(storedStates).filter((state) => state >= firstFinished);

/** Runs that ended before this moment and may be deleted. */
const OLD = `state = ? AND id < unhex(?) AND finished <= ? AND (finished <= ? OR extra IS NULL OR json_extract(extra, '$.key') IS NULL)`;

interface Age {
  /** Milliseconds since 1970. */
  readonly before: number;
  readonly now: number;
}

/** The first possible id after a moment. */
const idAfter = (ms: number): string => (Math.max(0, ms) + 1).toString(16).padStart(12, '0').padEnd(32, '0');

const valuesOf = (state: number, { before, now }: Age): (string | number)[] => [
  state,
  idAfter(before),
  before,
  Math.min(before, now - KEYED_MS),
];

export function countOldRuns(database: Database, age: Age): number {
  const statement = database.prepare(`SELECT count(*) AS count FROM runs WHERE ${OLD}`);
  return finishedStates.reduce((sum, state) => sum + Number(statement.get(...valuesOf(state, age))?.count ?? 0), 0);
}

/**
 * Deletes some of them; returns how many, and 0 when none are left.
 * @param isOwn whether this connection also commits runs, which must be on disk each time
 */
export function pruneSlice(database: Database, age: Age, isOwn: boolean): number {
  for (const state of finishedStates) {
    const found = database.prepare(`SELECT n FROM runs WHERE ${OLD} ORDER BY id LIMIT ${BATCH + 1}`).all(...valuesOf(state, age));
    if (found.length === 0) continue;
    // The file is not held while the disk works, except by the last slice, which takes the others with it. If the power is cut before,
    // some runs are back, and are deleted the next time.
    const isLast = found.length <= BATCH;
    if (!isOwn) database.exec(`PRAGMA synchronous = ${isLast ? 'FULL' : 'NORMAL'}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${PRUNING_PAGES}`);
    try {
      return deleteSome(database, rangesOf(found.slice(0, BATCH).map(({ n }) => Number(n))));
    } finally {
      database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
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

export interface PrunedSlice {
  readonly deleted: number;
  /** Nothing is left to delete; also false if a file was busy. */
  readonly isOver: boolean;
  /** The file belongs to another process, which must be able to write between two slices. */
  readonly isForeign: boolean;
}

/** Prunes the first slot that has something to delete. @param prune returns `undefined` for a busy file */
export function pruneFirst(
  slots: readonly number[],
  prune: (slot: number) => number | undefined,
  isOwn: (slot: number) => boolean,
): PrunedSlice {
  let isBusy = false;
  for (const slot of slots) {
    const deleted = prune(slot);
    if (deleted === undefined) isBusy = true;
    else if (deleted > 0) return { deleted, isOver: false, isForeign: !isOwn(slot) };
  }
  return { deleted: 0, isOver: !isBusy, isForeign: true };
}
