// A path as the user gave it goes in, the bytes of the file come out, or a sentence that says why not.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { closest } from '../compiler/diagnostics/suggest.js';
import { inputFault } from './input-fault.js';

/** Bytes that an input file may have. */
const FILE_LIMIT = 100 * 1024 * 1024;

/** @throws UsageError for a file that is not there, a folder, no permission, and more than 100 MB (before it is read). */
export async function loadFile(file: string, cwd: string): Promise<Buffer> {
  const absolute = path.resolve(cwd, file);
  try {
    // Before the file is opened: to open a pipe waits for somebody to write into it.
    const stats = await stat(absolute);
    if (stats.isDirectory()) throw inputFault(file, 'this is a folder; expected a file');
    if (!stats.isFile()) throw inputFault(file, 'this is no ordinary file');
    if (stats.size > FILE_LIMIT) {
      throw inputFault(file, `the file has ${Math.ceil(stats.size / 1024 ** 2)} MB; at most 100 MB are read`);
    }
    return await readFile(absolute);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === undefined) throw error;
    throw await notReadable(file, absolute, code);
  }
}

async function notReadable(file: string, absolute: string, code: unknown): Promise<Error> {
  if (code === 'EACCES' || code === 'EPERM') return inputFault(file, 'the file may not be read (no permission)');
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return inputFault(file, `the file cannot be read (${String(code)})`);
  // Only a hint depends on it: a folder that cannot be listed has none.
  const names = await readdir(path.dirname(absolute)).catch((): string[] => []);
  const near = closest(path.basename(absolute), names);
  if (near === undefined) return inputFault(file, 'there is no such file');
  return inputFault(file, 'there is no such file', { hint: `Did you mean "${path.join(path.dirname(file), near)}"?` });
}
