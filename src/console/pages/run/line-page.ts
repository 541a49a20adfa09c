// `/console/runs/<id>/lines/<line>`: everything that one line of a run did, paginated.
import { isShown } from '../../../durable/history/effect.js';
import { html } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext } from '../console-page.js';
import { effectSummary } from './effect-summary.js';
import { readRounds, roundsQuery, runAddress } from './rounds-address.js';

const PAGE_SIZE = 40;

export async function linePage(
  request: ConsoleRequest,
  { store, history, textOf }: PageContext,
): Promise<ConsolePage | undefined> {
  const [, , id = '', , text = ''] = request.segments;
  const line = Number(text);
  const [run, past, traced] = await Promise.all([store.get(id), history(id), store.retrace(id)]);
  if (run === undefined || past === undefined || !Number.isInteger(line) || line < 1) return undefined;
  if (traced !== undefined) past.place(traced);
  const rounds = readRounds(request.query);
  const onlyFailed = request.query.get('failed') !== null;
  const all = (past.byLine(rounds, request.now).get(line)?.effects ?? []).filter(isShown);
  const failures = all.filter(({ ok }) => ok === false);
  const effects = onlyFailed ? failures : all;
  const first = Math.max(0, Number(request.query.get('from')) || 0);
  const shown = effects.slice(first, first + PAGE_SIZE);
  const view = textOf((await store.text(run.textHash))?.text ?? '');
  const source = (view.lines[line - 1] ?? [])
    .map((piece) => piece.text)
    .join('')
    .trim();
  const page = (from: number, words: string) =>
    html`<a href="/console/runs/${id}/lines/${line}${roundsQuery(rounds, { from: String(from), ...(onlyFailed ? { failed: '1' } : {}) })}">${words}</a>`;
  return {
    title: `Line ${line} of ${run.title}`,
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${runAddress(id, rounds)}#L${line}">${run.title}</a></p>
<h1>Line ${line}</h1><p class="lead"><code>${source}</code></p>
<p>${all.length} in all${failures.length > 0 && html`, <a href="/console/runs/${id}/lines/${line}${onlyFailed ? '' : '?failed=1'}">${onlyFailed ? 'show all' : `${failures.length} failed`}</a>`}${!past.isWhole && ' so far; reload for more'}</p>
<div class="effects">${shown.map((effect) => effectSummary(id, effect, request.now))}</div>
<nav class="pages" aria-label="Pages">${first > 0 && page(Math.max(0, first - PAGE_SIZE), 'Earlier')} ${first + PAGE_SIZE < effects.length && page(first + PAGE_SIZE, 'Later')}</nav>`,
  };
}
