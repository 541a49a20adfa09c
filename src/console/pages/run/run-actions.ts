// Cancels, resumes and reruns runs: one from its page, or several from the list. Every action is confirmed on a page that works without the
// script.
import type { RerunRequest } from '../../../durable/durable-engine.js';
import { isFinished } from '../../../durable/model/run-views.js';
import { formField, type Html, html } from '../../html/html.js';
import { stateMark } from '../../html/state-mark.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { runAddress } from './rounds-address.js';

const ACTIONS = ['cancel', 'resume', 'rerun'] as const;
export type Action = (typeof ACTIONS)[number];
const isAction = (text: string | null): text is Action => (ACTIONS as readonly (string | null)[]).includes(text);

/** Maximum runs changed per request. */
const MOST_AT_ONCE = 200;

/** `GET /console/runs/<id>/cancel` */
export async function cancelPage(
  { segments, formToken }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | undefined> {
  const run = await store.get(segments[2] ?? '');
  if (run === undefined) return undefined;
  const address = runAddress(run.run);
  const question = isFinished(run.status)
    ? html`<p>This run is over: ${stateMark(run.status)}</p><p><a href="${address}">Back to the run</a></p>`
    : html`<p>The run of <b>${run.title}</b> about <bdi>${run.about}</bdi> ends as cancelled. A call in flight is broken off; what was done stays done.</p>
<form method="post" action="${address}/cancel" class="sure">${formField({ formToken })}<div class="actions"><button class="danger">Cancel the run</button> <a class="quiet" href="${address}">Keep it</a></div></form>`;
  return { title: 'Cancel a run', at: 'runs', content: html`<h1>Cancel this run?</h1>${question}` };
}

/** `POST /console/runs/<id>/cancel` and `/resume` */
export async function changeRun(
  { segments, user }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | GoTo | undefined> {
  const [, , id = '', what] = segments;
  const change = await (what === 'cancel' ? store.cancel(id, user) : store.resume(id));
  if (change.kind === 'unknown') return undefined;
  if (change.kind === 'not possible') return refused(change.problem, id);
  if (change.kind === 'elsewhere') return refused('Another process has this run and did not answer. Try again in a moment.', id);
  const { status } = change.state;
  const isLater = what === 'cancel' && status !== 'cancelled';
  const isStuck = what === 'resume' && status === 'stuck';
  return { goTo: `${runAddress(id)}?did=${isLater ? 'cancel-later' : isStuck ? 'stuck-again' : what}` };
}

export const refused = (problem: string, run: string): ConsolePage => ({
  status: 409,
  title: 'This is not possible',
  at: 'runs',
  content: html`<h1>This is not possible</h1><p class="said error">${problem}</p><p><a href="${runAddress(run)}">Back to the run</a></p>`,
});

/** `POST /console/runs`: asks for confirmation, or performs the confirmed action. */
export async function changeRuns(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo> {
  const { form } = request;
  const action = form.get('do');
  const ids = [...new Set(form.getAll('run'))].slice(0, MOST_AT_ONCE);
  if (!isAction(action) || ids.length === 0) return { goTo: '/console?did=nothing' };
  if (form.get('sure') === null) return confirmPage(action, ids, request);
  let done = 0;
  for (const id of ids) {
    const { kind } = await (action === 'cancel'
      ? store.cancel(id, request.user)
      : action === 'resume'
        ? store.resume(id)
        : store.rerun(id, choiceOf(form)));
    if (kind === 'done' || kind === 'asked' || kind === 'started') done++;
  }
  return { goTo: `/console?did=${action}&done=${done}&of=${ids.length}` };
}

/** The choices for a rerun. What a form leaves out defaults to the safe choice. */
export const choiceOf = (form: URLSearchParams): RerunRequest => ({
  from: form.get('from') === 'failure' ? 'failure' : 'start',
  workflow: form.get('workflow') === 'current' ? 'current' : 'recorded',
});

const QUESTIONS: Readonly<Record<Action, { readonly title: string; readonly text: string; readonly button: string }>> = {
  cancel: {
    title: 'Cancel',
    text: 'Those that are not over end as cancelled. Calls in flight are broken off; what was done stays done.',
    button: 'Cancel them',
  },
  resume: { title: 'Resume', text: 'Those that are stuck try again where they stopped.', button: 'Resume them' },
  rerun: { title: 'Rerun', text: 'Those that are over run again, as new runs with the same requests.', button: 'Rerun them' },
};

function confirmPage(action: Action, ids: readonly string[], request: ConsoleRequest): ConsolePage {
  const { title, text, button } = QUESTIONS[action];
  const heading = `${title} ${ids.length} run${ids.length === 1 ? '' : 's'}?`;
  return {
    title: heading,
    at: 'runs',
    content: html`<h1>${heading}</h1><p>${text}</p>
<form method="post" action="/console/runs" class="sure">${formField(request)}<input type="hidden" name="do" value="${action}"><input type="hidden" name="sure" value="1">${ids.map((id) => html`<input type="hidden" name="run" value="${id}">`)}
${
  action === 'rerun' &&
  html`${choices('from', [
    ['start', 'From the start'],
    ['failure', 'From the failure, with the recorded results before it'],
  ])}${choices('workflow', [
    ['recorded', 'With the text that each run used'],
    ['current', 'With the text that is served now'],
  ])}`
}
<div class="actions"><button class="${action === 'cancel' ? 'danger' : 'main'}">${button}</button> <a class="quiet" href="/console">Do nothing</a></div></form>
<ul class="ids">${ids.map((id) => html`<li><a href="${runAddress(id)}"><code class="id">${id}</code></a></li>`)}</ul>`,
  };
}

/** A group of radio buttons with the first one selected. */
export const choices = (name: string, options: readonly (readonly [value: string, words: string])[]): Html =>
  html`<fieldset><legend class="hush">${name}</legend>${options.map(([value, words], index) => html`<label><input type="radio" name="${name}" value="${value}"${index === 0 && html` checked`}> ${words}</label>`)}</fieldset>`;
