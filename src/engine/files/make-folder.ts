// Creates a folder and its missing parents. The `recursive` option of Node.js never returns if the system refuses a folder as
// if its parent were missing, as /proc does.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Succeeds if the folder already exists.
 * @param folder absolute
 * @param mode permissions of new folders
 * @throws the error of the system if the folder can't be created
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const above = path.dirname(folder);
    if (code === 'ENOENT' && above !== folder && !isFolder(above)) {
      makeFolder(above, mode);
      // Another process may have been faster.
      makeFolder(folder, mode);
    } else if (!isFolder(folder)) throw error;
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}
