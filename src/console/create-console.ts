// Creates the console from the store and the server's options. Identifies the sender of each request, then finds its page or makes its
// change.
import { UsageError } from '../engine/usage-error.js';
import { createOperatorGate } from './access/operator-gate.js';
import { refusalOf, signIn } from './access/sign-in.js';
import { createTextViews } from './code/text-view.js';
import type { ConsoleExchange, ConsoleOptions, ConsoleReply } from './console-options.js';
import { createLoadHistory } from './history/load-history.js';
import { html } from './html/html.js';
import { bareLayout } from './html/page-layout.js';
import { assetAt, pageReply } from './http/console-reply.js';
import { queryParameters, readForm, segmentsOf } from './http/console-request.js';
import { createLiveEvents } from './live/live-events.js';
import { createAnswerOperator } from './pages/answer-operator.js';
import type { PageContext } from './pages/console-page.js';
import { messagePage, signInPage } from './pages/sign-in-page.js';
import { taskLink } from './pages/tasks/task-link.js';
import { createRecentFigures } from './recent-figures.js';

export interface Console<Exchange extends ConsoleExchange> {
  /** Whether the console handles this path: `/console…`, and `/tasks/<id>` for people with a link. */
  owns(path: string): boolean;
  /** Resolves when the request is answered. Never rejects. */
  handle(exchange: Exchange): Promise<void>;
  /** Ends the event streams, so that a stopping server need not wait for them. */
  close(): void;
}

export function createConsole<Exchange extends ConsoleExchange>(options: ConsoleOptions<Exchange>): Console<Exchange> {
  const { store, access, send, readBody } = options;
  const now = options.now ?? Date.now;
  const gate = createOperatorGate({ token: access.token, isLoopback: access.isLoopback, now });
  const live = createLiveEvents(store);
  const context: PageContext = {
    ...{ store, stats: createRecentFigures(store, now), workflows: options.workflows, tryOut: options.tryOut },
    ...{ history: createLoadHistory(store), textOf: createTextViews() },
  };
  const answerOperator = createAnswerOperator(context, gate, access, now);

  const answer = async (exchange: Exchange): Promise<ConsoleReply | undefined> => {
    const { request } = exchange;
    const segments = segmentsOf(exchange.path);
    if (segments === undefined) return notAnAddress;
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod;
    const asset = isPost ? undefined : assetAt(segments);
    if (asset !== undefined) return asset;
    const admission = segments[0] === 'tasks' || segments[1] === 'sign-in' ? undefined : await gate.admit(request);
    if (admission !== undefined && admission.kind !== 'operator') return refusalOf(admission, exchange);
    if (admission !== undefined && segments[1] === 'live' && !isPost)
      return live.open(exchange.response) ? undefined : tooManyReaders;
    const form = isPost ? await readForm(exchange, readBody) : new URLSearchParams();
    if (form === 'gone') return undefined;
    if (!(form instanceof URLSearchParams)) return form;
    if (admission !== undefined) return answerOperator(exchange, segments, admission, form);
    if (segments[0] === 'console') return isPost ? signIn(gate, request, form) : pageReply(200, signInPage('/console'));
    const { url = '', headers } = request;
    const anonymous = { session: undefined, formToken: '', user: undefined };
    const link = { ...anonymous, exchange, isPost, segments, form, query: queryParameters(url), now: now() };
    return taskLink({ ...link, isPart: headers['x-wf-part'] !== undefined }, context);
  };

  return {
    owns: (path) => path === '/console' || path.startsWith('/console/') || /^\/tasks\/[^/]+$/.test(path),
    async handle(exchange) {
      try {
        const reply = await answer(exchange);
        if (reply !== undefined) send(exchange, reply);
      } catch (cause) {
        const isFault = options.isUsable() && !(cause instanceof UsageError);
        if (isFault) options.onFault(exchange, cause);
        if (!exchange.response.headersSent) send(exchange, isFault ? somethingWentWrong : unusable(cause));
      }
    },
    close: () => live.close(),
  };
}

const notAnAddress = pageReply(400, messagePage('Not an address', 'The address is not encoded correctly.'));
const wrongMethod: ConsoleReply = {
  ...pageReply(405, messagePage('Not possible', 'Use GET or POST.')),
  headers: ['Allow', 'GET, HEAD, POST'],
};
const tooManyReaders = pageReply(
  503,
  messagePage('Too many readers', 'Too many pages are open, so this one is not kept up to date.'),
);
/** The server stops, its store can't be used now, or part of it is damaged. */
function unusable(cause: unknown): ConsoleReply {
  const text =
    cause instanceof UsageError
      ? `${cause.message} ${cause.hint ?? ''}`
      : 'The server is stopping, or cannot use its store now. Go back, and try again in a moment.';
  return pageReply(503, bareLayout('Not possible now', html`<h1>Not possible now</h1><p>${text}</p>`), ['Retry-After', '5']);
}
const somethingWentWrong = pageReply(
  500,
  messagePage('Something went wrong', 'The fault is not yours. The server log has the details.'),
);
