// Sends messages to runs, and lists and answers the questions that they ask people. Works on the store; the process that has the run finds
// it there.
import type { Answered, MessageRequest, Sent, TaskPage, TaskReply } from '../durable-engine.js';
import type { NewMessage } from '../model/messages.js';
import { toRunHex, toRunId } from '../model/run-ids.js';
import { isFinished, type TaskView } from '../model/run-views.js';
import { type TaskRow, taskStates } from '../model/tasks.js';
import type { StoreAccess } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { ChangeNews } from './change-news.js';

const TASK_PAGE = 100;

/** The number of open or closed tasks on earlier pages. */
const TASK_CURSOR = /^(closed-)?(\d{1,9})$/;

export class PeopleActions {
  readonly #store: StoreAccess;
  readonly #lookup: RunLookup;
  readonly #news: ChangeNews;
  readonly #onInbox: () => void;

  /** @param onInbox called when something was put into the inbox of a run */
  constructor(store: StoreAccess, lookup: RunLookup, news: ChangeNews, onInbox: () => void) {
    this.#store = store;
    this.#lookup = lookup;
    this.#news = news;
    this.#onInbox = onInbox;
  }

  async send({ name, body, run, key }: MessageRequest): Promise<Sent> {
    let to: Pick<NewMessage, 'run' | 'branch' | 'isOver'> = { run: undefined };
    if (run !== undefined) {
      const hex = toRunHex(run);
      const state = hex === undefined ? undefined : await this.#lookup.state(run);
      if (state === undefined) return { kind: 'unknown run' };
      const isOver = isFinished(state.status);
      // One that was sent before, with the same key, has the same answer as then.
      if (isOver && key === undefined) return { kind: 'run finished' };
      // The run with the journal waits for what the workflows that it calls wait for.
      const called = state.parent === undefined || hex === undefined ? undefined : (await this.#lookup.find(hex))?.called;
      to = called === undefined ? { run: hex, isOver } : { run: called.root, branch: called.branch, isOver };
    }
    const sent = await this.#store.client.shared.sendMessage({ name, body, ...to, key, now: Date.now() });
    if (sent.kind !== 'sent') return sent;
    if (sent.run !== undefined) this.#onInbox();
    return {
      ...{ kind: 'sent', delivered: sent.run === undefined ? 0 : 1 },
      ...(sent.run === undefined ? {} : { run: toRunId(sent.run) }),
      ...(sent.keptUntil === undefined ? {} : { keptUntil: new Date(sent.keptUntil).toISOString() }),
    };
  }

  async tasks({
    closed = false,
    limit = TASK_PAGE,
    cursor,
  }: {
    closed?: boolean;
    limit?: number;
    cursor?: string;
  } = {}): Promise<TaskPage> {
    const most = Math.min(Math.max(1, limit), TASK_PAGE);
    const { shared } = this.#store.client;
    const now = Date.now();
    const from = TASK_CURSOR.exec(cursor ?? '');
    const offset = Number(from?.[2] ?? 0);
    const tasks: TaskView[] = [];
    if (from?.[1] !== 'closed-') {
      const open = await shared.listTasks(false, now, most + 1, offset);
      tasks.push(...open.slice(0, most).map(toTaskView));
      if (open.length > most) return { tasks, next: String(offset + most) };
    }
    if (!closed) return { tasks };
    const left = most - tasks.length;
    const before = from?.[1] === 'closed-' ? offset : 0;
    const over = await shared.listTasks(true, now, left + 1, before);
    tasks.push(...over.slice(0, left).map(toTaskView));
    return over.length > left ? { tasks, next: `closed-${before + left}` } : { tasks };
  }

  async task(id: string, key?: string): Promise<TaskView | undefined> {
    const { shared } = this.#store.client;
    if (key !== undefined && !(await shared.isTaskKey(id, key))) return undefined;
    const row = await shared.findTask(id);
    return row === undefined ? undefined : toTaskView(row);
  }

  async answer(id: string, { answer, comment, by }: TaskReply): Promise<Answered> {
    const task = await this.task(id);
    if (task === undefined) return { kind: 'unknown' };
    if (task.status === 'answered') return { kind: 'answered before', task };
    if (task.status === 'over') return { kind: 'over', task };
    if (task.choices !== undefined && !task.choices.includes(answer)) return { kind: 'no choice', choices: task.choices };
    const stored = { answer, ...(comment === undefined ? {} : { comment }), ...(by === undefined ? {} : { by }) };
    const kind = await this.#store.client.shared.recordAnswer(id, stored, Date.now());
    this.#news.tasks();
    if (kind === 'answered') this.#onInbox();
    return { kind, task: (await this.task(id)) ?? task };
  }
}

function toTaskView({ id, run, workflow, body, asked, due, state, answered, answer }: TaskRow): TaskView {
  const isOver = state === taskStates.over || (state === taskStates.open && due !== undefined && due <= Date.now());
  return {
    ...{ task: id, run: toRunId(run), workflow, ...body, askedAt: new Date(asked).toISOString() },
    ...(due === undefined ? {} : { due: new Date(due).toISOString() }),
    status: isOver ? 'over' : state === taskStates.answered ? 'answered' : 'open',
    ...(answer ?? {}),
    ...(answered === undefined ? {} : { answeredAt: new Date(answered).toISOString() }),
  };
}
