// The `with` pairs of a call → a query, a form or a JSON object. Its own file, because mock answers and the real requests share it.
import type { Value } from '../types.js';
import { output, show } from '../values.js';
import { encodeComponent } from './path.js';

export type Pairs = readonly (readonly [key: string, value: Value])[];

/** Key and text of each pair: a list repeats its key, records and lists inside of lists are JSON, `empty` is left out. */
function texts(pairs: Pairs): [key: string, text: string][] {
  return pairs.flatMap(([key, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return items.filter((item) => item !== null && item !== undefined).map((item): [string, string] => [key, show(item)]);
  });
}

/** `a=1&b=x%20y`, to stand behind a `?`. */
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

/** A JSON object of exactly these pairs, in their order. */
export function jsonOf(pairs: Pairs): string {
  return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(output(value))}`).join(',')}}`;
}
