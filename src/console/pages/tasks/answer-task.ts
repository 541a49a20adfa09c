// Shows a question to a person and the form that answers it, to operators and behind the link of a task. Operators can take, assign or give
// it back; after an answer, the next question follows.
import type { Answered, DurableEngine, TaskReply } from '../../../durable/durable-engine.js';
import type { RunState, TaskView } from '../../../durable/model/run-views.js';
import { copyable, formField, type Html, html, nothing } from '../../html/html.js';
import { moment, timeLeft } from '../../html/moment.js';
import { refused } from '../../html/notice.js';
import { valuePart, valueTree } from '../../html/value-tree.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext, PagePart } from '../console-page.js';
import { runAddress } from '../run/rounds-address.js';

export async function answerTask(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const id = request.segments[2] ?? '';
  const answered = await answerAs(request, id, store);
  if (answered.kind === 'unknown') return undefined;
  const task = await store.task(id);
  if (task === undefined) return undefined;
  if (answered.kind === 'answered' || isRecorded(task, request)) return { goTo: afterAnswer(task, request) };
  const address = `/console/tasks/${encodeURIComponent(id)}`;
  const title = (await store.get(task.run))?.title ?? task.workflow;
  const form = {
    task,
    title,
    address: `${address}${filterOf(request)}`,
    hidden: formField(request),
    pairsAddress: `${address}/pairs`,
  };
  const { content, ...page } = await notTaken(answered, form, request, store);
  return { ...page, at: 'tasks', content: html`${content}<p><a href="${tasksAddress(request)}">Back to the tasks</a></p>` };
}

const FILTER = ['run', 'for', 'workflow'] as const;

/** The filter of the list of questions, which the addresses of its forms keep: `?for=Ada`, or nothing. */
export function filterOf({ query }: Pick<ConsoleRequest, 'query'>, more: Readonly<Record<string, string>> = {}): string {
  const kept = FILTER.flatMap((name): [string, string][] => {
    const value = query.get(name)?.trim() ?? '';
    return value === '' ? [] : [[name, value]];
  });
  const all = new URLSearchParams([...kept, ...Object.entries(more)]).toString();
  return all === '' ? '' : `?${all}`;
}

const tasksAddress = (request: ConsoleRequest, more?: Readonly<Record<string, string>>): string =>
  `/console/tasks${filterOf(request, more)}`;

/** The next question of the list; or the run, for whoever came from there. */
const afterAnswer = ({ run }: TaskView, request: ConsoleRequest): string =>
  request.query.has('run') ? `${runAddress(run)}?did=answer` : tasksAddress(request, { did: 'answer' });

/** `POST /console/tasks/<id>/assign` */
export async function assignTask(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const { segments, form, actor } = request;
  const to = form.get('to')?.trim() ?? '';
  const how = { to: to === '' ? undefined : to, ifFree: form.get('take') !== null };
  const assigned = await store.assign(segments[2] ?? '', how, { ...actor, name: actor.name ?? how.to });
  if (assigned.kind === 'unknown') return undefined;
  if (assigned.kind === 'assigned') return { goTo: `${tasksAddress(request, { did: 'assign' })}#t${assigned.task.task}` };
  if (assigned.kind === 'too long') return refused('A name has at most 200 characters.', tasksAddress(request), request, 400);
  const { task, assignee } = assigned.task;
  const problem =
    assigned.kind === 'taken' ? `${assignee} has this question now.` : 'This question is over, so nobody can take it any more.';
  return refused(problem, `${tasksAddress(request)}#t${task}`, request);
}

/** `GET /console/tasks/<id>/pairs`: a part of what a question shows. */
export async function taskPairs(request: ConsoleRequest, { store }: PageContext): Promise<PagePart | ConsolePage | undefined> {
  const id = request.segments[2] ?? '';
  const tree = valuePart((await store.task(id))?.pairs, request.query, `/console/tasks/${encodeURIComponent(id)}/pairs`);
  if (tree === undefined) return undefined;
  return request.isPart
    ? { part: tree }
    : { title: 'Part of a question', at: 'tasks', content: html`<h1>Question</h1><div class="card">${tree}</div>` };
}

/** Takes the answer of a form. On record, whoever nobody names has the name that they give themselves. */
export function answerAs(request: ConsoleRequest, task: string, store: PageContext['store']): Promise<Answered> {
  const reply = replyOf(request);
  return store.answer(task, reply, { ...request.actor, name: request.actor.name ?? reply.by });
}

function replyOf({ form, user }: ConsoleRequest): TaskReply {
  const comment = form.get('comment')?.trim() ?? '';
  const by = user ?? form.get('by')?.trim() ?? '';
  return { answer: form.get('answer') ?? '', ...(comment === '' ? {} : { comment }), ...(by === '' ? {} : { by }) };
}

/** Explains why an answer was not taken, and shows it: in the form if it can be corrected, otherwise to copy. */
export async function notTaken(
  answered: Exclude<Answered, { kind: 'answered' | 'unknown' }>,
  form: Omit<TaskFormOptions, 'user' | 'now' | 'typed'>,
  request: ConsoleRequest,
  store: PageContext['store'],
): Promise<{ readonly status: number; readonly title: string; readonly content: Html }> {
  const { user, now, form: typed } = request;
  if (answered.kind === 'no choice' || answered.kind === 'too long') {
    const [title, problem] =
      answered.kind === 'no choice'
        ? ['This is not one of the answers', `Choose one of ${answered.choices.join(', ')}.`]
        : ['This is too long', 'An answer, a comment and a name have at most 100,000 characters each.'];
    const question = html`<article class="card task"><h2><bdi>${form.task.question}</bdi></h2>${taskForm({ ...form, user, now, typed })}</article>`;
    return { status: 400, title, content: html`<h1>${title}</h1><p class="said error" role="alert">${problem}</p>${question}` };
  }
  const [status, title] = answered.kind === 'over' ? [410, 'This question is over'] : [409, 'Someone else answered first'];
  const words = await answeredWords(answered.task, store, false);
  return { status, title, content: html`<h1>${title}</h1><p>${words}</p>${typedWords(answered.task, request)}` };
}

/** The text of an answer that came too late. */
export function typedWords({ choices }: TaskView, { form }: Pick<ConsoleRequest, 'form'>): Html {
  const texts = [...(choices === undefined ? [form.get('answer')] : []), form.get('comment')];
  const typed = texts.flatMap((text) => (text === null || text.trim() === '' ? [] : [text]));
  return typed.length === 0 ? nothing : html`<p>What you wrote was not recorded:</p>${typed.map(copyable)}`;
}

/** The answer on record is this one: its form was sent twice. */
export function isRecorded({ answer, comment = '', by = '' }: TaskView, request: ConsoleRequest): boolean {
  const reply = replyOf(request);
  return answer === reply.answer && comment === (reply.comment ?? '') && by === (request.actor.name ?? reply.by ?? '');
}

interface TaskFormOptions {
  readonly task: TaskView;
  /** Name of its workflow, for people. */
  readonly title: string;
  /** Address of the form. */
  readonly address: string;
  /** Hidden fields. */
  readonly hidden: Html;
  /** Address of the parts of large details. */
  readonly pairsAddress: string;
  /** A proxy identifies the user, so no one has to type a name. */
  readonly user: string | undefined;
  readonly now: number;
  /** Only someone else may answer. */
  readonly isOthers?: boolean;
  /** A form that was refused: what was typed is still there. */
  readonly typed?: URLSearchParams;
}

export function taskForm({ task, title, address, hidden, pairsAddress, user, now, isOthers, typed }: TaskFormOptions): Html {
  const { choices, pairs, due } = task;
  const given = (name: string): string => typed?.get(name) ?? '';
  return html`<p class="hint">For ${task.service}${task.addressee !== undefined && html` (<bdi>${task.addressee}</bdi>)`}, asked by <bdi>${title}</bdi> · ${moment(task.askedAt)}${due !== undefined && html` · due ${timeLeft(due, now)}, ${moment(due)}`}</p>
${hasPairs(pairs) ? valueTree(pairs, pairsAddress) : nothing}
${
  isOthers === true
    ? html`<p>Only the person it is addressed to, and operators, can answer it.${user !== undefined && html` You are ${user}.`}</p>`
    : html`<form method="post" action="${address}" class="answer">${hidden}
${
  choices === undefined &&
  html`<label>Answer <textarea name="answer" rows="3" required>
${given('answer')}</textarea></label>`
}
<label><span>Comment <span class="hint">optional</span></span> <textarea name="comment" rows="2">
${given('comment')}</textarea></label>
${user === undefined ? html`<label><span>Your name <span class="hint">optional</span></span> <input name="by" autocomplete="name" maxlength="200"${given('by') !== '' && html` value="${given('by')}"`}></label>` : html`<p class="hint">You answer as ${user}.</p>`}
<div class="choices">${choices === undefined ? html`<button class="main">Answer</button>` : choices.map((choice) => html`<button name="answer" value="${choice}">${choice}</button>`)}</div></form>`
}`;
}

const hasPairs = (pairs: TaskView['pairs']): boolean =>
  typeof pairs === 'object' && pairs !== null && Object.keys(pairs).length > 0;

/** Who answered and when, in one line; with `isFull`, also the answer. Of a question that nobody answered, why it is over. */
export async function answeredWords(task: TaskView, store: Pick<DurableEngine, 'state'>, isFull: boolean): Promise<Html> {
  const { status, answer, by, answeredAt, comment } = task;
  if (status === 'over') return overWords(task, await store.state(task.run));
  return html`${isFull ? html`<b><bdi>${answer}</bdi></b>, answered` : 'Answered'}${by !== undefined && by !== '' && html` by <bdi>${by}</bdi>`}${answeredAt !== undefined && html` · ${moment(answeredAt)}`}${isFull && comment !== undefined && comment !== '' && html`<br><bdi class="hint">${comment}</bdi>`}`;
}

function overWords({ due }: TaskView, { finishedAt: ended }: Partial<RunState> = {}): Html {
  if (ended !== undefined && (due === undefined || ended < due))
    return html`Nobody answered before the run ended · ${moment(ended)}`;
  if (due !== undefined && Date.parse(due) <= Date.now()) return html`Nobody answered in time: it was due ${moment(due)}`;
  return html`Nobody answered: the run went on without an answer.`;
}
