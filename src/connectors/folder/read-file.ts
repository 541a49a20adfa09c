// Reads a file of a folder: the rows of a table, the value of JSON, or text.
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import type { Failure } from '../../../runtime/services/call-errors.js';
import { badFileValue, fileFailed, fileTooLarge } from '../../../runtime/services/connector-errors.js';
import { type FileEnding, fileEnding } from '../../../runtime/services/verbs.js';
import type { Value } from '../../../runtime/types.js';
import { decodeUtf8, parseJson } from '../../../runtime/values/json.js';
import { UsageError } from '../../engine/usage-error.js';
import { readCsv } from '../../input/read-csv.js';
import { readSheetApart } from '../../input/read-sheet-apart.js';
import { emptyTable, recordFactory, type Table } from '../../input/table.js';
import { missingOr, noSuchFile, type Place, throughLink } from './inside.js';

/** As large as a file for `--input-file`. */
const mostBytes = 100 * 1024 * 1024;

/** Opens a regular file without following links. */
export async function ordinaryFile({ file }: Place): Promise<Failure | undefined> {
  const found = await lstat(file).catch((error: unknown) => missingOr(error, 'it'));
  if ('ok' in found) return found;
  if (found.isSymbolicLink()) return throughLink();
  return found.isFile() ? undefined : fileFailed(found.isDirectory() ? 'it is a folder' : 'it is not an ordinary file');
}

export async function readFileOf(place: Place): Promise<AttemptResult> {
  const { file, name } = place;
  if (name === '') return noSuchFile();
  const ending = fileEnding(name);
  if (ending === undefined) return unknownEnding();
  const problem = await ordinaryFile(place);
  if (problem !== undefined) return problem;
  try {
    const bytes = await bytesOf(file);
    return Buffer.isBuffer(bytes) ? await readValueOf(ending, bytes, place) : bytes;
  } catch (error) {
    return missingOr(error, 'it');
  }
}

export const unknownEnding = (): Failure =>
  badFileValue('its name must end in .csv, .xlsx, .json or .txt, which determines the kind of file');

async function bytesOf(file: string): Promise<Buffer | Failure> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    return size > mostBytes ? fileTooLarge('the file', '100 MB') : await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function readValueOf(ending: FileEnding, bytes: Buffer, { folder, name }: Place): Promise<AttemptResult> {
  try {
    if (ending === 'csv') return rowsOf(readCsv(name, bytes, undefined));
    if (ending === 'xlsx') return rowsOf(await readSheetApart(name, { cwd: folder }));
  } catch (error) {
    // `save` writes such a file for a list without rows.
    if (error instanceof UsageError && error.message.includes(emptyTable)) return { ok: true, value: [] };
    if (error instanceof UsageError) return fileFailed(withoutOption(error.message));
    throw error;
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return fileFailed(`line ${decoded.line} of the file is not UTF-8`);
  return ending === 'txt' ? { ok: true, value: decoded.text.replace(/^\ufeff/, '') } : jsonOf(decoded.text);
}

/** One record per row. The log mentions columns that were renamed or left out. */
function rowsOf({ names, rows, warnings }: Table): AttemptResult {
  const value: Value[] = rows.map(recordFactory(names));
  return { ok: true, value, ...(warnings.length === 0 ? {} : { warning: `${warnings.slice(0, 3).join('; ')}.` }) };
}

function jsonOf(text: string): AttemptResult {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed;
  return fileFailed(`it is not valid JSON (line ${parsed.line}, column ${parsed.column})`);
}

/** The table reader mentions a command-line option in its messages. */
const withoutOption = (message: string): string =>
  message
    .replace(/^--input-file .*?(?:, line (\d+))?: /, (_, line?: string) => (line === undefined ? '' : `line ${line}: `))
    .replace(/\.$/, '');
