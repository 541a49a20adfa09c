// Cancels, resumes and reruns runs, one from its page or several from the list, and sends a run the message that it waits for. Every action
// is confirmed on a page that works without the script.
import { counted } from '../../../../runtime/texts/words.js';
import type { RerunRequest } from '../../../durable/durable-engine.js';
import {
  type ChosenRuns,
  changeMany,
  chooseAmong,
  chooseRuns,
  type ManyAction,
  manyActions,
} from '../../../durable/engine/many-runs.js';
import { isMessageName } from '../../../durable/model/messages.js';
import { toRunHex, toRunId } from '../../../durable/model/run-ids.js';
import { isFinished, type RunDetail, type WaitingFor } from '../../../durable/model/run-views.js';
import { formField, type Html, html, nothing, shortened } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import { refused, saying, whichFit } from '../../html/notice.js';
import { stateMark } from '../../html/state-mark.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { filterQuery, PAGE_SIZE, readFilter, toRunQuery } from '../runs/run-filter.js';
import { listAddress } from '../runs/runs-page.js';
import { isUnfit, requestFrom, unfitRequest } from '../workflows/request-forms.js';
import { runAddress } from './rounds-address.js';

const isAction = (text: string | null): text is ManyAction => (manyActions as readonly (string | null)[]).includes(text);

/** Maximum runs that are selected one by one: an address holds their ids. */
const MOST_AT_ONCE = 200;

const dangerForm = (address: string, action: ManyAction, button: string, formToken: ConsoleRequest['formToken']): Html =>
  html`<form method="post" action="${address}/${action}" class="sure">${formField({ formToken })}<div class="actions"><button class="danger">${button}</button> <a class="quiet" href="${address}">Keep it</a></div></form>`;

const isOver = ({ run, status }: RunDetail): Html =>
  html`<p>This run is over: ${stateMark(status)}</p><p><a href="${runAddress(run)}">Back to the run</a></p>`;

/** `GET /console/runs/<id>/cancel` */
export async function cancelPage(
  { segments, formToken }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | undefined> {
  const run = await store.get(segments[2] ?? '');
  if (run === undefined) return undefined;
  const address = runAddress(run.run);
  const question = isFinished(run.status)
    ? isOver(run)
    : html`<p>The run of <b>${run.title}</b> about <bdi>${run.about}</bdi> ends as cancelled. A call in flight is broken off; what was done stays done.</p>
${dangerForm(address, 'cancel', 'Cancel the run', formToken)}`;
  return { title: 'Cancel a run', at: 'runs', content: html`<h1>Cancel this run?</h1>${question}` };
}

/** `GET /console/runs/<id>/erase` */
export async function erasePage(
  { segments, formToken }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | undefined> {
  const run = await store.get(segments[2] ?? '');
  if (run === undefined) return undefined;
  const address = runAddress(run.run);
  const others = [...(run.rerunOf === undefined ? [] : [run.rerunOf]), ...run.reruns];
  const content = html`<h1>Erase the data of this run?</h1>
<p>The request, the results, the log, the outcome and the questions to people of the run of <b>${run.title}</b> about <bdi>${run.about}</bdi> are deleted. What remains is that the run was, how it ended, and who erased it. This cannot be undone.</p>
${others.length > 0 && html`<p>The same request has: ${others.map((id) => html`<a href="${runAddress(id)}"><code class="id">${id.slice(0, 8)}</code></a> `)}</p>`}
${dangerForm(address, 'erase', 'Erase its data', formToken)}`;
  return { title: 'Erase a run', at: 'runs', content };
}

/** Leads to the question whether to end this wait. One without a time limit has no end to come to, and one before a retry has its own button. */
export const skipLink = ({ run, root }: RunDetail, { kind, line, until }: WaitingFor): Html =>
  root !== undefined || kind === 'retry' || line === undefined || until === undefined
    ? nothing
    : html` <a class="button end-wait" href="${runAddress(run)}/skip?line=${line}">${kind === 'time' ? 'Skip the wait' : 'Give up waiting'}…</a>`;

/** The questions of a run. A workflow that was called asks its own in the name of the run that someone started. */
export const answerAddress = ({ run, root = run }: Pick<RunDetail, 'run' | 'root'>): string => `/console/tasks?run=${root}`;

/** `GET /console/runs/<id>/skip?line=14` */
export async function skipPage(
  { segments, query, formToken }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | undefined> {
  const run = await store.get(segments[2] ?? '');
  if (run === undefined) return undefined;
  const line = query.get('line') ?? '';
  const question = html`<p>The run of <b>${run.title}</b> about <bdi>${run.about}</bdi> goes on after line ${line} as if the time had come: after a wait, with the next line; after a question or a message, as if nobody had answered in time.</p>
<form method="post" action="${runAddress(run.run)}/skip" class="sure">${formField({ formToken })}<input type="hidden" name="line" value="${line}"><div class="actions"><button class="main">End the wait</button> <a class="quiet" href="${runAddress(run.run)}">Go on waiting</a></div></form>`;
  const content = html`<h1>End this wait?</h1>
${isFinished(run.status) ? isOver(run) : question}`;
  return { title: 'End a wait', at: 'runs', content };
}

/** Changes that need nothing but the run. */
const plainChanges = ['cancel', 'erase', 'resume', 'retry'] as const;

/** `POST /console/runs/<id>/cancel`, `/erase`, `/resume`, `/retry` and `/skip` */
export async function changeRun(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const { segments, form, actor } = request;
  const [, , id = '', what] = segments;
  const plain = plainChanges.find((one) => one === what);
  if (plain === undefined && what !== 'skip') return undefined;
  const change = await (plain === undefined
    ? store.skip(id, Number(form.get('line')) || undefined, actor)
    : store[plain](id, actor));
  if (change.kind === 'unknown') return undefined;
  if (change.kind === 'elsewhere')
    return refused('Another process has this run and did not answer. Try again in a moment.', runAddress(id), request);
  const { status } = change.state;
  // One button, pressed twice.
  const isDoneBefore = what === 'cancel' && status === 'cancelled';
  if (change.kind === 'not possible' && !isDoneBefore) return refused(change.problem, runAddress(id), request);
  const isLater = what === 'cancel' && status !== 'cancelled';
  const isStuck = what === 'resume' && status === 'stuck';
  return { goTo: `${runAddress(id)}?did=${isLater ? 'cancel-later' : isStuck ? 'stuck-again' : what}` };
}

/** `POST /console/runs`: leads to the question whether to do it, or does what was confirmed there. */
export async function changeRuns(request: ConsoleRequest, { store }: PageContext): Promise<GoTo> {
  const { form } = request;
  const action = form.get('do');
  const back = filterQuery(readFilter(new URLSearchParams(form.get('back') ?? '')));
  const told = (did: string): GoTo => toldIn(back, did);
  if (action === 'compare') return { goTo: `/console/compare?${comparedIn(form, back)}` };
  if (!isAction(action)) return told('did=nothing');
  if (form.get('sure') === null) {
    const all = form.get('all') !== null;
    const ids = idsIn(form);
    if (!all && ids.length === 0) return told('did=nothing');
    const chosen = all ? 'all=1' : `runs=${ids.join()}`;
    return { goTo: `/console/change?do=${action}&${chosen}&back=${encodeURIComponent(back)}` };
  }
  const chosen = await chosenIn(form, action, request.now, store);
  if (chosen.runs.length === 0) return told(noneOf(chosen, form));
  const { changed, refused: others } = await changeMany(store, chosen, { rerun: choiceOf(form), by: request.actor });
  const { goTo } = told(`did=${action}&done=${changed}&of=${chosen.runs.length}`);
  return { goTo: others[0] === undefined ? goTo : saying(goTo, others[0].problem, request.formToken) };
}

/** For the notice that there is nothing to do. */
const noneOf = ({ action, unfit, rerunBefore }: ChosenRuns, given: URLSearchParams): string => {
  const what = action === 'rerun' && unfit === 0 && rerunBefore > 0 ? 'rerun-before' : action;
  return `did=none-${what}&of=${given.get('all') === null ? unfit + rerunBefore : 0}`;
};

/** Ids of the chosen runs, each in a field of the list, or all in one of an address: 32 hexadecimal digits each. */
function idsIn(given: URLSearchParams): string[] {
  const short = (given.get('runs') ?? '').split(',').filter((id) => /^[0-9a-f]{32}$/.test(id));
  return [...new Set([...given.getAll('run').flatMap((run) => toRunHex(run) ?? []), ...short])].slice(0, MOST_AT_ONCE);
}

/** The list with this filter, and what was done. */
export const toldIn = (back: string, did: string): GoTo => ({ goTo: `/console?${back}${back === '' ? '' : '&'}${did}` });

/** `GET /console/change?do=rerun&all=1&back=…`: asks whether to do it. Its address names everything, so that going back leads here again. */
export async function changePage(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const { query } = request;
  const action = query.get('do');
  if (!isAction(action)) return undefined;
  const chosen = await chosenIn(query, action, request.now, store);
  const { runs } = chosen;
  if (runs.length === 0)
    return toldIn(filterQuery(readFilter(new URLSearchParams(query.get('back') ?? ''))), noneOf(chosen, query));
  const from = Math.min(wholeNumberIn(query, 'from'), runs.length - 1);
  const size = query.get('all') === null && runs.length > PAGE_SIZE ? LEAST_LISTED : MOST_LISTED;
  return confirmPage(chosen, { from, size }, await readRuns(runs.slice(from, from + size), store), request);
}

/** The runs that a form or an address chooses and that the action fits: of some named by their ids, or of all that the filter of the list finds. */
async function chosenIn(
  given: URLSearchParams,
  action: ManyAction,
  now: number,
  store: PageContext['store'],
): Promise<ChosenRuns> {
  if (given.get('all') === null) return chooseAmong(action, await readRuns(idsIn(given).map(toRunId), store));
  const filter = readFilter(new URLSearchParams(given.get('back') ?? ''));
  const { mostRead: _, ...query } = toRunQuery({ ...filter, sort: '', cursor: '' }, now);
  return chooseRuns(store, action, query);
}

function comparedIn(form: URLSearchParams, back: string): string {
  const query = new URLSearchParams(back === '' ? {} : { back });
  for (const id of form.getAll('run').slice(0, 3)) query.append('run', id);
  return query.toString();
}

async function readRuns(ids: readonly string[], store: PageContext['store']): Promise<RunDetail[]> {
  const runs: RunDetail[] = [];
  for (const id of ids) {
    const run = await store.get(id);
    if (run !== undefined) runs.push(run);
  }
  return runs;
}

/** The choices for a rerun. What a form leaves out defaults to the safe choice. */
export const choiceOf = (form: URLSearchParams): RerunRequest => ({
  from: form.get('from') === 'failure' ? 'failure' : 'start',
  workflow: form.get('workflow') === 'current' ? 'current' : 'recorded',
});

const QUESTIONS: Readonly<Record<ManyAction, { readonly title: string; readonly text: string; readonly button: string }>> = {
  cancel: {
    title: 'Cancel',
    text: 'Each run that is not over ends as cancelled. Calls in flight are broken off; what was done stays done.',
    button: 'Cancel them',
  },
  resume: { title: 'Resume', text: 'Each run that is stuck tries again where it stopped.', button: 'Resume them' },
  retry: { title: 'Retry', text: 'Each run that waits to try a call again tries it now.', button: 'Retry them now' },
  erase: {
    title: 'Erase the data of',
    text: 'The requests, results, logs and outcomes of runs that are over are deleted. This cannot be undone.',
    button: 'Erase their data',
  },
  rerun: {
    title: 'Rerun',
    text: 'Each run that is over starts again, as a new run with the same request.',
    button: 'Rerun them',
  },
};

/** Runs that a question lists on each page: fewer where the address is long, because its links have all of it. */
const MOST_LISTED = 20;
const LEAST_LISTED = 8;

/** @param shown those listed on this page, from the one at `from` on */
function confirmPage(
  { action, runs: all, unfit, rerunBefore }: ChosenRuns,
  { from, size }: { readonly from: number; readonly size: number },
  shown: readonly RunDetail[],
  { query, formToken }: ConsoleRequest,
): ConsolePage {
  const { title, text, button } = QUESTIONS[action];
  const count = all.length;
  const heading = `${title} ${count} run${count === 1 ? '' : 's'}?`;
  const back = query.get('back') ?? '';
  const chosen = ['all', 'runs'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  const page = (at: number, words: string): Html => {
    const address = new URLSearchParams(query);
    address.set('from', String(at));
    return html`<a href="/console/change?${address.toString()}">${words}</a>`;
  };
  const next = from + size;
  return {
    title: heading,
    at: 'runs',
    content: html`<h1>${heading}</h1><p>${text}</p>${unfit > 0 && html`<p class="hint">${counted(unfit, 'other run')} ${unfit === 1 ? 'is' : 'are'} left out: ${whichFit(action)}</p>`}${rerunBefore > 0 && html`<p class="hint">${counted(rerunBefore, 'other run')} ${rerunBefore === 1 ? 'has' : 'have'} been rerun already, and ${rerunBefore === 1 ? 'is' : 'are'} left out. To rerun one once more, use its own page.</p>`}
<form method="post" action="/console/runs" class="sure">${formField({ formToken })}<input type="hidden" name="do" value="${action}"><input type="hidden" name="sure" value="1"><input type="hidden" name="back" value="${back}">${chosen}
${
  action === 'rerun' &&
  html`${choices('from', [
    ['failure', 'From the failure: recorded results are kept, and nothing that succeeded is sent again'],
    ['start', 'From the start: every call is sent again, also those that succeeded'],
  ])}${choices('workflow', [
    ['recorded', 'With the text that each run used'],
    ['current', 'With the text that is served now'],
  ])}`
}
<div class="actions"><button class="${action === 'cancel' || action === 'erase' ? 'danger' : 'main'}">${button}</button> <a class="quiet" href="${listAddress(back)}">Do nothing</a></div></form>
${count > shown.length && html`<p class="hint">${from + 1} to ${Math.min(next, count)} of ${count}</p>`}
<table class="runs"><thead><tr><td class="pick"></td><th>State</th><th>Workflow</th><th>About</th><th>Started</th></tr></thead><tbody>${shown.map((run) => chosenRun(run, action))}</tbody></table>
${count > shown.length && html`<nav class="pages" aria-label="Pages">${from > 0 && page(Math.max(0, from - size), 'Previous page')} ${next < count && page(next, 'Next page')}</nav>`}`,
  };
}

const MOST_OF_A_REASON = 300;

/** Says what the run is about and why it failed; for a rerun, also what it would repeat. */
function chosenRun(run: RunDetail, action: ManyAction): Html {
  const { message = '' } = run;
  return html`<tr><td class="pick"></td><td>${stateMark(run.status)}</td><td><a href="${runAddress(run.run)}">${run.title}</a></td>
<td class="about"><bdi>${run.about}</bdi>${message !== '' && html`<bdi class="hint">${shortened(message, MOST_OF_A_REASON)}</bdi>`}${action === 'rerun' && html`<span class="hint">${sentAgain(run)}</span>`}${action === 'rerun' && run.reruns.length > 0 && html`<span class="hint">Already rerun: ${run.reruns.slice(0, 3).map((id) => html`<a href="${runAddress(id)}"><code class="id">${id.slice(0, 8)}</code></a> `)}</span>`}</td>
<td class="when">${moment(run.createdAt)}</td></tr>`;
}

function sentAgain({ status, error, effects }: RunDetail): Html {
  if (!isFinished(status)) return html`It is not over yet, so nothing is repeated.`;
  const all = `From the start: everything${effects === 0 ? '' : effects === 1 ? ', 1 call or wait' : `, ${effects} calls and waits`}.`;
  if (status !== 'error' && status !== 'cancelled') return html`From the failure: nothing, because it did not fail. ${all}`;
  return html`From the failure: ${error?.line === undefined ? 'what was not done' : `line ${error.line} and what follows`}. ${all}`;
}

const LEGENDS = { from: 'Where to start', workflow: 'Which text' } as const;

/** A group of radio buttons with the first one selected. */
export const choices = (name: keyof typeof LEGENDS, options: readonly (readonly [value: string, words: string])[]): Html =>
  html`<fieldset><legend class="hush">${LEGENDS[name]}</legend>${options.map(([value, words], index) => html`<label><input type="radio" name="${name}" value="${value}"${index === 0 && html` checked`}> ${words}</label>`)}</fieldset>`;

/** Folded, for each message that a branch of the run waits for. */
export function messageForms({ run, root }: RunDetail, waits: readonly WaitingFor[], request: ConsoleRequest): Html {
  const names = [...new Set(waits.flatMap(({ kind, name }) => (kind === 'message' && name !== undefined ? [name] : [])))];
  if (names.length === 0) return nothing;
  return html`${names.map(
    (name) =>
      html`<details class="card" id="send-${name}"><summary>Send the message ${name}…</summary>${messageForm(root ?? run, name, '{}', request)}</details>`,
  )}`;
}

const messageForm = (run: string, name: string, json: string, request: ConsoleRequest): Html =>
  html`<form method="post" action="${runAddress(run)}/message" class="try">${formField(request)}<input type="hidden" name="name" value="${name}">
<label>Fields as JSON <textarea name="json" rows="3" spellcheck="false">
${json}</textarea></label><button>Send it to this run</button></form>`;

export async function sendMessage(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const { segments, form, actor } = request;
  const run = segments[2] ?? '';
  const name = form.get('name') ?? '';
  if (!isMessageName(name)) return undefined;
  const json = form.get('json') ?? '';
  const body = requestFrom(new URLSearchParams({ json }), {});
  if (isUnfit(body)) {
    const problem = typeof body === 'string' ? body.replace('The request', 'The message') : 'The message does not fit.';
    const content = html`<p class="crumbs"><a href="${runAddress(run)}">Back to the run</a></p><h1>Send the message ${name}</h1>
${unfitRequest(problem)}${messageForm(run, name, json, request)}`;
    return { status: 400, title: 'Not sent', at: 'runs', content };
  }
  const sent = await store.send({ name, body, run }, actor);
  if (sent.kind === 'unknown run') return undefined;
  if (sent.kind !== 'sent') return refused('The run has ended and takes no more messages.', runAddress(run), request);
  return { goTo: `${runAddress(run)}?did=${sent.delivered === 1 ? 'message' : 'message-kept'}` };
}
