// A file or a folder, as the user gave it → the `.wf` files that it means.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileFault } from './file-fault.js';
import { notReadable } from './read-workflow.js';
import { UsageError } from './usage-error.js';

/**
 * A file stands for itself; a folder for every `.wf` file in it, folders in it included, `node_modules` and whatever starts with a dot
 * aside: editors keep their own files under such names. Sorted.
 */
export function findWorkflows(target: string, cwd: string): string[] {
  const full = path.resolve(cwd, target);
  let isFolder: boolean;
  try {
    isFolder = statSync(full).isDirectory();
  } catch (error) {
    throw notReadable(target, cwd, error);
  }
  if (!isFolder) return [target];
  const files = walk(full, target).map((name) => path.join(target, name));
  if (files.length === 0) throw new UsageError(`There is no .wf file in the folder "${target}".`);
  return files;
}

/** Names from `folder` on; `shown` is what the user calls it. @throws UsageError for a folder in it that cannot be read */
function walk(folder: string, shown: string): string[] {
  const found: string[] = [];
  for (const entry of entriesOf(folder, shown)) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules') continue;
      for (const name of walk(path.join(folder, entry.name), path.join(shown, entry.name)))
        found.push(path.join(entry.name, name));
    } else if (entry.name.endsWith('.wf') && (entry.isFile() || entry.isSymbolicLink())) {
      found.push(entry.name);
    }
  }
  return found;
}

function entriesOf(folder: string, shown: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    throw new UsageError(`The folder ${shown} can't be read: ${fileFault(error)}.`);
  }
}
