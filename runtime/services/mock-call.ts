// Asks the mock answers about a call and turns their answer into the result of an attempt. Recordings and tests describe calls
// in the same way.

import type { CallRequest, MockCall, Mocks, Redactor } from '../types.js';
import { record } from '../values/record.js';
import { show } from '../values/values.js';
import type { PreparedCall } from './attempt.js';
import { firstCharacters } from './body.js';
import { pairsInQuery } from './call-body.js';
import { type Failure, failingStatus, noConnection, writtenPath } from './call-errors.js';
import { isConnected, plainPath } from './connected-kinds.js';
import { queryOf } from './pairs.js';
import { fillPath } from './path.js';
import { statusWords } from './status-words.js';
import { withoutPassword, writtenAddress, writtenTemplate } from './template.js';
import type { Method } from './verbs.js';

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
export function prepareMock(mocks: Mocks, request: CallRequest, method: Method, redactor: Redactor): PreparedCall | Failure {
  const path = filledPath(request);
  if (typeof path === 'object') return path;
  const call = mockCallOf(request, method);
  return {
    ok: true,
    ...addressIn(request, path, method),
    timeoutMs: 0,
    attempt: async () => {
      const answer = mocks.answer(call);
      if (answer.ok) return answer;
      const { status, retryable, message } = answer;
      if (status === undefined) return noConnection(message, retryable);
      return failingStatus(status, statusWords(status), {
        retryable,
        body: firstCharacters(redactor.text(show(answer.body)), 1_000),
      });
    },
  };
}

/** With `{env.NAME}` as in the file, because mock answers need no environment. */
function addressIn({ service, parameters, body }: CallRequest, path: string | undefined, method: Method): { url?: string } {
  if (service.url === undefined) return {};
  if (isConnected(service.kind)) return { url: withoutPassword(writtenTemplate(service.url)) };
  const query = pairsInQuery(method) && body === undefined ? queryOf(parameters) : '';
  return { url: writtenAddress(writtenTemplate(service.url), path, query) };
}
