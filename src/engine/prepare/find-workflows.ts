// Finds the `.wf` files that a file or folder named by the user refers to, and reads their bytes, or says why that is not possible.
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { closest } from '../../compiler/diagnostics/suggest.js';
import { faultCode, fileFault } from '../files/file-fault.js';
import { UsageError } from '../usage-error.js';

/**
 * A file means itself; a folder means all `.wf` files in it and its subfolders. Skips `node_modules` and names that start with a dot, which
 * editors use for their own files. Sorted.
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
  const files = filesIn(target, cwd, '.wf');
  if (files.length === 0) throw new UsageError(`The folder "${target}" contains no .wf files.`);
  return files;
}

/** Like `findWorkflows`, for any ending. @param deep whether to look in subfolders. @throws UsageError */
export function filesIn(folder: string, cwd: string, ending: string, { deep = true } = {}): string[] {
  return walk(path.resolve(cwd, folder), folder, { ending, deep }).map((name) => path.join(folder, name));
}

interface Wanted {
  readonly ending: string;
  readonly deep: boolean;
}

/** File names under `folder`. `shown` is what the user calls it. @throws UsageError if a folder can't be read */
function walk(folder: string, shown: string, wanted: Wanted): string[] {
  const found: string[] = [];
  for (const entry of entriesOf(folder, shown)) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules' || !wanted.deep) continue;
      for (const name of walk(path.join(folder, entry.name), path.join(shown, entry.name), wanted))
        found.push(path.join(entry.name, name));
    } else if (entry.name.endsWith(wanted.ending) && (entry.isFile() || entry.isSymbolicLink())) {
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

/** `file` is relative to `cwd`. @throws UsageError if it is a folder or can't be read */
export function readWorkflow(file: string, cwd: string): Uint8Array {
  const full = path.resolve(cwd, file);
  try {
    return readFileSync(full);
  } catch (error) {
    if (faultCode(error) !== 'EISDIR') throw notReadable(file, cwd, error);
    throw new UsageError(`${file} is a folder, but this command needs a single .wf file.`);
  }
}

/** The error for a file or folder that the system refuses; suggests a similar name if it doesn't exist. */
function notReadable(file: string, cwd: string, error: unknown): UsageError {
  const near = faultCode(error) === 'ENOENT' ? nearby(file, cwd) : undefined;
  const meant = near === undefined ? '' : ` Did you mean "${path.join(path.dirname(file), near)}"?`;
  return new UsageError(`${file} can't be read: ${fileFault(error)}.${meant}`);
}

/** The most similar name in the same folder. */
function nearby(file: string, cwd: string): string | undefined {
  const full = path.resolve(cwd, file);
  const name = path.basename(full);
  try {
    const names = readdirSync(path.dirname(full), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || /\.(?:wf|mjs)$/.test(entry.name))
      .map((entry) => entry.name);
    return names.includes(`${name}.wf`) ? `${name}.wf` : closest(name, names);
  } catch {
    return undefined;
  }
}
