// Files in a temporary folder, read as the command line reads them. For tests of the input readers.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { UsageError } from '../../src/engine/usage-error.js';
import { type Input, readInput } from '../../src/input/read-input.js';
import { tableRequest } from '../../src/input/read-input-file.js';
import { readSheet } from '../../src/input/read-sheet.js';
import { temporaryFolder } from '../temporary-folder.js';

/** The content of the file, read with `--input-file`. */
export async function readAs(test: TestContext, name: string, content: string | Uint8Array, sheet?: string): Promise<Input> {
  return await readInput({ inputFile: name, cwd: temporaryFolder(test, { [name]: content }), sheet });
}

/** A workbook read in this process. `readAs` starts a separate one, as the command line does. */
export async function readHere(
  name: string,
  content: string | Uint8Array,
  sheetName?: string,
): Promise<Pick<Input, 'request' | 'warnings'>> {
  const table = readSheet(name, Buffer.from(content), sheetName);
  return { request: tableRequest(table), warnings: table.warnings.map((warning) => `${name}: ${warning}.`) };
}

/** Message and hint of the UsageError that it must throw. */
export async function usageError(reading: Promise<unknown>): Promise<{ message: string; hint: string | undefined }> {
  try {
    await reading;
  } catch (error) {
    assert.ok(error instanceof UsageError, `not a UsageError: ${error instanceof Error ? error.stack : error}`);
    return { message: error.message, hint: error.hint };
  }
  return assert.fail('nothing was wrong');
}
