// Reads JSON files that people write for wf: mock answers (`--mocks`, or named by a test case) and test cases. Messages give the place of a
// mistake. Warns of answers that no call used.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type GivenMocks, mocksFromJson, type ParsedMocks } from '../../../runtime/services/given-mocks.js';
import type { Redactor, Value, WorkflowInfo } from '../../../runtime/types.js';
import { decodeUtf8, parseJson } from '../../../runtime/values/json.js';
import { closest } from '../../compiler/diagnostics/suggest.js';
import { UsageError } from '../usage-error.js';
import { fileFault } from './file-fault.js';

const hint = `Write mock answers by service and call: { "Stock": { "get stock": { "level": 4 } } }`;

/**
 * Returns fresh mock answers: those given in turn start with the first one.
 * @param given the path as the user wrote it, relative to `cwd`
 * @throws UsageError if the file can't be read, is not JSON, or has the wrong structure; the message gives file and place
 */
export function readMocks(given: string, cwd: string): GivenMocks {
  if (given === '') throw new UsageError('--mocks needs the path of a file with mock answers.', hint);
  const { shown, value } = readJsonFile(given, path.resolve(cwd, given));
  const parsed = parseMocks(value);
  if (!parsed.ok) throw new UsageError(`${shown}: ${parsed.message}`, hint);
  return parsed.mocks;
}

/** Like `mocksFromJson`, but ignores `$schema`, which is for editors. */
export function parseMocks(value: Value): ParsedMocks {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, '$schema'))
    return mocksFromJson(value);
  const { $schema: _editor, ...services } = value;
  return mocksFromJson(services);
}

/** Without "Warning", with a full stop. Secrets are redacted. */
export function mockWarnings(
  mocks: GivenMocks,
  { services, calledServices = [] }: Pick<WorkflowInfo, 'services' | 'calledServices'>,
  redactor: Redactor,
): string[] {
  const names = [...services, ...calledServices].map(({ name }) => name);
  return mocks
    .services()
    .flatMap((service) => (names.includes(service) ? mocks.warnings(service) : [unknownService(service, names)]))
    .map((sentence) => redactor.text(sentence));
}

function unknownService(service: string, names: readonly string[]): string {
  const near = closest(service, names);
  if (near !== undefined) return `the workflow has no service "${service}" for these mock answers. Did you mean "${near}"?`;
  const known = names.length === 0 ? 'it declares none' : `it has ${names.join(', ')}`;
  return `the workflow has no service "${service}" for these mock answers; ${known}.`;
}

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
