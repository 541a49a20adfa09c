// Saved views: filters of the list that people keep for everyone, each under a name that is its address.
import type { SavedView } from '../../../durable/model/run-views.js';
import { formField, type Html, html, nothing } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { refused } from '../refused.js';
import { filterQuery, isFiltered, type RunFilter, readFilter } from './run-filter.js';

const LONGEST_NAME = 60;

const viewAddress = (name: string): string => `/console?view=${encodeURIComponent(name)}`;

/** The filter of an address, which names a view or holds all of it. A page of a view continues where the page before it ended. */
export function filterIn(
  query: URLSearchParams,
  views: readonly SavedView[],
): { readonly filter: RunFilter; readonly view?: SavedView } {
  const view = views.find(({ name }) => name === query.get('view'));
  if (view === undefined) return { filter: readFilter(query) };
  return { filter: { ...readFilter(new URLSearchParams(view.query)), cursor: query.get('cursor') ?? '' }, view };
}

/** Links to the views, and a form that saves what the list shows now, or removes the view that it shows. */
export function viewBar(
  views: readonly SavedView[],
  filter: RunFilter,
  view: SavedView | undefined,
  isByReason: boolean,
  request: ConsoleRequest,
): Html {
  const canSave = view === undefined && !isByReason && (isFiltered(filter) || filter.sort !== '');
  const missing = request.query.get('view');
  if (views.length === 0 && !canSave && missing === null) return nothing;
  return html`<nav class="views" aria-label="Saved views">${missing !== null && view === undefined && html`<p class="notice" role="status">There is no saved view called <bdi>${missing}</bdi>.</p>`}
${views.length > 0 && html`<ul>${views.map(({ name, by }) => html`<li><a href="${viewAddress(name)}"${by !== undefined && html` title="Saved by ${by}"`}${name === view?.name && html` aria-current="page"`}><bdi>${name}</bdi></a></li>`)}</ul>`}
${canSave && html`<details><summary>Save this view…</summary><form method="post" action="/console/views" class="assign">${formField(request)}<input type="hidden" name="query" value="${filterQuery({ ...filter, cursor: '' })}"><label><span class="hush">Name of the view</span><input name="name" required maxlength="${LONGEST_NAME}" placeholder="Name, for everyone"></label> <button>Save</button></form></details>`}
${view !== undefined && html`<form method="post" action="/console/views" class="assign">${formField(request)}<input type="hidden" name="name" value="${view.name}"><button name="remove" value="1" class="quiet">Remove this view</button></form>`}</nav>`;
}

/** `POST /console/views` */
export async function saveView(request: ConsoleRequest, { store, workflows }: PageContext): Promise<ConsolePage | GoTo> {
  const { form, actor } = request;
  const name = (form.get('name') ?? '').trim().slice(0, LONGEST_NAME);
  if (form.get('remove') !== null) {
    await store.views.remove(name);
    return { goTo: '/console?did=view-removed' };
  }
  // Only what the list understands is kept.
  const query = filterQuery({ ...readFilter(new URLSearchParams(form.get('query') ?? '')), cursor: '' });
  const given = workflows().map(({ prepared }) => prepared.workflow);
  const kept = name === '' ? undefined : await store.views.save({ name, query, by: actor.name }, given);
  if (kept?.isSaved === true) return { goTo: `${viewAddress(kept.name)}&did=view` };
  const problem =
    kept === undefined
      ? 'A view needs a name. Nothing was saved.'
      : 'The view is not saved: there are 50 already. Remove one that nobody needs any more.';
  return refused(problem, `/console?${query}`, request, kept === undefined ? 400 : 409);
}
