// `wf send`: sends a signed request to a server, to try a workflow that requires a signature.
import { randomUUID } from 'node:crypto';
import { isMaker, makers } from '../compiler/vocabulary/webhook-makers.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { signedHeaders } from '../server/webhooks/makers.js';
import type { Values } from './command-spec.js';

/** @returns 0 if the server answers 2xx, otherwise 1 */
export async function sendToServer(url: string, values: Values, io: Io): Promise<number> {
  const body = typeof values.input === 'string' ? values.input : '{}';
  const headers = { 'Content-Type': 'application/json', ...signatureOf(values, body) };
  let response: Response;
  try {
    response = await fetch(new URL(url), { method: 'POST', headers, body, redirect: 'manual' });
  } catch (error) {
    if (error instanceof TypeError && 'code' in error)
      throw new UsageError(`${url} is not an address such as https://example.com/order.`);
    throw new UsageError(`${url} can't be reached.`, 'Start the server first, with: wf serve');
  }
  io.stdout.write(`${response.status} ${response.statusText}\n${await response.text()}\n`);
  return response.ok ? 0 : 1;
}

/** @throws UsageError for a maker that can't be imitated, and a missing secret */
function signatureOf({ signature, secret }: Values, body: string): Record<string, string> {
  if (signature === undefined) return {};
  if (typeof signature !== 'string' || !isMaker(signature))
    throw new UsageError(`--signature must be one of ${makers.join(', ')}, not "${String(signature)}".`);
  if (typeof secret !== 'string' || secret === '') throw new UsageError('--signature needs --secret.');
  const headers = signedHeaders(signature, secret, body, `msg_${randomUUID()}`, Math.floor(Date.now() / 1000));
  if (headers === undefined)
    throw new UsageError(`wf send can't sign as ${signature} does.`, 'Send a test request from the console of that maker.');
  return headers;
}
