// Sends messages to runs, and lists and answers the questions that they ask people. Works on the store; the process that has the run finds
// it there.
import { redactorFor } from '../../../runtime/run/redaction.js';
import type { Redactor } from '../../../runtime/types.js';
import type { Answered, Assigned, MessageRequest, Sent, TaskPage, TaskQuery, TaskReply } from '../durable-engine.js';
import type { Actor } from '../model/changes.js';
import type { NewMessage } from '../model/messages.js';
import { toRunHex, toRunId } from '../model/run-ids.js';
import { isFinished, type TaskView } from '../model/run-views.js';
import { isFor, mostOfAnswer, mostOfAssignee, type NewAssignee, type TaskRow, taskStates } from '../model/tasks.js';
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
  readonly #keepMs: number | undefined;

  /** @param onInbox called when something was put into the inbox of a run @param keepMs how long to keep messages that no run waits for */
  constructor(store: StoreAccess, lookup: RunLookup, news: ChangeNews, onInbox: () => void, keepMs: number | undefined) {
    this.#keepMs = keepMs;
    this.#store = store;
    this.#lookup = lookup;
    this.#news = news;
    this.#onInbox = onInbox;
  }

  async send({ name, body, run, key }: MessageRequest, by?: Actor): Promise<Sent> {
    let to: Pick<NewMessage, 'run' | 'branch' | 'isOver'> = { run: undefined };
    if (run !== undefined) {
      const hex = toRunHex(run);
      const state = hex === undefined ? undefined : await this.#lookup.state(run);
      if (state === undefined) return { kind: 'unknown run' };
      const isOver = isFinished(state.status);
      // A message that was sent before with the same key gets the same answer as then.
      if (isOver && key === undefined) return { kind: 'run finished' };
      // The run with the journal waits for what the workflows that it calls wait for.
      const called = state.parent === undefined || hex === undefined ? undefined : (await this.#lookup.find(hex))?.called;
      to = called === undefined ? { run: hex, isOver } : { run: called.root, branch: called.branch, isOver };
    }
    const sent = await this.#store.client.shared.sendMessage({
      name,
      body,
      ...to,
      key,
      now: Date.now(),
      by,
      ...(this.#keepMs === undefined ? {} : { keepMs: this.#keepMs }),
    });
    if (sent.kind !== 'sent') return sent;
    if (sent.run !== undefined) this.#onInbox();
    return {
      kind: 'sent',
      delivered: sent.run === undefined ? 0 : 1,
      ...(sent.run === undefined ? {} : { run: toRunId(sent.run) }),
      ...(sent.keptUntil === undefined ? {} : { keptUntil: new Date(sent.keptUntil).toISOString() }),
    };
  }

  async tasks(query: TaskQuery = {}): Promise<TaskPage> {
    const { closed = false, limit = TASK_PAGE, cursor } = query;
    const most = Math.min(Math.max(1, limit), TASK_PAGE);
    const now = Date.now();
    const from = TASK_CURSOR.exec(cursor ?? '');
    const offset = Number(from?.[2] ?? 0);
    const tasks: TaskView[] = [];
    if (from?.[1] !== 'closed-') {
      const open = await this.#listed(false, now, most, offset, query);
      tasks.push(...open.tasks);
      if (open.next !== undefined) return { tasks, next: String(open.next) };
    }
    if (!closed) return { tasks };
    const over = await this.#listed(true, now, most - tasks.length, from?.[1] === 'closed-' ? offset : 0, query);
    tasks.push(...over.tasks);
    return over.next === undefined ? { tasks } : { tasks, next: `closed-${over.next}` };
  }

  /** A page of open or closed tasks. Whom they are for is sealed in the store, so it reads all to find those that are wanted. */
  async #listed(
    isClosed: boolean,
    now: number,
    most: number,
    offset: number,
    wish: TaskWish,
  ): Promise<{ readonly tasks: readonly TaskView[]; readonly next: number | undefined }> {
    const found: { readonly task: TaskView; readonly at: number }[] = [];
    /** By workflow, because its runs read the same variables. */
    const redactors = new Map<string, Redactor>();
    const wantsAll = wish.for === undefined && wish.workflow === undefined && wish.run === undefined;
    const size = wantsAll ? most + 1 : TASK_PAGE + 1;
    for (let at = offset; found.length <= most; at += size) {
      const rows = await this.#store.client.shared.listTasks(isClosed, now, size, at);
      for (const [index, row] of rows.entries())
        if (isWanted(row, wish)) {
          const redactor = redactors.get(row.workflow) ?? (await this.#redactorOf(row));
          redactors.set(row.workflow, redactor);
          found.push({ task: toTaskView(row, redactor), at: at + index });
        }
      if (rows.length < size) break;
    }
    return { tasks: found.slice(0, most).map(({ task }) => task), next: found[most]?.at };
  }

  async task(id: string, key?: string): Promise<TaskView | undefined> {
    const { shared } = this.#store.client;
    if (key !== undefined && !(await shared.isTaskKey(id, key))) return undefined;
    const row = await shared.findTask(id);
    return row === undefined ? undefined : toTaskView(row, await this.#redactorOf(row));
  }

  /** A run in a damaged file can't be asked for its variables; its questions stay answerable. */
  #redactorOf({ run }: TaskRow): Promise<Redactor> {
    return this.#lookup.redactorOfRun(run).catch(() => redactorFor([]));
  }

  async answer(id: string, { answer, comment, by }: TaskReply, actor?: Actor): Promise<Answered> {
    const row = await this.#store.client.shared.findTask(id);
    if (row === undefined) return { kind: 'unknown' };
    const redactor = await this.#redactorOf(row);
    const task = toTaskView(row, redactor);
    if ([answer, comment, by].some((text) => text !== undefined && text.length > mostOfAnswer)) return { kind: 'too long' };
    if (task.status === 'answered') return { kind: 'answered before', task };
    if (task.status === 'over') return { kind: 'over', task };
    const { choices } = row.body;
    // Whoever answers has seen the choice without its secrets.
    const chosen = choices?.find((one) => one === answer) ?? choices?.find((one) => redactor.text(one) === answer);
    if (choices !== undefined && chosen === undefined) return { kind: 'no choice', choices: task.choices ?? [] };
    const stored = {
      answer: chosen ?? answer,
      ...(comment === undefined ? {} : { comment }),
      ...(by === undefined ? {} : { by }),
    };
    const kind = await this.#store.client.shared.recordAnswer(id, stored, Date.now(), actor);
    this.#news.tasks();
    if (kind === 'answered') this.#onInbox();
    return { kind, task: (await this.task(id)) ?? task };
  }

  async assign(id: string, { to, ifFree }: NewAssignee, by?: Actor): Promise<Assigned> {
    if (to !== undefined && to.length > mostOfAssignee) return { kind: 'too long' };
    const task = await this.task(id);
    if (task === undefined) return { kind: 'unknown' };
    const kind = await this.#store.client.shared.assignTask(id, { to, ...(ifFree === true ? { ifFree } : {}) }, Date.now(), by);
    this.#news.tasks();
    return { kind, task: (await this.task(id)) ?? task };
  }
}

type TaskWish = Pick<TaskQuery, 'for' | 'workflow' | 'run'>;

const isWanted = ({ body, workflow, run }: TaskRow, wish: TaskWish): boolean =>
  (wish.for === undefined || isFor(body, wish.for)) &&
  (wish.workflow === undefined || wish.workflow === workflow) &&
  (wish.run === undefined || wish.run === toRunId(run));

function toTaskView({ id, run, workflow, body, asked, due, state, answered, answer }: TaskRow, redactor: Redactor): TaskView {
  const isOver = state === taskStates.over || (state === taskStates.open && due !== undefined && due <= Date.now());
  return {
    task: id,
    run: toRunId(run),
    workflow,
    ...body,
    question: redactor.text(body.question),
    ...(body.choices === undefined ? {} : { choices: body.choices.map((choice) => redactor.text(choice)) }),
    askedAt: new Date(asked).toISOString(),
    ...(due === undefined ? {} : { due: new Date(due).toISOString() }),
    status: isOver ? 'over' : state === taskStates.answered ? 'answered' : 'open',
    ...(body.assignee === undefined ? {} : { assignee: redactor.text(body.assignee) }),
    ...(body.pairs === undefined ? {} : { pairs: redactor.value(body.pairs) }),
    ...(answer === undefined ? {} : { ...answer, answer: redactor.text(answer.answer) }),
    ...(answer?.comment === undefined ? {} : { comment: redactor.text(answer.comment) }),
    ...(answered === undefined ? {} : { answeredAt: new Date(answered).toISOString() }),
  };
}
