// Validates the `Idempotency-Key` of a request; `undefined` if there is none.
import type { IncomingMessage } from 'node:http';

export type ReadKey = { readonly ok: true; readonly key: string | undefined } | { readonly ok: false };

/** 1 to 255 visible ASCII characters. A repeated header is malformed: Node.js joins the two with a comma and a space. */
export function readIdempotencyKey({ headers }: IncomingMessage, name = 'idempotency-key'): ReadKey {
  const given = headers[name];
  if (given === undefined) return { ok: true, key: undefined };
  return typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given) ? { ok: true, key: given } : { ok: false };
}
