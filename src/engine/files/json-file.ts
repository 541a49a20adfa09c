// Reads a JSON file that a person writes for wf: mock answers or test cases. Messages give the place of a mistake.
import { readFileSync } from 'node:fs';
import type { Value } from '../../../runtime/types.js';
import { decodeUtf8, parseJson } from '../../../runtime/values/json.js';
import { UsageError } from '../usage-error.js';
import { fileFault } from './file-fault.js';

export interface JsonFile {
  /** The path as the user knows it, for messages. */
  readonly shown: string;
  readonly text: string;
  readonly value: Value;
}

/** `full` is the path to read. @throws UsageError if the file can't be read, or is not UTF-8 or JSON */
export function readJsonFile(shown: string, full: string): JsonFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(full);
  } catch (error) {
    throw new UsageError(`${shown} can't be read: ${fileFault(error)}.`);
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok)
    throw new UsageError(`${shown}, line ${decoded.line}: this is not UTF-8 text.`, 'Save the file as UTF-8 in your editor.');
  const { text } = decoded;
  if (text.trim() === '') throw new UsageError(`${shown} is empty; expected JSON.`);
  const parsed = parseJson(text);
  if (!parsed.ok)
    throw new UsageError(`${shown}, line ${parsed.line}, column ${parsed.column}: this is not valid JSON: ${parsed.message}`);
  return { shown, text, value: parsed.value };
}
