// Reads the JSON body of a request to the runs API: a record, or a refusal that says what is wrong with it.
import type { WfRecord } from '../../../runtime/types.js';
import type { BodyRoom } from '../body-room.js';
import { type HttpExchange, hasBody } from '../exchange.js';
import { parseRequest, refuseHeaders } from '../parse-request.js';
import { readBody } from '../read-body.js';
import { bodyTooLarge, type Refusal, tooMuchAtOnce } from '../refusal.js';

export type ReadRecord =
  | { readonly ok: true; readonly record: WfRecord }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The client has disconnected. */
  | 'gone';

/** Without a body, the record is empty. @param maxBody in bytes @param room shared by all bodies that are being read */
export function readRecord(exchange: HttpExchange, maxBody: number, room: BodyRoom): Promise<ReadRecord> {
  const refusal = refuseHeaders(exchange.request.headers, maxBody);
  if (refusal !== undefined) return Promise.resolve({ ok: false, refusal });
  if (!hasBody(exchange.request)) return Promise.resolve({ ok: true, record: {} });
  if (exchange.mustContinue) {
    exchange.mustContinue = false;
    exchange.response.writeContinue();
  }
  return new Promise((resolve) =>
    readBody(exchange.request, maxBody, room, (body) => {
      if (body === 'gone') resolve('gone');
      else if (body === 'too large') resolve({ ok: false, refusal: bodyTooLarge(maxBody) });
      else if (body === 'no room') resolve({ ok: false, refusal: tooMuchAtOnce });
      else resolve(parseRequest(body));
    }),
  );
}
