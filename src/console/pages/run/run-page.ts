// `/console/runs/<id>`: one run, shown over the text of its workflow.
import { type Html, html } from '../../html/html.js';
import { notice } from '../../html/notice.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { readRounds } from './rounds-address.js';
import { runCodeLines } from './run-code.js';
import { runHead, runValues } from './run-head.js';
import { timeLine } from './time-line.js';

export async function runPage(
  request: ConsoleRequest,
  { store, history, textOf }: PageContext,
): Promise<ConsolePage | PagePart | undefined> {
  const id = request.segments[2] ?? '';
  const run = await store.get(id);
  if (run === undefined) return undefined;
  const rounds = readRounds(request.query);
  const [version, past, traced] = await Promise.all([
    store.text(run.textHash),
    history(id),
    store.retrace(
      id,
      rounds.map(({ line, round }) => [line, round] as const),
    ),
  ]);
  if (past === undefined || traced === undefined) return undefined;
  past.place(traced);
  const from = Number(request.query.get('from') ?? '');
  const lines = runCodeLines({
    run,
    view: textOf(version?.text ?? ''),
    history: past,
    rounds,
    traced,
    ...(Number.isInteger(from) && from > 0 ? { from } : {}),
    now: request.now,
  });
  if (request.isPart) return { part: html`${lines}` };
  const end = run.finishedAt === undefined ? request.now : Date.parse(run.finishedAt);
  return {
    title: `${run.title}, ${run.about}`,
    at: 'runs',
    // A called workflow changes with the run that it belongs to.
    live: run.root ?? id,
    content: html`${notice(request.query)}${runHead(run, request)}
${runValues(run)}
<section id="text" aria-labelledby="text-name"><h2 id="text-name">${version?.file ?? 'The workflow'}</h2>
${!past.isWhole && notWhole(past.effects.length, run.effects)}
${traced.doubt !== undefined && html`<p class="said warning">${traced.doubt}</p>`}
${version === undefined ? html`<p class="empty">The text of this run is no longer in the store.</p>` : html`<ol class="code run" id="code">${lines}</ol>`}</section>
${timeLine({ history: past, start: Date.parse(run.startedAt), end })}`,
  };
}

const notWhole = (read: number, all: number): Html =>
  html`<p id="partly" class="said warning" data-more-follows>The first ${read} of ${all} effects are shown so far. Reload the page for more.</p>`;
