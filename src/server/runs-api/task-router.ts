// Serves `/tasks`: questions to people, and their answers.
import type { Router } from 'express';
import type { DurableEngine, TaskReply } from '../../durable/durable-engine.js';
import type { TaskView } from '../../durable/model/run-views.js';
import { isAddressedTo, mostOfAnswer } from '../../durable/model/tasks.js';
import { jsonReply, type Reply, refusedReply } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import type { ApiCall, Endpoints } from './api-endpoints.js';
import { linkKeyOf, parametersOf } from './read-query.js';
import { badField, badQuery, noSuchChoice, otherAddressee, signInToAnswer, unknownTask, wrongState } from './refusals.js';

/** @param whoNames who says which user sent a request; then only those who are asked may answer. A provider does so on pages only */
export function addTaskRoutes(
  router: Router,
  { add }: Endpoints,
  store: DurableEngine,
  whoNames: 'proxy' | 'provider' | 'nobody',
): void {
  const keyOf = ({ sender: { role }, exchange }: ApiCall): string | undefined => {
    const needsNone = role === 'operator' || (role === 'viewer' && exchange.request.method !== 'POST');
    return needsNone ? undefined : (linkKeyOf(exchange.target) ?? '');
  };
  add(router, /^\/tasks$/, 'operators', { GET: ({ exchange }) => replyWithTasks(store, exchange) });
  add(router, /^\/tasks\/([0-9A-Za-z-]{1,64})\/assign$/, 'operators', { POST: (call) => replyToAssignment(store, call) });
  add(router, /^\/tasks\/([0-9A-Za-z-]{1,64})$/, 'link', {
    GET: (call) => showTask(store, call.part, keyOf(call)),
    POST: async (call) => {
      const key = keyOf(call);
      const task = await store.task(call.part, key);
      if (task === undefined) return refusedReply(unknownTask(call.part));
      if (call.sender.role !== 'operator') {
        if (whoNames === 'provider') return refusedReply(signInToAnswer);
        const isOther = whoNames === 'proxy' && !isAddressedTo(task.addressee, call.user ?? '');
        if (isOther && task.addressee !== undefined) return refusedReply(otherAddressee);
      }
      return replyToAnswer(store, call, key);
    },
  });
}

async function replyWithTasks(store: DurableEngine, exchange: HttpExchange): Promise<Reply> {
  const parameters = parametersOf(exchange.target);
  const other = [...parameters.keys()].find((key) => !['limit', 'cursor', 'for'].includes(key));
  if (other !== undefined) return refusedReply(badQuery(other, 'left out: this address takes limit, cursor and for'));
  const [limit, cursor] = [parameters.get('limit') || undefined, parameters.get('cursor') || undefined];
  if (limit !== undefined && !/^(?:[1-9]\d?|100)$/.test(limit))
    return refusedReply(badQuery('limit', 'a whole number from 1 to 100'));
  const page = await store.tasks({
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(parameters.get('for') ? { for: parameters.get('for') ?? '' } : {}),
  });
  return jsonReply(200, { tasks: page.tasks.map(listed), ...(page.next === undefined ? {} : { next: page.next }) });
}

/** @param key of the link, for a person who is not an operator; then only the task itself is shown */
async function showTask(store: DurableEngine, id: string, key: string | undefined): Promise<Reply> {
  const task = await store.task(id, key);
  if (task === undefined) return refusedReply(unknownTask(id));
  return jsonReply(200, key === undefined ? task : byLink(task));
}

async function replyToAnswer(
  store: DurableEngine,
  { part: id, body, user, actor }: ApiCall,
  key: string | undefined,
): Promise<Reply> {
  if (!body.ok) return refusedReply(body.refusal);
  const { answer, comment, by } = body.record;
  const who = user ?? by;
  for (const [name, value] of [
    ['answer', answer],
    ['comment', comment ?? ''],
    ['by', who ?? ''],
  ] as const) {
    if (typeof value !== 'string' || value.length > mostOfAnswer || (name === 'answer' && value.trim() === ''))
      return refusedReply(
        badField(
          `"${name}" must be a text${name === 'answer' ? ' that is not empty' : ''}, of at most 100,000 characters.`,
          'Send {"answer": "…", "comment": "…", "by": "…"}; comment and by may be left out.',
        ),
      );
  }
  const reply: TaskReply = {
    answer: String(answer),
    ...(typeof comment === 'string' && comment !== '' ? { comment } : {}),
    ...(typeof who === 'string' && who !== '' ? { by: who } : {}),
  };
  const answered = await store.answer(id, reply, { ...actor, name: actor.name ?? reply.by });
  switch (answered.kind) {
    case 'unknown':
      return refusedReply(unknownTask(id));
    case 'no choice':
      return refusedReply(noSuchChoice(answered.choices));
    case 'too long':
      return refusedReply(badField('The name of the user is longer than 100,000 characters.', 'Send a shorter one.'));
    case 'answered before':
      return jsonReply(409, { ...closed(answered.task), error: 'This was answered already.', hint: hintOf(answered.task) });
    case 'over':
      return jsonReply(410, {
        error: 'It is too late: no one is waiting for this answer any more.',
        hint: 'Its time has passed, or its run has ended.',
      });
    case 'answered':
      return jsonReply(200, key === undefined ? answered.task : byLink(answered.task));
  }
}

async function replyToAssignment(store: DurableEngine, { part: id, body, actor }: ApiCall): Promise<Reply> {
  if (!body.ok) return refusedReply(body.refusal);
  const { to = null, ifFree = false, ...rest } = body.record;
  const isName = to === null || (typeof to === 'string' && to.trim() !== '');
  if (!isName || typeof ifFree !== 'boolean' || Object.keys(rest).length > 0)
    return refusedReply(
      badField(
        'The body does not say who has this task.',
        'Send {"to": "ada@example.com"}, {"to": null} to give it back, and "ifFree": true not to take it from someone else.',
      ),
    );
  const assigned = await store.assign(id, { to: to === null ? undefined : String(to), ifFree }, actor);
  switch (assigned.kind) {
    case 'unknown':
      return refusedReply(unknownTask(id));
    case 'too long':
      return refusedReply(badField('"to" has more than 200 characters.', 'Send a shorter name.'));
    case 'closed':
      return refusedReply(wrongState('The task is not open any more.'));
    case 'taken':
      return refusedReply(wrongState(`${assigned.task.assignee} has this task.`));
    case 'assigned':
      return jsonReply(200, assigned.task);
  }
}

const listed = ({ task, run, workflow, service, question, addressee, assignee, choices, askedAt, due }: TaskView): object => ({
  task,
  run,
  workflow,
  service,
  question,
  ...(addressee === undefined ? {} : { addressee }),
  ...(assignee === undefined ? {} : { assignee }),
  ...(choices === undefined ? {} : { choices }),
  askedAt,
  ...(due === undefined ? {} : { due }),
});

/** A link reveals nothing about the run. Once the task is closed, it shows only who answered, and when. */
const byLink = (view: TaskView): object => {
  if (view.status !== 'open') return closed(view);
  const { task, workflow, service, question, choices, askedAt, due, status } = view;
  return {
    task,
    workflow,
    service,
    question,
    status,
    ...(choices === undefined ? {} : { choices }),
    askedAt,
    ...(due === undefined ? {} : { due }),
  };
};

const closed = ({ task, status, by, answeredAt }: TaskView): object => ({
  task,
  status,
  ...(by === undefined ? {} : { by }),
  ...(answeredAt === undefined ? {} : { answeredAt }),
});

const hintOf = ({ by, answeredAt }: TaskView): string =>
  `Answered${by === undefined ? '' : ` by ${by}`}${answeredAt === undefined ? '' : ` at ${answeredAt}`}.`;
