// Lists the workflows with their runs of the last day, one bar per hour, failures at the foot of each bar.
import { DAY_MS } from '../../../../runtime/values/time-units.js';
import type { Trend, WorkflowStats } from '../../../durable/model/run-views.js';
import type { ServedWorkflow, Timetable } from '../../console-options.js';
import { copyable, type Html, html, nothing } from '../../html/html.js';
import { durationWords } from '../../html/moment.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext } from '../console-page.js';
import { trendStrip } from './trend-strip.js';

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
            ),
          )}</ul>`
    }</div>`,
  };
}

const none = html`<div class="empty"><p>No workflows are being served. Create one and serve it:</p>${copyable('wf init my-workflows\nwf serve my-workflows --store runs --console')}</div>`;

function card(
  { name, path, prepared: { workflow }, timetable }: ServedWorkflow,
  figures: WorkflowStats | undefined,
  month: Trend | undefined,
): Html {
  return html`<li class="card"><div><h2><a href="/console/workflows/${encodeURIComponent(name)}">${workflow.name}</a> <span class="hint">v${workflow.version}</span></h2>
<p class="hint">${workflow.trigger}</p><p><code>POST ${path}</code></p>${timetableLine(timetable)}${timetable !== undefined && trendStrip(month, name)}</div>
${figuresOf(figures)}</li>`;
}

/** When it is due, in the zone of the timetable. */
export function timetableLine(timetable: Timetable | undefined): Html {
  if (timetable === undefined) return nothing;
  const { words, next, isRunning } = timetable;
  if (!isRunning)
    return html`<p class="hint">${words}. <strong>Not running on this server</strong>: start it with <code>--schedules</code>, unless another server runs this timetable.</p>`;
  return html`<p class="hint">${words}${next !== undefined && html`; next <time datetime="${next.at}" title="${next.at}">${next.words}</time>`}</p>`;
}

export function figuresOf(figures: WorkflowStats | undefined): Html {
  if (figures === undefined || figures.runs === 0) return html`<p class="hint figures">No runs in the last 24 hours.</p>`;
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
