// The files of an embedded store that no process uses: their size, the number of runs, and adding a million more.
import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite');

const slots = (store) => readdirSync(store).filter((name) => /^s\d+\.db$/.test(name));

function asked(store, name, work) {
  const database = new DatabaseSync(path.join(store, name));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export const countRuns = (store) =>
  slots(store)
    .map((name) => asked(store, name, (file) => Number(file.prepare('SELECT count(*) AS runs FROM runs').get().runs)))
    .reduce((sum, runs) => sum + runs, 0);

/** Bytes of the files with runs, including their write-ahead logs, but not the module and text, which are stored once. */
export function runBytes(store) {
  for (const name of slots(store)) asked(store, name, (file) => file.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  return slots(store)
    .map((name) => statSync(path.join(store, name)).size)
    .reduce((sum, size) => sum + size, 0);
}

/** Milliseconds between two attempts to lock a file. */
const LOCK_MS = 1;

/** Watches how long others hold the file with the first runs. The returned function ends that, and returns the longest time in milliseconds. */
export function watchLock(store) {
  const database = new DatabaseSync(path.join(store, 's0.db'), { timeout: 0 });
  let longest = 0;
  let heldSince;
  const timer = setInterval(() => {
    const now = performance.now();
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      if (heldSince !== undefined) longest = Math.max(longest, now - heldSince);
      heldSince = undefined;
    } catch {
      heldSince ??= now;
    }
  }, LOCK_MS);
  return () => {
    clearInterval(timer);
    database.close();
    return longest;
  };
}

/** Rows per transaction. */
const PART = 100_000;
const DAY_MS = 86_400_000;

/**
 * Copies the first run of a store until there are this many, one per millisecond starting 40 days ago.
 * @param waiting whether the copies wait until next year, instead of the state of the first run
 */
export function multiplyRuns(store, count, waiting) {
  asked(store, 's0.db', (file) => {
    file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    const start = Date.now() - 40 * DAY_MS;
    const columns = waiting
      ? `2, NULL, ${Date.now() + 365 * DAY_MS}, 0, '${JSON.stringify({ kind: 'time', line: 12, until: '2999-01-01T00:00:00.000Z' })}', request, NULL, NULL, NULL`
      : `state, ${start} + i, NULL, 0, NULL, request, outcome, reached, extra`;
    for (let from = 1; from < count; from += PART) {
      const most = Math.min(count, from + PART);
      const numbers = `WITH RECURSIVE one(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM one WHERE i + 1 < ${most})`;
      file.exec(`BEGIN;
        ${numbers} INSERT INTO runs(n, id, v, state, finished, due, adoptions, waits, request, outcome, reached, extra)
          SELECT 1000000 + i, unhex(printf('%012x7%03x8%015x', ${start} + i, i % 4096, i)), v, ${columns} FROM one, (SELECT * FROM runs WHERE n = 1);
        ${numbers} INSERT INTO entries(n, pos, branch, seq, part, kind, site, at, ms, body)
          SELECT 1000000 + i, pos, branch, seq, part, kind, site, at, ms, body FROM one, (SELECT * FROM entries WHERE n = 1);
        COMMIT`);
    }
    file.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  });
  // Runs of last month are on disk. Otherwise, the first flush during a measurement would have to write all of them.
  flush(path.join(store, 's0.db'));
}

function flush(name) {
  const file = openSync(name, 'r+');
  fsyncSync(file);
  closeSync(file);
}
