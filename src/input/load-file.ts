// Reads an input file and its text, or says in a sentence why that is not possible.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Value } from '../../runtime/types.js';
import { show } from '../../runtime/values/values.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { UsageError } from '../engine/usage-error.js';
import type { Table } from './table.js';

/** Something is wrong with a file. The message starts with the option and the file as the user wrote it. */
export class InputFault extends UsageError {
  /** @param what continues the sentence after a colon, without a full stop; `line` counts from 1 */
  constructor(
    file: string,
    readonly what: string,
    readonly more: { readonly line?: number; readonly hint?: string } = {},
  ) {
    const place = more.line === undefined ? '' : `, line ${more.line}`;
    super(`--input-file ${file}${place}: ${what}.`, more.hint);
  }
}

/** Maximum size of an input file in bytes. */
const FILE_LIMIT = 100 * 1024 * 1024;

/** @throws UsageError for a missing file, a folder, missing permission, or more than 100 MB (without reading it) */
export async function loadFile(file: string, cwd: string): Promise<Buffer> {
  const absolute = path.resolve(cwd, file);
  try {
    // Before opening the file: opening a pipe waits until someone writes to it.
    const stats = await stat(absolute);
    if (stats.isDirectory()) throw new InputFault(file, 'this is a folder, not a file');
    if (!stats.isFile()) throw new InputFault(file, 'this is not an ordinary file');
    if (stats.size > FILE_LIMIT) {
      throw new InputFault(file, `the file is too large: ${Math.ceil(stats.size / 1024 ** 2)} MB, and the limit is 100 MB`);
    }
    return await readFile(absolute);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === undefined) throw error;
    throw await notReadable(file, absolute, code);
  }
}

async function notReadable(file: string, absolute: string, code: unknown): Promise<Error> {
  if (code === 'EACCES' || code === 'EPERM') return new InputFault(file, "you don't have permission to read this file");
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return new InputFault(file, `the file can't be read (${String(code)})`);
  // Only a hint depends on this. If the folder can't be listed, there is no hint.
  const names = await readdir(path.dirname(absolute)).catch((): string[] => []);
  const near = closest(path.basename(absolute), names);
  if (near === undefined) return new InputFault(file, 'the file does not exist');
  return new InputFault(file, 'the file does not exist', { hint: `Did you mean "${path.join(path.dirname(file), near)}"?` });
}

/**
 * Says for each column, by index, whether the option names it.
 * @throws UsageError if the option names a column that the file doesn't have
 */
export function asTextColumns(file: string, option: string | undefined, names: readonly string[]): readonly boolean[] {
  const wanted = new Set(
    (option ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const near = closest(name, names);
    const hint = near === undefined ? `The columns are ${names.slice(0, 20).join(', ')}.` : `Did you mean "${near}"?`;
    throw new InputFault(file, `there is no column "${name}" (--as-text)`, { hint });
  }
  return names.map((name) => wanted.has(name));
}

/** The table with these columns as text. Numbers and booleans become text as shown, for files that store them as such. */
export function asTextTable(file: string, option: string | undefined, table: Table): Table {
  if (option === undefined) return table;
  const isKept = asTextColumns(file, option, table.names);
  const kept = (cell: Value, column: number): Value => (isKept[column] && isSet(cell) ? show(cell) : cell);
  return { ...table, rows: table.rows.map((cells) => cells.map(kept)) };
}

const isSet = (cell: Value): boolean => cell !== null && cell !== undefined;
