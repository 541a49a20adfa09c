// A call → the question that mock answers are asked, and their answer → the result of an attempt. Its own file, because recordings and
// tests describe calls in the same words.
import { type Failure, failingStatus, noConnection } from '../call-errors.js';
import { record } from '../record.js';
import type { CallRequest, MockCall, Mocks } from '../types.js';
import { show } from '../values.js';
import type { Method } from '../verbs.js';
import type { PreparedCall } from './attempt.js';
import { firstCharacters } from './body.js';
import { queryOf } from './pairs.js';
import { fillPath } from './path.js';
import { statusWords } from './status-words.js';
import { writtenAddress, writtenTemplate } from './template.js';

/** The call as mock answers, tests and recordings see it; a path that cannot be filled is left out. */
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
    ...(instruction === undefined ? {} : { instruction }),
  };
}

function filledPath(request: CallRequest): string | Failure | undefined {
  if (request.path === undefined) return undefined;
  const filled = fillPath(request.path);
  if (!filled.ok) return filled;
  return filled.query === '' ? filled.path : `${filled.path}?${filled.query}`;
}

/** A call that mock answers will answer; what could never be sent fails here as it would in earnest. */
export function prepareMock(mocks: Mocks, request: CallRequest, method: Method): PreparedCall | Failure {
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
      return failingStatus(status, statusWords(status), { retryable, body: firstCharacters(show(answer.body), 1_000) });
    },
  };
}

/** With `{env.NAME}` as in the file: mock answers need no environment. */
function addressIn({ service, parameters }: CallRequest, path: string | undefined, method: Method): { url?: string } {
  if (service.url === undefined) return {};
  const query = method === 'GET' || method === 'DELETE' ? queryOf(parameters) : '';
  return { url: writtenAddress(writtenTemplate(service.url), path, query) };
}
