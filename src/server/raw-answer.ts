// A refusal goes in, the bytes of a whole HTTP answer come out: for what Node could not read as a request, and so made no response object for.
import { STATUS_CODES } from 'node:http';
import { JSON_TYPE } from './answer.js';
import { bodyOf, type Refusal } from './refusal.js';
import { newRequestId } from './request-id.js';

/** @param common headers of every answer, names and values by turns. The connection is closed afterwards. */
export function rawAnswer(refusal: Refusal, common: readonly string[]): string {
  const body = bodyOf(refusal);
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
