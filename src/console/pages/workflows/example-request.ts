// The fields that a workflow reads of its request in, a request to try it with out; and the fields of a form back into a request.
import { setOwn } from '../../../../runtime/record.js';
import type { Value, WfRecord } from '../../../../runtime/types.js';

/** The fields that hold values themselves: `customer.email`, not `customer`. */
export const leavesOf = (requestFields: readonly string[]): string[] =>
  requestFields.filter((field) => !requestFields.some((other) => other.startsWith(`${field}.`)));

/** `customer.email` → `{ "customer": { "email": "…" } }`. */
export function exampleRequest(requestFields: readonly string[]): WfRecord {
  const request: WfRecord = {};
  for (const field of leavesOf(requestFields)) setPath(request, field.split('.'), '…');
  return request;
}

/** The fields of a form, named by their paths; what is left empty is left out. */
export function requestOf(fields: Iterable<readonly [path: string, text: string]>): WfRecord {
  const request: WfRecord = {};
  for (const [path, text] of fields) {
    if (text !== '') setPath(request, path.split('.'), typed(text));
  }
  return request;
}

/** Numbers, `true`, `false`, lists and records as JSON writes them; anything else is a text, and so is what stands in quotes. */
function typed(text: string): Value {
  if (!/^\s*(?:[-\d[{"]|true\s*$|false\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // JSON gives plain data; an integer that loses digits stays the text that it was.
    return typeof value === 'number' && String(value) !== text.trim() ? text : (value as Value);
  } catch {
    return text;
  }
}

function setPath(request: WfRecord, path: readonly string[], value: Value): void {
  let record = request;
  for (const name of path.slice(0, -1)) {
    const inside = Object.hasOwn(record, name) ? record[name] : undefined;
    const next: WfRecord = typeof inside === 'object' && inside !== null && !Array.isArray(inside) ? inside : {};
    setOwn(record, name, next);
    record = next;
  }
  setOwn(record, path.at(-1) ?? '', value);
}
