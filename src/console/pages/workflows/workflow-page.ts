// `/console/workflows/<name>`: how often each line ran recently, a form to try the workflow, and the versions that unfinished runs still
// use.

import { DAY_MS } from '../../../../runtime/values/time-units.js';
import { AT_A_TIME, codeLines, firstRanges } from '../../code/code-lines.js';
import { lineFacts, type Reached } from '../../code/line-facts.js';
import type { ServedWorkflow } from '../../console-options.js';
import { reachedLately } from '../../history/reached-lately.js';
import { type Html, html } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { drawingCard } from '../drawing-page.js';
import { tryForm } from './request-forms.js';
import { trendStrip } from './trend-strip.js';
import { figuresOf, timetableLine } from './workflows-page.js';

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
  const used = versions.filter((version) => version.workflow === name);
  return {
    title: workflow.name,
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a></p><div class="split"><div><h1>${workflow.name} <span class="hint">v${workflow.version}</span></h1>
${workflow.description !== undefined && html`<p class="lead">${workflow.description}</p>`}<p class="hint">${workflow.trigger}</p>
<p><code>POST ${served.path}</code> · <a href="/console?workflow=${encodeURIComponent(name)}">Its runs</a></p><p class="actions"><a class="button" href="${address}/start">Start a run…</a></p>${timetableLine(served.timetable)}
</div>${figuresOf(workflows.find((one) => one.workflow === name))}</div>
${trendStrip(month.workflows.get(name), name)}
${openable('calls', 'Calls', 'How long each call takes', `${address}/calls`)}${openable('versions', 'Versions', 'All versions with their runs', `${address}/versions`)}
${tryForm(workflow, `${address}/try`, request)}
${used.length > 0 && html`<section aria-labelledby="used"><h2 id="used">Versions that unfinished runs use</h2><ul>${used.map(({ version, runs }) => html`<li><a href="${address}/versions/${version}"><code class="id">${version.slice(0, 12)}</code></a>: ${runs} run${runs === 1 ? '' : 's'}</li>`)}</ul></section>`}
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
  const reached: Reached = (line) => counts?.get(line) ?? 0;
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
        facts: counts === undefined || counts.size === 0 ? { state: 'aside', note: '' } : lineFacts(view.outline, line, reached),
      }),
      moreFrom: (line) => `${address}?from=${line}#L${line}`,
    }),
    words:
      counts === undefined || counts.size === 0
        ? 'No run of this text has ended in the last 30 days.'
        : 'Beside each line: how often runs that ended in the last 30 days came here. Pale lines were never reached.',
  };
}
