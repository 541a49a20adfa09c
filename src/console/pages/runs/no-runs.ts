// The empty runs page: why there are none, and what to do next.
import type { ServedWorkflow } from '../../console-options.js';
import { copyable } from '../../html/copyable.js';
import { type Html, html } from '../../html/html.js';
import { exampleRequest } from '../workflows/example-request.js';
import { isFiltered, type RunFilter } from './run-filter.js';

export function noRuns(filter: RunFilter, workflows: readonly ServedWorkflow[], base: string): Html {
  if (filter.cursor !== '') return html`<div class="empty"><p>There are no older runs.</p></div>`;
  if (isFiltered(filter))
    return html`<div class="empty"><p>No run matches this filter.</p><p><a href="/console">Show all runs</a></p></div>`;
  const [first] = workflows;
  if (first === undefined) return html`<div class="empty"><p>No run has started yet, and no workflow is served.</p></div>`;
  const body = JSON.stringify(exampleRequest(first.prepared.workflow)).replaceAll("'", "'\\''");
  return html`<div class="empty"><p>No run has started yet. Each request to a workflow is a run; send the first one:</p>
${copyable(`curl -X POST ${base}${first.path} -H 'Content-Type: application/json' -d '${body}'`)}
<p>Or <a href="/console/workflows/${encodeURIComponent(first.name)}">try ${first.prepared.workflow.name}</a> with mock services first: nothing leaves this machine.</p></div>`;
}
