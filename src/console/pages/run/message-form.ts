// Sends a run the message that it waits for: the form on its page, and `POST /console/runs/<id>/message`.
import { isMessageName } from '../../../durable/model/messages.js';
import type { RunDetail, WaitingFor } from '../../../durable/model/run-views.js';
import { formField, type Html, html, nothing } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { refused } from '../refused.js';
import { isUnfit, requestFrom, unfitRequest } from '../workflows/given-request.js';
import { runAddress } from './rounds-address.js';

/** Folded, for each message that a branch of the run waits for. */
export function messageForms({ run, root }: RunDetail, waits: readonly WaitingFor[], request: ConsoleRequest): Html {
  const names = [...new Set(waits.flatMap(({ kind, name }) => (kind === 'message' && name !== undefined ? [name] : [])))];
  if (names.length === 0) return nothing;
  return html`${names.map(
    (name) =>
      html`<details class="card" id="send-${name}"><summary>Send the message ${name}…</summary>${messageForm(root ?? run, name, '{}', request)}</details>`,
  )}`;
}

const messageForm = (run: string, name: string, json: string, request: ConsoleRequest): Html =>
  html`<form method="post" action="${runAddress(run)}/message" class="try">${formField(request)}<input type="hidden" name="name" value="${name}">
<label>Fields as JSON <textarea name="json" rows="3" spellcheck="false">
${json}</textarea></label><button>Send it to this run</button></form>`;

export async function sendMessage(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const { segments, form, actor } = request;
  const run = segments[2] ?? '';
  const name = form.get('name') ?? '';
  if (!isMessageName(name)) return undefined;
  const json = form.get('json') ?? '';
  const body = requestFrom(new URLSearchParams({ json }), {});
  if (isUnfit(body)) {
    const problem = typeof body === 'string' ? body.replace('The request', 'The message') : 'The message does not fit.';
    const content = html`<p class="crumbs"><a href="${runAddress(run)}">Back to the run</a></p><h1>Send the message ${name}</h1>
${unfitRequest(problem)}${messageForm(run, name, json, request)}`;
    return { status: 400, title: 'Not sent', at: 'runs', content };
  }
  const sent = await store.send({ name, body, run }, actor);
  if (sent.kind === 'unknown run') return undefined;
  if (sent.kind !== 'sent') return refused('The run has ended and takes no more messages.', runAddress(run), request);
  return { goTo: `${runAddress(run)}?did=${sent.delivered === 1 ? 'message' : 'message-kept'}` };
}
