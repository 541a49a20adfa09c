// The path of a folder in, the folder made, with those above it. Its own file because the `recursive` of Node.js never comes back where
// the system refuses a folder as if the one above it were missing, as /proc does.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder, and those above it where they are missing; one that is there already is fine.
 * @param folder absolute
 * @param mode permissions of what is made
 * @throws what the system says, where it cannot be made
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const above = path.dirname(folder);
    if (code === 'ENOENT' && above !== folder && !isFolder(above)) {
      makeFolder(above, mode);
      // Another process may have been quicker.
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
