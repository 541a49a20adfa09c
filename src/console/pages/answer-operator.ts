// Answers an operator: makes a change or shows a page, inside the layout of the console.
import type { IncomingMessage } from 'node:http';
import type { Admission, OperatorGate } from '../access/operator-gate.js';
import { changesNothing, endOfSession, forged, sessionHeader } from '../access/sign-in.js';
import type { ConsoleAccess, ConsoleExchange, ConsoleReply } from '../console-options.js';
import { FORM_TOKEN, formField, html } from '../html/html.js';
import { pageLayout } from '../html/page-layout.js';
import { keptForBack, pageReply, seeOther } from '../http/console-reply.js';
import type { ConsoleRequest } from '../http/console-request.js';
import { queryParameters } from '../http/query.js';
import type { PageContext, PageHandler, PageResult } from './console-page.js';

/** Makes a browser drop the pages that it has kept for going back. */
const FORGET_PAGES = ['Clear-Site-Data', '"cache"'];

type PageContent = Exclude<PageResult, { part: unknown } | { goTo: unknown } | { text: unknown }>;

type AnswerOperator = (
  exchange: ConsoleExchange,
  segments: readonly string[],
  admission: Extract<Admission, { kind: 'admitted' }>,
  form: URLSearchParams,
  /** `undefined` if there is none at this address. */
  handler: PageHandler | undefined,
) => Promise<ConsoleReply>;

const nothingHere: PageContent = {
  status: 404,
  title: 'Nothing here',
  at: 'runs',
  content: html`<h1>There is nothing at this address</h1><p>A run may have been pruned since. <a href="/console">Show the runs</a></p>`,
};

/** @param now milliseconds since 1970 */
export function createAnswerOperator(
  context: PageContext,
  gate: OperatorGate,
  access: ConsoleAccess,
  now: () => number,
): AnswerOperator {
  const answerPage = async (request: ConsoleRequest, handler: PageHandler | undefined): Promise<ConsoleReply> => {
    const result: PageResult | undefined = await handler?.(request, context);
    if (result === undefined) return page(nothingHere, request);
    if ('part' in result) return pageReply(200, result.part);
    if ('goTo' in result) return seeOther(result.goTo);
    return 'text' in result ? result : page(result, request);
  };

  const page = async ({ status = 200, ...about }: PageContent, request: ConsoleRequest): Promise<ConsoleReply> => {
    const { tasks } = await context.store.tasks({ limit: 100 });
    const signOut =
      gate.needsSignIn && request.session !== undefined
        ? html`<form method="post" action="/console/sign-out">${formField(request)}<button class="quiet">Sign out</button></form>`
        : undefined;
    return pageReply(
      status,
      pageLayout({ ...about, actor: request.actor, openTasks: tasks.length, ...(signOut === undefined ? {} : { signOut }) }),
    );
  };

  return async function answerOperator(
    exchange: ConsoleExchange,
    segments: readonly string[],
    { who, session, isNew }: Extract<Admission, { kind: 'admitted' }>,
    form: URLSearchParams,
    handler: PageHandler | undefined,
  ): Promise<ConsoleReply> {
    const { request } = exchange;
    const isPost = request.method === 'POST';
    if (isPost && session !== undefined && !(await gate.isOwnForm(request, session, form.get(FORM_TOKEN) ?? ''))) return forged();
    if (isPost && segments[1] === 'sign-out') {
      if (session !== undefined) await gate.sessions.end(session);
      return seeOther('/console', [...endOfSession(request), ...FORGET_PAGES]);
    }
    if (isPost && who.role === 'viewer') return changesNothing();
    const user = who.isSignedIn ? who.name : userOf(request, access);
    const parts: ConsoleRequest = {
      exchange,
      isPost,
      segments,
      form,
      session,
      query: queryParameters(exchange.target),
      now: now(),
      formToken: session === undefined ? '' : await gate.sessions.formToken(session),
      user,
      actor: { name: user ?? who.name, role: who.role, way: 'console' },
      isPart: request.headers['x-wf-part'] !== undefined,
    };
    const reply = await answerPage(parts, handler);
    if (isNew && session !== undefined)
      return { ...reply, headers: [...reply.headers, ...(await sessionHeader(gate, request, session))] };
    return isPost && reply.status !== 303 ? keptForBack(reply) : reply;
  };
}

/** The user that a trusted proxy names. */
export function userOf({ headers }: IncomingMessage, { userHeader }: ConsoleAccess): string | undefined {
  const user = userHeader === undefined ? undefined : headers[userHeader.toLowerCase()];
  return typeof user === 'string' && user !== '' ? user : undefined;
}
