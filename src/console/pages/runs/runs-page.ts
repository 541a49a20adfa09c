// Lists runs by a filter that the address holds whole, or says why there are none and what to do next.
import { DAY_MS } from '../../../../runtime/values/time-units.js';
import type { DurableStatus, RunQuery, RunSummary, StoreStats } from '../../../durable/model/run-views.js';
import { readTimeFilter } from '../../../durable/views/time-filter.js';
import { fingerprint } from '../../code/code-lines.js';
import type { ServedWorkflow } from '../../console-options.js';
import { copyable, formField, type Html, html, nothing, shortened } from '../../html/html.js';
import { durationWords, moment } from '../../html/moment.js';
import { notice } from '../../html/notice.js';
import { allStatuses, isStatus, shape, stateMark, stateWord } from '../../html/state-mark.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext } from '../console-page.js';
import { waitingWords } from '../run/effect-summary.js';
import { exampleRequest } from '../workflows/example-request.js';

export async function runsPage(
  request: ConsoleRequest,
  { store, stats: figures, workflows, baseOf }: PageContext,
): Promise<ConsolePage> {
  const filter = readFilter(request.query);
  const [{ runs, next, unreadable = [], note }, stats] = await Promise.all([
    store.list(toRunQuery(filter, request.now)),
    figures(new Date(request.now - DAY_MS).toISOString()),
  ]);
  const served = workflows();
  const titles = new Map(served.map(({ name, prepared }) => [name, prepared.workflow.name]));
  const names = new Set([...titles.keys(), ...served.flatMap(calledBy), ...stats.workflows.map(({ workflow }) => workflow)]);
  if (filter.workflow !== '') names.add(filter.workflow);
  const list =
    runs.length === 0 ? noRuns(filter, served, baseOf(request.exchange.request), note) : runsForm(runs, titles, request, filter);
  return {
    title: 'Runs',
    at: 'runs',
    live: 'runs',
    content: html`<h1>Runs</h1>${notice(request.query)}${unreadable.map(leftOut)}
${numbers(stats, filter)}
${filterForm(filter, [...names].sort(), titles)}
<div id="news" class="news" role="status"></div>
<div id="runs">${list}</div>
${pages(filter, next)}`,
  };
}

/** Names of the workflows that this one calls. */
const calledBy = ({ prepared: { called = [] } }: ServedWorkflow): string[] =>
  called.flatMap(({ name }) => (name.endsWith('.wf') ? [name.slice(name.lastIndexOf('/') + 1, -'.wf'.length)] : []));

const leftOut = (file: string): Html =>
  html`<p class="notice" role="status">The file ${file} of the store cannot be read. The runs in it are not shown.</p>`;

/** Counts of the last hour and day, each linked to its runs. */
function numbers({ lastHour, lastDay, unfinished }: StoreStats, filter: RunFilter): Html {
  const cells = allStatuses.map((status) => {
    const isHere = filter.status === status;
    const all = status === 'running' || status === 'waiting' || status === 'stuck' ? unfinished[status] : lastDay[status];
    const since = all === lastDay[status] ? '24h' : '';
    return html`<li><a class="number ${status}${all === 0 && ' none'}" href="${runsAddress({ status, since })}"${isHere && html` aria-current="true"`}>
<span class="state ${status}">${shape(status)}${stateWord(status)}</span><b>${all}</b><span class="hint">${lastHour[status]} in the last hour</span></a></li>`;
  });
  return html`<ul id="numbers" class="numbers" aria-label="Runs by state">${cells}</ul><p class="hint">Runs of the last 24 hours. Running, waiting and stuck runs are counted whatever their age.</p>`;
}

function filterForm(filter: RunFilter, names: readonly string[], titles: ReadonlyMap<string, string>): Html {
  const option = (value: string, words: string, current: string): Html =>
    html`<option value="${value}"${value === current && html` selected`}>${words}</option>`;
  const times = TIMES.some(([value]) => value === filter.since)
    ? TIMES
    : [...TIMES, [filter.since, `Since ${filter.since}`] as const];
  return html`<form class="filter" role="search" aria-label="Filter the runs" action="/console">
<label>Workflow <select name="workflow">${option('', 'All', filter.workflow)}${names.map((name) => option(name, titles.get(name) ?? name, filter.workflow))}</select></label>
<label>State <select name="status">${option('', 'All', filter.status)}${allStatuses.map((status) => option(status, stateWord(status), filter.status))}</select></label>
<label>Time <select name="since">${times.map(([value, words]) => option(value, words, filter.since))}</select></label>
${filter.until !== '' && html`<input type="hidden" name="until" value="${filter.until}">`}
<label class="wide">Search <input type="search" name="q" value="${filter.q}" placeholder="Run id, or a value of the request"></label>
<button>Filter</button>${isFiltered(filter) && html` <a class="quiet" href="/console">Clear</a>`}</form>`;
}

function runsForm(
  runs: readonly RunSummary[],
  titles: ReadonlyMap<string, string>,
  request: ConsoleRequest,
  filter: RunFilter,
): Html {
  return html`<form method="post" action="/console/runs">${formField(request)}<input type="hidden" name="back" value="${filterQuery(filter)}">
<table class="runs"><thead><tr><th class="pick"><span class="hush">Select</span></th><th>State</th><th>Workflow</th><th>About</th><th>Started</th><th class="num">Took</th></tr></thead>
<tbody id="rows">${runs.map((run) => row(run, titles.get(run.workflow) ?? run.workflow, request.now))}</tbody></table>
<div class="bulk" role="group" aria-label="With the selected runs"><span class="hint">With the selected runs:</span> <button name="do" value="cancel">Cancel</button> <button name="do" value="resume">Resume</button> <button name="do" value="rerun">Rerun</button></div></form>`;
}

function row(run: RunSummary, title: string, now: number): Html {
  const content = html`<td class="pick"><input type="checkbox" name="run" value="${run.run}" aria-label="Select the run of ${title} about ${run.about}"></td>
<td>${stateMark(run.status)}</td><td><a href="/console/runs/${run.run}">${title}</a></td>
<td class="about"><bdi>${run.about}</bdi>${run.waitingFor !== undefined && html`<span class="hint">${waitingWords(run.waitingFor, now)}</span>`}${run.status !== 'waiting' && run.message !== undefined && run.message !== '' && html`<bdi class="hint">${shortened(run.message, MOST_OF_A_MESSAGE)}</bdi>`}</td>
<td class="when">${moment(run.createdAt)}</td><td class="num">${durationWords(run.durationMs)}</td>`;
  const version = fingerprint(`${run.status}${run.waitingFor?.kind ?? ''}${run.waitingFor?.until ?? ''}${run.finishedAt ?? ''}`);
  return html`<tr id="r${run.run}" data-v="${version}">${content}</tr>`;
}

/** Enough for the advice at the end of nearly every message. */
const MOST_OF_A_MESSAGE = 400;

function pages(filter: RunFilter, next: string | undefined): Html {
  if (next === undefined && filter.cursor === '') return nothing;
  return html`<nav class="pages" aria-label="Pages">${filter.cursor !== '' && html`<a href="${runsAddress({ ...filter, cursor: '' })}">Newest runs</a>`} ${next !== undefined && html`<a rel="next" href="${runsAddress({ ...filter, cursor: next })}">Older runs</a>`}</nav>`;
}

function noRuns(filter: RunFilter, workflows: readonly ServedWorkflow[], base: string, note: string | undefined): Html {
  if (filter.cursor !== '') return html`<div class="empty"><p>There are no older runs.</p></div>`;
  if (isFiltered(filter))
    return html`<div class="empty"><p>No run matches this filter.</p>${note !== undefined && html`<p>${note}</p>`}<p><a href="/console">Show all runs</a></p></div>`;
  const [first] = workflows;
  if (first === undefined) return html`<div class="empty"><p>No run has started yet, and no workflow is served.</p></div>`;
  const body = JSON.stringify(exampleRequest(first.prepared.workflow)).replaceAll("'", "'\\''");
  return html`<div class="empty"><p>No run has started yet. Each request to a workflow is a run; send the first one:</p>
${copyable(`curl -X POST ${base}${first.path} -H 'Content-Type: application/json' -d '${body}'`)}
<p>Or <a href="/console/workflows/${encodeURIComponent(first.name)}">try ${first.prepared.workflow.name}</a> with mock services first: nothing leaves this machine.</p></div>`;
}

interface RunFilter {
  readonly workflow: string;
  readonly status: DurableStatus | '';
  /** `1h`, `24h`, `7d`, `30d`, or ISO 8601. */
  readonly since: string;
  readonly until: string;
  readonly q: string;
  readonly cursor: string;
}

export const TIMES = [
  ['', 'Any time'],
  ['1h', 'Last hour'],
  ['24h', 'Last day'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;

/** Runs per page. */
export const PAGE_SIZE = 40;

function readFilter(query: URLSearchParams): RunFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, 500);
  const status = text('status');
  return {
    ...{ workflow: text('workflow'), status: isStatus(status) ? status : '', since: text('since'), until: text('until') },
    ...{ q: text('q'), cursor: text('cursor') },
  };
}

function toRunQuery(filter: RunFilter, now: number): RunQuery {
  const since = readTimeFilter(filter.since, now);
  const until = readTimeFilter(filter.until, now);
  return {
    limit: PAGE_SIZE,
    ...(filter.workflow === '' ? {} : { workflow: filter.workflow, withCalled: true }),
    ...(filter.status === '' ? {} : { status: filter.status }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(filter.q === '' ? {} : { q: filter.q }),
    ...(filter.cursor === '' ? {} : { cursor: filter.cursor }),
  };
}

const filterQuery = (filter: Partial<RunFilter>): string =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();

/** The address of the list that a form came from, by its field `back`. Only filters count: the field is the browser's. */
export const listAddress = (back: string | null): string => runsAddress(readFilter(new URLSearchParams(back ?? '')));

/** The address of the page with this filter. Omits what is empty. */
function runsAddress(filter: Partial<RunFilter>): string {
  const query = filterQuery(filter);
  return query === '' ? '/console' : `/console?${query}`;
}

const isFiltered = ({ cursor: _cursor, ...filter }: RunFilter): boolean => Object.values(filter).some((value) => value !== '');
