// What people do with runs that are there: cancel, resume, repeat, send a message, answer a question. The process that has a run does it; for
// one of another process it is left in the inbox, which that looks at four times a second.
import type { Answered, Change, MessageRequest, Sent, TaskPage, TaskReply } from '../durable-engine.js';
import { toRunHex, toRunId } from '../run-ids.js';
import { isFinished, type RunState, type TaskView } from '../run-views.js';
import { type InboxKind, inboxKinds } from '../store/shared-inbox.js';
import { type TaskRow, taskStates } from '../store/shared-tasks.js';
import type { ChangeNews } from './change-news.js';
import type { EmbeddedStore } from './embedded-store.js';
import type { Keeper } from './keeper.js';
import type { OwnSlot } from './own-slot.js';
import type { RunLookup } from './run-lookup.js';

/** Milliseconds that a process has to do what is in the inbox. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 25;

const TASK_PAGE = 100;

export class RunActions {
  readonly #store: EmbeddedStore;
  readonly #lookup: RunLookup;
  readonly #news: ChangeNews;
  readonly #keeper: () => Promise<Keeper>;

  constructor(store: EmbeddedStore, lookup: RunLookup, news: ChangeNews, keeper: () => Promise<Keeper>) {
    this.#store = store;
    this.#lookup = lookup;
    this.#news = news;
    this.#keeper = keeper;
  }

  async cancel(id: string): Promise<Change> {
    const state = await this.#lookup.state(id);
    if (state === undefined) return { kind: 'unknown' };
    if (isFinished(state.status)) return { kind: 'not possible', state, problem: `The run is over: it is ${state.status}.` };
    const taken = await this.#takeFree(state);
    const change = await this.#ask(state, inboxKinds.cancel, ({ status }) => isFinished(status));
    if (taken !== undefined) await this.#store.release(taken);
    return change;
  }

  async resume(id: string): Promise<Change> {
    const state = await this.#lookup.state(id);
    if (state === undefined) return { kind: 'unknown' };
    if (isFinished(state.status)) return { kind: 'not possible', state, problem: `The run is over: it is ${state.status}.` };
    const keeper = await this.#keeper();
    const taken = await this.#takeFree(state);
    if (state.status === 'stuck') return this.#ask(state, inboxKinds.resume, ({ status }) => status !== 'stuck');
    if (taken === undefined) {
      const isOwn = this.#store.slots.has((await this.#slotOf(state)) ?? -1);
      if (!isOwn) return { kind: 'elsewhere', state };
      return { kind: 'not possible', state, problem: `The run is ${state.status}: it continues automatically.` };
    }
    const found = await this.#lookup.find(toRunHex(id) ?? '');
    if (found === undefined) return { kind: 'unknown' };
    const { n } = found.row;
    await this.#store.client.writer.adoptRunning(taken.slot, Date.now(), n);
    await keeper.begin({ slot: taken, n, id: found.row.id });
    return { kind: 'done', state };
  }

  async #slotOf({ run }: RunState): Promise<number | undefined> {
    return (await this.#lookup.find(toRunHex(run) ?? ''))?.row.slot;
  }

  /** The slot of a run, where no living process has it; `undefined` where one has, also where that is this one. */
  async #takeFree(state: RunState): Promise<OwnSlot | undefined> {
    const slot = await this.#slotOf(state);
    if (slot === undefined || this.#store.slots.has(slot)) return undefined;
    const taken = await this.#store.client.writer.takeThis(slot);
    return taken === undefined ? undefined : this.#store.own(taken);
  }

  /** Puts it into the inbox of the run, and waits until it is done. */
  async #ask(state: RunState, kind: InboxKind, isDone: (state: RunState) => boolean): Promise<Change> {
    const hex = toRunHex(state.run) ?? '';
    await this.#store.client.shared.addToInbox(hex, kind, Date.now());
    const keeper = await this.#keeper();
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
      await keeper.lookAtInbox();
      const now = await this.#lookup.state(state.run);
      if (now !== undefined && isDone(now)) return { kind: 'done', state: now };
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return { kind: 'elsewhere', state };
  }

  async send({ name, body, run, key }: MessageRequest): Promise<Sent> {
    const hex = run === undefined ? undefined : toRunHex(run);
    if (run !== undefined) {
      const state = hex === undefined ? undefined : await this.#lookup.state(run);
      if (state === undefined) return { kind: 'unknown run' };
      if (isFinished(state.status)) return { kind: 'run finished' };
    }
    const sent = await this.#store.client.shared.sendMessage({ name, body, run: hex, key, now: Date.now() });
    if (sent.kind === 'other body') return sent;
    if (sent.run !== undefined) void this.#keeper().then((keeper) => keeper.lookAtInbox());
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
    const offset = Math.max(0, Math.floor(Number(cursor ?? 0)) || 0);
    const most = Math.min(Math.max(1, limit), TASK_PAGE);
    const rows = await this.#store.client.shared.listTasks(closed, Date.now(), most + 1, offset);
    const tasks = rows.slice(0, most).map(toTaskView);
    return rows.length > most ? { tasks, next: String(offset + most) } : { tasks };
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
    if (kind === 'answered') void this.#keeper().then((keeper) => keeper.lookAtInbox());
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
