// Saves the machine code that V8 compiles from the most used chunks in `dist/code/<version of V8>-<processor>/`, so that the first start
// with an empty cache is fast too. Another version of Node.js ignores it.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Most starts need what these load and execute, one after the other. More would take longer to read than to compile. */
const USUAL = [
  ['run', 'build/usual.wf', '--input', '{"id":"A-17","items":[{"price":2.5,"quantity":2}]}'],
  ['check', 'build/usual.wf'],
];

const recorder = fileURLToPath(new URL('record-code.cjs', import.meta.url));

/** Adds the machine code to the build in the folder `out`. Without it, wf starts as well. */
export function saveMachineCode(root, out) {
  const folder = path.join(out, 'code', `${process.versions.v8}-${process.arch}`);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, WF_CACHE: 'off', NODE_OPTIONS: '', WF_CODE_FOLDER: folder };
  for (const words of USUAL) {
    const command = ['--require', recorder, path.join(out, 'wf.cjs'), ...words];
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The new build can't ${words[0]} build/usual.wf: ${stderr}`);
  }
}
