// Turns the file of `--input-file` into the `request` of a run. Its extension determines how it is read.
import path from 'node:path';
import type { WfRecord } from '../../runtime/types.js';
import { decodeUtf8, parseJson } from '../../runtime/values/json.js';
import { isRecord } from '../../runtime/values/record.js';
import { InputFault, loadFile } from './load-file.js';
import { readCsvCells } from './read-csv.js';
import { type Input, type InputOptions, kindOfJson } from './read-input.js';
import { readSheetApart } from './read-sheet-apart.js';
import { recordFactory, type Table } from './table.js';

/** Warnings to show per file. A spreadsheet may have thousands of `#N/A`. */
const MOST_WARNINGS = 10;

/** Reads `file`, a path relative to `cwd`. @throws UsageError if anything is wrong with it */
export async function readInputFile(
  file: string,
  { cwd, sheet, asText }: Pick<InputOptions, 'cwd' | 'sheet' | 'asText'>,
): Promise<Input> {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.xlsx' || ending === '.xls') return tableInput(file, await readSheetApart(file, { cwd, sheet, asText }));
  const bytes = await loadFile(file, cwd);
  if (ending !== '.json' && ending !== '.csv') {
    const found = ending === '' ? 'files without an extension' : `${ending} files`;
    throw new InputFault(file, `wf can't read ${found}; use .json, .csv, .xlsx or .xls`);
  }
  if (sheet !== undefined) throw new InputFault(file, `a ${ending} file has no sheets, so you can't use --sheet`);
  if (ending === '.csv') {
    const { table, typed } = readCsvCells(file, bytes, asText);
    return tableInput(file, table, typed);
  }
  if (asText !== undefined) throw new InputFault(file, 'a .json file already says what is text, so --as-text has no effect');
  return { request: readJsonInput(file, bytes), warnings: [] };
}

function tableInput(file: string, table: Table, read?: (rows: Table['rows']) => Table['rows']): Input {
  let request: WfRecord | undefined;
  return {
    // Created on demand: a large table takes time, and only one of the two is needed.
    get request() {
      request ??= tableRequest(read === undefined ? table : { ...table, rows: read(table.rows) });
      return request;
    },
    untyped: () => tableRequest(table),
    warnings: shown(file, table.warnings),
  };
}

function shown(file: string, warnings: readonly string[]): string[] {
  const first = warnings.slice(0, MOST_WARNINGS).map((warning) => `${file}: ${warning}.`);
  if (warnings.length > MOST_WARNINGS) first.push(`${file}: and ${warnings.length - MOST_WARNINGS} more warnings like these.`);
  return first;
}

/**
 * One record per row in `rows`, and their number in `count`. A single row becomes the request itself; `rows` and `count` are
 * still readable then, but don't appear when it is shown or output.
 */
export function tableRequest({ names, rows }: Pick<Table, 'names' | 'rows'>): WfRecord {
  const make = recordFactory(names);
  const records = rows.map(make);
  const [only] = rows;
  if (rows.length !== 1 || only === undefined) return { rows: records, count: records.length };
  const flat = make(only);
  for (const [name, value] of [
    ['rows', records],
    ['count', 1],
  ] as const) {
    if (!Object.hasOwn(flat, name))
      Object.defineProperty(flat, name, { value, enumerable: false, writable: true, configurable: true });
  }
  return flat;
}

/** A `.json` file contains an object, or a list, which becomes `rows` and `count` like a spreadsheet. @throws UsageError */
function readJsonInput(file: string, bytes: Uint8Array): WfRecord {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw new InputFault(file, 'this is not UTF-8 text', { line: decoded.line });
  if (decoded.text.trim() === '') throw new InputFault(file, 'the file is empty; expected a JSON object or list');
  const parsed = parseJson(decoded.text);
  if (!parsed.ok) {
    const reason = parsed.message.replace(/\.$/, '');
    throw new InputFault(file, `this is not valid JSON (column ${parsed.column}): ${reason}`, { line: parsed.line });
  }
  if (Array.isArray(parsed.value)) return { rows: parsed.value, count: parsed.value.length };
  if (!isRecord(parsed.value))
    throw new InputFault(file, `expected a JSON object or list, but found ${kindOfJson(parsed.value)}`);
  return parsed.value;
}
