// `/console/compare?run=<id>&run=<id>`: two runs side by side over the text of the first: the first line that went another way, what their
// requests have in common, and the values of both beside each line.
import type { Retraced, RunDetail } from '../../../durable/model/run-views.js';
import { fingerprint, indentOf } from '../../code/code-lines.js';
import type { TextView } from '../../code/text-view.js';
import type { ValuesBeside } from '../../history/read-cache.js';
import { fittingRows, type Html, html, nothing, shortened } from '../../html/html.js';
import { durationWords, moment } from '../../html/moment.js';
import { stateMark } from '../../html/state-mark.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { filterQuery, readFilter } from '../runs/run-filter.js';
import { listAddress } from '../runs/runs-page.js';
import { textNews } from './rerun-page.js';
import { runAddress } from './rounds-address.js';
import { toldIn } from './run-actions.js';

interface Compared {
  readonly run: RunDetail;
  readonly traced: Retraced;
  readonly values: ValuesBeside;
}

/** Lines of a text on one page, and those before the first one that only one run came to. */
const MOST_LINES = 300;
const BEFORE = 20;
/** Fields that differ, to list. */
const MOST_FIELDS = 20;

export async function comparePage({ query }: ConsoleRequest, context: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const ids = query.getAll('run');
  const back = filterQuery(readFilter(new URLSearchParams(query.get('back') ?? '')));
  if (ids.length !== 2) return toldIn(back, 'did=two');
  const [one, other] = await Promise.all(ids.map((id) => read(id, context)));
  if (one === undefined || other === undefined) return undefined;
  const [text, otherText] = await Promise.all([one, other].map(({ run }) => context.store.text(run.textHash)));
  const isSame = text !== undefined && otherText?.text === text.text;
  const table = html`<p class="crumbs"><a href="${listAddress(back)}">Runs</a></p><h1>Two runs</h1>
<table class="two"><thead><tr><td></td>${[one, other].map(({ run }) => html`<th scope="col"><a href="${runAddress(run.run)}">${run.title}</a> ${moment(run.createdAt)}</th>`)}</tr></thead><tbody>
${row('State', one, other, ({ run }) => html`${stateMark(run.status)}`)}
${row('Took', one, other, ({ run }) => html`${durationWords(run.durationMs)}`)}
${(one.run.message ?? other.run.message) !== undefined && row('Message', one, other, ({ run }) => html`<bdi>${shortened(run.message ?? '', 400)}</bdi>`)}
${requestRows(one.run, other.run)}</tbody></table>`;
  const lines =
    isSame && text !== undefined
      ? sameText(context.textOf(text.text), { one, other, query, above: table })
      : html`<p>The two runs used different texts, so their lines are not compared.</p>${textNews(otherText?.text, text?.text)}`;
  return { title: 'Two runs', at: 'runs', content: html`${table}${lines}` };
}

async function read(id: string, { store, traceOf }: PageContext): Promise<Compared | undefined> {
  const run = await store.get(id);
  if (run === undefined) return undefined;
  const trace = await traceOf(run, []);
  return trace === undefined ? undefined : { run, traced: trace.traced, values: trace.values ?? new Map() };
}

const row = (name: string, one: Compared, other: Compared, of: (compared: Compared) => Html): Html =>
  html`<tr><th scope="row">${name}</th><td>${of(one)}</td><td>${of(other)}</td></tr>`;

function requestRows(one: RunDetail, other: RunDetail): Html {
  const shown = (value: unknown): string => (value === undefined ? '' : shortened(JSON.stringify(value), 200));
  const names = [...new Set([...Object.keys(one.request), ...Object.keys(other.request)])];
  const differing = names.filter((name) => JSON.stringify(one.request[name]) !== JSON.stringify(other.request[name]));
  if (differing.length === 0) return html`<tr><th scope="row">Request</th><td colspan="2">the same</td></tr>`;
  return html`${differing.slice(0, MOST_FIELDS).map((name) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td><bdi>${shown(one.request[name])}</bdi></td><td><bdi>${shown(other.request[name])}</bdi></td></tr>`)}`;
}

interface SameText {
  readonly one: Compared;
  readonly other: Compared;
  readonly query: URLSearchParams;
  /** The rest of the page. */
  readonly above: Html;
}

function sameText(view: TextView, { one, other, query, above }: SameText): Html {
  const lines = view.lines.map((pieces) => pieces.map((piece) => piece.text).join(''));
  const times = ({ traced }: Compared, line: number): number => traced.reached.get(line) ?? 0;
  const apart = lines.findIndex((_, index) => times(one, index + 1) > 0 !== times(other, index + 1) > 0) + 1;
  const asked = wholeNumberIn(query, 'from');
  // The first page begins with the text, unless the runs part later.
  const from = Math.min(asked > 0 ? asked : apart > MOST_LINES / 2 ? apart - BEFORE : 1, lines.length);
  const shown = lines.slice(from - 1, from - 1 + MOST_LINES);
  const at = (line: number, words: string): Html =>
    html`<p><a href="/console/compare?run=${one.run.run}&amp;run=${other.run.run}&amp;from=${line}">${words}</a></p>`;
  const verdict =
    apart === 0
      ? html`<p>Both runs came to the same lines.</p>`
      : html`<p>The first line that only one of them came to is <a href="#L${apart}">line ${apart}</a>.</p>`;
  const rows = shown.map((text, index) => {
    const line = from + index;
    const isApart = times(one, line) > 0 !== times(other, line) > 0;
    const state = isApart ? (line === apart ? 'waiting' : 'taken') : times(one, line) > 0 ? 'ran' : '';
    const content = html`<a class="no" href="#L${line}" tabindex="-1">${line}</a><code${indentOf(view.lines[line - 1] ?? [])}>${text}</code>${[one, other].map((compared) => cell(compared, line))}`;
    return html`<li id="L${line}"${state === '' ? nothing : html` class="${state}"`} data-v="${fingerprint(content.toString())}">${content}</li>`;
  });
  const fitting = fittingRows(rows, 1, above);
  return html`${verdict}${from > 1 && at(Math.max(1, from - MOST_LINES / 2), `Lines before ${from}`)}<ol class="code two">${rows.slice(0, fitting)}</ol>${from + fitting <= lines.length && at(from + fitting, `Lines from ${from + fitting}`)}`;
}

function cell({ traced, values }: Compared, line: number): Html {
  const times = traced.reached.get(line) ?? 0;
  const { shown = [], more = 0 } = values.get(line) ?? {};
  const count = times === 0 && shown.length === 0 ? nothing : html`${times > 1 ? `${times}×` : '✓'}`;
  return html`<span class="note">${count}${shown.map((text) => html` <q><bdi>${text}</bdi></q>`)}${more > 0 && html` <q>and ${more} more</q>`}</span>`;
}
