// `/console/runs/<id>/why`: the decisions that led to the outcome of a run, and the nearest other one. Made when someone opens it.
import { failedCall } from '../../../durable/views/failed-runs.js';
import { type Explanation, explainRun, standing } from '../../../explain/explain-run.js';
import { type Html, html } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { answerBeside } from './effect-summary.js';
import { runAddress } from './rounds-address.js';

/** A loop may decide thousands of times. */
const MOST_SHOWN = 100;

export async function whyPage(
  { segments, isPart }: ConsoleRequest,
  { store, history }: PageContext,
): Promise<ConsolePage | PagePart | undefined> {
  const id = segments[2] ?? '';
  const run = await store.get(id);
  if (run === undefined) return undefined;
  const [recalled, past] = await Promise.all([store.recall(id), history(id)]);
  const said = past && (await failedCall(run, past.effects, store))?.said;
  const part =
    recalled === undefined
      ? html`<p class="empty">The text of this run is no longer in the store, or does not fit this version of wf.</p>`
      : reasons(await explainRun({ ...recalled, standing: standing(run.status) }), said, runAddress(id));
  if (isPart) return { part };
  return {
    title: 'Why?',
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${runAddress(id)}">${run.title}</a></p><h1>Why?</h1>${part}`,
  };
}

/** @param said by the service whose call ended the run */
function reasons({ outcome, decisions, nearest }: Explanation, said: string | undefined, address: string): Html {
  const relevant = decisions.filter(({ isRelevant }) => isRelevant);
  const shown = relevant.slice(-MOST_SHOWN);
  const rest = relevant.length - shown.length;
  return html`<div class="why"><p><bdi>${outcome}</bdi>${answerBeside(outcome, said)}</p>
${relevant.length === 0 && html`<p class="hint">No decision led to this: every run comes here.</p>`}${rest > 0 && html`<p class="hint">The last ${shown.length} of ${relevant.length} decisions:</p>`}
<ul>${shown.map(
    ({ line, condition, answer, isExact, effects }) =>
      html`<li><a href="${address}#L${line}">Line ${line}</a> <code><bdi>${condition}</bdi></code> <strong>${answer ? 'yes' : 'no'}${isExact && ', exactly'}</strong>${effects.length > 0 && html` <span class="hint"><bdi>${effects.join(', ')}</bdi></span>`}</li>
`,
  )}</ul>
${nearest !== undefined && html`<p><bdi>${nearest}</bdi></p>`}</div>`;
}
