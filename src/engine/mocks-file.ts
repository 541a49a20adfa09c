// A file of mock answers (`--mocks`, or named by a test case) → the answers. Its own file, because `run`, `test`, `serve` and `schedule`
// all take one.
import path from 'node:path';
import { type GivenMocks, mocksFromJson, type ParsedMocks } from '../../runtime/services/given-mocks.js';
import type { Value } from '../../runtime/types.js';
import { readJsonFile } from './json-file.js';
import { UsageError } from './usage-error.js';

const hint = `Mock answers look like this: { "Stock": { "get stock": { "level": 4 } } }: the service, the call, the answer.`;

/**
 * The mock answers of a file (behaviour.md 6), fresh: those that are given in turn start with the first one.
 * @param given the path as the user wrote it, relative to `cwd`
 * @throws UsageError where it cannot be read, is no JSON, or has another form; the message names the file and the place
 */
export function readMocks(given: string, cwd: string): GivenMocks {
  if (given === '') throw new UsageError('--mocks needs the path of a file with mock answers.', hint);
  const { shown, value } = readJsonFile(given, path.resolve(cwd, given));
  const parsed = parseMocks(value);
  if (!parsed.ok) throw new UsageError(`${shown}: ${parsed.message}`, hint);
  return parsed.mocks;
}

/** As `mocksFromJson`; a `$schema` beside the services is for the editor and does not count. */
export function parseMocks(value: Value): ParsedMocks {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, '$schema'))
    return mocksFromJson(value);
  const { $schema: _editor, ...services } = value;
  return mocksFromJson(services);
}
