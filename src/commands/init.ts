// `wf init [folder]`: sets up a folder with a first workflow, its test cases, an example of the environment, a CI job, and
// what does not belong into a repository.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../compiler/5-bundle/make-folder.js';
import { fileFault } from '../engine/file-fault.js';
import { UsageError } from '../engine/usage-error.js';
import type { Io } from './io.js';
import { startFiles } from './start-files.js';

/** Never overwrites: a file that is there stays as it is, and is named. */
export async function initCommand(folder: string, io: Io): Promise<number> {
  if (folder === '') throw new UsageError('wf init needs the name of a folder, or none for the current one.');
  const root = path.resolve(io.cwd, folder);
  for (const [name, content] of Object.entries(startFiles)) {
    const file = path.join(root, name);
    const shown = path.join(folder, name);
    if (existsSync(file)) {
      io.stdout.write(`kept     ${shown}\n`);
      continue;
    }
    try {
      makeFolder(path.dirname(file));
      writeFileSync(file, content, { flag: 'wx' });
    } catch (error) {
      throw new UsageError(`${shown} can't be written: ${fileFault(error)}.`);
    }
    io.stdout.write(`created  ${shown}\n`);
  }
  const enter = folder === '.' ? '' : `cd ${shellWord(folder)} && `;
  io.stdout.write(
    `\nTry it:\n  ${enter}wf check .\n  ${enter}wf run order-review.wf --input '{"customer":"Ada","total":120}'\n  ${enter}wf test .\n`,
  );
  return 0;
}

const shellWord = (folder: string): string => {
  const name = folder.startsWith('-') ? `./${folder}` : folder;
  return /[^\w./-]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : name;
};
