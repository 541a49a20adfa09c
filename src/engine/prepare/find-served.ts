// Finds the files that a process serves or schedules: a single file, the `.wf` files of a folder, or the modules of a built folder.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileFault } from '../files/file-fault.js';
import { UsageError } from '../usage-error.js';

export interface Found {
  readonly single: boolean;
  /** As the user would write them, sorted. */
  readonly files: readonly string[];
  /** Absolute. A change in it may change what is served. */
  readonly folder: string;
}

/** The file that marks a built folder. */
const MANIFEST = 'manifest.json';

/**
 * @param what the purpose of the files, for messages
 * @param reserved base names that a server needs for its own paths
 * @throws UsageError if there is nothing to serve, or a name can't be served
 */
export function findServed(target: string, cwd: string, what: 'serve' | 'schedule', reserved: readonly string[]): Found {
  const absolute = path.resolve(cwd, target);
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(absolute);
  } catch (error) {
    throw new UsageError(
      `wf can't ${what} ${target}: ${fileFault(error)}.`,
      'Name a .wf file, a folder of .wf files, or the output of wf build.',
    );
  }
  if (!stats.isDirectory()) {
    if (!/\.(?:wf|mjs)$/.test(target)) throw new UsageError(`${target} is neither a .wf file nor a built module (.mjs).`);
    return { single: true, files: [target], folder: path.dirname(absolute) };
  }
  const files = namesIn(absolute, target).map((name) => path.join(target, name));
  if (files.length === 0)
    throw new UsageError(
      `The folder ${target} contains no .wf files.`,
      'Subfolders, and names that start with a dot, are skipped.',
    );
  for (const file of files) refuseReserved(file, reserved);
  return { single: false, files, folder: absolute };
}

/** The names to serve. A folder with `.wf` files is not a built folder, whatever else it contains. */
function namesIn(folder: string, target: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    throw new UsageError(`wf can't read the folder ${target}: ${fileFault(error)}.`);
  }
  const ending = (wanted: string): string[] =>
    names.filter((name) => name.endsWith(wanted) && isFile(path.join(folder, name))).sort();
  const sources = ending('.wf');
  return sources.length > 0 || !names.includes(MANIFEST) ? sources : ending('.mjs');
}

/** Follows links, because container platforms mount each file as one. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function refuseReserved(file: string, reserved: readonly string[]): void {
  const basename = path.basename(file).replace(/\.(?:wf|mjs)$/, '');
  if (!reserved.includes(basename)) return;
  throw new UsageError(`wf can't serve ${file}: the server uses the path /${basename} itself.`, 'Rename the file.');
}
