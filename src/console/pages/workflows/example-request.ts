// Builds a request to try from the fields that a workflow reads, and turns form fields back into a request.

import type { Value, WfRecord, WorkflowInfo } from '../../../../runtime/types.js';
import { setOwn } from '../../../../runtime/values/record.js';
import { fieldsOfPath } from '../../../compiler/vocabulary/field-names.js';
import { exampleRecord } from '../../../input/example-value.js';

/** The fields without fields of their own: `customer.email`, not `customer`. */
export const leavesOf = (requestFields: readonly string[]): string[] =>
  requestFields.filter((field) => !requestFields.some((other) => other.startsWith(`${field}.`)));

/** Values that fit the declared inputs; otherwise `customer.email` → `{ "customer": { "email": "…" } }`. */
export function exampleRequest({ inputs, requestFields }: Pick<WorkflowInfo, 'inputs' | 'requestFields'>): WfRecord {
  if (inputs !== undefined) return exampleRecord(inputs, 'typical', true);
  const request: WfRecord = {};
  for (const field of leavesOf(requestFields)) setPath(request, fieldsOfPath(field), '…');
  return request;
}

/**
 * The fields of a form, named by path. Omits empty ones.
 * @param read converts text to a value
 */
export function requestOf(
  fields: Iterable<readonly [path: string, text: string]>,
  read: (text: string) => Value = untyped,
): WfRecord {
  const request: WfRecord = {};
  for (const [path, text] of fields) {
    if (text !== '') setPath(request, fieldsOfPath(path), read(text));
  }
  return request;
}

/** Reads numbers, `true`, `false`, lists and records as JSON. Anything else is text, as is anything in quotes. */
export function untyped(text: string): Value {
  if (!/^\s*(?:[-\d[{"]|true\s*$|false\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // JSON is plain data. An integer that would lose digits stays text.
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
