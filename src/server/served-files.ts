// The target of `wf serve` goes in, the files to serve come out: one file, the `.wf` files of a folder, or the modules of a built folder.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileFault } from '../engine/file-fault.js';
import { UsageError } from '../engine/usage-error.js';
import { reservedNames } from './route-table.js';

export interface Found {
  readonly single: boolean;
  /** As the user would write them; sorted. */
  readonly files: readonly string[];
  /** Absolute; what changes in it may change what is served. */
  readonly folder: string;
}

/** What a built folder has beside its modules. */
const MANIFEST = 'manifest.json';

/** @throws UsageError where there is nothing to serve, or a name cannot be served */
export function findServed(target: string, cwd: string): Found {
  const absolute = path.resolve(cwd, target);
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(absolute);
  } catch (error) {
    throw new UsageError(
      `${target} cannot be served: ${fileFault(error)}.`,
      'Give a .wf file, a folder of .wf files, or what wf build made.',
    );
  }
  if (!stats.isDirectory()) {
    if (!/\.(?:wf|mjs)$/.test(target)) throw new UsageError(`${target} is neither a .wf file nor a built module (.mjs).`);
    return { single: true, files: [target], folder: path.dirname(absolute) };
  }
  const files = namesIn(absolute, target).map((name) => path.join(target, name));
  if (files.length === 0)
    throw new UsageError(
      `The folder ${target} has no .wf files.`,
      'Folders inside of it, and names that start with a dot, do not count.',
    );
  for (const file of files) refuseReserved(file);
  return { single: false, files, folder: absolute };
}

/** The names to serve; `.wf` files first: a folder that has some is no built folder, whatever else lies in it. */
function namesIn(folder: string, target: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    throw new UsageError(`The folder ${target} cannot be read: ${fileFault(error)}.`);
  }
  const ending = (wanted: string): string[] =>
    names.filter((name) => name.endsWith(wanted) && isFile(path.join(folder, name))).sort();
  const sources = ending('.wf');
  return sources.length > 0 || !names.includes(MANIFEST) ? sources : ending('.mjs');
}

/** Follows links: container platforms mount each file as one. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function refuseReserved(file: string): void {
  const basename = path.basename(file).replace(/\.(?:wf|mjs)$/, '');
  if (!reservedNames.includes(basename)) return;
  throw new UsageError(`${file} cannot be served: /${basename} is a path of the server's own.`, 'Give the file another name.');
}
