// Turns `--input`, `--input-file`, `--sheet` and `--as-text` into the `request` of a run.
import { acceptRequest } from '../../runtime/inputs/accept-request.js';
import type { Acceptance } from '../../runtime/inputs/input-types.js';
import type { Value, WfRecord, WorkflowInfo } from '../../runtime/types.js';
import { parseJson } from '../../runtime/values/json.js';
import { isRecord } from '../../runtime/values/record.js';
import { UsageError } from '../engine/usage-error.js';
import { csvValue } from './csv-value.js';

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

type Declared = Pick<WorkflowInfo, 'inputs' | 'timezone'>;

/**
 * Converts the input of a run to the request that its workflow declares, or lists all its problems.
 * The cells of a table are converted to the declared kinds; JSON must be valid as it is.
 * @param fallback the time zone of a workflow that names none
 */
export function acceptedInput(workflow: Declared, input: Input, fallback?: string): Acceptance {
  const { inputs, timezone = fallback } = workflow;
  if (inputs === undefined) return { request: input.request, problems: [] };
  if (input.untyped === undefined) return acceptRequest(inputs, input.request, { timezone });
  return acceptRequest(inputs, input.untyped(), { timezone, untyped: csvValue });
}

/** `--input` must be an object. @throws UsageError that says where the error is */
export function readInputText(text: string): WfRecord {
  const hint = `Write an object, in single quotes for the shell: --input '{"name": "Ada"}'.`;
  if (text.trim() === '') throw new UsageError('--input is empty; expected a JSON object.', hint);
  const parsed = parseJson(text);
  if (!parsed.ok) {
    throw new UsageError(`--input is not valid JSON (line ${parsed.line}, column ${parsed.column}): ${parsed.message}`, hint);
  }
  if (!isRecord(parsed.value)) {
    const before = text.slice(0, text.search(/\S/)).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    throw new UsageError(`--input is ${kindOfJson(parsed.value)} (${place}), but must be a JSON object.`, hint);
  }
  return parsed.value;
}

/** Describes a JSON value in words. */
export function kindOfJson(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
