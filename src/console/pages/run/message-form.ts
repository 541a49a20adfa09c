// Sends a run the message that it waits for: the form on its page, and `POST /console/runs/<id>/message`.
import { isMessageName } from '../../../durable/model/messages.js';
import type { RunDetail, WaitingFor } from '../../../durable/model/run-views.js';
import { formField, type Html, html, nothing } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { isUnfit, requestFrom } from '../workflows/given-request.js';
import { runAddress } from './rounds-address.js';
import { refused } from './run-actions.js';

/** Folded, for each message that a branch of the run waits for. */
export function messageForms({ run, root }: RunDetail, waits: readonly WaitingFor[], request: ConsoleRequest): Html {
  const names = [...new Set(waits.flatMap(({ kind, name }) => (kind === 'message' && name !== undefined ? [name] : [])))];
  if (names.length === 0) return nothing;
  return html`${names.map(
    (
      name,
    ) => html`<details class="card" id="send-${name}"><summary>Send the message ${name}…</summary><form method="post" action="${runAddress(root ?? run)}/message" class="try">${formField(request)}<input type="hidden" name="name" value="${name}">
<label>Fields as JSON <textarea name="json" rows="3" spellcheck="false">{}</textarea></label><button>Send it to this run</button></form></details>`,
  )}`;
}

export async function sendMessage(
  { segments, form, actor }: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | GoTo | undefined> {
  const run = segments[2] ?? '';
  const name = form.get('name') ?? '';
  if (!isMessageName(name)) return undefined;
  const body = requestFrom(new URLSearchParams({ json: form.get('json') ?? '' }), {});
  if (isUnfit(body))
    return refused(typeof body === 'string' ? body.replace('The request', 'The message') : 'The message does not fit.', run);
  const sent = await store.send({ name, body, run }, actor);
  if (sent.kind === 'unknown run') return undefined;
  if (sent.kind !== 'sent') return refused('The run has ended and takes no more messages.', run);
  return { goTo: `${runAddress(run)}?did=${sent.delivered === 1 ? 'message' : 'message-kept'}` };
}
