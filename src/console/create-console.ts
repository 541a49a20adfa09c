// Creates the console from the store and the server's options. Identifies the sender of each request, then finds its page or makes its
// change.
import { script, style } from 'wf:console-assets';
import { setCookie } from './access/cookies.js';
import { type Admission, createOperatorGate, isSameSite, SESSION_COOKIE } from './access/operator-gate.js';
import { SESSION_SECONDS, type Session } from './access/sessions.js';
import { createTextViews } from './code/text-view.js';
import type { ConsoleExchange, ConsoleOptions, ConsoleReply } from './console-options.js';
import { createLoadHistory } from './history/load-history.js';
import { FORM_TOKEN, formField } from './html/form-field.js';
import { html } from './html/html.js';
import { icon } from './html/icon.js';
import { pageLayout } from './html/page-layout.js';
import { fileReply, pageReply, seeOther } from './http/console-reply.js';
import { type ConsoleRequest, queryParameters, segmentsOf } from './http/console-request.js';
import { createLiveEvents } from './live/live-events.js';
import type { PageContext, PageResult } from './pages/console-page.js';
import { handlerFor } from './pages/page-table.js';
import { closedPage, messagePage, onwardPage, safeTarget, signInPage } from './pages/sign-in-page.js';
import { taskLink } from './pages/tasks/task-link.js';
import { createRecentFigures } from './recent-figures.js';

export interface Console<Exchange extends ConsoleExchange> {
  /** Whether the console handles this path: `/console…`, and `/tasks/<id>` for people with a link. */
  owns(path: string): boolean;
  /** Answers the request eventually. Never throws. */
  handle(exchange: Exchange): void;
  /** Ends the event streams, so that a stopping server need not wait for them. */
  close(): void;
}

/** Maximum bytes of a form, which may contain a whole request to try. */
const MOST_OF_A_FORM = 2 * 1024 * 1024;

export function createConsole<Exchange extends ConsoleExchange>(options: ConsoleOptions<Exchange>): Console<Exchange> {
  const { store, access, send, readBody } = options;
  const now = options.now ?? Date.now;
  const gate = createOperatorGate({ token: access.token, isLoopback: access.isLoopback, now });
  const live = createLiveEvents(store);
  const context: PageContext = {
    ...{ store, stats: createRecentFigures(store, now), workflows: options.workflows, tryOut: options.tryOut },
    ...{ history: createLoadHistory(store), textOf: createTextViews() },
  };

  const readForm = async (exchange: Exchange): Promise<URLSearchParams | ConsoleReply | 'gone'> => {
    const type = exchange.request.headers['content-type'] ?? '';
    if (!/^application\/x-www-form-urlencoded\b/i.test(type))
      return pageReply(415, messagePage('Not a form', 'Send the fields as a form does.'));
    const body = await readBody(exchange, MOST_OF_A_FORM);
    if (body === 'gone') return 'gone';
    if (body === 'too large')
      return pageReply(413, messagePage('Too large', `A form may have up to ${MOST_OF_A_FORM / 1024 / 1024} MB.`));
    return new URLSearchParams(new TextDecoder().decode(body));
  };

  const openSession = async ({ request }: Exchange, session: Session): Promise<string[]> => [
    'Set-Cookie',
    setCookie(request, SESSION_COOKIE, await gate.sessions.sign(session), SESSION_SECONDS),
  ];

  const signIn = async (exchange: Exchange, form: URLSearchParams): Promise<ConsoleReply> => {
    const to = safeTarget(form.get('to'));
    if (!isSameSite(exchange.request)) return forged();
    const session = await gate.signIn(exchange.request, (form.get('token') ?? '').trim());
    if (session === 'busy') return tooManyGuesses();
    if (session === 'wrong token') return pageReply(401, signInPage(to, 'This is not the operator token.'));
    return seeOther(to, await openSession(exchange, session));
  };

  const answerPage = async (request: ConsoleRequest): Promise<ConsoleReply> => {
    const handler = handlerFor(request);
    const result: PageResult | undefined = await handler?.(request, context);
    if (result === undefined)
      return page(
        {
          status: 404,
          title: 'Nothing here',
          at: 'runs',
          content: html`<h1>There is nothing at this address</h1><p>A run may have been pruned since. <a href="/console">Show the runs</a></p>`,
        },
        request,
      );
    if ('part' in result) return pageReply(200, result.part);
    if ('goTo' in result) return seeOther(result.goTo);
    return 'text' in result ? result : page(result, request);
  };

  const page = async (
    { status = 200, ...about }: Exclude<PageResult, { part: unknown } | { goTo: unknown } | { text: unknown }>,
    request: ConsoleRequest,
  ): Promise<ConsoleReply> => {
    const { tasks } = await store.tasks({ limit: 100 });
    const signOut =
      gate.needsToken && request.session !== undefined
        ? html`<form method="post" action="/console/sign-out">${formField(request)}<button class="quiet">Sign out</button></form>`
        : undefined;
    return pageReply(status, pageLayout({ ...about, openTasks: tasks.length, ...(signOut === undefined ? {} : { signOut }) }));
  };

  /** Handles a change or a page for an operator. */
  const forOperator = async (
    exchange: Exchange,
    segments: readonly string[],
    { session, isNew }: Extract<Admission, { kind: 'operator' }>,
    form: URLSearchParams,
  ): Promise<ConsoleReply> => {
    const { request } = exchange;
    const isPost = request.method === 'POST';
    if (isPost && session !== undefined && !(await gate.isOwnForm(request, session, form.get(FORM_TOKEN) ?? ''))) return forged();
    if (isPost && segments[1] === 'sign-out')
      return seeOther('/console', ['Set-Cookie', setCookie(request, SESSION_COOKIE, '', 0)]);
    const user = access.userHeader === undefined ? undefined : request.headers[access.userHeader.toLowerCase()];
    const reply = await answerPage({
      ...{ exchange, isPost, segments, form, session, query: queryParameters(request.url ?? ''), now: now() },
      formToken: session === undefined ? '' : await gate.sessions.formToken(session),
      user: typeof user === 'string' && user !== '' ? user : undefined,
      isPart: request.headers['x-wf-part'] !== undefined,
    });
    return isNew && session !== undefined
      ? { ...reply, headers: [...reply.headers, ...(await openSession(exchange, session))] }
      : reply;
  };

  const answer = async (exchange: Exchange): Promise<ConsoleReply | undefined> => {
    const { request } = exchange;
    const segments = segmentsOf(exchange.path);
    if (segments === undefined)
      return pageReply(400, messagePage('Not an address', 'The address is not encoded as addresses are.'));
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD')
      return { ...pageReply(405, messagePage('Not possible', 'Use GET or POST.')), headers: ['Allow', 'GET, HEAD, POST'] };
    const asset = isPost ? undefined : assetAt(segments);
    if (asset !== undefined) return asset;
    const admission = segments[0] === 'tasks' || segments[1] === 'sign-in' ? undefined : await gate.admit(request);
    if (admission !== undefined && admission.kind !== 'operator') return refusalOf(admission, exchange);
    if (admission !== undefined && segments[1] === 'live' && !isPost) {
      return live.open(exchange.response)
        ? undefined
        : pageReply(503, messagePage('Too many readers', 'Too many pages are open; this one is not kept up to date.'));
    }
    const form = isPost ? await readForm(exchange) : new URLSearchParams();
    if (form === 'gone') return undefined;
    if (!(form instanceof URLSearchParams)) return form;
    if (admission !== undefined) return forOperator(exchange, segments, admission, form);
    if (segments[0] === 'console') return isPost ? signIn(exchange, form) : pageReply(200, signInPage('/console'));
    const link = {
      exchange,
      isPost,
      segments,
      form,
      session: undefined,
      formToken: '',
      user: undefined,
      query: queryParameters(request.url ?? ''),
    };
    return taskLink({ ...link, isPart: request.headers['x-wf-part'] !== undefined, now: now() }, context);
  };

  return {
    owns: (path) => path === '/console' || path.startsWith('/console/') || /^\/tasks\/[^/]+$/.test(path),
    handle(exchange) {
      answer(exchange).then(
        (reply) => reply !== undefined && send(exchange, reply),
        (cause) => {
          options.onFault(exchange, cause);
          if (!exchange.response.headersSent)
            send(
              exchange,
              pageReply(
                500,
                messagePage('Something went wrong', 'The fault is not yours. The log of the server has the details.'),
              ),
            );
        },
      );
    },
    close: () => live.close(),
  };
}

function assetAt([first, folder, name]: readonly string[]): ConsoleReply | undefined {
  if (first !== 'console' || folder !== 'assets') return undefined;
  if (name === script.name) return fileReply(script.text, 'text/javascript; charset=utf-8');
  if (name === style.name) return fileReply(style.text, 'text/css; charset=utf-8');
  if (name === 'icon.svg') return fileReply(icon, 'image/svg+xml');
  return pageReply(404, messagePage('Nothing here', 'Reload the page: this server has another version of the console.'));
}

function refusalOf({ kind }: Exclude<Admission, { kind: 'operator' }>, { request, path }: ConsoleExchange): ConsoleReply {
  if (kind === 'closed') return pageReply(403, closedPage);
  if (kind === 'busy') return tooManyGuesses();
  if (kind === 'wrong token')
    return pageReply(401, signInPage('/console', 'This is not the operator token.'), ['WWW-Authenticate', 'Bearer']);
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.method === 'GET') return pageReply(200, onwardPage(path));
  return pageReply(401, signInPage(safeTarget(request.url ?? null)));
}

const forged = (): ConsoleReply =>
  pageReply(
    403,
    messagePage(
      'Nothing was changed',
      'This form did not come from the console, or it is too old. Go back, reload the page, and send it again.',
    ),
  );

const tooManyGuesses = (): ConsoleReply =>
  pageReply(429, messagePage('One moment', 'Too many wrong tokens came from your address. Try again in a few seconds.'), [
    'Retry-After',
    '8',
  ]);
