// The schemas of runs and tasks, as the answers of the server have them.
import { finishedStatuses } from '../../durable/run-views.js';
import type { JsonObject } from '../input-schema.js';
import { exactly, ref, text } from '../openapi-parts.js';

const time = { type: 'string', format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const record = { type: 'object' } as const;
const texts = { type: 'array', items: text } as const;
const status = { enum: ['running', 'waiting', 'stuck', ...finishedStatuses] } as const;

const waitingFor = exactly(
  { kind: { enum: ['time', 'message', 'person', 'retry'] }, until: time, name: text, service: text, task: text, line: whole },
  ['until', 'name', 'service', 'task', 'line'],
);

/** What callers and operators see of a run, and what they may not see every time. */
const state: JsonObject = {
  ...{ run: text, workflow: text, version: whole, status, createdAt: time, startedAt: time, finishedAt: time, waitingFor },
  ...{ message: text, parent: text, rerunOf: text, scheduledFor: time },
};
const sometimes = ['finishedAt', 'waitingFor', 'message', 'parent', 'rerunOf', 'scheduledFor'];

/** What the list shows, and one run to operators. */
const summary: JsonObject = { about: text, textHash: text, durationMs: whole };

const task: JsonObject = {
  ...{ task: text, workflow: text, service: text, question: text, choices: texts, askedAt: time, due: time },
};

export const storeSchemas: JsonObject = {
  Health: exactly({ status: { enum: ['ok', 'stopping', 'store unavailable'] } }),
  Accepted: exactly({ status: { enum: ['accepted', 'waiting', 'running'] }, run: text }),
  Failed: exactly({ status: { enum: ['error', 'cancelled', 'stuck'] }, message: text }),
  CallersRun: exactly({ ...state, outputs: record, line: whole }, [...sometimes, 'outputs', 'line']),
  OperatorsRun: exactly(
    {
      ...state,
      ...summary,
      outputs: record,
      error: exactly({ message: text, line: whole, column: whole, code: text }, ['line', 'column']),
      reruns: texts,
      request: record,
      log: { type: 'array', items: record },
    },
    [...sometimes, ...['outputs', 'error', 'reruns']],
  ),
  RunSummary: exactly({ ...state, ...summary }, sometimes),
  RunList: exactly({ runs: { type: 'array', items: ref('RunSummary') }, next: text, unreadable: texts }, ['next', 'unreadable']),
  Changed: exactly({ run: text, status }),
  Repeated: exactly({ run: text, status: { const: 'accepted' }, rerunOf: text }),
  Delivered: exactly({ delivered: { enum: [0, 1] }, keptUntil: time }, ['keptUntil']),
  ListedTask: exactly({ ...task, run: text }, ['choices', 'due']),
  TaskList: exactly({ tasks: { type: 'array', items: ref('ListedTask') }, next: text }, ['next']),
  Task: exactly(
    {
      ...{ ...task, run: text, pairs: record, status: { enum: ['open', 'answered', 'over'] } },
      ...{ answer: text, comment: text, by: text, answeredAt: time },
    },
    // A link shows less than a token; once the task is closed, only who answered and when.
    ['workflow', 'service', 'question', 'askedAt', 'run', 'choices', 'due', 'pairs', 'answer', 'comment', 'by', 'answeredAt'],
  ),
  AnsweredBefore: exactly({ task: text, status: { const: 'answered' }, by: text, answeredAt: time, error: text, hint: text }, [
    'by',
    'answeredAt',
  ]),
};
