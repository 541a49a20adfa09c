// `ask` a person: creates a task, sends notifications, and waits for the answer. No answer in time is a failure of the call.
import type { AskedTask, DurableBranch, RemindersAt } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import { spanMs } from '../run/time-span.js';
import { sleepOf } from '../run/wait.js';
import { defaultTimeoutMs } from '../services/attempt.js';
import { call, callWithin, unanswered } from '../services/call.js';
import { nobodyAnswered } from '../services/call-errors.js';
import { escapedHtml } from '../texts/escaped-html.js';
import type { CallRequest, CallResult, ServiceSpec, SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { typeName } from '../values/operand-text.js';
import { isEmpty, show } from '../values/values.js';

/** Retries of a notification; the waits before them take this many milliseconds together. */
const RETRY = { times: 3, waitMs: 2_000, doubling: true } as const;
const WAITS_MS = 14_000;
/** Minimum milliseconds of each attempt if there are several. */
const LEAST_ATTEMPT_MS = 2_000;

/** @throws WfError if no one answers and no statement handles that; RunEnded; a suspension if the journal releases the run */
export async function askPerson(run: Run, request: CallRequest): Promise<CallResult> {
  run.check();
  if (run.mocks !== undefined) {
    try {
      return await call(run, request);
    } finally {
      run.moveOn();
    }
  }
  const { service, instruction = '', addressee, choices, parameters, withinMs, within, remindMs, location, site } = request;
  const limit = withinMs === undefined ? {} : { timeoutMs: withinMs };
  if (run.durable === undefined) {
    run.options.onAwaited?.(location[0], `an answer from ${service.name}`);
    await waitInVain(run, request);
    return silence(run, request);
  }
  const asked = await run.durable.ask(
    {
      kind: 'person',
      site,
      line: location[0],
      title: `ask ${service.name}`,
      identity: `person ${service.name}`,
      service: service.name,
      serviceKind: 'person',
    },
    {
      service: service.name,
      question: instruction,
      pairs: parameters,
      ...(addressee === undefined ? {} : { addressee }),
      ...(choices === undefined ? {} : { choices }),
      ...limit,
      ...(within === undefined ? {} : { within }),
      ...(remindMs === undefined ? {} : { remindMs }),
    },
    async (task, reminder, branch, answered) => {
      const notification = notificationOf(run, request, task, reminder);
      if (notification !== undefined) await sendUnlessAnswered(run, branch, notification, answered);
    },
    sleepOf(run),
    remindersOf(run, request),
  );
  const { result: answer } = asked;
  if (answer === undefined) return silence(run, request, asked.replayed);
  if (!asked.replayed)
    run.journal.add('call', location[0], { service: service.name, kind: 'person', phrase: 'ask', attempt: 1, ok: true });
  return { ok: true, value: answer.answer, comment: answer.comment, person: answer.by };
}

/** Milliseconds from a question to each of its reminders; `undefined` without any. @param asked milliseconds since 1970 */
const remindersOf =
  (run: Run, { remindMs, remind }: CallRequest): RemindersAt =>
  (asked, reminder) =>
    remind === undefined
      ? (remindMs ?? Number.POSITIVE_INFINITY) * reminder
      : spanMs(run, { ...remind, amount: remind.amount * reminder }, asked);

/** In memory, no one can answer. Notifications are sent all the same: whoever tries the workflow sees them arrive. */
async function waitInVain(run: Run, request: CallRequest): Promise<void> {
  const { instruction = '', withinMs = Number.POSITIVE_INFINITY } = request;
  const since = run.clock.milliseconds();
  const asked = run.clock.now();
  const next = (reminder: number): number => (reminder === 0 ? 0 : remindersOf(run, request)(asked, reminder));
  const passed = (): number => run.clock.milliseconds() - since;
  const due = Number.isFinite(withinMs) ? { due: new Date(Date.now() + withinMs).toISOString() } : {};
  for (let reminder = 0; next(reminder) < withinMs || reminder === 0; reminder++) {
    const notification = notificationOf(run, request, { task: '', run: '', question: instruction, ...due }, reminder);
    if (notification !== undefined) await call(run, notification);
    // A slow notification takes its time from the wait for the next one.
    await run.pause(Math.min(next(reminder + 1), withinMs) - passed());
  }
  run.moveOn();
}

const silence = (run: Run, request: CallRequest, replayed = false): CallResult =>
  unanswered(run, request, nobodyAnswered(request.service.name, request.withinMs, request.within), replayed);

/**
 * Sends a notification, and aborts it as soon as someone answers: the answer must not wait for a service that hangs.
 * @throws RunEnded; a suspension if the journal releases the run
 */
async function sendUnlessAnswered(
  run: Run,
  branch: DurableBranch,
  notification: CallRequest,
  answered: Promise<void>,
): Promise<void> {
  run.check();
  const own = run.branch(run.durable);
  run.abandonBlock = (reason) => own.abandon(reason);
  void answered.then(() => own.abandon('the person has answered'));
  try {
    await callWithin(own, branch, notification);
  } catch (error) {
    if (!own.isAbandoned) throw error;
    // The run itself may have to end.
    run.check();
  } finally {
    run.join(own);
    own.end();
  }
}

/** Tells the person the address of the task. If it fails, that is logged and does not prevent an answer. */
function notificationOf(run: Run, request: CallRequest, task: AskedTask, reminder: number): CallRequest | undefined {
  const { service, addressee, choices, atMostOnce = false, location, site } = request;
  const mail = service.notifiedBy?.();
  if (service.url === undefined && mail === undefined) return undefined;
  const { workflow } = run;
  hideKey(run, task.url);
  if (mail !== undefined) {
    // The check guarantees an addressee.
    const asking = { addressee: addressee ?? '', workflow: workflow.name, task, choices, isReminder: reminder > 0 };
    return sending(mail, task, { verb: 'send', parameters: taskMail(asking), location, site, atMostOnce });
  }
  const text = [
    `${reminder === 0 ? '' : 'Reminder: '}${workflow.name}: ${task.question}`,
    ...(choices === undefined ? [] : [`Choices: ${choices.join(', ')}`]),
    ...(task.due === undefined ? [] : [`Due: ${minuteOf(task.due)}`]),
    task.url ?? UNANSWERABLE,
  ].join('\n');
  const pairs: (readonly [string, Value])[] = [
    ['text', text],
    ...(task.url === undefined ? [] : [['run', task.run] as const]),
    ...(task.url === undefined ? [] : [['task', task.task] as const]),
    ['workflow', workflow.file.replace(/\.wf$/, '')],
    ['question', task.question],
    ...(addressee === undefined ? [] : [['addressee', addressee] as const]),
    ...(choices === undefined ? [] : [['choices', choices.slice()] as const]),
    ...(task.due === undefined ? [] : [['due', task.due] as const]),
    ...(task.url === undefined ? [] : [['url', task.url] as const]),
  ];
  return sending({ ...service, kind: 'webhook' }, task, { verb: 'notify', parameters: pairs, location, site, atMostOnce });
}

/** The call that sends a notification. */
function sending(
  service: ServiceSpec,
  task: AskedTask,
  { atMostOnce, ...call }: Pick<CallRequest, 'verb' | 'parameters' | 'location' | 'site'> & { readonly atMostOnce: boolean },
): CallRequest {
  const { isRetried, ...limits } = withinTime(service.timeoutMs, task.due);
  return {
    service: { ...service, ...limits },
    description: '',
    ...call,
    ...(isRetried ? { retry: RETRY } : {}),
    ...(atMostOnce ? { atMostOnce } : {}),
    handled: true,
  };
}

/** A service that does not answer must not delay the moment at which nobody has answered in time. */
function withinTime(
  timeoutMs = defaultTimeoutMs,
  due: string | undefined,
): { readonly isRetried: boolean; readonly timeoutMs: number } {
  const left = due === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Date.parse(due) - Date.now());
  const each = Math.floor((left - WAITS_MS) / (RETRY.times + 1));
  const isRetried = each >= LEAST_ATTEMPT_MS;
  return { isRetried, timeoutMs: Math.min(timeoutMs, isRetried ? each : left) };
}

/** Hides the key of the link, with which anyone can answer. It is sent only to the person. */
function hideKey(run: Run, url = ''): void {
  const key = /[?&]key=([\w-]+)/.exec(url)?.[1];
  if (key !== undefined && run.journal.redactor.text(key) === key) run.journal.hideHeaders([['Authorization', `Bearer ${key}`]]);
}

/** The value after `addressed to`. @throws WfError unless it is a text of one line */
export function addresseeOf(value: Value, location: SourceLocation): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return text;
  const why = text !== '' ? 'contains a line break' : isEmpty(value) || value === text ? 'is empty' : `is ${typeName(value)}`;
  throw new WfError(
    'WF645',
    `I can't ask: what follows "addressed to" ${why}. Write who is asked, such as a mail address.`,
    location,
  );
}

/**
 * The values after `choose from` as texts: a list stands for its items, and `empty` is no choice.
 * @throws WfError if nothing is left
 */
export function choicesOf(values: readonly Value[], location: SourceLocation): string[] {
  const choices = new Set(
    values
      .flat()
      .filter((value) => !isEmpty(value))
      .map(show),
  );
  if (choices.size === 0) throw new WfError('WF648', `I can't ask: everything after "choose from" is empty.`, location);
  return [...choices];
}

// The mail that asks a person: subject, question, choices and link, as plain text and as HTML. Whatever comes from data is text: it is escaped
// in HTML, and the subject is one line.

/** A moment as people read it: 2026-12-01 05:51 UTC. */
const minuteOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** In place of a link. */
const UNANSWERABLE = 'This run has no store, so nobody can answer this question.';

/** Maximum characters of a subject. */
const LONGEST_SUBJECT = 200;

interface Asking {
  readonly addressee: string;
  /** Name of the workflow. */
  readonly workflow: string;
  readonly task: AskedTask;
  readonly choices: readonly string[] | undefined;
  readonly isReminder: boolean;
}

/** The pairs of the call that sends it. The mail server checks the address. */
export function taskMail({ addressee, workflow, task, choices, isReminder }: Asking): (readonly [string, Value])[] {
  const { question, due, url } = task;
  const lines = [
    ...(choices === undefined ? [] : [['Choices', choices.join(', ')] as const]),
    ...(due === undefined ? [] : [['Due', minuteOf(due)] as const]),
  ];
  const text = [
    question,
    '',
    ...lines.map(([name, value]) => `${name}: ${value}`),
    url === undefined ? UNANSWERABLE : `Answer here: ${url}`,
    '',
  ].join('\n');
  const items = choices === undefined ? '' : `<ul>${choices.map((choice) => `<li>${escapedHtml(choice)}</li>`).join('')}</ul>`;
  const html = [
    '<!DOCTYPE html><html><body style="font-family: sans-serif">',
    `<p>${escapedHtml(workflow)}${isReminder ? ' (reminder)' : ''}</p>`,
    `<p style="white-space: pre-line"><b>${escapedHtml(question)}</b></p>`,
    items,
    due === undefined ? '' : `<p>Due: ${minuteOf(due)}</p>`,
    url === undefined ? `<p>${UNANSWERABLE}</p>` : `<p><a href="${escapedHtml(url)}">Answer</a></p><p>${escapedHtml(url)}</p>`,
    '</body></html>',
  ].join('\n');
  const subject = inOneLine(`${isReminder ? 'Reminder: ' : ''}${workflow}: ${question}`);
  return [
    ['to', addressee],
    ['subject', subject],
    ['text', text],
    ['html', html],
  ];
}

function inOneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const signs = [...line];
  return signs.length > LONGEST_SUBJECT ? `${signs.slice(0, LONGEST_SUBJECT - 1).join('')}…` : line;
}
