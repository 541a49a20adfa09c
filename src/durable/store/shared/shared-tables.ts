// The tables that all processes of a store share, under the method names that runs, pages and commands use.
import type { Actor, ChangeRow, NewChange } from '../../model/changes.js';
import type { DeliveredMessage, MessageSent, MessageWish, NewMessage, Successor } from '../../model/messages.js';
import { erasedKey, isRequestKey } from '../../model/request-keys.js';
import type { OpenTasks } from '../../model/run-views.js';
import type { NewTask, StoredAnswer, TaskAnswered, TaskRow } from '../../model/tasks.js';
import type { SharedRows } from '../port.js';
import { Changes } from './changes.js';
import { eraseRows } from './erasing.js';
import { Messages } from './messages.js';
import type { SharedSql } from './sql.js';
import { Tasks } from './tasks.js';

export class SharedTables implements SharedRows {
  readonly #sql: SharedSql;
  readonly #messages: Messages;
  readonly #tasks: Tasks;
  readonly #changes: Changes;

  constructor(sql: SharedSql) {
    this.#sql = sql;
    this.#changes = new Changes(sql);
    this.#messages = new Messages(sql, this.#changes);
    this.#tasks = new Tasks(sql, this.#changes);
  }

  recordChange(change: NewChange, at: number): Promise<number> {
    return this.#changes.record(change, at);
  }

  withdrawChange(id: number): Promise<void> {
    return this.#changes.withdraw(id);
  }

  completeChange(id: number, change: NewChange): Promise<void> {
    return this.#changes.complete(id, change);
  }

  listChanges(after: number, since: number, run?: string): Promise<ChangeRow[]> {
    return this.#changes.list(after, since, run);
  }

  wantMessage(wish: MessageWish): Promise<DeliveredMessage | undefined> {
    return this.#messages.want(wish);
  }

  sendMessage(message: NewMessage): Promise<MessageSent> {
    return this.#messages.send(message);
  }

  endWait(run: string, place: string, isRecorded: boolean): Promise<void> {
    return this.#messages.endWait(run, place, isRecorded);
  }

  undeliveredMessage(run: string, place: string): Promise<DeliveredMessage | undefined> {
    return this.#messages.undelivered(run, place);
  }

  readdressMessages(successors: readonly Successor[]): Promise<void> {
    return this.#messages.readdress(successors);
  }

  openTask(task: NewTask): Promise<{ readonly id: string; readonly key: string }> {
    return this.#tasks.open(task);
  }

  recordAnswer(id: string, answer: StoredAnswer, now: number, by?: Actor): Promise<TaskAnswered> {
    return this.#tasks.answer(id, answer, now, by);
  }

  taskOf(run: string, place: string): Promise<TaskRow | undefined> {
    return this.#tasks.of(run, place);
  }

  endTask(run: string, place: string): Promise<void> {
    return this.#tasks.endOne(run, place);
  }

  endShared(run: string): Promise<void> {
    const [messages, tasks] = [this.#messages, this.#tasks];
    return this.#sql.change(function* () {
      yield* tasks.end(run);
      yield* messages.end(run, false);
    });
  }

  async eraseShared(
    runs: readonly [string, ...string[]],
    workflow: string,
    key: string | undefined,
  ): Promise<string | undefined> {
    const hashed = key === undefined || !isRequestKey(key) ? key : erasedKey(key, this.#sql.sealing.hash);
    const changes = this.#changes;
    await this.#sql.change(function* () {
      yield* eraseRows(runs, workflow, key, hashed);
      for (const run of runs) yield* changes.forget(run);
    });
    return hashed;
  }

  findTask(id: string): Promise<TaskRow | undefined> {
    return this.#tasks.find(id);
  }

  async isTaskKey(id: string, key: string): Promise<boolean> {
    return this.#tasks.isKey(id, key);
  }

  listTasks(closed: boolean, now: number, limit: number, offset: number): Promise<TaskRow[]> {
    return this.#tasks.list(closed, now, limit, offset);
  }

  countTasks(now: number): Promise<OpenTasks[]> {
    return this.#tasks.count(now);
  }
}
