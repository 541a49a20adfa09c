// Saves the machine code that V8 compiles from the most used chunks in `dist/code/<version of V8>-<processor>/`, so that the first start
// with an empty cache is fast too. Another version of Node.js ignores it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Most starts need what this run loads. More would take longer to read than to compile. */
const USUAL = ['run', 'build/usual.wf', '--input', '{"id":"A-17","items":[{"price":2.5,"quantity":2}]}'];

/** `<chunk>-<version of wf>-<version of V8>-…`, see `codeFile` in `src/engine/cache/kept-code.ts`. */
const chunkOf = (name, version) => name.slice(0, name.indexOf(`-${version}-`));

/** Adds the machine code to the build in the folder `out`. Without it, wf starts as well. */
export function saveMachineCode(root, out, version) {
  const cache = mkdtempSync(path.join(tmpdir(), 'wf-code-'));
  try {
    const env = { ...process.env, WF_CACHE: '', XDG_CACHE_HOME: cache, NODE_OPTIONS: '' };
    const program = path.join(out, 'wf.cjs');
    const { status, stderr } = spawnSync(process.execPath, [program, ...USUAL], { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The new build can't run build/usual.wf: ${stderr}`);
    const from = path.join(cache, 'wf', 'code');
    const to = path.join(out, 'code', `${process.versions.v8}-${process.arch}`);
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      if (!name.includes(`-${version}-`)) continue;
      // Not copied: a file of the cache is private, and an installed wf has several users.
      writeFileSync(path.join(to, chunkOf(name, version)), readFileSync(path.join(from, name)));
    }
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
