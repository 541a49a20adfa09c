// Keys of requests, and values of `once for each`, which are keys with a space in them: each belongs to one run, whichever process is asked.
import {
  type ClaimedKey,
  type ClaimedOnce,
  erasedKey,
  KEY_LIFE_MS,
  type KeyClaim,
  type OnceValue,
  onceKey,
} from '../../model/request-keys.js';
import { startedAt } from '../../model/run-ids.js';
import {
  firstRow,
  newRow,
  rowsOf,
  runColumn,
  runId,
  type SharedSql,
  type SqlRow,
  type SqlText,
  type SqlWork,
  sql,
} from './sql.js';

/** The columns in which a kind of store records which process claimed a key. */
export interface OwnerColumns {
  readonly names: SqlText;
  /** The values of the columns. */
  readonly of: (owner: string) => SqlText;
  /** The assignment that says that the run is on disk. */
  readonly recorded: SqlText;
  /** Whether an owner says that. */
  readonly isRecorded: (owner: string) => boolean;
}

/** Other keys of requests have no space, or begin with `due`. */
export const isOnce = sql`key LIKE 'once %'`;

interface Claim {
  readonly scope: string;
  readonly key: string;
  /** Takes the place of the key when the data of its run is erased. */
  readonly erased: string;
  readonly run: string;
  readonly owner: string;
  readonly body: Buffer;
  readonly at: number;
}

export class RequestKeys {
  readonly #sql: SharedSql;
  readonly #columns: OwnerColumns;

  constructor(shared: SharedSql, columns: OwnerColumns) {
    this.#sql = shared;
    this.#columns = columns;
  }

  /** @param instead the run that has the key and was never recorded, because its process died */
  async claim({ scope, key, bodies, onlyAsks, run, owner, at }: KeyClaim, instead?: string): Promise<ClaimedKey> {
    const hashes = bodies.map((text) => this.#sql.sealing.hash(text));
    const [body = Buffer.alloc(0)] = hashes;
    const erased = erasedKey(key, this.#sql.sealing.hash);
    const found = await this.#claimed({ scope, key, erased, run, owner, body, at }, instead, onlyAsks);
    if (found === undefined) return { kind: 'claimed' };
    const stored = found.body;
    const isSameBody = stored instanceof Uint8Array && hashes.some((hash) => hash.equals(stored));
    return { kind: 'taken', run: String(found.run), owner: String(found.owner), isSameBody };
  }

  /** @param instead a run that has the value and does not count: it was rejected, failed, was cancelled, or was never recorded */
  async claimOnce(value: OnceValue, run: string, owner: string, instead?: string): Promise<ClaimedOnce> {
    const { scope, keptUntil } = value;
    const key = this.#keyOf(value);
    const claim = { scope, key, erased: key, run, owner, body: Buffer.alloc(0), at: keptUntil };
    const found = await this.#claimed(claim, instead, false);
    if (found === undefined) return { kind: 'claimed' };
    const by = String(found.owner);
    const isRecorded = this.#columns.isRecorded(by);
    return { kind: 'taken', run: String(found.run), owner: by, isRecorded, keptUntil: Number(found.at) };
  }

  /** The other run that has the key; `undefined` if this run has it, or no one has and it only asks. */
  async #claimed(
    { scope, key, erased, run, owner, body, at }: Claim,
    instead: string | undefined,
    onlyAsks: boolean,
  ): Promise<SqlRow | undefined> {
    const { names, of } = this.#columns;
    const row = newRow('keys', { scope, key, run: runId(run), owner, body, at }, { names, values: of(owner) });
    if (instead !== undefined)
      await this.#sql.statement(sql`DELETE FROM wf.keys WHERE scope = ${scope} AND key = ${key} AND run = ${runId(instead)}`);
    const insert = sql`INSERT INTO wf.keys(${row.names}) SELECT ${row.values} WHERE NOT EXISTS (SELECT 1 FROM wf.keys WHERE scope = ${scope} AND key = ${erased})
      ON CONFLICT (scope, key) DO NOTHING RETURNING 1`;
    const select = rowsOf('keys', sql`WHERE scope = ${scope} AND key IN (${key}, ${erased})`);
    for (;;) {
      if (!onlyAsks && (await this.#sql.statement(insert)).length > 0) return undefined;
      const found = await this.#sql.read(() => firstRow(select));
      if (found?.run === run || (found === undefined && onlyAsks)) return undefined;
      // Otherwise, another process has just deleted it.
      if (found !== undefined) return found;
    }
  }

  /** The run is on disk. */
  async confirmOnce(value: OnceValue, run: string): Promise<void> {
    const { recorded } = this.#columns;
    await this.#sql.statement(
      sql`UPDATE wf.keys SET ${recorded} WHERE scope = ${value.scope} AND key = ${this.#keyOf(value)} AND run = ${runId(run)}`,
    );
  }

  /** The run will not start. */
  async releaseOnce(value: OnceValue, run: string): Promise<void> {
    await this.#sql.statement(
      sql`DELETE FROM wf.keys WHERE scope = ${value.scope} AND key = ${this.#keyOf(value)} AND run = ${runId(run)}`,
    );
  }

  #keyOf({ text }: OnceValue): string {
    return onceKey(this.#sql.sealing.hash(text));
  }
}

/**
 * Deletes old keys of requests, and values of deleted runs that need not be kept longer.
 * @param before runs that ended earlier are deleted @param hasRun throws for a run that may be in a file that can't be read
 */
export async function pruneKeys(
  shared: SharedSql,
  before: number,
  now: number,
  hasRun: (run: string) => boolean | Promise<boolean>,
): Promise<void> {
  const oldKeys = sql`at < ${Math.min(before, now - KEY_LIFE_MS)} AND NOT ${isOnce} LIMIT 500`;
  const deletion = sql`DELETE FROM wf.keys WHERE (scope, key) IN (SELECT scope, key FROM wf.keys WHERE ${oldKeys}) RETURNING 1`;
  while ((await shared.statement(deletion)).length > 0);
  const old = sql`${isOnce} AND at <= ${now}`;
  for (let last = ['', '']; ; ) {
    const [scope = '', key = ''] = last;
    const page = sql`SELECT scope, key, ${runColumn} FROM wf.keys WHERE ${old} AND (scope, key) > (${scope}, ${key}) ORDER BY scope, key LIMIT 500`;
    const rows = await shared.read(() => allOf(page));
    for (const row of rows) {
      const run = String(row.run);
      // A value that was claimed a moment ago may be about to get its run.
      if (startedAt(run) > now - KEY_LIFE_MS / 24 || (await hasRun(run))) continue;
      await shared.statement(
        sql`DELETE FROM wf.keys WHERE scope = ${String(row.scope)} AND key = ${String(row.key)} AND run = ${runId(run)}`,
      );
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = [String(end.scope), String(end.key)];
  }
}

function* allOf(statement: SqlText): SqlWork<readonly SqlRow[]> {
  return yield statement;
}
