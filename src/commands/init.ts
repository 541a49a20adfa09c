// `wf init [folder]`: creates sample workflows with test cases, an example `.env`, a `package.json`, a CI job and a `.gitignore`.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileFault } from '../engine/file-fault.js';
import type { Io } from '../engine/io.js';
import { makeFolder } from '../engine/make-folder.js';
import { UsageError } from '../engine/usage-error.js';
import { startFiles } from './start-files.js';

/** Never overwrites: keeps and reports files that already exist. */
export async function initCommand(folder: string, io: Io): Promise<number> {
  if (folder === '') throw new UsageError('The folder name is empty. Leave it out to use the current folder.');
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
  const enter = folder === '.' ? '' : `  cd ${shellWord(folder)}\n`;
  io.stdout.write(
    `\nTry it:\n${enter}  npm install\n  npx wf check .\n  npx wf run order-review.wf --input '{"customer":"Ada","total":120}'\n  npx wf test .\n`,
  );
  return 0;
}

const shellWord = (folder: string): string => {
  const name = folder.startsWith('-') ? `./${folder}` : folder;
  return /[^\w./-]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : name;
};
