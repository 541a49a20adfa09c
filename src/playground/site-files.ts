// The files of the playground as the build made them, and the workflows of a folder to begin with.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { distFolder } from '../dist-folder.js';
import { filesIn } from '../engine/prepare/find-workflows.js';
import { UsageError } from '../engine/usage-error.js';
import type { OpenFile } from './protocol.js';

/** By name. */
export function playgroundFiles(): Map<string, Buffer> {
  const folder = path.join(distFolder, 'playground');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]));
}

export interface WorkflowFolder {
  /** The workflows as they are now. */
  read(): OpenFile[];
  pathOf(name: string): string;
}

const MOST_FILES = 500;
const MOST_BYTES = 1_000_000;

/** @throws UsageError if there is no such folder, or no workflow in it */
export function workflowFolder(folder: string, cwd: string): WorkflowFolder {
  const full = path.resolve(cwd, folder);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(
      `There is no folder "${folder}".`,
      'wf playground takes a folder with workflows, or nothing for the examples alone.',
    );
  const read = (): OpenFile[] =>
    filesIn('.', full, '.wf')
      .slice(0, MOST_FILES)
      .flatMap((name) => {
        const file = path.join(full, name);
        if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true || statSync(file).size > MOST_BYTES) return [];
        return [{ name: name.split(path.sep).join('/'), text: readFileSync(file, 'utf8') }];
      });
  if (read().length === 0) throw new UsageError(`The folder "${folder}" contains no .wf files.`);
  return { read, pathOf: (name) => path.join(full, name) };
}
