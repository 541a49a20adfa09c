// Turns the JSON text of `--input` or of a `.json` file into the `request` of a run.
import type { Value, WfRecord } from '../../runtime/types.js';
import { decodeUtf8, parseJson } from '../../runtime/values/json.js';
import { isRecord } from '../../runtime/values/record.js';
import { UsageError } from '../engine/usage-error.js';
import { inputFault } from './input-fault.js';

/** `--input` must be an object. @throws UsageError that says where the error is */
export function readInputText(text: string): WfRecord {
  const hint = `Write an object, in single quotes for the shell: --input '{"name": "Ada"}'.`;
  if (text.trim() === '') throw new UsageError('--input is empty; expected a JSON object.', hint);
  const parsed = parseJson(text);
  if (!parsed.ok) {
    throw new UsageError(`--input is not valid JSON (line ${parsed.line}, column ${parsed.column}): ${parsed.message}`, hint);
  }
  if (!isRecord(parsed.value)) {
    const before = text.slice(0, text.search(/\S/)).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    throw new UsageError(`--input is ${kind(parsed.value)} (${place}), but must be a JSON object.`, hint);
  }
  return parsed.value;
}

/** A `.json` file contains an object, or a list, which becomes `rows` and `count` like a spreadsheet. @throws UsageError */
export function readJsonInput(file: string, bytes: Uint8Array): WfRecord {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw inputFault(file, 'this is not UTF-8 text', { line: decoded.line });
  if (decoded.text.trim() === '') throw inputFault(file, 'the file is empty; expected a JSON object or list');
  const parsed = parseJson(decoded.text);
  if (!parsed.ok) {
    const reason = parsed.message.replace(/\.$/, '');
    throw inputFault(file, `this is not valid JSON (column ${parsed.column}): ${reason}`, { line: parsed.line });
  }
  if (Array.isArray(parsed.value)) return { rows: parsed.value, count: parsed.value.length };
  if (!isRecord(parsed.value)) throw inputFault(file, `expected a JSON object or list, but found ${kind(parsed.value)}`);
  return parsed.value;
}

function kind(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
