// `/console/workflows/<name>/start`: an operator starts a real run, from nothing or again with the changed request of another one.
import { randomUUID } from 'node:crypto';
import type { WfRecord } from '../../../../runtime/types.js';
import type { Started } from '../../../durable/durable-engine.js';
import type { ServedWorkflow } from '../../console-options.js';
import { type Html, html } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { runAddress } from '../run/rounds-address.js';
import { isUnfit, requestForms, requestFrom, unfitRequest } from './request-forms.js';

/** `GET`; with `?from=<run>`, the fields have the values of that run. */
export async function startPage(request: ConsoleRequest, context: PageContext): Promise<ConsolePage | undefined> {
  const served = servedBy(request, context);
  if (served === undefined) return undefined;
  const from = request.query.get('from');
  const run = from === null ? undefined : await context.store.get(from);
  const given = run?.workflow === served.name ? run.request : undefined;
  const hint = given !== undefined && JSON.stringify(given).includes('[redacted]') ? hasSecrets : undefined;
  return formPage(served, request, randomUUID(), hint, given);
}

const hasSecrets = html`<p class="said warning">Secrets of that run are not shown. Type them again where it says [redacted].</p>`;

/** `POST` */
export async function startRun(request: ConsoleRequest, context: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const served = servedBy(request, context);
  if (served === undefined) return undefined;
  const { prepared } = served;
  const given = requestFrom(request.form, prepared.workflow);
  const once = /^[\w-]{1,64}$/.exec(request.form.get('once') ?? '')?.[0] ?? randomUUID();
  if (isUnfit(given)) return { ...formPage(served, request, once, unfitRequest(given)), status: 400 };
  // No `Idempotency-Key` of a request has a space. A form that is sent twice starts one run.
  const started = await context.startRun(prepared, given, `console ${once}`, request.actor.name);
  if (started.kind === 'started' || started.kind === 'known') return { goTo: `${runAddress(started.run)}?did=start` };
  const problem = html`<p class="said error" role="alert">${problemOf(started)}</p>`;
  return { ...formPage(served, request, randomUUID(), problem), status: 409 };
}

const servedBy = ({ segments }: ConsoleRequest, { workflows }: PageContext): ServedWorkflow | undefined =>
  workflows().find(({ name }) => name === segments[2]);

function problemOf(started: Exclude<Started, { kind: 'started' | 'known' }>): Html {
  if (started.kind === 'other request')
    return html`This form has already started <a href="${runAddress(started.run)}">a run</a> with other values. Send it again to start another one.`;
  if (started.kind === 'done before')
    return html`A run with the same value for <code>once for each</code> has completed, and has been deleted since. Nothing was started.`;
  if (started.kind === 'unrecorded')
    return html`The store cannot be written. <a href="${runAddress(started.run)}">The run</a> may still start when it can.`;
  return html`The store cannot be written now, so nothing was started. Try again in a moment.`;
}

function formPage(served: ServedWorkflow, request: ConsoleRequest, once: string, said?: Html, given?: WfRecord): ConsolePage {
  const { workflow } = served.prepared;
  const address = `/console/workflows/${encodeURIComponent(served.name)}`;
  const more = html`<input type="hidden" name="once" value="${once}">`;
  return {
    title: `Start ${workflow.name}`,
    at: 'workflows',
    content: html`<p class="crumbs"><a href="/console/workflows">Workflows</a> / <a href="${address}">${workflow.name}</a></p><h1>Start ${workflow.name}</h1>
<p>This starts a real run: it calls its services and asks its people. To try it without them, use <a href="${address}#try">mock services</a>.</p>${said}
${requestForms({ workflow, address: `${address}/start`, request, button: 'Start the run', more, given, isFocused: true })}`,
  };
}
