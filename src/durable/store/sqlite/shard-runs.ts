// Reads the unfinished runs of a shard, finds those that are due, and records that they have been taken over.
import { type EntryRow, entryKinds } from '../../model/entries.js';
import { MOST_ADOPTIONS, type RunRow, type StoredState, storedStates } from '../../model/run-rows.js';
import type { EntryPart } from '../port.js';
import { damagedTexts, textsOfRow } from '../shared/run-texts.js';
import type { Sealing } from '../shared/sealing.js';
import type { SqlValue } from '../shared/sql.js';
import type { RowSums } from './row-sums.js';
import type { Shard } from './shard.js';
import type { Database } from './sqlite.js';

type Row = Readonly<Record<string, SqlValue>>;

/** All columns, and the id of the run as `hex`: 32 hexadecimal digits. */
export const runColumns = '*, lower(hex(id)) AS hex';

const known: ReadonlySet<unknown> = new Set(Object.values(storedStates));

/** A run whose row can't be read. Nothing but its id is certain. */
export const damagedRow = (id: string, n: number, shard: number, state?: SqlValue): RunRow => ({
  shard,
  id,
  n,
  v: 0,
  finished: null,
  due: null,
  adoptions: 0,
  state: known.has(state) ? (state as StoredState) : storedStates.stuck, // one of them
  ...damagedTexts,
});

export function toRunRow(row: Row, shard: number, sums: RowSums): RunRow {
  const id = String(row.hex);
  const [isMade, isState] = [sums.isMadeIntact(row, id), sums.isStateIntact(row)];
  if (!isState || !known.has(row.state)) return damagedRow(id, Number(row.n), shard, row.state);
  const columns = {
    shard,
    id,
    n: Number(row.n),
    v: Number(row.v),
    adoptions: Number(row.adoptions),
    state: row.state as StoredState, // one of them
    finished: row.finished === null ? null : Number(row.finished),
    due: row.due === null ? null : Number(row.due),
  };
  return { ...columns, ...(isMade ? textsOfRow<SqlValue>(row, (value) => sums.sealing.open(value, id)) : damagedTexts) };
}

function toEntryRow(row: Row, sealing: Sealing, id: string): EntryRow {
  const number = (value: SqlValue | undefined): number | null => (value === null || value === undefined ? null : Number(value));
  return {
    pos: Number(row.pos),
    branch: row.branch === null ? '' : String(row.branch),
    seq: number(row.seq),
    part: number(row.part),
    kind: row.kind as EntryRow['kind'], // only these are written
    site: number(row.site),
    at: Number(row.at),
    ms: number(row.ms),
    body: row.body === null || row.body === undefined ? null : sealing.open(row.body, id),
  };
}

export interface OwnRun {
  readonly id: string;
  readonly shard: number;
  readonly n: number;
  readonly state: StoredState;
  /** Milliseconds since 1970. */
  readonly due: number | null;
}

/** A run that continues now. */
export interface WokenRun {
  readonly n: number;
  readonly id: string;
}

export interface Adopted {
  readonly runs: readonly WokenRun[];
  /** Runs that have become `stuck`. */
  readonly stuck: readonly string[];
}

/**
 * The shard has a new owner: whatever was running continues. Counts adoptions of runs whose process died while they ran, abandons those that
 * were adopted too often, and writes a `resumed` entry for each.
 * @param only number of the one run that continues; the others stay as they are
 */
export function adoptRunning(shard: Shard, at: number, only?: number): Adopted {
  const { running, released, stuck } = storedStates;
  // One run, or all of them.
  const which = only === undefined ? '' : ` AND n = ${Math.floor(only)}`;
  return shard.change(() => {
    const inState = (state: StoredState): WokenRun[] =>
      shard
        .prepared(`SELECT n, lower(hex(id)) AS id FROM runs WHERE state = ?${which} ORDER BY n`)
        .all(state)
        .map(({ n, id }) => ({ n: Number(n), id: String(id) }));
    shard.run(`UPDATE runs SET adoptions = adoptions + 1 WHERE state = ?${which}`, running);
    const poisoned = shard
      .prepared(`SELECT n, lower(hex(id)) AS id FROM runs WHERE state = ? AND adoptions >= ?${which}`)
      .all(running, MOST_ADOPTIONS);
    shard.changeStates(
      poisoned.map(({ n }) => Number(n)),
      stuck,
    );
    const free = inState(released);
    for (const { n } of [...inState(running), ...free]) {
      const pos = Number(shard.prepared('SELECT ifnull(max(pos), -1) + 1 AS pos FROM entries WHERE n = ?').get(n)?.pos);
      const nowhere = { branch: null, seq: null, part: null, site: null, ms: null, body: null };
      shard.insertEntry({ n, pos, kind: entryKinds.resumed, at, ...nowhere });
    }
    shard.changeStates(
      free.map(({ n }) => n),
      running,
    );
    return { runs: inState(running), stuck: poisoned.map(({ id }) => String(id)) };
  });
}

/** Waiting runs that are due, the longest overdue first. Their state is not changed. */
export function dueRuns(shard: Shard, at: number, limit: number): readonly WokenRun[] {
  const rows = shard
    .prepared('SELECT n, lower(hex(id)) AS id FROM runs WHERE due IS NOT NULL AND due <= ? ORDER BY due LIMIT ?')
    .all(at, limit);
  return rows.map(({ n, id }) => ({ n: Number(n), id: String(id) }));
}

/** When the next waiting run is due, in milliseconds since 1970. */
export function earliestDue(shard: Shard): number | undefined {
  const due = shard.prepared('SELECT min(due) AS due FROM runs WHERE due IS NOT NULL').get()?.due;
  return due === null || due === undefined ? undefined : Number(due);
}

/** At the end of a process that stops in good order: what still runs does not count as interrupted. */
export function releaseRunning(shard: Shard): void {
  shard.change(() => {
    const running = shard.prepared('SELECT n FROM runs WHERE state = ?').all(storedStates.running);
    shard.changeStates(
      running.map(({ n }) => Number(n)),
      storedStates.released,
    );
  });
}

/** `undefined` if it is not what was written. */
export function readEntry(row: Row, sums: RowSums, id: string): EntryRow | undefined {
  if (!sums.isEntryIntact(row)) return undefined;
  try {
    const entry = toEntryRow(row, sums.sealing, id);
    // Nothing but a checksum tells whether it is what was written, but at least it can be read.
    if (row.sum === null && entry.body !== null) JSON.parse(entry.body);
    return entry;
  } catch {
    return undefined;
  }
}

/** Maximum characters of a journal returned at once, and rows. */
const CHUNK = 1_000_000;
const MOST_ROWS = 5_000;

/** The journal of a run from a position on. @param most rows wanted */
export function readEntries(database: Database, sums: RowSums, run: WokenRun, from: number, most = MOST_ROWS): EntryPart {
  const rows: EntryRow[] = [];
  const limit = Math.min(most, MOST_ROWS);
  let size = 0;
  const statement = database.prepare('SELECT * FROM entries WHERE n = ? AND pos >= ? ORDER BY pos LIMIT ?');
  for (const row of statement.iterate(run.n, from, limit)) {
    // Entries have consecutive positions, so a gap is an entry that is gone.
    const entry = row.pos === from + rows.length ? readEntry(row, sums, run.id) : undefined;
    if (entry === undefined) return { rows, isWhole: true, isDamaged: true };
    rows.push(entry);
    size += entry.body?.length ?? 0;
    if (size > CHUNK) return { rows, isWhole: false };
  }
  return { rows, isWhole: rows.length < limit };
}
