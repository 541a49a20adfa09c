// Turns `--input`, `--input-file`, `--sheet` and `--as-text` into the `request` of a run.
import type { WfRecord } from '../../runtime/types.js';
import { UsageError } from '../engine/usage-error.js';
import { readInputText } from './read-json-input.js';

export interface InputOptions {
  /** JSON text. */
  readonly input?: string | undefined;
  /** Path relative to `cwd`. The extension, in any case, determines how the file is read. */
  readonly inputFile?: string | undefined;
  /** Name of a sheet in a workbook. */
  readonly sheet?: string | undefined;
  /** Comma-separated names of columns of a CSV file or spreadsheet that stay text. */
  readonly asText?: string | undefined;
  readonly cwd: string;
}

export interface Input {
  /** For a workflow without declared inputs. */
  readonly request: WfRecord;
  /** A table: its cells without guessing their kinds, as far as the file allows. */
  readonly untyped?: () => WfRecord;
  /** Whole sentences for standard error: renamed headers, cells with errors. */
  readonly warnings: string[];
}

/**
 * The request of a run, or an empty record without options. Reads the file again on each call.
 * @throws UsageError if anything is wrong with the options, the text or the file
 */
export async function readInput(options: InputOptions): Promise<Input> {
  const { input, inputFile, sheet, asText } = options;
  if (input !== undefined && inputFile !== undefined) {
    throw new UsageError('Use either --input or --input-file, not both.');
  }
  if (inputFile === undefined) {
    if (asText !== undefined)
      throw new UsageError('--as-text names columns of a table, so it needs --input-file with a .csv, .xlsx or .xls file.');
    if (sheet !== undefined)
      throw new UsageError('--sheet names a sheet in a workbook, so it needs --input-file with an .xlsx or .xls file.');
    return { request: input === undefined ? {} : readInputText(input), warnings: [] };
  }
  if (inputFile === '') throw new UsageError('--input-file needs the path of a file.');
  // Loaded separately: most runs read no file, and the readers use much of Node.js.
  const { readInputFile } = await import('./read-input-file.js');
  return readInputFile(inputFile, options);
}
