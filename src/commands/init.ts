// `wf init [folder]`: sets up a folder with a first workflow, its test cases, an example of the environment, and a CI job.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../compiler/5-bundle/make-folder.js';
import { fileFault } from '../engine/file-fault.js';
import { UsageError } from '../engine/usage-error.js';
import type { Io } from './io.js';
import { startFiles } from './start-files.js';

/** Never overwrites: a file that is there stays as it is, and is named. */
export async function initCommand(folder: string, io: Io): Promise<number> {
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
  const enter = folder === '.' ? '' : `cd ${/[^\w./-]/.test(folder) ? `"${folder}"` : folder} && `;
  io.stdout.write(
    `\nTry it:\n  ${enter}wf check .\n  ${enter}wf run order-review.wf --input '{"customer":"Ada","total":120}'\n  ${enter}wf test .\n`,
  );
  return 0;
}
