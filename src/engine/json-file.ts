// A JSON file that a person writes by hand for wf → its text and value. Its own file, because mock answers and test cases are refused in
// the same words, with the place of the fault.
import { readFileSync } from 'node:fs';
import { decodeUtf8, parseJson } from '../../runtime/json.js';
import type { Value } from '../../runtime/types.js';
import { fileFault } from './file-fault.js';
import { UsageError } from './usage-error.js';

export interface JsonFile {
  /** The path as the user knows it, for messages. */
  readonly shown: string;
  readonly text: string;
  readonly value: Value;
}

/** `full` is where the file is. @throws UsageError where it cannot be read, is not UTF-8 or not JSON. */
export function readJsonFile(shown: string, full: string): JsonFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(full);
  } catch (error) {
    throw new UsageError(`${shown} can't be read: ${fileFault(error)}.`);
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok)
    throw new UsageError(`${shown}, line ${decoded.line}: the text is not UTF-8.`, 'Save it again as UTF-8 in your editor.');
  const { text } = decoded;
  if (text.trim() === '') throw new UsageError(`${shown} is empty; expected JSON.`);
  const parsed = parseJson(text);
  if (!parsed.ok)
    throw new UsageError(`${shown}, line ${parsed.line}, column ${parsed.column}: this is not valid JSON: ${parsed.message}`);
  return { shown, text, value: parsed.value };
}
