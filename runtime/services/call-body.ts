// Builds the body of an HTTP call: its pairs as a query, a form or JSON, or the single value of `send … as the body`.

import type { Steps } from '../in-turns.js';
import type { CallRequest, Value } from '../types.js';
import { mostText } from '../values/json.js';
import { longOutput, shortOutputs, tooMuchText } from '../values/output.js';
import { show, textToPutOut } from '../values/values.js';
import { postponed } from '../workload.js';
import { type Failure, notSent } from './call-errors.js';
import { encodeComponent } from './path.js';
import type { Method } from './service-types.js';

interface CallBody {
  readonly ok: true;
  /** Absent if the pairs are in the query, or writing them takes long. */
  readonly text?: string;
  /** Writes the text in turns. */
  readonly long?: () => Steps<string>;
  /** The content type, if no header gives one. */
  readonly type?: string;
}

/** Whether the pairs of a call go into the address. */
export const pairsInQuery = (method: Method): boolean => method === 'GET' || method === 'DELETE';

/** @param declared the value of a declared `Content-Type` header */
export function callBody({ parameters, body }: CallRequest, method: Method, declared = ''): CallBody | Failure {
  if (body !== undefined) return wholeBody(body.value, declared, method);
  if (pairsInQuery(method)) return { ok: true };
  const type = 'application/json';
  if (isForm(declared)) return { ok: true, text: formOf(parameters), type };
  const text = jsonOf(parameters);
  return { ok: true, type, ...(text === postponed ? { long: () => longJsonOf(parameters) } : { text }) };
}

/** Text is sent as it is; lists and records as JSON, or as a form if the service accepts those. */
function wholeBody(value: CallRequest['parameters'][number][1], declared: string, method: Method): CallBody | Failure {
  if (method === 'GET') return notSent('WF673', "a GET can't have a body");
  if (value === null || value === undefined) return notSent('WF673', 'its body is empty');
  if (typeof value === 'string') return { ok: true, text: textToPutOut(value), type: 'text/plain; charset=utf-8' };
  if (isForm(declared) && typeof value === 'object' && !Array.isArray(value)) {
    const pairs: Pairs = Object.entries(value);
    return { ok: true, text: formOf(pairs) };
  }
  const type = 'application/json';
  if (typeof value !== 'object') return { ok: true, text: show(value), type };
  const put = shortOutputs([value]);
  return put === postponed
    ? { ok: true, long: () => longJsonIn([value]), type }
    : { ok: true, text: JSON.stringify(put[0]), type };
}

const isForm = (type: string): boolean => /^\s*application\/x-www-form-urlencoded\b/i.test(type);

// Turns the `with` pairs of a call into a query, a form or a JSON object, for real requests and mock answers alike.

type Pairs = readonly (readonly [key: string, value: Value])[];

/** Key and text of each pair. A list repeats its key, records and nested lists become JSON, and `empty` is left out. */
function texts(pairs: Pairs): [key: string, text: string][] {
  let left = mostText;
  const shown = (item: Value): string => {
    const text = show(item);
    left -= text.length;
    if (left < 0) throw tooMuchText();
    return text;
  };
  return pairs.flatMap(([key, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return items.filter((item) => item !== null && item !== undefined).map((item): [string, string] => [key, shown(item)]);
  });
}

/** `a=1&b=x%20y`, to follow a `?`. */
export function queryOf(pairs: Pairs): string {
  if (pairs.length === 0) return '';
  return texts(pairs)
    .map(([key, text]) => `${encodeComponent(key)}=${encodeComponent(text)}`)
    .join('&');
}

/** `application/x-www-form-urlencoded`. */
export function formOf(pairs: Pairs): string {
  return new URLSearchParams(texts(pairs)).toString();
}

/** A JSON object with exactly these pairs, in their order; `postponed` if that takes longer than a few milliseconds. */
function jsonOf(pairs: Pairs): string | typeof postponed {
  const put = shortOutputs(pairs.map(([, value]) => value));
  if (put === postponed) return postponed;
  return `{${pairs.map(([key], index) => `${JSON.stringify(key)}:${JSON.stringify(put[index])}`).join(',')}}`;
}

/** As `jsonOf`, in turns. */
function* longJsonOf(pairs: Pairs): Steps<string> {
  let json = '';
  for (const [key, value] of pairs) {
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${yield* longJsonIn([value])}`;
    if (json.length > mostText) throw tooMuchText();
  }
  return `{${json}}`;
}

/** The JSON of the only item. */
function* longJsonIn(list: Value[]): Steps<string> {
  return (yield* longOutput(list)).json.slice(1, -1);
}
