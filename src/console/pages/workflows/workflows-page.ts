// Lists the workflows with their runs of the last day, and shows one of them: how often each line ran recently, a form to try it, and the
// versions that unfinished runs still use.
import path from 'node:path';
import { DAY_MS } from '../../../../runtime/dates/date-unit.js';
import type { Trend, WorkflowStats } from '../../../durable/model/run-views.js';
import { AT_A_TIME, codeLines, firstRanges, lineFacts, type Reached } from '../../code/code-lines.js';
import type { ServedWorkflow, Timetable } from '../../console-options.js';
import { newestRuns, reachedLately } from '../../history/read-cache.js';
import { copyable, type Html, html, nothing } from '../../html/html.js';
import { durationWords } from '../../html/moment.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { drawingCard } from '../drawing-page.js';
import { tryForm } from './request-forms.js';
import { trendStrip } from './trend-strip.js';
import { byText, shortHash } from './versions.js';

export async function workflowsPage({ now }: ConsoleRequest, { stats, trends, workflows }: PageContext): Promise<ConsolePage> {
  const served = workflows();
  const [{ workflows: figures }, month] = await Promise.all([stats(new Date(now - DAY_MS).toISOString()), trends()]);
  return {
    title: 'Workflows',
    at: 'workflows',
    live: 'workflows',
    content: html`<h1>Workflows</h1>
<div id="workflows">${
      served.length === 0
        ? none
        : html`<ul class="workflows">${served.map((workflow) =>
            card(
              workflow,
              figures.find((one) => one.workflow === workflow.name),
              month.workflows.get(workflow.name),
              served,
            ),
          )}</ul>`
    }</div>`,
  };
}

const none = html`<div class="empty"><p>No workflows are being served. Create one and serve it:</p>${copyable('wf init my-workflows\nwf serve my-workflows --store runs --console')}</div>`;

function card(
  one: ServedWorkflow,
  figures: WorkflowStats | undefined,
  month: Trend | undefined,
  served: readonly ServedWorkflow[],
): Html {
  const { name, prepared, timetable } = one;
  const { workflow } = prepared;
  return html`<li class="card"><div><h2><a href="/console/workflows/${encodeURIComponent(name)}">${workflow.name}</a> <span class="hint">v${workflow.version}</span></h2>
<p class="hint">${workflow.trigger}</p><p><code>POST ${one.path}</code></p>${timetableLine(timetable)}${timetable !== undefined && trendStrip(month, name)}</div>
${figuresOf(figures, apart(one, served))}</li>`;
}

/** Figures count only runs that someone has started. Says so of a workflow that others call. */
function apart({ prepared: { folder = '', basename } }: ServedWorkflow, served: readonly ServedWorkflow[]): string {
  const file = path.join(folder, `${basename}.wf`);
  const isCalled = served.some(({ prepared: { called = [] } }) => called.some((one) => one.path === file));
  return isCalled ? ', apart from those that other workflows have called' : '';
}

/** When it is due, in the zone of the timetable. */
function timetableLine(timetable: Timetable | undefined): Html {
  if (timetable === undefined) return nothing;
  const { words, next, isRunning } = timetable;
  if (!isRunning)
    return html`<p class="hint">${words}. <strong>Not running on this server</strong>: start it with <code>--schedules</code>, unless another server runs this timetable.</p>`;
  return html`<p class="hint">${words}${next !== undefined && html`; next <time datetime="${next.at}" title="${next.at}">${next.words}</time>`}</p>`;
}

function figuresOf(figures: WorkflowStats | undefined, apart: string): Html {
  if (figures === undefined || figures.runs === 0) return html`<p class="hint figures">No runs in the last 24 hours${apart}.</p>`;
  const { runs, failures, medianMs, p95Ms, workflow } = figures;
  const failed =
    failures > 0 &&
    html`, <a href="/console?workflow=${encodeURIComponent(workflow)}&amp;status=error&amp;since=24h">${failures} failed</a>`;
  return html`<div class="figures">${dayPlot(figures)}<p>Last 24 hours: <a href="/console?workflow=${encodeURIComponent(workflow)}&amp;since=24h">${runs} run${runs === 1 ? '' : 's'}</a>${failed}</p>
<p class="hint">${medianMs !== undefined && html`median ${durationWords(medianMs)}`}${p95Ms !== undefined && html`, 95% within ${durationWords(p95Ms)}`}</p></div>`;
}

const HEIGHT = 28;
const STEP = 8;

function dayPlot({ hours, runs, failures }: Pick<WorkflowStats, 'hours' | 'runs' | 'failures'>): Html {
  const most = Math.max(1, ...hours.map((hour) => hour.runs));
  const bar = (index: number, count: number): string => {
    const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT));
    return height === 0 ? '' : `M${index * STEP} ${HEIGHT}v-${height}h${STEP - 2}v${height}z`;
  };
  const all = hours.map((hour, index) => bar(index, hour.runs)).join('');
  const bad = hours.map((hour, index) => bar(index, Math.min(hour.failures, hour.runs))).join('');
  return html`<svg class="plot" viewBox="0 0 ${hours.length * STEP} ${HEIGHT}" role="img" aria-label="${runs} runs in the last 24 hours, ${failures} of them failed"><path class="base" d="M0 ${HEIGHT}h${hours.length * STEP}"/><path class="all" d="${all}"/><path class="bad" d="${bad}"/></svg>`;
}

export async function workflowPage(request: ConsoleRequest, context: PageContext): Promise<ConsolePage | PagePart | undefined> {
  const name = request.segments[2] ?? '';
  const served = context.workflows().find((workflow) => workflow.name === name);
  if (served === undefined) return undefined;
  const { workflow } = served.prepared;
  const address = `/console/workflows/${encodeURIComponent(name)}`;
  const lines = await codeOf(request, context, served, address);
  if (request.isPart) return { part: html`${lines.items}` };
  const [{ workflows }, month, versions] = await Promise.all([
    context.stats(new Date(request.now - DAY_MS).toISOString()),
    context.trends(),
    context.store.versionsInUse(),
  ]);
  const inUse = versions.filter(({ workflow }) => workflow === name);
  const used = await Promise.all(
    (await byText(inUse, ({ version }) => version, context)).map(async (of) => {
      const version = of[0]?.version ?? '';
      return { version, runs: of.reduce((sum, { runs }) => sum + runs, 0), number: (await context.store.text(version))?.version };
    }),
  );
  return {
    title: workflow.name,
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a></p><div class="split"><div><h1>${workflow.name} <span class="hint">v${workflow.version}</span></h1>
${workflow.description !== undefined && html`<p class="lead">${workflow.description}</p>`}<p class="hint">${workflow.trigger}</p>
<p><code>POST ${served.path}</code> · <a href="/console?workflow=${encodeURIComponent(name)}">Its runs</a></p><p class="actions"><a class="button" href="${address}/start">Start a run…</a></p>${timetableLine(served.timetable)}
</div>${figuresOf(
      workflows.find((one) => one.workflow === name),
      apart(served, context.workflows()),
    )}</div>
${trendStrip(month.workflows.get(name), name)}
${openable('calls', 'Calls', 'How long each call takes', `${address}/calls`)}${openable('versions', 'Versions', 'All versions with their runs', `${address}/versions`)}
${tryForm(workflow, `${address}/try`, request)}
${used.length > 0 && html`<section aria-labelledby="used"><h2 id="used">Versions that unfinished runs use</h2><ul>${used.map(({ version, runs, number }) => html`<li><a href="${address}/versions/${version}">${number !== undefined && `v${number} `}<code class="id">${shortHash(version)}</code></a>: ${runs} run${runs === 1 ? '' : 's'}</li>`)}</ul></section>`}
<section aria-labelledby="text-name"><h2 id="text-name">${workflow.file}</h2><p class="hint">${lines.words}</p><div class="beside">${drawingCard(`${address}/drawing`)}<ol class="code" id="code">${lines.items}</ol></div></section>`,
  };
}

/** A card that is filled when someone opens it. */
const openable = (id: string, title: string, words: string, source: string): Html =>
  html`<details class="card" id="${id}" data-part="${source}"><summary><h2>${title}</h2></summary><p><a href="${source}">${words}</a></p></details>`;

interface CountedText {
  readonly items: Html[];
  readonly words: string;
}

async function codeOf(
  request: ConsoleRequest,
  context: PageContext,
  served: ServedWorkflow,
  address: string,
): Promise<CountedText> {
  const counts = await reachedLately(request, context, served);
  const view = context.textOf(served.prepared.source ?? '');
  const reached: Reached = (line) => counts.lines.get(line) ?? 0;
  const from = wholeNumberIn(request.query, 'from');
  const ranges =
    from > 0
      ? [{ first: from, last: Math.min(view.lines.length, from + AT_A_TIME - 1) }]
      : firstRanges(view.lines.length, undefined);
  return {
    items: codeLines({
      lines: view.lines,
      ranges,
      lineOf: (line) => ({
        facts: counts.lines.size === 0 ? { state: 'aside', note: '' } : lineFacts(view.outline, line, reached),
      }),
      moreFrom: (line) => `${address}?from=${line}#L${line}`,
    }),
    words:
      counts.lines.size === 0
        ? `No run of this text has ended in the last 30 days${apart(served, context.workflows())}.`
        : `Beside each line: how often ${newestRuns(counts)} came here. Pale lines were not reached.`,
  };
}
