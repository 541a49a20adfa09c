// The sign-in form, and the page for those who can't sign in.
import { formField, type Html, html, nothing } from '../html/html.js';
import { bareLayout } from '../html/page-layout.js';

/** A form that was sent after its session had ended. It is sent again after signing in. */
export interface PendingForm {
  /** Path in the console. */
  readonly to: string;
  readonly fields: URLSearchParams;
  /** The browser says that it came from a page of this server. */
  readonly isOwn: boolean;
}

/** The ways to sign in to a server. */
export interface SignInWays {
  readonly token: boolean;
  /** Host of the OpenID provider; `undefined` for none. */
  readonly provider: string | undefined;
}

interface SignIn {
  readonly ways: SignInWays;
  /** Path in the console to continue to. */
  readonly to?: string;
  readonly problem?: string;
  readonly pending?: PendingForm | undefined;
}

export const signInPage = ({ ways, to = '/console', problem, pending }: SignIn): Html =>
  bareLayout(
    'Sign in',
    html`<h1>Sign in</h1><p>The console is for operators of this server.</p>${problem === undefined ? nothing : html`<p class="said error" role="alert">${problem}</p>`}
${pending !== undefined && html`<p class="said warning">Your session has ended. What you typed is kept, and sent once you have signed in.</p>`}${ways.provider !== undefined && providerPart(ways.provider, to, pending)}${ways.token && tokenForm(to, pending)}`,
  );

const tokenForm = (to: string, pending: PendingForm | undefined): Html =>
  html`<form method="post" action="/console/sign-in" class="answer">${pendingFields(pending)}<input type="hidden" name="to" value="${to}"><input class="hush" name="username" value="operator" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
<label>Operator token <input type="password" name="token" autocomplete="current-password" required autofocus></label><button class="main">Sign in</button></form>
<p class="hint">It is your own, from the file of <code>--tokens</code>, or what <code>wf serve</code> was started with: <code>--operator-token</code> or <code>WF_OPERATOR_TOKEN</code>.</p>`;

/** A form that waits can't follow the browser to the provider, so the provider opens beside it. */
const providerPart = (provider: string, to: string, pending: PendingForm | undefined): Html =>
  pending === undefined
    ? html`<p class="actions"><a class="button main" href="${providerAddress(to)}">Sign in with ${provider}</a></p>`
    : html`<p class="actions"><a class="button" href="${providerAddress('/console')}" target="_blank" rel="noopener">1. Sign in with ${provider}, in another tab</a></p>
<form method="post" action="/console/sign-in" class="answer">${pendingFields(pending)}<button class="main">2. Then continue here</button></form>`;

const pendingFields = (pending: PendingForm | undefined): Html =>
  pending === undefined
    ? nothing
    : html`<input type="hidden" name="again" value="${pending.to}"><input type="hidden" name="fields" value="${pending.fields.toString()}"><input type="hidden" name="own" value="${pending.isOwn ? '1' : ''}">`;

/** @param to where to continue */
export const providerAddress = (to: string): string => `/console/oidc?to=${encodeURIComponent(to)}`;

/** After signing in. The script sends the form, unless another site may have sent it first. */
export const pendingPage = ({ to, fields, isOwn }: PendingForm, formToken: string): Html =>
  bareLayout(
    'Signed in',
    html`<h1>You are signed in</h1><p>This was not sent yet, because your session had ended:</p>
<dl class="facts-list">${[...fields].map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value.slice(0, 2_000)}</bdi></dd></div>`)}</dl>
<form method="post" action="${to}" class="sure"${isOwn && html` data-send`}>${formField({ formToken })}${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<div class="actions"><button class="main">Send it now</button> <a class="quiet" href="/console">Do not send it</a></div></form>`,
  );

export const closedPage: Html = bareLayout(
  'The console is closed',
  html`<h1>The console is closed</h1><p>This server has no operator token, so the console answers only to a browser on the same machine, directly and not through a proxy.</p>
<p>To open it to others, start the server with <code>--operator-token</code>, or set <code>WF_OPERATOR_TOKEN</code>.</p>`,
);

/**
 * Reached from another site, so the browser withheld the session cookie. The page goes on from this server.
 * @param address the page itself, unless `refresh` names another, relative to this one
 */
export const onwardPage = (address: string, refresh?: string): Html =>
  bareLayout(
    'Opening',
    html`<meta http-equiv="refresh" content="${refresh === undefined ? '0' : `0; url=${refresh}`}"><p><a href="${address}">Go on</a></p>`,
  );

export const messagePage = (title: string, text: string, to = '/console'): Html =>
  bareLayout(
    title,
    html`<h1>${title}</h1><p>${text}</p><p><a href="${to}">${to === '/console' ? 'Go to the console' : 'Try again'}</a></p>`,
  );

/** Only a path in the console, or the link of a question: a form must not redirect to another site. */
export const safeTarget = (to: string | null): string =>
  to !== null && /^\/(?:console(?:[/?#][^\\]*)?|tasks\/[^/\\]*)$/.test(to) && !to.includes('//') ? to : '/console';
