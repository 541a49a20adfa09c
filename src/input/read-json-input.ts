// JSON text goes in, of `--input` or of a `.json` file, the `request` of a run comes out.
import { decodeUtf8, parseJson } from '../../runtime/json.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { UsageError } from '../engine/usage-error.js';
import { inputFault } from './input-fault.js';

/** `--input`: an object and nothing else. @throws UsageError with the place of the fault. */
export function readInputText(text: string): WfRecord {
  const hint = `Write an object in double quotes, in single quotes for the shell: --input '{"name": "Ada"}'.`;
  if (text.trim() === '') throw new UsageError('--input is empty; expected a JSON object.', hint);
  const parsed = parseJson(text);
  if (!parsed.ok) {
    throw new UsageError(`--input is not valid JSON (line ${parsed.line}, column ${parsed.column}): ${parsed.message}`, hint);
  }
  if (!isRecord(parsed.value)) {
    const before = text.slice(0, text.search(/\S/)).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    throw new UsageError(`--input is ${kind(parsed.value)} (${place}); expected a JSON object.`, hint);
  }
  return parsed.value;
}

/** A `.json` file: an object, or a list, which becomes `rows` and `count` as in a sheet. @throws UsageError */
export function readJsonFile(file: string, bytes: Uint8Array): WfRecord {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw inputFault(file, 'the text is not UTF-8', { line: decoded.line });
  if (decoded.text.trim() === '') throw inputFault(file, 'the file is empty; expected a JSON object or list');
  const parsed = parseJson(decoded.text);
  if (!parsed.ok) {
    const reason = parsed.message.replace(/\.$/, '');
    throw inputFault(file, `this is not valid JSON (column ${parsed.column}): ${reason}`, { line: parsed.line });
  }
  if (Array.isArray(parsed.value)) return { rows: parsed.value, count: parsed.value.length };
  if (!isRecord(parsed.value)) throw inputFault(file, `it holds ${kind(parsed.value)}; expected a JSON object or list`);
  return parsed.value;
}

function isRecord(value: Value): value is WfRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kind(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
