// Questions to people, in the database: asked by a run, answered once, from anywhere.
import { timingSafeEqual } from 'node:crypto';
import { inboxKinds } from '../../model/messages.js';
import { newRunHex, toRunId } from '../../model/run-ids.js';
import { firstFinished } from '../../model/run-rows.js';
import {
  type NewTask,
  type StoredAnswer,
  type TaskAnswered,
  type TaskBody,
  type TaskRow,
  taskStates,
} from '../../model/tasks.js';
import type { TextSealing } from '../shared/sealing.js';
import type { DatabaseRow, PostgresDatabase } from './postgres-database.js';

const columns = 'id, run, place, workflow, asked, due, state, answered, body, answer';

const ended = `UPDATE wf.tasks SET state = ${taskStates.over} WHERE state = ${taskStates.open} AND`;

export class PostgresTasks {
  readonly #database: PostgresDatabase;
  readonly #sealing: TextSealing;

  constructor(database: PostgresDatabase, sealing: TextSealing) {
    this.#database = database;
    this.#sealing = sealing;
  }

  /** The key of a task's link, derived from the store's secret, so that it need not be stored. */
  #keyOf(id: string): Buffer {
    return this.#sealing.hash(`task ${id}`);
  }

  async isKey(id: string, key: string): Promise<boolean> {
    const given = Buffer.from(key, 'base64url');
    const right = this.#keyOf(id);
    return given.length === right.length && timingSafeEqual(given, right);
  }

  /** Creates the task of this place, or finds it; returns its id and the key of its link. */
  async open({ run, place, workflow, body, asked, due }: NewTask): Promise<{ readonly id: string; readonly key: string }> {
    const sealed = this.#sealing.seal(JSON.stringify(body), run);
    const [row] = await this.#database.persist(() =>
      this.#database.query(
        `INSERT INTO wf.tasks(id, run, place, workflow, asked, due, state, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (run, place) DO UPDATE SET run = excluded.run RETURNING id`,
        ...[toRunId(newRunHex(asked)), run, place, workflow, asked, due ?? null, taskStates.open, sealed],
      ),
    );
    const id = String(row?.id);
    return { id, key: this.#keyOf(id).toString('base64url') };
  }

  /** Only the first answer counts, and only in time. */
  answer(id: string, answer: StoredAnswer, now: number): Promise<TaskAnswered> {
    return this.#database.transaction(async (query): Promise<TaskAnswered> => {
      const [row] = await query(
        `SELECT run, place, state, due, EXISTS (SELECT 1 FROM wf.runs r WHERE r.id = t.run AND r.state < ${firstFinished}) AS has_run
         FROM wf.tasks t WHERE id = $1 FOR UPDATE`,
        id,
      );
      if (row?.state === taskStates.answered) return 'answered before';
      if (row === undefined || row.state === taskStates.over || (row.due !== null && Number(row.due) <= now)) return 'over';
      if (row.has_run !== true) {
        // Its process died before it could end the task.
        await query(`${ended} id = $1`, id);
        return 'over';
      }
      const run = String(row.run);
      const sealed = this.#sealing.seal(JSON.stringify(answer), run);
      await query(
        'UPDATE wf.tasks SET state = $1, answered = $2, answer = $3 WHERE id = $4',
        taskStates.answered,
        now,
        sealed,
        id,
      );
      await query('INSERT INTO wf.inbox(run, kind, place, at) VALUES ($1, $2, $3, $4)', run, inboxKinds.answer, row.place, now);
      return 'answered';
    });
  }

  /** The task that an effect of a run has asked, with its answer if there is one. */
  async of(run: string, place: string): Promise<TaskRow | undefined> {
    const sql = `SELECT ${columns} FROM wf.tasks WHERE run = $1 AND place = $2`;
    const [row] = await this.#database.persist(() => this.#database.query(sql, run, place));
    return row === undefined ? undefined : this.#toTask(row);
  }

  /** The answer is in the journal, or no answer counts any more. */
  async end(run: string, place: string): Promise<void> {
    const sql = `WITH gone AS (DELETE FROM wf.inbox WHERE run = $1 AND place = $2) ${ended} run = $1 AND place = $2`;
    await this.#database.persist(() => this.#database.query(sql, run, place));
  }

  /** A run has ended: nothing that arrives later is for it. */
  async endAll(run: string): Promise<void> {
    await this.#database.persist(() => this.#database.query(`${ended} run = $1`, run));
  }

  async find(id: string): Promise<TaskRow | undefined> {
    const [row] = await this.#database.query(`SELECT ${columns} FROM wf.tasks WHERE id = $1`, id);
    return row === undefined ? undefined : this.#toTask(row);
  }

  /** Open tasks, the most urgent first, or closed ones, the newest first. */
  async list(closed: boolean, now: number, limit: number, offset: number): Promise<TaskRow[]> {
    const which = closed
      ? 'state <> 1 OR due <= $1 ORDER BY coalesce(answered, due, asked) DESC, id'
      : 'state = 1 AND (due IS NULL OR due > $1) ORDER BY due NULLS LAST, id';
    const sql = `SELECT ${columns} FROM wf.tasks WHERE ${which} LIMIT $2 OFFSET $3`;
    return (await this.#database.query(sql, now, limit, offset)).map((row) => this.#toTask(row));
  }

  #toTask(row: DatabaseRow): TaskRow {
    const run = String(row.run);
    const opened = (value: unknown): unknown => JSON.parse(this.#sealing.open(String(value), run));
    return {
      run,
      id: String(row.id),
      workflow: String(row.workflow),
      body: opened(row.body) as TaskBody, // written by `open`
      asked: Number(row.asked),
      due: row.due === null ? undefined : Number(row.due),
      state: row.state as TaskRow['state'], // only these are written
      answered: row.answered === null ? undefined : Number(row.answered),
      answer: row.answer === null ? undefined : (opened(row.answer) as StoredAnswer), // written by `answer`
    };
  }
}
