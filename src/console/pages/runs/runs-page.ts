// Lists runs by a filter that the address holds whole, or says why there are none and what to do next. A filter can be saved as a view for
// everyone, under a name that is its address.
import { DAY_MS } from '../../../../runtime/dates/date-unit.js';
import { counted } from '../../../../runtime/texts/words.js';
import type { ReasonGroup, RunQuery, RunSummary, SavedView, StoreStats } from '../../../durable/model/run-views.js';
import { fingerprint } from '../../code/code-lines.js';
import type { ServedWorkflow } from '../../console-options.js';
import { copyable, fittingRows, formField, type Html, html, nothing, shortened } from '../../html/html.js';
import { durationWords, moment } from '../../html/moment.js';
import { notice, refused } from '../../html/notice.js';
import { allStatuses, shape, stateMark, stateWord } from '../../html/state-mark.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { waitingWords } from '../run/effect-summary.js';
import { exampleRequest } from '../workflows/request-forms.js';
import { trendStrip } from '../workflows/trend-strip.js';
import {
  filterForm,
  filterQuery,
  filterWords,
  ignoredWords,
  isFiltered,
  PAGE_SIZE,
  type RunFilter,
  readFilter,
  runsAddress,
  sinceTimeOfDay,
  toRunQuery,
  WAITING_AGES,
} from './run-filter.js';

export async function runsPage(
  request: ConsoleRequest,
  { store, stats: figures, trends, workflows, baseOf }: PageContext,
): Promise<ConsolePage | GoTo> {
  const since = sinceTimeOfDay(request.query.get('at'), request.now);
  if (since !== undefined) return { goTo: runsAddress({ ...readFilter(request.query), since, cursor: '' }) };
  const views = await store.views.list();
  const { filter, view } = filterIn(request.query, views);
  // An open page says how many rows it has: each of them is updated, however many fit on a page that is sent.
  const shown = Number.parseInt(String(request.exchange.request.headers['x-wf-live']), 10);
  const isUpdate = !Number.isNaN(shown);
  const asked = toRunQuery(filter, request.now);
  const query = isUpdate ? { ...asked, limit: Math.max(shown, PAGE_SIZE) } : asked;
  const isByReason = request.query.get('by') === 'reason';
  const [found, count, stats, month, groups] = await Promise.all([
    store.list(query),
    isFiltered(filter) && !(isUpdate && isCostly(query)) ? countWords(store, query) : undefined,
    figures(new Date(request.now - DAY_MS).toISOString()),
    trends(),
    isByReason || showsCauses(filter) ? store.reasons(query) : [],
  ]);
  const served = workflows();
  const titles = new Map(served.map(({ name, prepared }) => [name, prepared.workflow.name]));
  const names = new Set([...titles.keys(), ...served.flatMap(calledBy), ...stats.workflows.map(({ workflow }) => workflow)]);
  if (filter.workflow !== '') names.add(filter.workflow);
  const above = html`<h1>Runs</h1>${notice(request)}${ignoredWords(request.query).map((words) => html`<p class="notice refused" role="alert"><bdi>${words}</bdi></p>`)}${(found.unreadable ?? []).map(leftOut)}
${numbers(stats, filter)}
${filter.workflow === '' ? trendStrip(month.all, undefined) : trendStrip(month.workflows.get(filter.workflow), filter.workflow)}
${filterForm(filter, [...names].sort(), titles)}${viewBar(views, filter, view, isByReason, request)}
${filter.status === 'waiting' && agesOfWaiting(filter)}
${groups.length > 0 && causeList(groups, filter, titles, isByReason, request)}
<div id="news" class="news" role="status"></div>`;
  const rowsOf = (runs: readonly RunSummary[]): Html[] =>
    runs.map((run) => row(run, titles.get(run.workflow) ?? run.workflow, request.now));
  const rows = rowsOf(found.runs);
  const fitting = isUpdate ? rows.length : fittingRows(rows, LEAST_ROWS, above);
  const { runs, next, note } = fitting < rows.length ? await store.list({ ...query, limit: fitting }) : found;
  const base = baseOf(request.exchange.request);
  const list =
    runs.length === 0
      ? noRuns(filter, titles, served, base, note)
      : runsForm(runs === found.runs ? rows : rowsOf(runs), request, filter);
  return {
    title: 'Runs',
    at: 'runs',
    live: 'runs',
    content: html`${above}
${note !== undefined && runs.length > 0 && html`<p class="hint">${note}</p>`}
<div id="runs">${runs.length > 0 && count !== undefined && html`<p class="hint" id="count">${count}: ${filterWords(filter, titles)}</p>`}${list}</div>
${pages(filter, next)}`,
  };
}

const LEAST_ROWS = 5;

/** Runs that are counted. Most filters find fewer. */
const MOST_COUNTED = 10_000;

/** Counts the runs that a filter finds, on all pages of the list. */
async function countWords(store: PageContext['store'], query: RunQuery): Promise<string> {
  const count = await store.count(query, MOST_COUNTED + 1);
  if (count > MOST_COUNTED) return `More than ${MOST_COUNTED.toLocaleString('en')} runs`;
  // A search for the id of a called run finds it, which no count does.
  return counted(Math.max(1, count), 'run');
}

/** The counts of these are made of the runs themselves, so the updates of a page leave them out. */
const isCostly = ({ reason, waitingSince }: RunQuery): boolean => reason !== undefined || waitingSince !== undefined;

/** Leads to the runs that have waited for longer. */
const agesOfWaiting = (filter: RunFilter): Html =>
  html`<p class="ages">Waiting for longer than ${WAITING_AGES.map(([waiting, words]) => html`<a href="${runsAddress({ ...filter, waiting, cursor: '' })}"${filter.waiting === waiting && html` aria-current="true"`}>${words}</a> `)}</p>`;

/** Beside the list of the runs; the whole list has a page. */
const MOST_BESIDE = 6;
const MOST_OF_ALL = 20;

/** Lists the reasons for which runs failed, with their numbers: each links to its runs. */
function causeList(
  groups: readonly ReasonGroup[],
  filter: RunFilter,
  titles: ReadonlyMap<string, string>,
  isAll: boolean,
  request: ConsoleRequest,
): Html {
  const shown = groups.slice(0, isAll ? MOST_OF_ALL : MOST_BESIDE);
  const rest = groups.length - shown.length;
  const { workflow, version, since, until, q } = filter;
  const kept = { workflow, version, since, until, q };
  const cause = ({ reason, runs, workflows, first, last }: ReasonGroup): Html => {
    const of = workflows.map((name) => titles.get(name) ?? name).join(', ');
    const its = { ...kept, status: filter.status, reason };
    const when = runs === 1 ? moment(last) : html`${moment(first)} to ${moment(last)}`;
    return html`<li><a href="${runsAddress(its)}">${runs} × <bdi>${reason}</bdi></a> <span class="hint">${of} · ${when}</span>${rerunAll(its, runs, request)}</li>`;
  };
  return html`<section id="causes" class="causes" aria-labelledby="causes-name"><h2 id="causes-name">Causes</h2>
<ul>${shown.map(cause)}</ul>${rest > 0 && isAll && html`<p class="hint">And ${rest} rarer ones. Narrow the filter to see them.</p>`}${rest > 0 && !isAll && html`<p><a href="${runsAddress({ ...kept, status: filter.status })}&amp;by=reason">All ${groups.length} causes</a></p>`}</section>`;
}

/** Leads to the question whether to rerun all that failed alike. */
const rerunAll = (its: Partial<RunFilter>, runs: number, request: ConsoleRequest): Html =>
  html`<form method="post" action="/console/runs" class="assign">${formField(request)}<input type="hidden" name="back" value="${filterQuery(its)}"><input type="hidden" name="all" value="1"><button name="do" value="rerun" aria-label="Rerun ${runs === 1 ? 'it, the only one' : `all ${runs}`} of this cause">Rerun ${runs === 1 ? 'it' : `all ${runs}`}…</button></form>`;

/** Lists of failed runs show why they failed. */
const showsCauses = ({ status, reason, cursor }: RunFilter): boolean =>
  (status === 'error' || status === 'stuck') && reason === '' && cursor === '';

/** Names of the workflows that this one calls. */
const calledBy = ({ prepared: { called = [] } }: ServedWorkflow): string[] =>
  called.flatMap(({ name }) => (name.endsWith('.wf') ? [name.slice(name.lastIndexOf('/') + 1, -'.wf'.length)] : []));

const leftOut = (file: string): Html =>
  html`<p class="notice" role="status">The file ${file} of the store cannot be read. The runs in it are not shown.</p>`;

/** Counts of the last hour and day, each linked to its runs. */
function numbers({ lastHour, lastDay, unfinished, madeGood }: StoreStats, filter: RunFilter): Html {
  const cells = allStatuses.map((status) => {
    const isOpen = status === 'running' || status === 'waiting' || status === 'stuck';
    const all = isOpen ? unfinished[status] : lastDay[status];
    const since = isOpen ? '' : '24h';
    const isHere = filter.status === status && filter.since === since;
    return html`<li><a class="number ${status}${all === 0 && ' none'}" href="${runsAddress({ status, since })}"${isHere && html` aria-current="true"`}>
<span class="state ${status}">${shape(status)}${stateWord(status)}</span><b>${all}</b><span class="hint">${lastHour[status]} in the last hour${status === 'error' && madeGood.lastDay > 0 && `, ${madeGood.lastDay} made good`}</span></a></li>`;
  });
  return html`<ul id="numbers" class="numbers" aria-label="Runs by state">${cells}</ul><p class="hint">Runs of the last 24 hours. Running, waiting and stuck runs are counted whatever their age.</p>`;
}

function runsForm(rows: readonly Html[], request: ConsoleRequest, filter: RunFilter): Html {
  const isViewer = request.actor.role === 'viewer';
  const compare = html`<button name="do" value="compare">Compare two</button>`;
  const others = html`<span class="hint">With the selected runs, or <label class="all"><input type="checkbox" name="all" value="1"> everything that the filter finds</label>:</span> <button name="do" value="cancel">Cancel</button> <button name="do" value="resume">Resume</button> <button name="do" value="retry">Retry now</button> <button name="do" value="rerun">Rerun</button> ${compare} <button name="do" value="erase">Erase…</button>`;
  return html`${isViewer ? html`<form action="/console/compare">` : html`<form method="post" action="/console/runs">${formField(request)}`}<input type="hidden" name="back" value="${filterQuery(filter)}">
<table class="runs"><thead><tr><th class="pick"><span class="hush">Select</span></th><th>State</th><th>Workflow</th><th>About</th><th>Started</th><th class="num">Took</th></tr></thead>
<tbody id="rows">${rows}</tbody></table>
<div class="bulk" role="group" aria-label="With the selected runs">${isViewer ? compare : others}</div></form>`;
}

function row(run: RunSummary, title: string, now: number): Html {
  const content = html`<td class="pick"><input type="checkbox" name="run" value="${run.run}" aria-label="Select ${title}: ${run.about}"></td><td>${stateMark(run.status)}</td><td><a href="/console/runs/${run.run}">${title}</a></td><td class="about"><bdi>${run.about}</bdi>${run.waitingFor !== undefined && html`<span class="hint">${waitingWords(run.waitingFor, now)}${run.waitingFor.others !== undefined && html` · and ${run.waitingFor.others} more`}</span>`}${run.status !== 'waiting' && run.message !== undefined && run.message !== '' && html`<bdi class="hint">${shortened(run.message, MOST_OF_A_MESSAGE)}</bdi>`}${run.madeGoodBy !== undefined && html`<span class="hint">Made good by <a href="/console/runs/${run.madeGoodBy}">a rerun</a></span>`}</td><td class="when">${moment(run.createdAt)}</td><td>${durationWords(run.durationMs)}</td>`;
  const version = fingerprint(
    `${run.status}${run.madeGoodBy ?? ''}${run.waitingFor?.kind ?? ''}${run.waitingFor?.until ?? ''}${run.waitingFor?.others ?? ''}${run.finishedAt ?? ''}`,
  );
  return html`<tr id="r${run.run}" data-v="${version}">${content}</tr>`;
}

/** Enough for the advice at the end of nearly every message. */
const MOST_OF_A_MESSAGE = 400;
function pages(filter: RunFilter, next: string | undefined): Html {
  if (next === undefined && filter.cursor === '') return nothing;
  return html`<nav class="pages" aria-label="Pages">${filter.cursor !== '' && html`<a href="${runsAddress({ ...filter, cursor: '' })}">First page</a>`} ${next !== undefined && html`<a rel="next" href="${runsAddress({ ...filter, cursor: next })}">${filter.sort === '' ? 'Older runs' : 'Next page'}</a>`}</nav>`;
}

function noRuns(
  filter: RunFilter,
  titles: ReadonlyMap<string, string>,
  workflows: readonly ServedWorkflow[],
  base: string,
  note: string | undefined,
): Html {
  if (filter.cursor !== '') return html`<div class="empty"><p>There are no older runs.</p></div>`;
  if (isFiltered(filter))
    return html`<div class="empty"><p>No run matches this filter: ${filterWords(filter, titles)}.</p>${note !== undefined && html`<p>${note}</p>`}<p><a href="/console">Show all runs</a></p></div>`;
  const [first] = workflows;
  if (first === undefined) return html`<div class="empty"><p>No run has started yet, and no workflow is served.</p></div>`;
  const body = JSON.stringify(exampleRequest(first.prepared.workflow)).replaceAll("'", "'\\''");
  return html`<div class="empty"><p>No run has started yet. Each request to a workflow is a run; send the first one:</p>
${copyable(`curl -X POST ${base}${first.path} -H 'Content-Type: application/json' -d '${body}'`)}
<p>Or <a href="/console/workflows/${encodeURIComponent(first.name)}">try ${first.prepared.workflow.name}</a> with mock services first: nothing leaves this machine.</p></div>`;
}

/** The address of the list that a form came from, by its field `back`. Only filters count: the field is the browser's. */
export const listAddress = (back: string | null): string => runsAddress(readFilter(new URLSearchParams(back ?? '')));

const LONGEST_NAME = 60;

const viewAddress = (name: string): string => `/console?view=${encodeURIComponent(name)}`;

/** The filter of an address, which names a view or holds all of it. A page of a view continues where the page before it ended. */
function filterIn(
  query: URLSearchParams,
  views: readonly SavedView[],
): { readonly filter: RunFilter; readonly view?: SavedView } {
  const view = views.find(({ name }) => name === query.get('view'));
  if (view === undefined) return { filter: readFilter(query) };
  return { filter: { ...readFilter(new URLSearchParams(view.query)), cursor: query.get('cursor') ?? '' }, view };
}

/** Links to the views, and a form that saves what the list shows now, or removes the view that it shows. */
function viewBar(
  views: readonly SavedView[],
  filter: RunFilter,
  view: SavedView | undefined,
  isByReason: boolean,
  request: ConsoleRequest,
): Html {
  const canSave = view === undefined && !isByReason && (isFiltered(filter) || filter.sort !== '');
  const missing = request.query.get('view');
  if (views.length === 0 && !canSave && missing === null) return nothing;
  return html`<nav class="views" aria-label="Saved views">${missing !== null && view === undefined && html`<p class="notice" role="status">There is no saved view called <bdi>${missing}</bdi>.</p>`}
${views.length > 0 && html`<ul>${views.map(({ name, by }) => html`<li><a href="${viewAddress(name)}"${by !== undefined && html` title="Saved by ${by}"`}${name === view?.name && html` aria-current="page"`}><bdi>${name}</bdi></a></li>`)}</ul>`}
${canSave && html`<details><summary>Save this view…</summary><form method="post" action="/console/views" class="assign">${formField(request)}<input type="hidden" name="query" value="${filterQuery({ ...filter, cursor: '' })}"><label><span class="hush">Name of the view</span><input name="name" required maxlength="${LONGEST_NAME}" placeholder="Name, for everyone"></label> <button>Save</button></form></details>`}
${view !== undefined && html`<form method="post" action="/console/views" class="assign">${formField(request)}<input type="hidden" name="name" value="${view.name}"><button name="remove" value="1" class="quiet">Remove this view</button></form>`}</nav>`;
}

/** `POST /console/views` */
export async function saveView(request: ConsoleRequest, { store, workflows }: PageContext): Promise<ConsolePage | GoTo> {
  const { form, actor } = request;
  const name = (form.get('name') ?? '').trim().slice(0, LONGEST_NAME);
  if (form.get('remove') !== null) {
    await store.views.remove(name);
    return { goTo: '/console?did=view-removed' };
  }
  // Only what the list understands is kept.
  const query = filterQuery({ ...readFilter(new URLSearchParams(form.get('query') ?? '')), cursor: '' });
  const given = workflows().map(({ prepared }) => prepared.workflow);
  const kept = name === '' ? undefined : await store.views.save({ name, query, by: actor.name }, given);
  if (kept?.isSaved === true) return { goTo: `${viewAddress(kept.name)}&did=view` };
  const problem =
    kept === undefined
      ? 'A view needs a name. Nothing was saved.'
      : 'The view is not saved: there are 50 already. Remove one that nobody needs any more.';
  return refused(problem, `/console?${query}`, request, kept === undefined ? 400 : 409);
}
