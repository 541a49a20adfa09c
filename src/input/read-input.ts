// `--input`, `--input-file` and `--sheet` go in, the `request` of a run comes out. `run`, `test` and `schedule` all gather their input here.
import path from 'node:path';
import type { WfRecord } from '../../runtime/types.js';
import { UsageError } from '../engine/usage-error.js';
import { inputFault } from './input-fault.js';
import { loadFile } from './load-file.js';
import { readCsv } from './read-csv.js';
import { readInputText, readJsonFile } from './read-json-input.js';
import { readSheet } from './read-sheet.js';
import type { TableRequest } from './table-request.js';

export interface InputOptions {
  /** JSON text. */
  readonly input?: string | undefined;
  /** Path relative to `cwd`; the ending, in any case, decides how it is read. */
  readonly inputFile?: string | undefined;
  /** Name of a sheet of a workbook. */
  readonly sheet?: string | undefined;
  readonly cwd: string;
}

export interface Input {
  readonly request: WfRecord;
  /** Whole sentences for standard error: renamed headers, cells that hold errors. */
  readonly warnings: string[];
}

/** Warnings that are shown of one file; a sheet may have thousands of `#N/A`. */
const MOST_WARNINGS = 10;

/**
 * The request of a run (`service.md` 2.2, `behaviour.md` 3); without any option an empty record. The file is read anew at each call.
 * @throws UsageError for everything that is wrong with the options, the text or the file.
 */
export async function readInput(options: InputOptions): Promise<Input> {
  const { input, inputFile, sheet, cwd } = options;
  if (input !== undefined && inputFile !== undefined) {
    throw new UsageError('--input and --input-file cannot be used together; give one of them.');
  }
  if (inputFile === undefined) {
    if (sheet !== undefined)
      throw new UsageError('--sheet names a sheet of a workbook; it needs --input-file with an .xlsx or .xls file.');
    return { request: input === undefined ? {} : readInputText(input), warnings: [] };
  }
  if (inputFile === '') throw new UsageError('--input-file is empty; expected the path of a file.');
  const { request, warnings } = await readFile(inputFile, cwd, sheet);
  return { request, warnings: shown(inputFile, warnings) };
}

async function readFile(file: string, cwd: string, sheet: string | undefined): Promise<TableRequest> {
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
