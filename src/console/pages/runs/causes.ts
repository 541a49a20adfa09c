// Why runs failed, with the number of those that failed alike: each cause leads to its runs.
import type { ReasonGroup } from '../../../durable/model/run-views.js';
import { type Html, html } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import { type RunFilter, runsAddress } from './run-filter.js';

/** Beside the list of the runs; the whole list has a page. */
const MOST_BESIDE = 6;
const MOST_OF_ALL = 200;

export function causeList(
  groups: readonly ReasonGroup[],
  filter: RunFilter,
  titles: ReadonlyMap<string, string>,
  isAll: boolean,
): Html {
  const shown = groups.slice(0, isAll ? MOST_OF_ALL : MOST_BESIDE);
  const rest = groups.length - shown.length;
  const { workflow, since, until, q } = filter;
  const kept = { workflow, since, until, q };
  return html`<section id="causes" class="causes" aria-labelledby="causes-name"><h2 id="causes-name">Causes</h2>
<ul>${shown.map(({ reason, runs, workflows, last }) => {
    const of = workflows.map((name) => titles.get(name) ?? name).join(', ');
    return html`<li><a href="${runsAddress({ ...kept, ...(filter.status === '' ? {} : { status: filter.status }), reason })}">${runs} × <bdi>${reason}</bdi></a> <span class="hint">${of} · last ${moment(last)}</span></li>`;
  })}</ul>${rest > 0 && !isAll && html`<p><a href="${runsAddress({ ...kept, status: filter.status })}&amp;by=reason">All ${groups.length} causes</a></p>`}</section>`;
}
