// The values of `once for each` that runs have, in the table of request keys: a value is a key with a space in it.
import { type ClaimedOnce, KEY_LIFE_MS, type OnceValue, onceKey } from '../../model/request-keys.js';
import { startedAt } from '../../model/run-ids.js';
import { firstRow, runColumn, runId, type SharedSql, type SqlRow, SqlText, type SqlWork, sql } from './sql.js';

/** The way in which a kind of store says which process claimed a value. */
interface OwnerColumns {
  /** The columns of the owner. */
  readonly names: SqlText;
  /** The owner as one text. */
  readonly text: SqlText;
  /** The assignment that says that the run is on disk. */
  readonly recorded: SqlText;
  /** The owner of a run that is on disk, as `text` gives it. */
  readonly isRecorded: (owner: string) => boolean;
}

/** Other keys of requests have no space, or begin with `due`. */
export const IS_ONCE = `key LIKE 'once %'`;

const isOnce = new SqlText([IS_ONCE]);

export class OnceValues {
  readonly #sql: SharedSql;
  readonly #columns: OwnerColumns;

  constructor(shared: SharedSql, columns: OwnerColumns) {
    this.#sql = shared;
    this.#columns = columns;
  }

  /**
   * @param owner the values of the owner's columns
   * @param instead a run that has the value and does not count: it was rejected, failed, was cancelled, or was never recorded
   */
  claim(value: OnceValue, run: string, owner: SqlText, instead: string | undefined): Promise<ClaimedOnce> {
    const key = this.#keyOf(value);
    const { scope, keptUntil } = value;
    const { names, text, isRecorded } = this.#columns;
    return this.#sql.changeNow(function* () {
      if (instead !== undefined)
        yield sql`DELETE FROM wf.keys WHERE scope = ${scope} AND key = ${key} AND run = ${runId(instead)}`;
      const body = Buffer.alloc(0);
      const insert = sql`INSERT INTO wf.keys(scope, key, run, ${names}, body, at) VALUES (${scope}, ${key}, ${runId(run)}, ${owner}, ${body}, ${keptUntil}) ON CONFLICT (scope, key) DO NOTHING`;
      const select = sql`SELECT ${runColumn}, ${text} AS owner, at FROM wf.keys WHERE scope = ${scope} AND key = ${key}`;
      for (;;) {
        yield insert;
        const row = yield* firstRow(select);
        // Another process has just deleted it.
        if (row === undefined) continue;
        if (row.run === run) return { kind: 'claimed' };
        const by = String(row.owner);
        return { kind: 'taken', run: String(row.run), owner: by, isRecorded: isRecorded(by), keptUntil: Number(row.at) };
      }
    });
  }

  /** The run is on disk. */
  async confirm(value: OnceValue, run: string): Promise<void> {
    const { recorded } = this.#columns;
    await this.#change(
      sql`UPDATE wf.keys SET ${recorded} WHERE scope = ${value.scope} AND key = ${this.#keyOf(value)} AND run = ${runId(run)}`,
    );
  }

  /** The run will not start. */
  async release(value: OnceValue, run: string): Promise<void> {
    await this.#change(
      sql`DELETE FROM wf.keys WHERE scope = ${value.scope} AND key = ${this.#keyOf(value)} AND run = ${runId(run)}`,
    );
  }

  /**
   * Deletes values whose runs have been deleted, and that need not be kept longer.
   * @param hasRun throws for a run that may be in a file that can't be read
   */
  async prune(now: number, hasRun: (run: string) => boolean | Promise<boolean>): Promise<void> {
    const old = sql`${isOnce} AND at <= ${now}`;
    for (let last = ['', '']; ; ) {
      const [scope = '', key = ''] = last;
      const page = sql`SELECT scope, key, ${runColumn} FROM wf.keys WHERE ${old} AND (scope, key) > (${scope}, ${key}) ORDER BY scope, key LIMIT 500`;
      const rows = await this.#sql.read(() => rowsOf(page));
      for (const row of rows) {
        const run = String(row.run);
        // A value that was claimed a moment ago may be about to get its run.
        if (startedAt(run) > now - KEY_LIFE_MS / 24 || (await hasRun(run))) continue;
        await this.#change(
          sql`DELETE FROM wf.keys WHERE scope = ${String(row.scope)} AND key = ${String(row.key)} AND run = ${runId(run)}`,
        );
      }
      const end = rows.at(-1);
      if (end === undefined) return;
      last = [String(end.scope), String(end.key)];
    }
  }

  #keyOf({ text }: OnceValue): string {
    return onceKey(this.#sql.sealing.hash(text));
  }

  async #change(statement: SqlText): Promise<void> {
    await this.#sql.changeNow(function* () {
      yield statement;
    });
  }
}

function* rowsOf(statement: SqlText): SqlWork<readonly SqlRow[]> {
  return yield statement;
}
