// Creates the console from the store and the server's options: an Express router that identifies the sender of each request, reads its
// form, and shows its page or makes its change. Also lists the addresses of all pages and changes.
import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import { isAddressedTo } from '../durable/model/tasks.js';
import { storedOutcomes } from '../engine/long-outcomes.js';
import { UsageError } from '../engine/usage-error.js';
import { type Admission, createOperatorGate, type OperatorGate } from './access/operator-gate.js';
import { keptForm, refusalOf, refusedLink, signIn } from './access/sign-in.js';
import { createTextViews } from './code/text-view.js';
import type { ConsoleAccess, ConsoleExchange, ConsoleOptions, ConsoleReply } from './console-options.js';
import { createLoadHistory, createLoadTrace, createRecentFigures, createRecentTrends } from './history/read-cache.js';
import { html } from './html/html.js';
import { bareLayout } from './html/page-layout.js';
import { assetAt, pageReply } from './http/console-reply.js';
import { readForm, segmentsOf } from './http/console-request.js';
import { queryParameters } from './http/query.js';
import { createLiveEvents, type LiveEvents } from './live/live-events.js';
import { createAnswerOperator, userOf } from './pages/answer-operator.js';
import type { PageContext, PageHandler } from './pages/console-page.js';
import { runDrawingPage, workflowDrawingPage } from './pages/drawing-page.js';
import { comparePage } from './pages/run/compare-page.js';
import { effectPage, linePage, valuePage } from './pages/run/effect-page.js';
import { rerunPage, rerunRun } from './pages/run/rerun-page.js';
import { cancelPage, changePage, changeRun, changeRuns, erasePage, sendMessage, skipPage } from './pages/run/run-actions.js';
import { commentRun, runPage } from './pages/run/run-page.js';
import { whyPage } from './pages/run/why-page.js';
import { runsPage, saveView } from './pages/runs/runs-page.js';
import { messagePage, signInPage } from './pages/sign-in-page.js';
import { answerTask, assignTask, taskPairs } from './pages/tasks/answer-task.js';
import { taskLink } from './pages/tasks/task-link.js';
import { tasksPage } from './pages/tasks/tasks-page.js';
import { startPage, startRun } from './pages/workflows/start-page.js';
import { tryPage } from './pages/workflows/try-page.js';
import { callsPart, versionPage, versionsPart } from './pages/workflows/versions.js';
import { workflowPage, workflowsPage } from './pages/workflows/workflows-page.js';

/** Properties that the middleware of the console sets for later middleware. */
interface ConsoleLocals<Exchange extends ConsoleExchange> {
  exchange: Exchange;
  /** The path's segments, decoded. */
  segments: readonly string[];
  admission: Extract<Admission, { kind: 'admitted' }>;
  /** Empty for anything but a POST. */
  form: URLSearchParams;
}

type Handler<Exchange extends ConsoleExchange> = RequestHandler<
  Record<string, string>,
  unknown,
  unknown,
  unknown,
  ConsoleLocals<Exchange>
>;

export interface Console {
  /** Answers `/console…`, and `/tasks/<id>` for people with a link. Needs `response.locals.exchange`. */
  readonly router: Router;
  /** Ends the event streams, so that a stopping server need not wait for them. */
  close(): void;
}

/** Shared by the pages. */
function contextOf<Exchange extends ConsoleExchange>(
  { store, workflows, tryOut, startRun, baseOf }: ConsoleOptions<Exchange>,
  now: () => number,
): PageContext {
  return {
    store,
    workflows,
    tryOut,
    startRun,
    baseOf,
    stats: createRecentFigures(store, now),
    trends: createRecentTrends(store, now),
    history: createLoadHistory(store),
    traceOf: createLoadTrace(store),
    textOf: createTextViews(),
  };
}

export async function createConsole<Exchange extends ConsoleExchange>(options: ConsoleOptions<Exchange>): Promise<Console> {
  const { default: express } = await import('express');
  const { store, access, send, baseOf } = options;
  const { oidc } = access;
  const now = options.now ?? Date.now;
  const gate = gateOf(options, now);
  const live = createLiveEvents(store);
  const context = contextOf(options, now);
  const answerOperator = createAnswerOperator(context, gate, access, now);
  /** Sends what a page replies; `undefined` if it has answered by itself. */
  const replying =
    (reply: (locals: ConsoleLocals<Exchange>) => Promise<ConsoleReply | undefined>): Handler<Exchange> =>
    async (_request, { locals }) => {
      try {
        const replied = await reply(locals);
        if (replied !== undefined) send(locals.exchange, replied);
      } finally {
        storedOutcomes.leave(locals.exchange);
      }
    };
  const showPage = (page: PageHandler | undefined): Handler<Exchange> =>
    replying(async ({ exchange, segments, admission, form }) => {
      if (exchange.request.method !== 'POST') await storedOutcomes.enter(exchange);
      return answerOperator(exchange, segments, admission, form, page);
    });
  const answerLink = createAnswerLink(context, gate, access, now);
  const link = replying(({ exchange, segments, form }) => answerLink(exchange, segments, form));
  const signInForm = replying(({ exchange, form }) => signIn(gate, exchange.request, form));

  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(decode(send), asset(send));
  router.use('/console', unlessSigningIn(admit(options, gate)));
  router.get('/console/live', stream(send, live));
  router.use(readForms(options));
  router.get(
    '/console/sign-in',
    replying(async () => pageReply(200, signInPage({ ways: gate.ways }))),
  );
  router.post('/console/sign-in', signInForm);
  if (oidc !== undefined) {
    const { createOidcSignIn } = await import('./access/oidc-sign-in.js');
    const provider = createOidcSignIn({ oidc, gate, baseOf, now });
    router.get(
      '/console/oidc',
      replying(({ exchange }) => provider.begin(exchange)),
    );
    router.get(
      '/console/oidc/callback',
      replying(({ exchange }) => provider.finish(exchange)),
    );
  }
  for (const { method, path, page } of pages) router[method](path, showPage(page));
  for (const path of formAddresses) router.get(path, showPage(leadBack));
  router.route('/tasks/:task').get(link).post(link);
  router.use(showPage(undefined));
  router.use(onError(options));
  return { router, close: () => live.close() };
}

const gateOf = <Exchange extends ConsoleExchange>(
  { access: { token, tokens, oidc, isLoopback }, store, wrongTokens }: ConsoleOptions<Exchange>,
  now: () => number,
): OperatorGate => {
  return createOperatorGate({
    token,
    tokens,
    oidc,
    isLoopback,
    wrongTokens,
    now,
    store: {
      secret: () => store.keyFor('console sessions'),
      isEnded: ({ nonce, expiresAt }) => store.isSessionEnded(nonce, expiresAt),
      end: ({ nonce, expiresAt }) => store.endSession(nonce, expiresAt, now()),
    },
  });
};

/** An address that takes only a form, opened again from the history, leads to the page above it. */
const leadBack: PageHandler = async ({ segments }) => ({
  goTo: `/${segments.slice(0, -1).map(encodeURIComponent).join('/')}`,
});

/** The person whom the provider, or a token, identifies. */
const isKnown = (admission: Admission): admission is Extract<Admission, { kind: 'admitted' | 'of a caller' }> =>
  admission.kind === 'admitted' || (admission.kind === 'of a caller' && admission.name !== undefined);

const nameOf = (known: Extract<Admission, { kind: 'admitted' | 'of a caller' }>): string | undefined =>
  known.kind === 'admitted' ? known.who.name : known.name;

/** Answers the link of a question. It needs no more than its key, unless people sign in with a provider. */
function createAnswerLink(
  context: PageContext,
  gate: OperatorGate,
  access: ConsoleAccess,
  now: () => number,
): (exchange: ConsoleExchange, segments: readonly string[], form: URLSearchParams) => Promise<ConsoleReply> {
  return async (exchange, segments, form) => {
    const { method, headers } = exchange.request;
    const person = access.oidc === undefined ? undefined : await gate.admit(exchange.request);
    if (person !== undefined && !isKnown(person)) return refusedLink(gate, person, exchange, form);
    const user = person === undefined ? userOf(exchange.request, access) : nameOf(person);
    const anonymous = { session: undefined, formToken: '', user, actor: { name: user, role: 'link', way: 'console' } as const };
    const mayAnswer = async (addressee: string | undefined): Promise<boolean> =>
      (access.userHeader === undefined && person === undefined) ||
      addressee === undefined ||
      isAddressedTo(addressee, user ?? '') ||
      isOperator(person ?? (await gate.admit(exchange.request)));
    const query = queryParameters(exchange.target);
    const parts = { exchange, isPost: method === 'POST', segments, form, query, now: now() };
    return taskLink({ ...anonymous, ...parts, isPart: headers['x-wf-part'] !== undefined }, context, mayAnswer);
  };
}

const isOperator = (admission: Admission): boolean => admission.kind === 'admitted' && admission.who.role === 'operator';

type Send<Exchange extends ConsoleExchange> = ConsoleOptions<Exchange>['send'];

/** Decodes the path, and refuses methods that no page has. */
const decode =
  <Exchange extends ConsoleExchange>(send: Send<Exchange>): Handler<Exchange> =>
  ({ method }, { locals }, next) => {
    const segments = segmentsOf(locals.exchange.path, locals.exchange.target);
    if (segments === undefined) return send(locals.exchange, notAnAddress);
    if (!['GET', 'HEAD', 'POST'].includes(method)) return send(locals.exchange, wrongMethod);
    locals.segments = segments;
    locals.form = new URLSearchParams();
    next();
  };

/** Files need no sign-in: they are the same on every server. */
const asset =
  <Exchange extends ConsoleExchange>(send: Send<Exchange>): Handler<Exchange> =>
  ({ method }, { locals: { exchange, segments } }, next) => {
    const found = method === 'POST' ? undefined : assetAt(segments);
    if (found === undefined) next();
    else send(exchange, found);
  };

const unlessSigningIn =
  <Exchange extends ConsoleExchange>(handler: Handler<Exchange>): Handler<Exchange> =>
  (request, response, next) =>
    ['sign-in', 'oidc'].includes(response.locals.segments[1] ?? '') ? next() : handler(request, response, next);

/** Lets operators pass. */
const admit =
  <Exchange extends ConsoleExchange>({ send, readBody }: ConsoleOptions<Exchange>, gate: OperatorGate): Handler<Exchange> =>
  async ({ method }, { locals }, next) => {
    const admission = await gate.admit(locals.exchange.request);
    if (admission.kind === 'sign in' && method === 'POST') {
      const form = await readForm(locals.exchange, readBody);
      if (form instanceof URLSearchParams) return send(locals.exchange, keptForm(gate, locals.exchange, form));
      if (form === 'gone') return;
    }
    if (admission.kind !== 'admitted') return send(locals.exchange, refusalOf(gate, admission, locals.exchange));
    locals.admission = admission;
    next();
  };

const stream =
  <Exchange extends ConsoleExchange>(send: Send<Exchange>, live: LiveEvents): Handler<Exchange> =>
  (_request, { locals: { exchange } }) => {
    if (!live.open(exchange.response)) send(exchange, tooManyReaders);
  };

const readForms =
  <Exchange extends ConsoleExchange>({ send, readBody }: ConsoleOptions<Exchange>): Handler<Exchange> =>
  async ({ method }, { locals }, next) => {
    const form = method === 'POST' ? await readForm(locals.exchange, readBody) : locals.form;
    if (form === 'gone') return;
    if (!(form instanceof URLSearchParams)) return send(locals.exchange, form);
    locals.form = form;
    next();
  };

/** Express tells error handlers by their four parameters. */
const onError =
  <Exchange extends ConsoleExchange>({
    isUsable,
    onFault,
    send,
  }: ConsoleOptions<Exchange>): ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, ConsoleLocals<Exchange>> =>
  (cause, _request, { locals: { exchange } }, _next) => {
    const isFault = isUsable() && !(cause instanceof UsageError);
    if (isFault) onFault(exchange, cause);
    if (!exchange.response.headersSent) send(exchange, isFault ? somethingWentWrong : unusable(cause));
  };

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

interface Address {
  readonly method: 'get' | 'post';
  /** As Express writes it. */
  readonly path: string;
  readonly page: PageHandler;
}

export const pages: readonly Address[] = [
  { method: 'get', path: '/console', page: runsPage },
  { method: 'get', path: '/console/runs', page: runsPage },
  { method: 'post', path: '/console/runs', page: changeRuns },
  { method: 'get', path: '/console/change', page: changePage },
  { method: 'post', path: '/console/views', page: saveView },
  { method: 'get', path: '/console/runs/:run', page: runPage },
  { method: 'get', path: '/console/runs/:run/why', page: whyPage },
  { method: 'get', path: '/console/runs/:run/drawing', page: runDrawingPage },
  { method: 'get', path: '/console/runs/:run/cancel', page: cancelPage },
  { method: 'post', path: '/console/runs/:run/cancel', page: changeRun },
  { method: 'get', path: '/console/runs/:run/erase', page: erasePage },
  { method: 'post', path: '/console/runs/:run/erase', page: changeRun },
  { method: 'post', path: '/console/runs/:run/resume', page: changeRun },
  { method: 'post', path: '/console/runs/:run/retry', page: changeRun },
  { method: 'get', path: '/console/runs/:run/skip', page: skipPage },
  { method: 'post', path: '/console/runs/:run/skip', page: changeRun },
  { method: 'get', path: '/console/runs/:run/rerun', page: rerunPage },
  { method: 'post', path: '/console/runs/:run/rerun', page: rerunRun },
  { method: 'post', path: '/console/runs/:run/message', page: sendMessage },
  { method: 'get', path: '/console/runs/:run/values/:value', page: valuePage },
  { method: 'get', path: '/console/runs/:run/lines/:line', page: linePage },
  { method: 'get', path: '/console/runs/:run/effects/:effect', page: effectPage },
  { method: 'get', path: '/console/runs/:run/effects/:effect/:part', page: valuePage },
  { method: 'get', path: '/console/compare', page: comparePage },
  { method: 'post', path: '/console/runs/:run/comment', page: commentRun },
  { method: 'get', path: '/console/tasks', page: tasksPage },
  { method: 'post', path: '/console/tasks/:task', page: answerTask },
  { method: 'post', path: '/console/tasks/:task/assign', page: assignTask },
  { method: 'get', path: '/console/tasks/:task/pairs', page: taskPairs },
  { method: 'get', path: '/console/workflows', page: workflowsPage },
  { method: 'get', path: '/console/workflows/:workflow', page: workflowPage },
  { method: 'get', path: '/console/workflows/:workflow/calls', page: callsPart },
  { method: 'get', path: '/console/workflows/:workflow/versions', page: versionsPart },
  { method: 'get', path: '/console/workflows/:workflow/drawing', page: workflowDrawingPage },
  { method: 'get', path: '/console/workflows/:workflow/start', page: startPage },
  { method: 'post', path: '/console/workflows/:workflow/start', page: startRun },
  { method: 'post', path: '/console/workflows/:workflow/try', page: tryPage },
  { method: 'get', path: '/console/workflows/:workflow/versions/:version', page: versionPage },
];

/** Addresses that show no page of their own. */
const formAddresses: readonly string[] = pages
  .filter(({ method, path }) => method === 'post' && !pages.some((one) => one.method === 'get' && one.path === path))
  .map(({ path }) => path);
