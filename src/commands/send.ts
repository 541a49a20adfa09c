// `wf send`: sends a signed request to a server, to try a workflow that requires a signature.
import { randomUUID } from 'node:crypto';
import { isWebhookProvider, webhookProviders } from '../compiler/vocabulary/webhook-providers.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { readInputText } from '../input/read-input.js';
import { type SignedRequest, signedRequest } from '../server/webhooks/signatures.js';
import type { Values } from './command-spec.js';

/** @returns 0 if the server answers 2xx, otherwise 1 */
export async function sendToServer(url: string, values: Values, io: Io): Promise<number> {
  if (!URL.canParse(url)) throw new UsageError(`${url} is not an address such as https://example.com/order.`);
  const { headers, body } = signedAs(values, new URL(url).href);
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  } catch {
    throw new UsageError(`${url} can't be reached.`, 'Start the server first, with: wf serve');
  }
  io.stdout.write(`${response.status} ${response.statusText}\n${await response.text()}\n`);
  return response.ok ? 0 : 1;
}

/** @throws UsageError for an unknown provider, a missing secret, and a body that this provider can't send */
function signedAs({ signature, secret, input }: Values, url: string): SignedRequest {
  const body = typeof input === 'string' ? input : '{}';
  if (signature === undefined && secret !== undefined)
    throw new UsageError('--secret needs --signature.', 'Nothing was sent. Name the provider, such as --signature github.');
  if (signature === undefined) return { headers: { 'Content-Type': 'application/json' }, body };
  if (typeof signature !== 'string' || !isWebhookProvider(signature))
    throw new UsageError(`--signature must be one of ${webhookProviders.join(', ')}, not "${String(signature)}".`);
  if (typeof secret !== 'string' || secret === '') throw new UsageError('--signature needs --secret.');
  // These two sign parts of the body; the others sign its text, even one that is not JSON.
  if (signature === 'twilio' || signature === 'mailgun') readInputText(body);
  return signedRequest(signature, secret, { url, body, id: `msg_${randomUUID()}`, now: Math.floor(Date.now() / 1000) });
}
