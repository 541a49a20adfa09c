// The layout of every page: the head, the navigation, and the indicator of live updates.
import { script, style } from 'wf:console-assets';
import type { Actor } from '../../durable/model/changes.js';
import { type Html, type HtmlPart, html, nothing } from './html.js';
import { shapes } from './state-mark.js';

interface LayoutOptions {
  readonly title: string;
  readonly content: Html;
  /** The main page that this one belongs to. */
  readonly at?: 'runs' | 'tasks' | 'workflows';
  /** The source of its updates: `runs`, `tasks`, or the id of a run. */
  readonly live?: string;
  /** Unanswered questions. */
  readonly openTasks?: number;
  /** Who looks at it. */
  readonly actor: Actor;
  /** Form token for signing out; `undefined` if no one had to sign in. */
  readonly signOut?: Html;
}

const link = (name: string, address: string, isHere: boolean, more: HtmlPart = undefined): Html =>
  html`<a href="${address}"${isHere ? html` aria-current="page"` : ''}>${name}${more}</a>`;

/** A complete page for operators. */
export function pageLayout({ title, content, at, live, openTasks = 0, actor, signOut }: LayoutOptions): Html {
  const count =
    openTasks > 0 ? html` <b class="count">${openTasks > 99 ? '99+' : openTasks}<span class="hush"> open</span></b>` : undefined;
  const header = html`<header class="top"><a class="logo" href="/console">wf</a>
<nav aria-label="Main">${link('Runs', '/console', at === 'runs')}${link('Tasks', '/console/tasks', at === 'tasks', count)}${link('Workflows', '/console/workflows', at === 'workflows')}</nav>
<span id="live" class="live" role="status"></span><span id="said" class="hush" role="status"></span>${actor.name !== undefined && html`<bdi class="hint">${actor.name}</bdi>`}${signOut}</header>`;
  return document(title, header, html`${content}${shapes}`, live, actor.role);
}

/** A page for people who have not signed in: only its content. */
export const bareLayout = (title: string, content: Html): Html =>
  document(title, html`<header class="top"><span class="logo">wf</span></header>`, content);

const document = (title: string, header: Html, content: Html, live?: string, role?: string): Html => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · wf</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/console/assets/${style.name}"><link rel="icon" href="/console/assets/icon.svg"><script src="/console/assets/${script.name}" defer></script></head>
<body${live === undefined ? nothing : html` data-live="${live}"`}${role === 'viewer' && html` data-role="viewer"`}><a class="skip" href="#main">Skip to the content</a>
${header}
<main id="main" tabindex="-1">${content}</main></body></html>
`;

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2b5fd9"/><path d="M7 10h18M7 16h12M7 22h15" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';
