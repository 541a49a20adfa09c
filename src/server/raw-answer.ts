// The bytes of a complete HTTP answer, for input that Node.js could not read as a request and so created no response object
// for.
import { STATUS_CODES } from 'node:http';
import { JSON_TYPE } from './answer.js';
import { type Refusal, refusalText } from './refusal.js';
import { newRequestId } from './request-id.js';

/** @param common headers of every answer, alternating names and values. The connection is closed afterwards. */
export function rawAnswer(refusal: Refusal, common: readonly string[]): string {
  const body = refusalText(refusal);
  const headers = [
    ...['X-Request-Id', newRequestId(), 'Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(body))],
    ...common,
    ...(refusal.headers ?? []),
    ...['Date', new Date().toUTCString(), 'Connection', 'close'],
  ];
  const lines = [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
