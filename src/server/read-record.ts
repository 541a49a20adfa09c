// Reads the JSON body of a request, for workflows and for the runs API: a record, or the refusal that says what is wrong with it.
import type { WfRecord } from '../../runtime/types.js';
import type { BodyRoom } from './body-room.js';
import { type HttpExchange, hasBody } from './exchange.js';
import { parseRequest, refuseHeaders } from './parse-request.js';
import { readBody } from './read-body.js';
import { bodyTooLarge, type Refusal, tooMuchAtOnce } from './refusal.js';

export type ReadRecord =
  | { readonly ok: true; readonly record: WfRecord }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The client has left. */
  | 'gone';

const noBody: ReadRecord = { ok: true, record: {} };

/**
 * Calls back once; immediately, with an empty record, if there is no body. Not a promise, which would take longer than the reading itself.
 * @param maxBody in bytes
 * @param room shared by all bodies that are being read
 */
export function readRecord(exchange: HttpExchange, maxBody: number, room: BodyRoom, callback: (body: ReadRecord) => void): void {
  const refusal = refuseHeaders(exchange.request.headers, maxBody);
  if (refusal !== undefined || !hasBody(exchange.request)) {
    callback(refusal === undefined ? noBody : { ok: false, refusal });
    return;
  }
  if (exchange.mustContinue) {
    exchange.mustContinue = false;
    exchange.response.writeContinue();
  }
  readBody(exchange.request, maxBody, room, (body) => {
    if (body === 'gone') callback('gone');
    else if (body === 'too large') callback({ ok: false, refusal: bodyTooLarge(maxBody) });
    else if (body === 'no room') callback({ ok: false, refusal: tooMuchAtOnce });
    else callback(parseRequest(body));
  });
}
