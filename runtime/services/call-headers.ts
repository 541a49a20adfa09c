// `with headers:` under a call: the declared headers of this one call, those of the service overridden by its own.

import type { Value } from '../types.js';
import { show } from '../values/values.js';
import { type Failure, unusableHeader } from './call-errors.js';
import { headerProblem } from './headers.js';

type Header = readonly [name: string, value: string];

export interface CallHeaders {
  readonly ok: true;
  readonly declared: readonly Header[];
}

/** Leaves out a header whose value is `empty`. A failure names the header, never the value. */
export function callHeaders(
  ofService: readonly Header[],
  given: readonly (readonly [name: string, value: Value])[],
): CallHeaders | Failure {
  const own: Header[] = [];
  for (const [name, value] of given) {
    if (value === null || value === undefined) continue;
    const kind = typeof value !== 'object' ? undefined : Array.isArray(value) ? 'is a list' : 'is a record';
    const text = show(value);
    const problem = kind === undefined ? headerProblem(name, text) : `${kind}, and a header is a text`;
    if (problem !== undefined) return unusableHeader(name, [], problem);
    own.push([name, text.trim()]);
  }
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return { ok: true, declared: [...ofService.filter(([name]) => !names.has(name.toLowerCase())), ...own] };
}
