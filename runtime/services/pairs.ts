// Turns the `with` pairs of a call into a query, a form or a JSON object, for real requests and mock answers alike.

import type { Value } from '../types.js';
import { mostText } from '../values/json-size.js';
import { tooMuchText } from '../values/output.js';
import { outputs, show } from '../values/values.js';
import { encodeComponent } from './path.js';

export type Pairs = readonly (readonly [key: string, value: Value])[];

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

/** A JSON object with exactly these pairs, in their order. */
export function jsonOf(pairs: Pairs): string {
  const put = outputs(pairs.map(([, value]) => value));
  return `{${pairs.map(([key], index) => `${JSON.stringify(key)}:${JSON.stringify(put[index])}`).join(',')}}`;
}
