// The drawing of a workflow beside its text: the way of a run, or what runs have reached lately. Made when someone opens it.
import { layout } from '../../compiler/1-layout/layout.js';
import { parse } from '../../compiler/2-parse/parse.js';
import { diagramOf } from '../../diagram/diagram.js';
import type { DrawOptions } from '../../diagram/drawer.js';
import { drawSvg } from '../../diagram/svg.js';
import { newestRuns, reachedLately } from '../history/read-cache.js';
import { Html, html } from '../html/html.js';
import { drawingStyle } from '../http/console-reply.js';
import type { ConsoleRequest } from '../http/console-request.js';
import type { ConsolePage, PageContext, PagePart } from './console-page.js';
import { readRounds, roundsQuery, runAddress } from './run/rounds-address.js';

/** Nobody finds their way in a longer drawing, and it would take megabytes. */
const MOST_LINES = 3_000;

/** A card that loads the drawing at this address. */
export const drawingCard = (address: string): Html =>
  html`<details id="drawing" class="card" data-part="${address}"><summary><h2>Drawing</h2></summary><p><a href="${address}">Show the drawing</a></p></details>`;

/** `/console/runs/<id>/drawing`. */
export async function runDrawingPage(
  { segments, query, isPart }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | PagePart | undefined> {
  const id = segments[2] ?? '';
  const run = await store.get(id);
  if (run === undefined) return undefined;
  const rounds = readRounds(query);
  const [version, traced] = await Promise.all([
    store.text(run.textHash),
    store.retrace(
      id,
      rounds.map(({ line, round }) => [line, round] as const),
    ),
  ]);
  const address = runAddress(id, rounds);
  const lit = new Set(traced?.reached.keys());
  const part =
    version === undefined
      ? html`<p class="empty">The text of this run is no longer in the store.</p>`
      : drawing(version.text, run.title, isPart ? '' : address, lit.size === 0 ? {} : { lit });
  if (isPart) return { part };
  return {
    title: 'Drawing',
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${address}">${run.title}</a></p><h1>Drawing</h1>${part}`,
  };
}

/** The address of the drawing of a run in these rounds. */
export const runDrawing = (run: string, query: URLSearchParams): string =>
  `/console/runs/${run}/drawing${roundsQuery(readRounds(query))}`;

/** `/console/workflows/<name>/drawing`. */
export async function workflowDrawingPage(
  request: ConsoleRequest,
  context: PageContext,
): Promise<ConsolePage | PagePart | undefined> {
  const name = request.segments[2] ?? '';
  const served = context.workflows().find((workflow) => workflow.name === name);
  if (served === undefined) return undefined;
  const address = `/console/workflows/${encodeURIComponent(name)}`;
  const counts = await reachedLately(request, context, served);
  const covered = new Set(counts.lines.keys());
  const title = served.prepared.workflow.name;
  const part = html`${covered.size > 0 && html`<p class="hint">Grey: ${newestRuns(counts)} did not come here.</p>`}${drawing(served.prepared.source ?? '', title, request.isPart ? '' : address, covered.size === 0 ? {} : { covered })}`;
  if (request.isPart) return { part };
  return {
    title: 'Drawing',
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a> / <a href="${address}">${title}</a></p><h1>Drawing</h1>${part}`,
  };
}

/** @param address of the page with the text, to which each part leads; empty inside it */
function drawing(text: string, title: string, address: string, options: DrawOptions): Html {
  if (text.split('\n', MOST_LINES + 1).length > MOST_LINES)
    return html`<p class="empty">This workflow has more than ${MOST_LINES.toLocaleString('en')} lines. Draw it with wf graph.</p>`;
  const diagram = diagramOf(parse(text, layout(text), []), text, title);
  const svg = drawSvg(diagram, { ...options, linkOf: (line) => `${address}#L${line}` });
  // The drawing escapes everything that comes from the file.
  return html`<link rel="stylesheet" href="/console/assets/${drawingStyle.name}"><div class="paper" role="region" aria-label="Drawing of ${title}" tabindex="0">${Html.ofTrusted(svg)}</div>`;
}
