// Questions to people, in the shared file: asked by a run, answered once, from anywhere.

import { timingSafeEqual } from 'node:crypto';
import { inboxKinds } from '../../model/messages.js';
import { newRunHex, toRunId } from '../../model/run-ids.js';
import {
  type NewTask,
  type StoredAnswer,
  type TaskAnswered,
  type TaskBody,
  type TaskRow,
  type TaskStateNumber,
  taskStates,
} from '../../model/tasks.js';
import type { SharedFile } from './shared-file.js';
import { keepUndelivered } from './shared-messages.js';

type Row = NonNullable<ReturnType<SharedFile['get']>>;

const columns = 'id, lower(hex(run)) AS run, place, workflow, asked, due, state, answered, body, answer';

function toTask(shared: SharedFile, row: Row): TaskRow {
  const run = String(row.run);
  const opened = (value: Row[string] | undefined): unknown => JSON.parse(shared.sealing.open(value ?? '', run));
  return {
    run,
    id: String(row.id),
    workflow: String(row.workflow),
    body: opened(row.body) as TaskBody, // written by `openTask`
    asked: Number(row.asked),
    due: row.due === null ? undefined : Number(row.due),
    state: row.state as TaskStateNumber, // only these are written
    answered: row.answered === null ? undefined : Number(row.answered),
    answer: row.answer === null ? undefined : (opened(row.answer) as StoredAnswer), // written by `recordAnswer`
  };
}

/** The key of a task's link, derived from the store's secret, so that it need not be stored. */
const taskKey = (shared: SharedFile, id: string): string => shared.sealing.hash(`task ${id}`).toString('base64url');

export function isTaskKey(shared: SharedFile, id: string, key: string): boolean {
  const given = Buffer.from(key, 'base64url');
  const right = shared.sealing.hash(`task ${id}`);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Creates the task of this place, or finds it; returns its id and the key of its link. */
export function openTask(
  shared: SharedFile,
  { run, place, workflow, body, asked, due }: NewTask,
): Promise<{ readonly id: string; readonly key: string }> {
  return shared.change(() => {
    const found = shared.get('SELECT id FROM tasks WHERE run = unhex(?) AND place = ?', run, place);
    const id = found === undefined ? toRunId(newRunHex(asked)) : String(found.id);
    if (found === undefined) {
      shared.run(
        'INSERT INTO tasks(id, run, place, workflow, asked, due, state, body) VALUES(?, unhex(?), ?, ?, ?, ?, ?, ?)',
        ...[id, run, place, workflow, asked, due ?? null, taskStates.open, shared.sealing.seal(JSON.stringify(body), run)],
      );
    }
    return { id, key: taskKey(shared, id) };
  });
}

/**
 * Only the first answer counts, and only in time.
 * @param isUnfinished throws for a run that can't be reached: then nothing has been answered
 */
export function recordAnswer(
  shared: SharedFile,
  { id, answer, now }: { readonly id: string; readonly answer: StoredAnswer; readonly now: number },
  isUnfinished: (run: string) => boolean,
): Promise<TaskAnswered> {
  return shared.change((): TaskAnswered => {
    const row = shared.get(`SELECT ${columns} FROM tasks WHERE id = ?`, id);
    if (row?.state === taskStates.answered) return 'answered before';
    if (row === undefined || row.state === taskStates.over || (row.due !== null && Number(row.due) <= now)) return 'over';
    const run = String(row.run);
    if (!isUnfinished(run)) {
      // Its process died before it could end the task.
      shared.run('UPDATE tasks SET state = ? WHERE id = ?', taskStates.over, id);
      return 'over';
    }
    shared.run(
      'UPDATE tasks SET state = ?, answered = ?, answer = ? WHERE id = ?',
      ...[taskStates.answered, now, shared.sealing.seal(JSON.stringify(answer), run), id],
    );
    shared.run(
      'INSERT INTO inbox(run, kind, place, at) VALUES(unhex(?), ?, ?, ?)',
      run,
      inboxKinds.answer,
      String(row.place),
      now,
    );
    return 'answered';
  });
}

/** The task that an effect of a run has asked, with its answer if there is one. */
export function taskOf(shared: SharedFile, run: string, place: string): TaskRow | undefined {
  const row = shared.get(`SELECT ${columns} FROM tasks WHERE run = unhex(?) AND place = ?`, run, place);
  return row === undefined ? undefined : toTask(shared, row);
}

/** The answer is in the journal, or no answer counts any more. */
export function endTask(shared: SharedFile, run: string, place: string): Promise<void> {
  return shared.change(() => {
    const { open, over } = taskStates;
    shared.run('UPDATE tasks SET state = ? WHERE run = unhex(?) AND place = ? AND state = ?', over, run, place, open);
    shared.run('DELETE FROM inbox WHERE run = unhex(?) AND place = ?', run, place);
  });
}

/** A run has ended: nothing that arrives later is for it. */
export function endShared(shared: SharedFile, run: string): Promise<void> {
  return shared.change(() => {
    const { open, over } = taskStates;
    shared.run('UPDATE tasks SET state = ? WHERE run = unhex(?) AND state = ?', over, run, open);
    shared.run('DELETE FROM waiters WHERE run = unhex(?)', run);
    keepUndelivered(shared, run);
    shared.run('DELETE FROM inbox WHERE run = unhex(?)', run);
  });
}

export function findTask(shared: SharedFile, id: string): TaskRow | undefined {
  const row = shared.get(`SELECT ${columns} FROM tasks WHERE id = ?`, id);
  return row === undefined ? undefined : toTask(shared, row);
}

/** Open tasks, the most urgent first, or closed ones, the newest first. */
export function listTasks(shared: SharedFile, closed: boolean, now: number, limit: number, offset: number): TaskRow[] {
  const rows = closed
    ? shared.all(
        `SELECT ${columns} FROM tasks WHERE state <> 1 OR due <= ? ORDER BY ifnull(answered, ifnull(due, asked)) DESC, id LIMIT ? OFFSET ?`,
        ...[now, limit, offset],
      )
    : shared.all(
        `SELECT ${columns} FROM tasks WHERE state = 1 AND (due IS NULL OR due > ?) ORDER BY due IS NULL, due, id LIMIT ? OFFSET ?`,
        ...[now, limit, offset],
      );
  return rows.map((row) => toTask(shared, row));
}
