// Stores questions to people: a run asks each, and one answer is accepted, wherever it comes from.
import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../model/changes.js';
import { DamagedTask } from '../../model/file-troubles.js';
import { inboxKinds } from '../../model/messages.js';
import { newRunHex, toRunId } from '../../model/run-ids.js';
import type { OpenTasks } from '../../model/run-views.js';
import {
  isAddressedTo,
  type NewAssignee,
  type NewTask,
  type StoredAnswer,
  type TaskAnswered,
  type TaskAssigned,
  type TaskBody,
  type TaskRow,
  taskStates,
} from '../../model/tasks.js';
import type { Changes } from './changes.js';
import {
  firstRow,
  inserted,
  isOneOf,
  onlyIn,
  rowsOf,
  runId,
  type SharedSql,
  type SqlRow,
  type SqlText,
  type SqlWork,
  sql,
} from './sql.js';

/** A task whose record was changed is refused where it is used, and is in the list all the same. */
const tasksWhere = (which: SqlText): SqlText => rowsOf('tasks', sql`WHERE ${which}`, 'marked');

export class Tasks {
  readonly #sql: SharedSql;
  readonly #changes: Changes;

  constructor(sql: SharedSql, changes: Changes) {
    this.#sql = sql;
    this.#changes = changes;
  }

  /** The key of a task's link, derived from the store's secret, so that it need not be stored. */
  #keyOf(id: string): Buffer {
    return this.#sql.sealing.hash(`task ${id}`);
  }

  /** Whether this is the key of a task's link. Compares in constant time. */
  isKey(id: string, key: string): boolean {
    // As text: decoding base64 would pass over whatever follows the key.
    const [given, right] = [Buffer.from(key), Buffer.from(this.#keyOf(id).toString('base64url'))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  /** Creates the task of this effect, or finds it; returns its id and the key of its link. */
  async open({ run, place, workflow, body, asked, due }: NewTask): Promise<{ readonly id: string; readonly key: string }> {
    const sealed = this.#sql.sealing.seal(JSON.stringify(body), run);
    const { open } = taskStates;
    const row = await this.#sql.change(() =>
      firstRow(
        inserted(
          'tasks',
          { id: toRunId(newRunHex(asked)), run: runId(run), place, workflow, asked, due: due ?? null, state: open, body: sealed },
          sql` ON CONFLICT (run, place) DO UPDATE SET run = excluded.run RETURNING id`,
        ),
      ),
    );
    const id = String(row?.id);
    return { id, key: this.#keyOf(id).toString('base64url') };
  }

  /** Records the first answer that comes in time; refuses any other. */
  answer(id: string, answer: StoredAnswer, now: number, by?: Actor): Promise<TaskAnswered> {
    return this.#sql.changeNow(() => this.#answer(id, answer, now, by));
  }

  *#answer(id: string, answer: StoredAnswer, now: number, by: Actor | undefined): SqlWork<TaskAnswered> {
    const row = yield* firstRow(tasksWhere(sql`id = ${id}${onlyIn('postgres', ' FOR UPDATE')}`));
    if (row?.isDamaged === 1) throw new DamagedTask(id);
    if (row?.state === taskStates.answered) return 'answered before';
    if (row === undefined || row.state === taskStates.over || (row.due !== null && Number(row.due) <= now)) return 'over';
    const run = String(row.run);
    if (!(yield* this.#sql.isUnfinished(run))) {
      // Its process died before it could end the task.
      yield sql`UPDATE wf.tasks SET state = ${taskStates.over} WHERE id = ${id}`;
      return 'over';
    }
    const sealed = this.#sql.sealing.seal(JSON.stringify(answer), run);
    yield sql`UPDATE wf.tasks SET state = ${taskStates.answered}, answered = ${now}, answer = ${sealed} WHERE id = ${id}`;
    yield inserted('inbox', { run: runId(run), kind: inboxKinds.answer, place: String(row.place), at: now });
    if (by !== undefined) yield* this.#changes.add({ action: 'answer', by, run, about: answer.answer }, now);
    return 'answered';
  }

  assign(id: string, assignment: NewAssignee, now: number, by?: Actor): Promise<TaskAssigned> {
    return this.#sql.changeNow(() => this.#assign(id, assignment, now, by));
  }

  *#assign(id: string, { to, ifFree = false }: NewAssignee, now: number, by: Actor | undefined): SqlWork<TaskAssigned> {
    const row = yield* firstRow(tasksWhere(sql`id = ${id}${onlyIn('postgres', ' FOR UPDATE')}`));
    if (row?.isDamaged === 1) throw new DamagedTask(id);
    if (row?.state !== taskStates.open || (row.due !== null && Number(row.due) <= now)) return 'closed';
    const { run, body } = this.#toTask(row);
    const { assignee, ...rest } = body;
    if (ifFree && assignee !== undefined && !isAddressedTo(assignee, to ?? '')) return 'taken';
    const sealed = this.#sql.sealing.seal(JSON.stringify(to === undefined ? rest : { ...rest, assignee: to }), run);
    yield sql`UPDATE wf.tasks SET body = ${sealed} WHERE id = ${id}`;
    if (by !== undefined) yield* this.#changes.add({ action: 'assign', by, run, about: to }, now);
    return 'assigned';
  }

  /** The task that an effect of a run has asked, with its answer if there is one. */
  of(run: string, address: string): Promise<TaskRow | undefined> {
    const statement = tasksWhere(sql`run = ${runId(run)} AND place = ${address}`);
    return this.#sql.read(() => firstRow(statement), true).then((row) => this.#found(row));
  }

  /** Ends a task whose answer is in the journal, or that takes no answer any more. */
  endOne(run: string, address: string): Promise<void> {
    return this.#sql.change(() => this.#endOne(run, address));
  }

  *#endOne(run: string, address: string): SqlWork<void> {
    yield* this.#end(sql`run = ${runId(run)} AND place = ${address}`);
    yield sql`DELETE FROM wf.inbox WHERE run = ${runId(run)} AND place = ${address}`;
  }

  /** Ends all tasks of these runs, within a transaction. */
  end(runs: readonly string[]): SqlWork<void> {
    return this.#end(isOneOf(runs));
  }

  *#end(which: SqlText): SqlWork<void> {
    const { open, over } = taskStates;
    yield sql`UPDATE wf.tasks SET state = ${over} WHERE ${which} AND state = ${open}`;
  }

  find(id: string): Promise<TaskRow | undefined> {
    return this.#sql.read(() => firstRow(tasksWhere(sql`id = ${id}`))).then((row) => this.#found(row));
  }

  /** Open tasks, the most urgent first, or closed ones, the newest first. */
  async list(closed: boolean, now: number, limit: number, offset: number): Promise<TaskRow[]> {
    const { open } = taskStates;
    const which = closed
      ? sql`state <> ${open} OR due <= ${now} ORDER BY coalesce(answered, due, asked) DESC, id`
      : sql`state = ${open} AND (due IS NULL OR due > ${now}) ORDER BY due NULLS LAST, id`;
    const rows = await this.#sql.read(function* (): SqlWork<readonly SqlRow[]> {
      return yield tasksWhere(sql`${which} LIMIT ${limit} OFFSET ${offset}`);
    });
    return rows.map((row) => this.#listed(row));
  }

  /** Open tasks by workflow, also those that are out of time. */
  async count(now: number): Promise<OpenTasks[]> {
    const rows = await this.#sql.read(function* (): SqlWork<readonly SqlRow[]> {
      return yield sql`SELECT workflow, count(*) AS open, sum(CASE WHEN due <= ${now} THEN 1 ELSE 0 END) AS overdue, min(asked) AS oldest
        FROM wf.tasks WHERE state = ${taskStates.open} GROUP BY workflow ORDER BY workflow`;
    });
    return rows.map(({ workflow, open, overdue, oldest }) => ({
      workflow: String(workflow),
      open: Number(open),
      overdue: Number(overdue),
      oldest: Number(oldest),
    }));
  }

  #found(row: SqlRow | undefined): TaskRow | undefined {
    return row === undefined ? undefined : this.#toTask(row);
  }

  /** A task that can't be read is in the list all the same. */
  #listed(row: SqlRow): TaskRow {
    try {
      return this.#toTask(row);
    } catch (error) {
      if (!(error instanceof DamagedTask)) throw error;
      const question = `${error.message} ${error.hint}`;
      return this.#toTask({ ...row, answer: null, isDamaged: null }, { service: '', question });
    }
  }

  /** @throws DamagedTask @param known instead of what is stored */
  #toTask(row: SqlRow, known?: TaskBody): TaskRow {
    const run = String(row.run);
    const id = String(row.id);
    if (row.isDamaged === 1) throw new DamagedTask(id);
    const opened = (value: SqlRow[string]): object => {
      try {
        const found: unknown = JSON.parse(this.#sql.sealing.open(value ?? '', run));
        if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found;
      } catch {
        // It was changed in the store.
      }
      throw new DamagedTask(id);
    };
    return {
      run,
      id,
      workflow: String(row.workflow),
      body: known ?? (opened(row.body) as TaskBody), // written by `open`
      asked: Number(row.asked),
      due: row.due === null ? undefined : Number(row.due),
      state: row.state as TaskRow['state'], // only these are written
      answered: row.answered === null ? undefined : Number(row.answered),
      answer: row.answer === null ? undefined : (opened(row.answer) as StoredAnswer), // written by `answer`
    };
  }
}
