// `--input`, `--input-file` and `--sheet` go in, the `request` of a run comes out. `run`, `test` and `schedule` all gather their input here.
import type { WfRecord } from '../../runtime/types.js';
import { UsageError } from '../engine/usage-error.js';
import { readInputText } from './read-json-input.js';

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
  // A part of its own: most runs read no file, and the readers need much of Node.js.
  const { readInputFile } = await import('./read-input-file.js');
  return readInputFile(inputFile, cwd, sheet);
}
