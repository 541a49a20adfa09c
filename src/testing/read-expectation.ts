// Reads the `expect` of a case.

import { verbs } from '../../runtime/services/verbs.js';
import type { WfRecord } from '../../runtime/types.js';
import type { JsonCursor } from './json-cursor.js';
import { callKeys, type Expectation, type ExpectedText, expectationKeys, statuses } from './test-case.js';

/** The possible methods of a call. */
export const methods = [...(Object.keys(verbs) as (keyof typeof verbs)[]), 'POST'] as const; // Object.keys widens the keys to string

/** @throws UsageError */
export function readExpectation(part: JsonCursor): Expectation {
  part.record();
  part.onlyKeys(expectationKeys);
  const status = part.field('status');
  if (status === undefined) throw part.fault(`${part.what} has no "status"`, `Use one of ${statuses.join(', ')}.`);
  const [outputs, message, logs, calls] = (['outputs', 'message', 'logs', 'calls'] as const).map((key) => part.field(key));
  return {
    status: status.oneOf(statuses),
    ...(outputs === undefined ? {} : { outputs: outputs.record() }),
    ...(message === undefined ? {} : { message: readText(message, 'sold out') }),
    ...(logs === undefined ? {} : { logs: logs.items('a list of log lines').map((line) => readText(line, 'checking A1')) }),
    ...(calls === undefined ? {} : { calls: calls.items('a list of calls').map(readCall) }),
  };
}

/** Text, or `{ "contains": "…" }`. */
function readText(part: JsonCursor, example: string): ExpectedText {
  if (typeof part.value !== 'object' || part.value === null || Array.isArray(part.value)) return part.text(example);
  part.onlyKeys(['contains']);
  const contains = part.field('contains');
  if (contains === undefined) throw part.fault(`${part.what} has no "contains"`);
  return { contains: contains.text(example) };
}

function readCall(part: JsonCursor): WfRecord {
  const call = part.record('an object such as { "service": "Stock" }');
  part.onlyKeys(Object.keys(callKeys));
  for (const [key, form] of Object.entries(callKeys)) {
    const field = part.field(key);
    if (field === undefined) continue;
    if (key === 'method') field.oneOf(methods);
    else if (form === 'text') field.text(key === 'path' ? '/items/A1' : 'Stock');
    else if (form === 'record') field.record();
    else if (form === 'number' && typeof field.value !== 'number') throw field.fault(`${field.what} must be a number`);
  }
  return call;
}
