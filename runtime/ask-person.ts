// `ask` a person: creates a task, sends notifications, and waits for the answer. No answer in time is a failure of the call.
import { call, callWithin, unanswered } from './call.js';
import { nobodyAnswered } from './call-errors.js';
import { milliseconds } from './clock.js';
import type { AskedTask, DurableBranch } from './durable-run.js';
import type { Run } from './run.js';
import type { CallRequest, CallResult, Value } from './types.js';
import { sleepOf } from './wait.js';

/** @throws WfError if no one answers and no statement handles that; RunEnded; a suspension if the journal releases the run */
export async function askPerson(run: Run, request: CallRequest): Promise<CallResult> {
  run.check();
  if (run.mocks !== undefined) return call(run, request);
  const { service, instruction = '', choices, parameters, withinMs, remindMs, location, site } = request;
  const limit = withinMs === undefined ? {} : { timeoutMs: withinMs };
  if (run.durable === undefined) {
    // In memory, no one could answer.
    const since = milliseconds();
    await run.pause(withinMs ?? Number.POSITIVE_INFINITY);
    run.moveOn(milliseconds() - since);
    return silence(run, request);
  }
  const asked = await run.durable.ask(
    { kind: 'person', site, line: location[0], title: `ask ${service.name}`, service: service.name, serviceKind: 'person' },
    {
      ...{ service: service.name, question: instruction, pairs: parameters },
      ...(choices === undefined ? {} : { choices }),
      ...limit,
      ...(remindMs === undefined ? {} : { remindMs }),
    },
    (task, reminder, branch) => notify(run, request, task, reminder, branch),
    sleepOf(run),
  );
  const { result: answer } = asked;
  if (answer === undefined) return silence(run, request, asked.replayed);
  if (!asked.replayed)
    run.journal.add('call', location[0], { service: service.name, kind: 'person', phrase: 'ask', attempt: 1, ok: true });
  return { ok: true, value: answer.answer, comment: answer.comment, person: answer.by };
}

const silence = (run: Run, request: CallRequest, replayed = false): CallResult =>
  unanswered(run, request, nobodyAnswered(request.service.name, request.withinMs), replayed);

/** Sends the address of the task to the person. A failed notification is logged and does not prevent an answer. */
async function notify(run: Run, request: CallRequest, task: AskedTask, reminder: number, branch: DurableBranch): Promise<void> {
  const { service, choices, location, site } = request;
  if (service.url === undefined) return;
  const { workflow } = run;
  hideKey(run, task.url);
  const text = [
    `${reminder === 0 ? '' : 'Reminder: '}${workflow.name}: ${task.question}`,
    ...(choices === undefined ? [] : [`Choices: ${choices.join(', ')}`]),
    ...(task.due === undefined ? [] : [`Due: ${task.due}`]),
    task.url,
  ].join('\n');
  const pairs: (readonly [string, Value])[] = [
    ['text', text],
    ['run', task.run],
    ['task', task.task],
    ['workflow', workflow.file.replace(/\.wf$/, '')],
    ['question', task.question],
    ...(choices === undefined ? [] : [['choices', choices.slice()] as const]),
    ...(task.due === undefined ? [] : [['due', task.due] as const]),
    ['url', task.url],
  ];
  await callWithin(run, branch, {
    ...{ service: { ...service, kind: 'webhook' }, verb: 'notify', description: '', parameters: pairs, location, site },
    retry: { times: 3, waitMs: 2_000, doubling: true },
    handled: true,
  });
}

/** Whoever has the key of the link can answer. It is sent to the person; nobody else gets to see it. */
function hideKey(run: Run, url: string): void {
  const key = /[?&]key=([\w-]+)/.exec(url)?.[1];
  if (key !== undefined && run.journal.redactor.text(key) === key) run.journal.hideHeaders([['Authorization', `Bearer ${key}`]]);
}
