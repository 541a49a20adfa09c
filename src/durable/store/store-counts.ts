// Figures over the runs of all slots, for the console: counts by state, durations of workflows.
import type { StoredState } from './slot-writes.js';
import type { Database } from './sqlite.js';

/** Maximum runs examined for durations, the newest first. */
const MOST_RUNS = 200_000;

export interface CountedRun {
  readonly workflow: string;
  readonly state: StoredState;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly finished: number | null;
}

/** Runs from an id on. */
export function runsSince(database: Database, id: string): CountedRun[] {
  const workflows = new Map(
    database
      .prepare('SELECT v, workflow FROM versions')
      .all()
      .map(({ v, workflow }) => [Number(v), String(workflow)] as const),
  );
  return database
    .prepare(
      `SELECT v, state, hex(substr(id, 1, 6)) AS created, finished FROM runs WHERE id >= unhex(?) ORDER BY id DESC LIMIT ${MOST_RUNS}`,
    )
    .all(id)
    .map(({ v, state, created, finished }) => ({
      workflow: workflows.get(Number(v)) ?? '',
      state: state as StoredState, // only these are written
      created: Number.parseInt(String(created), 16),
      finished: finished === null ? null : Number(finished),
    }));
}

export function countByState(database: Database): Map<StoredState, number> {
  const rows = database.prepare('SELECT state, count(*) AS count FROM runs WHERE state < 10 GROUP BY state').all();
  return new Map(rows.map(({ state, count }) => [state as StoredState, Number(count)] as const)); // only these are written
}

/** Versions that unfinished runs use: name, hash, and number of runs. */
export function versionsOfUnfinished(database: Database): { workflow: string; version: string; runs: number }[] {
  return database
    .prepare(
      `SELECT workflow, hash, count(*) AS count FROM runs JOIN versions USING (v) WHERE state < 10 GROUP BY workflow, hash`,
    )
    .all()
    .map(({ workflow, hash, count }) => ({ workflow: String(workflow), version: String(hash), runs: Number(count) }));
}
