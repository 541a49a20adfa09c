// The file of `--input-file` goes in, the `request` of a run comes out; its ending decides who reads it.
import path from 'node:path';
import { inputFault } from './input-fault.js';
import { loadFile } from './load-file.js';
import { readCsv } from './read-csv.js';
import type { Input } from './read-input.js';
import { readJsonFile } from './read-json-input.js';
import { readSheet } from './read-sheet.js';
import type { TableRequest } from './table-request.js';

/** Warnings that are shown of one file; a sheet may have thousands of `#N/A`. */
const MOST_WARNINGS = 10;

/** Reads `file`, a path relative to `cwd`. @throws UsageError for everything that is wrong with it. */
export async function readInputFile(file: string, cwd: string, sheet: string | undefined): Promise<Input> {
  const { request, warnings } = await readTable(file, cwd, sheet);
  return { request, warnings: shown(file, warnings) };
}

async function readTable(file: string, cwd: string, sheet: string | undefined): Promise<TableRequest> {
  const bytes = await loadFile(file, cwd);
  const ending = path.extname(file).toLowerCase();
  if (ending === '.xlsx' || ending === '.xls') return readSheet(file, bytes, sheet);
  if (ending !== '.json' && ending !== '.csv') {
    const found = ending === '' ? 'a file without an ending' : `a file that ends in ${ending}`;
    throw inputFault(file, `${found} cannot be read; the kinds that can are .json, .csv, .xlsx and .xls`);
  }
  if (sheet !== undefined) throw inputFault(file, `a ${ending} file has no sheets, so --sheet cannot be used with it`);
  return ending === '.csv' ? readCsv(file, bytes) : { request: readJsonFile(file, bytes), warnings: [] };
}

function shown(file: string, warnings: readonly string[]): string[] {
  const first = warnings.slice(0, MOST_WARNINGS).map((warning) => `${file}: ${warning}.`);
  if (warnings.length > MOST_WARNINGS) first.push(`${file}: and ${warnings.length - MOST_WARNINGS} more warnings like these.`);
  return first;
}
