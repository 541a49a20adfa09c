// A file or a folder, as the user gave it → the `.wf` files that it means.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileFault } from './file-fault.js';
import { UsageError } from './usage-error.js';

/** A file stands for itself; a folder for every `.wf` file in it, folders in it included, dot-folders and `node_modules` aside. Sorted. */
export function findWorkflows(target: string, cwd: string): string[] {
  const full = path.resolve(cwd, target);
  let isFolder: boolean;
  try {
    isFolder = statSync(full).isDirectory();
  } catch (error) {
    throw new UsageError(`${target} can't be read: ${fileFault(error)}.`);
  }
  if (!isFolder) return [target];
  const files = walk(full).map((name) => path.join(target, name));
  if (files.length === 0) throw new UsageError(`There is no .wf file in the folder "${target}".`);
  return files;
}

function walk(folder: string): string[] {
  const found: string[] = [];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      for (const name of walk(path.join(folder, entry.name))) found.push(path.join(entry.name, name));
    } else if (entry.name.endsWith('.wf') && (entry.isFile() || entry.isSymbolicLink())) {
      found.push(entry.name);
    }
  }
  return found;
}
