// Lets operators answer a question, after which the next one follows, and take, assign or give it back.
import type { Answered, TaskReply } from '../../../durable/durable-engine.js';
import { type Html, html } from '../../html/html.js';
import { valuePart } from '../../html/value-tree.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext, PagePart } from '../console-page.js';
import { answeredWords } from './task-form.js';

export async function answerTask(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const id = request.segments[2] ?? '';
  const answered = await answerAs(request, id, store);
  if (answered.kind === 'unknown') return undefined;
  if (answered.kind === 'answered') return { goTo: '/console/tasks?did=answer' };
  const { status, title, content } = await notTaken(answered, store);
  return { status, title, at: 'tasks', content: html`${content}<p><a href="/console/tasks">Back to the tasks</a></p>` };
}

/** `POST /console/tasks/<id>/assign` */
export async function assignTask(
  { segments, form, actor }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | GoTo | undefined> {
  const to = form.get('to')?.trim() ?? '';
  const how = { to: to === '' ? undefined : to, ifFree: form.get('take') !== null };
  const assigned = await store.assign(segments[2] ?? '', how, { ...actor, name: actor.name ?? how.to });
  if (assigned.kind === 'unknown') return undefined;
  if (assigned.kind === 'assigned') return { goTo: `/console/tasks?did=assign#t${assigned.task.task}` };
  const [title, text] =
    assigned.kind === 'too long'
      ? ['Too long', html`A name has at most 200 characters.`]
      : assigned.kind === 'taken'
        ? ['Someone else took it first', html`<bdi>${assigned.task.assignee}</bdi> has this question now.`]
        : ['This question is over', await answeredWords(assigned.task, store, false)];
  const content = html`<h1>${title}</h1><p>${text}</p><p><a href="/console/tasks">Back to the tasks</a></p>`;
  return { status: assigned.kind === 'too long' ? 400 : 409, title, at: 'tasks', content };
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

/** Why an answer was rejected, with the HTTP status. */
export async function notTaken(
  answered: Exclude<Answered, { kind: 'answered' | 'unknown' }>,
  store: PageContext['store'],
): Promise<{ readonly status: number; readonly title: string; readonly content: Html }> {
  if (answered.kind === 'no choice') {
    return {
      status: 400,
      title: 'Not an answer',
      content: html`<h1>This is not one of the answers</h1><p>Choose one of ${answered.choices.join(', ')}.</p>`,
    };
  }
  if (answered.kind === 'too long') {
    return {
      status: 400,
      title: 'Too long',
      content: html`<h1>This is too long</h1><p>An answer, a comment and a name have at most 100,000 characters each. Go back, and shorten it.</p>`,
    };
  }
  if (answered.kind === 'answered before') {
    return {
      status: 409,
      title: 'Answered already',
      content: html`<h1>Someone else answered first</h1><p>${await answeredWords(answered.task, store, false)}</p>`,
    };
  }
  return {
    status: 410,
    title: 'Over',
    content: html`<h1>This question is over</h1><p>${await answeredWords(answered.task, store, false)}</p>`,
  };
}
