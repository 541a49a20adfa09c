// The header of a request that makes sending it twice safe: checked, or `undefined` if there is none.
import type { IncomingMessage } from 'node:http';

export type ReadKey = { readonly ok: true; readonly key: string | undefined } | { readonly ok: false };

/** 1 to 255 visible ASCII characters. Two headers of the name are malformed: Node.js joins them with a comma and a space. */
export function readIdempotencyKey({ headers }: IncomingMessage, name = 'idempotency-key'): ReadKey {
  const given = headers[name];
  if (given === undefined) return { ok: true, key: undefined };
  return typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given) ? { ok: true, key: given } : { ok: false };
}
