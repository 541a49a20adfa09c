// Reads runs from the database: one run, pages of the list, journals, figures.
import { type EntryRow, effectsIn } from '../../model/entries.js';
import { DamagedRun } from '../../model/file-troubles.js';
import { idOfMoment, startedAt } from '../../model/run-ids.js';
import {
  type FoundRun,
  type RerunRow,
  type RunRow,
  type StoredRunFilter,
  type StoredState,
  stateList,
  toUnfinishedCount,
  type UnfinishedCount,
  unfinishedStates,
} from '../../model/run-rows.js';
import type { EntryPart, PlacedState, RunReader } from '../port.js';
import { LatestJournal } from '../shared/latest-journal.js';
import { foundHash, textsOfRow } from '../shared/run-texts.js';
import type { TextSealing } from '../shared/sealing.js';
import { escapedLike, mostVersionsOf, withFile } from '../shared/sql.js';
import { addRows, type RowsByPosition, readSteps, type StoredStep } from './journal-steps.js';
import type { DatabaseRow, PostgresDatabase } from './postgres-database.js';
import type { PostgresVersions } from './postgres-versions.js';

const columns =
  'r.id, r.v, r.state, r.finished, r.due, r.adoptions, r.waits, r.request, r.outcome, r.extra, v.workflow, v.hash, v.info';

const from = 'FROM wf.runs r JOIN wf.versions v USING (v)';

/** Maximum runs examined for durations, the newest first. */
const MOST_RUNS = 200_000;

export class PostgresReader implements RunReader {
  readonly #database: PostgresDatabase;
  readonly #versions: PostgresVersions;
  readonly #sealing: TextSealing;
  readonly #journals = new LatestJournal<StoredStep, RowsByPosition>();

  constructor(database: PostgresDatabase, versions: PostgresVersions, sealing: TextSealing) {
    this.#database = database;
    this.#versions = versions;
    this.#sealing = sealing;
  }

  async findRun(id: string): Promise<FoundRun | undefined> {
    const [row] = await this.#database.query(`SELECT ${columns} ${from} WHERE r.id = $1`, id);
    return row === undefined ? undefined : this.#found(row);
  }

  async statesOf(ids: readonly string[]): Promise<PlacedState[]> {
    const rows = await this.#database.query('SELECT id, state FROM wf.runs WHERE id = ANY($1)', ids);
    return rows.map(({ id, state }) => ({ id: String(id), shard: 0, state: state as StoredState })); // only these are written
  }

  async isEncrypted(): Promise<boolean> {
    return this.#sealing.isEncrypted;
  }

  async list(filter: StoredRunFilter): Promise<FoundRun[]> {
    const { where, values } = this.#conditions(filter);
    const order = filter.ascending === true ? 'ASC' : 'DESC';
    const sql = `SELECT ${columns} ${from} WHERE ${where} ORDER BY r.id ${order} LIMIT $${values.push(filter.limit)}`;
    return (await this.#database.query(sql, ...values)).map((row) => this.#found(row));
  }

  async count(filter: StoredRunFilter): Promise<number> {
    const { where, values } = this.#conditions(filter);
    const found = `SELECT 1 ${from} WHERE ${where} LIMIT $${values.push(filter.limit)}`;
    const [row] = await this.#database.query(`SELECT count(*) AS count FROM (${found}) found`, ...values);
    return Number(row?.count);
  }

  #conditions(filter: StoredRunFilter): { readonly where: string; readonly values: unknown[] } {
    const values: unknown[] = [];
    const conditions = ['true'];
    const add = (before: string, value: unknown, after = ''): void => {
      if (value !== undefined) conditions.push(`${before} $${values.push(value)}${after}`);
    };
    add('v.workflow =', filter.workflow);
    const { version } = filter;
    if (version !== undefined && 'hashes' in version)
      add(
        'v.hash LIKE ANY(',
        version.hashes.map((hash) => `${escapedLike(hash)}%`),
        ')',
      );
    if (version !== undefined && 'number' in version) add("v.info::jsonb->>'version' =", version.number);
    add('v.info LIKE', filter.calling === undefined ? undefined : withFile(filter.calling));
    add('r.state = ANY(', filter.states, ')');
    add('r.id >=', filter.from);
    add('r.id >', filter.after);
    add('r.id <', filter.before);
    if (filter.search !== undefined) {
      const { text, ids, searchesOutcome } = filter.search;
      const [column, value] = this.#sealing.isEncrypted
        ? ['r.extra', `%"${foundHash(text, this.#sealing)}"%`]
        : [searchesOutcome ? "(r.request || coalesce(r.outcome, ''))" : 'r.request', `%${escapedLike(text)}%`];
      const within = `${column} LIKE $${values.push(value)}`;
      conditions.push(
        ids === undefined ? within : `(${within} OR r.id BETWEEN $${values.push(ids[0])} AND $${values.push(ids[1])})`,
      );
    }
    return { where: conditions.join(' AND '), values };
  }

  async entries(_shard: number, _n: number, id: string, first: number, most = Number.POSITIVE_INFINITY): Promise<EntryPart> {
    const all = await this.#journal(id);
    if (all === undefined) return { rows: [], isWhole: true, isDamaged: true };
    const rows = all.filter(({ pos }) => pos >= first);
    return rows.length > most ? { rows: rows.slice(0, most), isWhole: false } : { rows, isWhole: true };
  }

  /** A page asks for several parts of a journal, and the next page for what is new. `undefined` if it is damaged. */
  async #journal(id: string): Promise<EntryRow[] | undefined> {
    try {
      const rows = await this.#journals.of(id, {
        read: (from) => readSteps(this.#database.query, id, from),
        extend: (known = new Map(), steps) => addRows(known, id, steps, this.#sealing),
      });
      return [...rows.values()];
    } catch (error) {
      if (error instanceof DamagedRun) return undefined;
      throw error;
    }
  }

  sites(_shard: number, v: number): Promise<(readonly [site: number, info: string])[]> {
    return this.#versions.sites(v);
  }

  async rerunsOf(id: string): Promise<string[]> {
    const rows = await this.#database.query('SELECT id FROM wf.runs WHERE rerun_of = $1 ORDER BY id', id);
    return rows.map((row) => String(row.id));
  }

  async rerunsOfAll(ids: readonly string[]): Promise<RerunRow[]> {
    const sql = 'SELECT id, rerun_of, state FROM wf.runs WHERE rerun_of = ANY($1) ORDER BY id';
    const rows = await this.#database.query(sql, ids);
    return rows.map(({ id, rerun_of: of, state }) => ({ id: String(id), of: String(of), state: state as StoredState })); // only these are written
  }

  async effectsOf({ id }: Pick<RunRow, 'id'>): Promise<number | undefined> {
    const rows = await this.#journal(id);
    return rows === undefined ? undefined : effectsIn(rows);
  }

  async versionOf(hash: string): Promise<{ readonly workflow: string; readonly info: string } | undefined> {
    const [row] = await this.#database.query('SELECT workflow, info FROM wf.versions WHERE hash = $1 LIMIT 1', hash);
    return row === undefined ? undefined : { workflow: String(row.workflow), info: String(row.info) };
  }

  async runsSince(since: number): Promise<Awaited<ReturnType<RunReader['runsSince']>>> {
    const rows = await this.#database.query(
      `SELECT v.workflow, r.state, r.id, r.finished ${from} WHERE r.id >= $1 ORDER BY r.id DESC LIMIT ${MOST_RUNS}`,
      idOfMoment(since),
    );
    return rows.map(({ workflow, state, id, finished }) => ({
      id: String(id),
      workflow: String(workflow),
      state: state as StoredState, // only these are written
      created: startedAt(String(id)),
      finished: finished === null ? null : Number(finished),
    }));
  }

  async countByState(): Promise<(readonly [StoredState, number])[]> {
    const rows = await this.#database.query(
      `SELECT state, count(*) AS count FROM wf.runs WHERE state IN ${stateList(unfinishedStates)} GROUP BY state`,
    );
    return rows.map(({ state, count }) => [state as StoredState, Number(count)] as const); // only these are written
  }

  async countUnfinished(): Promise<UnfinishedCount[]> {
    const rows = await this.#database.query(
      `SELECT v.workflow, r.state, count(*) AS count, min(r.id) AS oldest ${from} WHERE r.state IN ${stateList(unfinishedStates)} GROUP BY v.workflow, r.state`,
    );
    return rows.map(toUnfinishedCount);
  }

  async versionsOf(workflow: string): Promise<string[]> {
    const sql = 'SELECT hash FROM wf.versions WHERE workflow = $1 ORDER BY v DESC LIMIT $2';
    return (await this.#database.query(sql, workflow, mostVersionsOf)).map(({ hash }) => String(hash));
  }

  async versionsOfUnfinished(): Promise<{ workflow: string; version: string; runs: number }[]> {
    const rows = await this.#database.query(
      `SELECT v.workflow, v.hash, count(*) AS count ${from} WHERE r.state IN ${stateList(unfinishedStates)} GROUP BY v.workflow, v.hash`,
    );
    return rows.map(({ workflow, hash, count }) => ({ workflow: String(workflow), version: String(hash), runs: Number(count) }));
  }

  readContent(hash: string): Promise<string | undefined> {
    return this.#versions.content(hash);
  }

  #found(row: DatabaseRow): FoundRun {
    return {
      row: readRunRow(row, this.#sealing),
      workflow: String(row.workflow),
      hash: String(row.hash),
      info: String(row.info),
    };
  }
}

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** A row of `wf.runs`. */
export function readRunRow(row: DatabaseRow, sealing: TextSealing): RunRow {
  const id = String(row.id);
  return {
    id,
    shard: 0,
    n: 0,
    v: Number(row.v),
    state: row.state as RunRow['state'], // only these are written
    finished: numberOrNull(row.finished),
    due: numberOrNull(row.due),
    adoptions: Number(row.adoptions),
    ...textsOfRow(row, (value) => sealing.open(String(value), id)),
  };
}
