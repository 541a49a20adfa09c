// The operations of a store's thread on the shared file. The main thread calls these methods by name.
import { BEFORE_ALL, type InboxKind, type InboxRow, RECORDING_MS } from '../../model/messages.js';
import { taskStates } from '../../model/tasks.js';
import { pruneByAge, SharedTables, type TableColumns } from '../shared/shared-tables.js';
import { rowsOf, type SharedSql, SqlText, type SqlValue, shardOwner, sql } from '../shared/sql.js';
import { type SharedFile, sqliteSql } from './shared-file.js';

export const folderColumns: TableColumns = {
  owner: {
    names: new SqlText([shardOwner.columns.join(', ')]),
    of(owner) {
      const [shard, epoch] = shardOwner.read(owner);
      return sql`${shard}, ${epoch}`;
    },
    recorded: sql`epoch = -1`,
    isRecorded: (owner) => owner.endsWith(' -1'),
  },
  metaValue: (text) => text,
};

export class SharedThread extends SharedTables {
  readonly #shared: SharedFile;
  readonly #tables: SharedSql;
  readonly #runs: KnownRuns;

  constructor(shared: SharedFile, runs: KnownRuns) {
    const tables = sqliteSql(shared, runs.isUnfinished);
    super(tables, folderColumns);
    this.#tables = tables;
    this.#shared = shared;
    this.#runs = runs;
  }

  isEncrypted(): boolean {
    return this.#shared.sealing.isEncrypted;
  }

  /** Answers, as a sign of life. */
  ping(): void {}

  /** Short hashes that tell texts apart and, without the store's own secret, say nothing about them. */
  shortHashes(texts: readonly string[]): string[] {
    return texts.map((text) => this.#shared.sealing.hash(text).toString('hex', 0, 4));
  }

  /** Writes something small to find out whether the store can be written. */
  probe(at: number): Promise<void> {
    return this.#shared.change(() => {
      this.#shared.run(
        "INSERT INTO meta(key, value) VALUES('probed', ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        at,
      );
    });
  }

  inboxAfter(id: number): InboxRow[] {
    return inboxAfter(this.#shared, id);
  }

  async prune(times: PruningTimes, inUse: readonly string[]): Promise<void> {
    await pruneRows(this.#shared, times, inUse, { ...this.#runs, endShared: (ended) => this.endShared(ended) });
    await pruneByAge(this.#tables, times.before, times.now, this.#runs.hasRun);
  }
}

/** Rows that arrived after this one. Their content is read when it is used. */
function inboxAfter(shared: SharedFile, id: number): InboxRow[] {
  return shared.perform(rowsOf('inbox', sql`WHERE id > ${id} ORDER BY id LIMIT 1000`, 'left out')).map((row) => ({
    id: Number(row.id),
    run: String(row.run),
    kind: row.kind as InboxKind, // only these are written
    place: row.place === null || row.place === undefined ? null : String(row.place),
    at: Number(row.at),
  }));
}

type Row = Readonly<Record<string, SqlValue>>;

/** Rows deleted at a time. */
const SLICE = 500;

/** A recently used module may be about to get a run. */
const CONTENT_MS = 24 * 3_600_000;

/** When a wait was certainly on disk with its run. The places that a run has from its start are written before the run is. */
const WAITED_SINCE = `CASE WHEN since < 0 THEN since + ${BEFORE_ALL + RECORDING_MS} ELSE since END`;

/**
 * Rows that a run which has ended may leave behind, oldest first: its process died before it could end what it waited for. `first` comes
 * before all ids.
 */
const leftBehind: readonly { readonly sql: string; readonly first: SqlValue }[] = [
  { sql: `SELECT id, lower(hex(run)) AS run, ${WAITED_SINCE} AS at FROM waiters WHERE id > ?`, first: 0 },
  { sql: 'SELECT id, lower(hex(run)) AS run, at FROM inbox WHERE id > ?', first: 0 },
  { sql: `SELECT id, lower(hex(run)) AS run, asked AS at FROM tasks WHERE id > ? AND state = ${taskStates.open}`, first: '' },
];

/** Rows that mention a run which has been deleted, and how they are deleted. */
const ofDeleted: readonly { readonly which: string; readonly deletes: readonly string[] }[] = [
  {
    which: 'messages WHERE at <= ?',
    deletes: ['DELETE FROM message_fields WHERE message = ?', 'DELETE FROM messages WHERE id = ?'],
  },
  { which: `tasks WHERE state <> ${taskStates.open} AND asked <= ?`, deletes: ['DELETE FROM tasks WHERE id = ?'] },
];

/** Throw for a run that may be in a file that can't be read. */
interface KnownRuns {
  readonly isUnfinished: (run: string) => boolean;
  /** Also with the id of a called workflow's run. */
  readonly hasRun: (run: string) => boolean;
}

interface PrunedRuns extends KnownRuns {
  /** Ends the waits and tasks of runs that have ended. */
  readonly endShared: (runs: readonly string[]) => Promise<void>;
}

/** Moments, in milliseconds since 1970. */
interface PruningTimes {
  readonly now: number;
  /** Runs that ended earlier are deleted, unless their workflow says otherwise. */
  readonly before: number;
  /** A run that ended earlier may have been deleted. */
  readonly gone: number;
}

/**
 * Deletes from the shared file what mentions deleted runs, and unused modules.
 * @param inUse hashes of all modules, texts and runtimes of known versions
 */
async function pruneRows(
  shared: SharedFile,
  { now, gone }: PruningTimes,
  inUse: readonly string[],
  runs: PrunedRuns,
): Promise<void> {
  for (const rows of leftBehind) await endLeftBehind(shared, rows, gone, runs);
  for (const rows of ofDeleted) await deleteOf(shared, rows, gone, runs);
  const used = new Set(inUse);
  const unused = shared
    .all('SELECT hash FROM contents WHERE used < ?', now - CONTENT_MS)
    .map(({ hash }) => String(hash))
    .filter((hash) => !used.has(hash));
  await shared.change(() => {
    for (const hash of unused) shared.run('DELETE FROM contents WHERE hash = ? AND used < ?', hash, now - CONTENT_MS);
  });
}

/** Only of old runs: the others are still there, so that whoever comes across such a row can tell. */
async function endLeftBehind(
  shared: SharedFile,
  { sql, first }: (typeof leftBehind)[number],
  before: number,
  { isUnfinished, endShared }: PrunedRuns,
): Promise<void> {
  for (let last: SqlValue | undefined = first; last !== undefined; ) {
    const rows: Row[] = shared.all(`${sql} ORDER BY id LIMIT ${SLICE}`, last);
    const old = rows.filter(({ at }) => Number(at) <= before);
    const ended = new Set(old.map(({ run }) => String(run)).filter((run) => !isUnfinished(run)));
    if (ended.size > 0) await endShared([...ended]);
    last = old.length < SLICE ? undefined : rows.at(-1)?.id;
    await new Promise(setImmediate); // commits of runs go first
  }
}

/** Rows that mention a run that has been deleted. */
async function deleteOf(
  shared: SharedFile,
  { which, deletes }: (typeof ofDeleted)[number],
  before: number,
  { hasRun }: KnownRuns,
): Promise<void> {
  for (let last = 0; ; ) {
    const sql = `SELECT rowid AS place, id, lower(hex(run)) AS run FROM ${which} AND rowid > ? AND run IS NOT NULL`;
    const rows = shared.all(`${sql} ORDER BY rowid LIMIT ${SLICE}`, before, last);
    const gone = rows.filter(({ run }) => !hasRun(String(run)));
    await shared.change(() => {
      for (const { id } of gone) for (const sql of deletes) shared.run(sql, id ?? null);
    });
    if (rows.length < SLICE) return;
    last = Number(rows.at(-1)?.place);
    await new Promise(setImmediate); // commits of runs go first
  }
}
