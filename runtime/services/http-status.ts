// The meaning of an answer's status: its name, whether the request is tried again, and when. The same rules apply to every kind of service
// (docs/connectors.md#retries). node:http has the names, too, but would slow down the start of standalone modules.
import type { RetryPolicy } from '../types.js';

/** Maximum wait that doubling or a `Retry-After` can ask for, in milliseconds. */
const longestWait = 5 * 60_000;

/** Whether the same request may succeed after this status. */
export const retryableStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);

/**
 * Milliseconds to wait before the next attempt.
 * @param attempt the one that failed, counting from 1
 * @param askedMs the `Retry-After` of the answer
 */
export function waitBefore(policy: RetryPolicy, attempt: number, askedMs: number | undefined): number {
  const own = policy.doubling ? Math.min(policy.waitMs * 2 ** (attempt - 1), longestWait) : policy.waitMs;
  return Math.max(own, Math.min(askedMs ?? 0, longestWait));
}

/** `Retry-After` (RFC 9110, 10.2.3), in seconds or as a date, as milliseconds from now; `undefined` if it is neither. */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with the name of the day. Date.parse alone would accept `1.5` as a date, too.
  const date = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const words: Readonly<Record<number, string>> = {
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  418: "I'm a Teapot",
  422: 'Unprocessable Content',
  423: 'Locked',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
  529: 'Overloaded',
};

/** The name of a status, or `""`. Never the reason phrase of the service itself, which must not appear in messages. */
export const statusWords = (status: number): string => words[status] ?? '';
