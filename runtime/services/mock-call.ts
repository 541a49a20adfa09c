// Asks the mock answers about a call and turns their answer into the result of an attempt. Recordings and tests describe calls
// in the same way.
import type { Run } from '../run/run.js';
import { spanMs } from '../run/time-span.js';
import type { CallRequest, MockAnswer, MockCall, Mocks, ServiceKind } from '../types.js';
import { record } from '../values/record.js';
import { show } from '../values/values.js';
import { choiceIn, defaultAiTimeoutMs, noChoice } from './ai.js';
import { type AttemptResult, defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { firstCharacters } from './body.js';
import { pairsInQuery, queryOf } from './call-body.js';
import { type Failure, failingStatus, noAnswerInTime, nobodyAnswered, noConnection, writtenPath } from './call-errors.js';
import { isConnected, plainPath } from './connector-types.js';
import { statusWords } from './http-status.js';
import { fillPath } from './path.js';
import type { Method } from './service-types.js';
import { withoutPassword, writtenAddress, writtenTemplate } from './template.js';

/** The call as mock answers, tests and recordings see it. Leaves out a path that can't be filled in. */
export function mockCallOf(request: CallRequest, method: Method): MockCall {
  const { service, verb, description, parameters, instruction } = request;
  const path = filledPath(request);
  return {
    service,
    verb,
    description,
    method,
    ...(typeof path === 'string' ? { path } : {}),
    parameters: record(parameters),
    ...(request.where === undefined ? {} : { where: record(request.where) }),
    ...(request.statement === undefined ? {} : { statement: writtenPath(request.statement) }),
    ...(request.body === undefined ? {} : { body: request.body.value }),
    ...(instruction === undefined ? {} : { instruction }),
    ...(request.choices === undefined ? {} : { choices: request.choices }),
    ...(request.addressee === undefined ? {} : { addressee: request.addressee }),
  };
}

function filledPath(request: CallRequest): string | Failure | undefined {
  if (request.path === undefined) return undefined;
  if (isConnected(request.service.kind)) return plainPath(request.path);
  const filled = fillPath(request.path);
  if (!filled.ok) return filled;
  return filled.query === '' ? filled.path : `${filled.path}?${filled.query}`;
}

/** Prepares a call for mock answers. A call that could never be sent fails here, too. */
export function prepareMock(run: Run, mocks: Mocks, request: CallRequest, method: Method): PreparedCall | Failure {
  const path = filledPath(request);
  if (typeof path === 'object') return path;
  const call = mockCallOf(request, method);
  const { service } = request;
  const timeoutMs = limitOf(request);
  return {
    ok: true,
    ...addressIn(request, path, method),
    timeoutMs,
    attempt: async () => {
      const answer = mocks.answer(call);
      const isSilent = service.kind === 'person' && !answer.ok;
      // Without a limit, a real run would wait forever: then an error says that the failure is what the case is about.
      if (isSilent && request.withinMs === undefined) return silence(request);
      if (run.clock.isSimulated && (isSilent || answer.takes !== undefined)) {
        const takesMs =
          isSilent || answer.takes === undefined ? Number.POSITIVE_INFINITY : spanMs(run, answer.takes, run.clock.now());
        await run.pause(
          Math.min(takesMs, timeoutMs),
          undefined,
          `line ${request.location[0]} waits for an answer of ${service.name}`,
        );
        // An answer that comes with the limit is too late, as in a race of two timers of which the limit was set first.
        if (takesMs >= timeoutMs) return service.kind === 'person' ? silence(request) : noAnswerInTime(timeoutMs);
      }
      if (isSilent) return silence(request);
      if (answer.ok) return chosen(run, request, answer, () => mocks.answer(call));
      const { status, retryable, message } = answer;
      if (status === undefined) return noConnection(message, retryable);
      return failingStatus(status, statusWords(status), {
        retryable,
        body: firstCharacters(run.journal.redactor.text(show(answer.body)), 1_000),
      });
    },
  };
}

/** As outside of tests: an AI may say a choice loosely, or is asked once more; a person can only answer with one. */
function chosen(
  run: Run,
  { service, choices }: CallRequest,
  answer: Extract<MockAnswer, { ok: true }>,
  again: () => MockAnswer,
): AttemptResult {
  if (choices === undefined) return answer;
  if (service.kind === 'person')
    return choices.includes(show(answer.value)) ? answer : { ...noChoice(run, choices, answer.value), code: 'WF633' };
  const choice = choiceIn(choices, answer.value);
  if (choice !== undefined) return { ...answer, value: choice };
  const second = again();
  const other = second.ok ? choiceIn(choices, second.value) : undefined;
  return other === undefined || !second.ok ? noChoice(run, choices, answer.value) : { ...second, value: other };
}

const usualTimeoutMs: Readonly<Record<ServiceKind, number>> = {
  api: defaultTimeoutMs,
  webhook: defaultTimeoutMs,
  plugin: defaultTimeoutMs,
  database: defaultTimeoutMs,
  mail: defaultTimeoutMs,
  folder: defaultTimeoutMs,
  ai: defaultAiTimeoutMs,
  workflow: Number.POSITIVE_INFINITY,
  person: Number.POSITIVE_INFINITY,
};

/** Milliseconds that an answer may take. */
function limitOf({ service: { kind, timeoutMs: ofService }, withinMs, timeoutMs }: CallRequest): number {
  return withinMs ?? timeoutMs ?? ofService ?? usualTimeoutMs[kind];
}

const silence = ({ service, withinMs, within }: CallRequest): Failure => ({
  ok: false,
  code: 'WF633',
  cause: nobodyAnswered(service.name, withinMs, within),
  retryable: false,
  sent: true,
  neverReceived: true,
});

/** With `{env.NAME}` as in the file, because mock answers need no environment. */
function addressIn({ service, parameters, body }: CallRequest, path: string | undefined, method: Method): { url?: string } {
  if (service.url === undefined) return {};
  if (isConnected(service.kind)) return { url: withoutPassword(writtenTemplate(service.url)) };
  const query = pairsInQuery(method) && body === undefined ? queryOf(parameters) : '';
  return { url: writtenAddress(writtenTemplate(service.url), path, query) };
}
