// Reads an input file, or says in a sentence why that is not possible.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { closest } from '../compiler/diagnostics/suggest.js';
import { inputFault } from './input-fault.js';

/** Maximum size of an input file in bytes. */
const FILE_LIMIT = 100 * 1024 * 1024;

/** @throws UsageError for a missing file, a folder, missing permission, or more than 100 MB (without reading it) */
export async function loadFile(file: string, cwd: string): Promise<Buffer> {
  const absolute = path.resolve(cwd, file);
  try {
    // Before opening the file: opening a pipe waits until someone writes to it.
    const stats = await stat(absolute);
    if (stats.isDirectory()) throw inputFault(file, 'this is a folder, not a file');
    if (!stats.isFile()) throw inputFault(file, 'this is not an ordinary file');
    if (stats.size > FILE_LIMIT) {
      throw inputFault(file, `the file is too large: ${Math.ceil(stats.size / 1024 ** 2)} MB, and the limit is 100 MB`);
    }
    return await readFile(absolute);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === undefined) throw error;
    throw await notReadable(file, absolute, code);
  }
}

async function notReadable(file: string, absolute: string, code: unknown): Promise<Error> {
  if (code === 'EACCES' || code === 'EPERM') return inputFault(file, "you don't have permission to read this file");
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return inputFault(file, `the file can't be read (${String(code)})`);
  // Only a hint depends on this. If the folder can't be listed, there is no hint.
  const names = await readdir(path.dirname(absolute)).catch((): string[] => []);
  const near = closest(path.basename(absolute), names);
  if (near === undefined) return inputFault(file, 'the file does not exist');
  return inputFault(file, 'the file does not exist', { hint: `Did you mean "${path.join(path.dirname(file), near)}"?` });
}
