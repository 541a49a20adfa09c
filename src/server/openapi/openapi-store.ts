// Describes runs, messages and tasks in the OpenAPI document, and what a store adds to the operation of a workflow.
import { manyActions } from '../../durable/engine/many-runs.js';
import { durableStatuses } from '../../durable/model/run-views.js';
import { runFilterExample } from '../../durable/views/run-filter.js';
import { exactly, type JsonObject, json, ref, refusals, text } from './openapi-parts.js';

/** The part of a server's document that only a store needs. */
export interface StoreDocument {
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly schemas: JsonObject;
  readonly securitySchemes: JsonObject;
  /** Of the operation of a workflow. */
  readonly parameters: readonly JsonObject[];
  readonly responses: JsonObject;
}

interface StoreDocumentOptions {
  /** Callers need a token. */
  readonly secured: boolean;
  readonly hasOperatorToken: boolean;
}

const parameter = (where: 'path' | 'query' | 'header', name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: where,
  description,
  schema,
  ...(where === 'path' ? { required: true } : {}),
});
const query = (name: string, description: string, schema: JsonObject = text): JsonObject =>
  parameter('query', name, description, schema);

const keySchema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' } as const;
const prefer = (description: string): JsonObject => parameter('header', 'Prefer', description, text);
const idempotencyKey = (description: string): JsonObject => parameter('header', 'Idempotency-Key', description, keySchema);
const run = parameter('path', 'run', 'Id of the run, from the header X-Run-Id.', text);
const task = parameter('path', 'task', 'Id of the task.', text);
const link = query('key', "The key of the task's link. With it, no token is needed.");
const page: readonly JsonObject[] = [
  query('limit', 'How many to return at most.', { type: 'integer', minimum: 1, maximum: 100 }),
  query('cursor', 'The value of `next` from the page before.'),
];

const header = (description: string): JsonObject => ({ description, schema: text });
const accepted = (description: string, schema: string): JsonObject => ({
  ...json(description, ref(schema)),
  headers: { Location: header('Where to ask for the run.'), 'X-Run-Id': header('Id of the run.') },
});

const body = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  required: required.length > 0,
  content: {
    'application/json': {
      schema: { type: 'object', properties, ...(required.length === 0 ? {} : { required: [...required] }) },
    },
  },
});

/** The roles that may use an operation, and the refusals that follow from them. */
interface Security {
  readonly callers: readonly JsonObject[];
  readonly operators: readonly JsonObject[];
  /** Statuses of requests that may not be made, or not so often. */
  readonly denials: readonly number[];
}

export function storeDocument({ secured, hasOperatorToken }: StoreDocumentOptions): StoreDocument {
  const denials = [...(secured || hasOperatorToken ? [401] : []), 403, 429];
  const security: Security = {
    callers: secured ? [{ token: [] }, ...(hasOperatorToken ? [{ operator: [] }] : [])] : [],
    operators: hasOperatorToken ? [{ operator: [] }] : secured ? [{ token: [] }] : [],
    denials,
  };
  return {
    paths: { ...runPaths(security), ...changePaths(security), ...messagePaths(security), ...taskPaths(security) },
    schemas: storeSchemas,
    securitySchemes: hasOperatorToken ? { operator: { type: 'http', scheme: 'bearer' } } : {},
    parameters: [
      prefer('`respond-async` answers 202 at once; `wait=10` waits up to 10 seconds (60 at most) for the outcome.'),
      idempotencyKey('The same key with the same body is the same run, whose outcome is replayed.'),
    ],
    responses: {
      202: accepted('The run is recorded, and continues: it waits for long, or the client did not want to wait.', 'Accepted'),
      ...refusals([409, 422], { 409: 'The first request with this Idempotency-Key is still being processed.' }),
    },
  };
}

const runPaths = ({ callers, operators, denials }: Security): Record<string, JsonObject> => ({
  '/runs': {
    get: {
      operationId: 'listRuns',
      summary: 'List runs, newest first',
      security: operators,
      parameters: [
        query('workflow', 'Only runs of this workflow: its name in the address.'),
        query('version', 'Only runs of the version with this number, or whose hash begins like this.'),
        query('status', 'Only runs in this state.', {
          enum: ['running', 'waiting', 'stuck', 'completed', 'rejected', 'error', 'cancelled'],
        }),
        query('since', 'Only runs created at this date or time, or later. `2d`, `6h` and `30m` count back from now.'),
        query('until', 'Only runs created before this date or time.'),
        query('parent', 'Only the runs of workflows that this run has called, which are in no other list.'),
        query(
          'q',
          'An id or its beginning, or a text in the request. In an encrypted store: a whole value that `find by` names.',
        ),
        query('search', 'The same as `q`.'),
        query('reason', 'Only runs with this `reason`, whole.'),
        query('by', 'Group failed and stuck runs, or those in the state of `status`, by their reason.', { enum: ['reason'] }),
        ...page,
      ],
      responses: {
        200: json('One page, or with `by` all groups.', { anyOf: [ref('RunList'), ref('ReasonList')] }),
        ...refusals([400, ...denials, 503]),
      },
    },
  },
  '/runs/{run}': {
    get: {
      operationId: 'getRun',
      summary: 'Get the state of a run',
      security: callers,
      parameters: [run, prefer('`wait=10` waits up to 10 seconds (60 at most) for the end of the run.')],
      responses: {
        200: json('Its state. Operators also see its request and log.', { anyOf: [ref('CallersRun'), ref('OperatorsRun')] }),
        ...refusals([400, ...denials, 404, 503], { 403: 'The token is for other workflows.' }),
      },
    },
  },
});

function changePaths({ operators, denials }: Security): Record<string, JsonObject> {
  const change = (operationId: string, summary: string, schema: string, more: JsonObject = {}): JsonObject => ({
    operationId,
    summary,
    security: operators,
    parameters: [run],
    ...more,
    responses: { 202: accepted('It is done, or begun.', schema), ...refusals([400, ...denials, 404, 409, 413, 415, 503]) },
  });
  return {
    '/runs/bulk': { post: changeManyRuns(operators, denials) },
    '/runs/{run}/cancel': { post: change('cancelRun', 'End an unfinished run', 'Changed') },
    '/runs/{run}/resume': { post: change('resumeRun', 'Let a stuck run try again', 'Changed') },
    '/runs/{run}/retry': { post: change('retryRun', 'End the wait before a failed call is tried again', 'Changed') },
    '/runs/{run}/skip': {
      post: change('skipWait', 'End a wait as if its time had come', 'Changed', { requestBody: body({ line: whole }) }),
    },
    '/runs/{run}/erase': {
      post: {
        operationId: 'eraseRun',
        summary: 'Erase the data of a finished run',
        security: operators,
        parameters: [run],
        responses: {
          200: json('What remains of it.', ref('CallersRun')),
          ...refusals([400, ...denials, 404, 409, 413, 415, 503]),
        },
      },
    },
    '/runs/{run}/rerun': {
      post: change('repeatRun', 'Run the same request again', 'Repeated', {
        requestBody: body({
          from: { enum: ['start', 'failure'] },
          workflow: { enum: ['recorded', 'current'] },
          again: {
            anyOf: [{ type: 'boolean' }, { type: 'array', items: whole }],
            description:
              '`true` reruns a run that has been rerun already. From the failure: lines of calls in doubt to send again.',
          },
          done: {
            type: 'array',
            items: exactly({ line: whole, result: {} }),
            description: 'From the failure: results of calls in doubt, which are not sent.',
          },
        }),
        parameters: [run, idempotencyKey('Sent twice, the run is rerun once.')],
      }),
    },
  };
}

const changeManyRuns = (operators: readonly JsonObject[], denials: readonly number[]): JsonObject => ({
  operationId: 'changeManyRuns',
  summary: 'Rerun, cancel, resume, retry or erase all runs that a filter finds',
  security: operators,
  requestBody: body(
    {
      action: { enum: manyActions },
      where: {
        anyOf: [text, { type: 'object', additionalProperties: text }],
        description: `The filter, such as \`${runFilterExample}\`, or an object with these fields. Needed unless there is a \`search\`.`,
      },
      search: { ...text, description: 'Only runs that `q` of `GET /runs` would find.' },
      q: { ...text, description: 'The same as `search`.' },
      dryRun: { type: 'boolean', description: 'Only count them.' },
      rate: { ...text, description: 'How fast, such as `5/second`.' },
      from: { enum: ['start', 'failure'] },
      workflow: { enum: ['recorded', 'current'] },
    },
    ['action'],
  ),
  responses: {
    200: json('All are done, or would be.', ref('ChangedRuns')),
    ...refusals([400, ...denials, 413, 415, 503]),
  },
});

const messagePaths = ({ callers, denials }: Security): Record<string, JsonObject> => ({
  '/messages/{name}': {
    post: {
      operationId: 'sendMessage',
      summary: 'Send a message to the run that waits for it',
      security: callers,
      parameters: [
        parameter('path', 'name', 'What the workflow waits for.', text),
        query('run', 'Send it to this run only.'),
        idempotencyKey('Sent twice, the message is delivered once.'),
        parameter('header', 'Webhook-Id', 'The same, as webhooks name it.', keySchema),
      ],
      requestBody: body({}),
      responses: {
        202: json('Delivered, or kept for a run that waits for it later.', ref('Delivered')),
        ...refusals([400, ...denials, 404, 409, 413, 415, 422, 503], {
          403: 'The token is for other workflows, or a page of another site has sent the message.',
          409: 'The run has ended.',
        }),
      },
    },
  },
});

const taskPaths = ({ operators, denials }: Security): Record<string, JsonObject> => ({
  '/tasks': {
    get: {
      operationId: 'listTasks',
      summary: 'List open questions to people, most urgent first',
      security: operators,
      parameters: [query('for', 'Only questions addressed to this person.'), ...page],
      responses: { 200: json('One page of open tasks.', ref('TaskList')), ...refusals([400, ...denials, 503]) },
    },
  },
  '/tasks/{task}/assign': {
    post: {
      operationId: 'assignTask',
      summary: 'Say who has a task',
      security: operators,
      parameters: [task],
      requestBody: body({ to: { type: ['string', 'null'] }, ifFree: { type: 'boolean' } }),
      responses: { 200: json('Assigned.', ref('Task')), ...refusals([400, ...denials, 404, 409, 413, 415, 503]) },
    },
  },
  '/tasks/{task}': {
    get: {
      operationId: 'getTask',
      summary: 'Get a task',
      security: [...operators, {}],
      parameters: [task, link],
      responses: { 200: json('The task.', ref('Task')), ...refusals([400, ...denials, 404, 503]) },
    },
    post: {
      operationId: 'answerTask',
      summary: 'Answer a task',
      security: [...operators, {}],
      parameters: [task, link],
      requestBody: body({ answer: text, comment: text, by: text }, ['answer']),
      responses: {
        200: json('Answered.', ref('Task')),
        409: json('It was answered before.', ref('AnsweredBefore')),
        ...refusals([400, ...denials, 404, 410, 413, 415, 503], {
          400: 'The answer is not one of the choices, or not a text.',
          410: 'Its time is over, or its run has ended.',
        }),
      },
    },
  },
});

const time = { type: 'string', format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const record = { type: 'object' } as const;
const texts = { type: 'array', items: text } as const;
const status = { enum: durableStatuses } as const;

const waitingFor = exactly(
  {
    kind: { enum: ['time', 'message', 'person', 'retry'] },
    since: time,
    until: time,
    name: text,
    service: text,
    task: text,
    line: whole,
  },
  ['since', 'until', 'name', 'service', 'task', 'line'],
);

/** Properties of a run that callers and operators see; those in `sometimes` can be absent. */
const state: JsonObject = {
  run: text,
  workflow: text,
  version: whole,
  status,
  createdAt: time,
  startedAt: time,
  finishedAt: time,
  waitingFor,
  message: text,
  parent: text,
  rerunOf: text,
  scheduledFor: time,
  erased: exactly({ at: time, by: text }, ['by']),
};
const sometimes = ['finishedAt', 'waitingFor', 'message', 'parent', 'rerunOf', 'scheduledFor', 'erased'];
const inSummary = [...sometimes, 'reason', 'rerunBy', 'madeGoodBy'];

/** More properties, of runs in a list and for operators. */
const summary: JsonObject = { about: text, reason: text, rerunBy: text, madeGoodBy: text, textHash: text, durationMs: whole };

/** The answer that a completed run has set itself. */
const ownAnswer = exactly({ status: whole, text }, ['status', 'text']);

const taskFields: JsonObject = {
  task: text,
  workflow: text,
  service: text,
  question: text,
  addressee: text,
  assignee: text,
  choices: texts,
  askedAt: time,
  due: time,
};

const storeSchemas: JsonObject = {
  Health: exactly({ status: { enum: ['ok', 'stopping', 'store unavailable'] } }),
  Accepted: exactly({ status: { enum: ['accepted', 'waiting', 'running'] }, run: text }),
  Failed: exactly({ status: { enum: ['error', 'cancelled', 'stuck'] }, message: text }),
  CallersRun: exactly({ ...state, outputs: record, answer: ownAnswer, line: whole }, [...sometimes, 'outputs', 'answer', 'line']),
  OperatorsRun: exactly(
    {
      ...state,
      ...summary,
      outputs: record,
      answer: ownAnswer,
      error: exactly({ message: text, line: whole, column: whole, code: text }, ['line', 'column']),
      reruns: texts,
      decisions: {
        type: 'array',
        items: exactly({ line: whole, decision: { enum: ['again', 'done'] }, by: text, at: time }, ['by']),
      },
      activity: {
        type: 'array',
        items: exactly({ time, name: text, role: text, way: text, action: text, run: text, about: text }, [
          'name',
          'role',
          'run',
          'about',
        ]),
      },
      request: record,
      log: { type: 'array', items: record },
    },
    [...inSummary, 'outputs', 'answer', 'error', 'reruns', 'decisions', 'activity'],
  ),
  RunSummary: exactly({ ...state, ...summary }, inSummary),
  ReasonList: exactly({
    reasons: {
      type: 'array',
      items: exactly({ reason: text, runs: whole, workflows: texts, first: time, last: time, latest: text }),
    },
  }),
  RunList: exactly({ runs: { type: 'array', items: ref('RunSummary') }, next: text, unreadable: texts, note: text }, [
    'next',
    'unreadable',
    'note',
  ]),
  ChangedRuns: exactly(
    {
      action: { enum: manyActions },
      dryRun: { type: 'boolean' },
      runs: whole,
      unfit: whole,
      rerunBefore: whole,
      note: { ...text, description: 'Why nothing was found, where more may be there.' },
      changed: whole,
      left: whole,
      refused: { type: 'array', items: exactly({ run: text, problem: text }) },
    },
    ['note', 'changed', 'left', 'refused'],
  ),
  Changed: exactly({ run: text, status }),
  Repeated: exactly({ run: text, status: { const: 'accepted' }, rerunOf: text }),
  Delivered: exactly({ delivered: { enum: [0, 1] }, keptUntil: time }, ['keptUntil']),
  ListedTask: exactly({ ...taskFields, run: text }, ['addressee', 'assignee', 'choices', 'due']),
  TaskList: exactly({ tasks: { type: 'array', items: ref('ListedTask') }, next: text }, ['next']),
  Task: exactly(
    {
      ...taskFields,
      run: text,
      pairs: record,
      status: { enum: ['open', 'answered', 'over'] },
      answer: text,
      comment: text,
      by: text,
      answeredAt: time,
    },
    // A link shows less than a token; once the task is closed, only who answered and when.
    [
      'workflow',
      'service',
      'question',
      'addressee',
      'assignee',
      'askedAt',
      'run',
      'choices',
      'due',
      'pairs',
      'answer',
      'comment',
      'by',
      'answeredAt',
    ],
  ),
  AnsweredBefore: exactly({ task: text, status: { const: 'answered' }, by: text, answeredAt: time, error: text, hint: text }, [
    'by',
    'answeredAt',
  ]),
};
