// Records the changes that people and programs make, for all processes of a store.
import type { ChangeBody, ChangeRow, NewChange } from '../../model/changes.js';
import {
  allInserted,
  firstRow,
  inParts,
  inserted,
  rowsOf,
  runColumn,
  runId,
  type SharedSql,
  type SqlRow,
  type SqlValue,
  type SqlWork,
  sql,
} from './sql.js';

/** Rows read at a time. */
const SLICE = 500;

/** Owner of what is sealed: changes of the whole store have one, too. */
const ownerOf = (run: string | undefined): string => `change ${run ?? ''}`;

export class Changes {
  readonly #sql: SharedSql;

  constructor(sql: SharedSql) {
    this.#sql = sql;
  }

  /** Within a transaction. */
  *add(change: NewChange, at: number): SqlWork<number> {
    const values = { run: runId(change.run), at, body: this.#sealed(change) };
    const row = yield* firstRow(inserted('changes', values, sql` RETURNING id`));
    return Number(row?.id);
  }

  /** Within a transaction; returns the numbers by run. */
  *addAll(changes: readonly NewChange[], at: number): SqlWork<Map<string, number>> {
    const numbers = new Map<string, number>();
    for (const some of inParts(changes)) {
      const rows = some.map((change) => ({ run: runId(change.run), at, body: this.#sealed(change) }));
      const added = yield allInserted('changes', rows, sql` RETURNING id, ${runColumn}`);
      for (const { id, run } of added) numbers.set(String(run), Number(id));
    }
    return numbers;
  }

  #sealed({ run, by: { name, role, way }, action, about }: NewChange): SqlValue {
    return this.#sql.sealing.seal(JSON.stringify({ name, role, way, action, about } satisfies ChangeBody), ownerOf(run));
  }

  record(change: NewChange, at: number): Promise<number> {
    return this.#sql.changeNow(() => this.add(change, at));
  }

  /** Records once what may be told several times. @param since a moment before the first time */
  recordOnce(change: NewChange, at: number, since: number): Promise<void> {
    const add = (): SqlWork<number> => this.add(change, at);
    const isSame = (body: SqlValue | undefined): boolean => {
      const { action, about, name } = this.#opened(change.run, body);
      return action === change.action && about === change.about && name === change.by.name;
    };
    return this.#sql.change(function* () {
      const none = change.run === undefined ? sql`run IS NULL` : sql`run = ${runId(change.run)}`;
      const rows = yield rowsOf('changes', sql`WHERE at >= ${since} AND ${none}`, 'left out');
      if (!rows.some(({ body }) => isSame(body))) yield* add();
    }, 'changes');
  }

  /** Withdraws a change that was refused: nothing has changed. */
  withdraw(id: number): Promise<void> {
    return this.#sql.changeNow(function* () {
      yield sql`DELETE FROM wf.changes WHERE id = ${id}`;
    });
  }

  /** Adds to a change what is only known after it was made. */
  complete(id: number, change: NewChange): Promise<void> {
    const sealed = this.#sealed(change);
    return this.#sql.changeNow(function* () {
      yield sql`UPDATE wf.changes SET body = ${sealed} WHERE id = ${id}`;
    });
  }

  /** Removes what the changes of a run were about, within a transaction. */
  *forget(run: string): SqlWork<void> {
    for (const { id, body: stored } of yield rowsOf('changes', sql`WHERE run = ${runId(run)}`, 'left out')) {
      const { about: _, ...body } = this.#opened(run, stored);
      const sealed = this.#sql.sealing.seal(JSON.stringify(body), ownerOf(run));
      yield sql`UPDATE wf.changes SET body = ${sealed} WHERE id = ${Number(id)}`;
    }
  }

  #opened(run: string | undefined, body: SqlValue | undefined): ChangeBody {
    return JSON.parse(this.#sql.sealing.open(body ?? '', ownerOf(run))) as ChangeBody; // written by `add`
  }

  /** Oldest first. @param run only those of this run */
  async list(after: number, since: number, run?: string): Promise<ChangeRow[]> {
    const only = run === undefined ? sql`` : sql` AND run = ${runId(run)}`;
    const rows = await this.#sql.read(function* (): SqlWork<readonly SqlRow[]> {
      return yield rowsOf('changes', sql`WHERE id > ${after} AND at >= ${since}${only} ORDER BY id LIMIT ${SLICE}`, 'left out');
    });
    return rows.map((row) => {
      const of = row.run === null || row.run === '' || row.run === undefined ? undefined : String(row.run);
      return { ...this.#opened(of, row.body), id: Number(row.id), at: Number(row.at), run: of };
    });
  }
}
