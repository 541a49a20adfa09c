// Part of a large value of a run, by position: `/console/runs/<id>/values/request?at=/rows/7&from=100`, and the same for effects.
import { html } from '../../html/html.js';
import { valuePart } from '../../html/value-tree.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { runAddress } from './rounds-address.js';

export async function valuePage(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | PagePart | undefined> {
  const [, , id = '', kind = ''] = request.segments;
  const value = kind === 'values' ? await valueOfRun(request, store) : await valueOfEffect(request, store);
  if (value === undefined) return undefined;
  const tree = valuePart(value, request.query, `/${request.segments.map(encodeURIComponent).join('/')}`);
  if (tree === undefined) return undefined;
  const at = request.query.get('at') ?? '';
  if (request.isPart) return { part: tree };
  return {
    title: at === '' ? 'A value' : `Value ${at}`,
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${runAddress(id)}">${id}</a></p><h1>${at === '' ? request.segments.at(-1) : at}</h1><div class="card">${tree}</div>`,
  };
}

async function valueOfRun({ segments }: ConsoleRequest, store: PageContext['store']): Promise<unknown> {
  const run = await store.get(segments[2] ?? '');
  return segments[4] === 'request' ? run?.request : segments[4] === 'outputs' ? run?.outputs : undefined;
}

async function valueOfEffect({ segments }: ConsoleRequest, store: PageContext['store']): Promise<unknown> {
  const from = Number(segments[4]);
  if (!Number.isInteger(from)) return undefined;
  const entry = (await store.journal(segments[2] ?? '', { from, limit: 1 }))?.entries[0];
  if (entry?.position !== from) return undefined;
  return segments[5] === 'sent' ? entry.sent : segments[5] === 'answer' ? entry.answer : undefined;
}
