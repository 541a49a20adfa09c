// Says by its exit code whether `dist` is what these sources build, so that `npm test` doesn't repeat the build of `npm install`. With `--now`,
// remembers that it is. A build by another Node.js counts as another one: it has machine code for that version.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const note = path.join(root, 'node_modules', '.cache', 'wf-build');

/** All that a build reads; the lock file stands for the packages. */
const SOURCES =
  'build grammar runtime src fixtures/examples esbuild.config.mjs package.json package-lock.json tsconfig.json tsconfig.types.json LICENSE';

function state() {
  const hash = createHash('sha256').update(process.version);
  const add = (file) => {
    if (!statSync(file).isDirectory()) return hash.update(`\n${file}\n`).update(readFileSync(file));
    for (const name of readdirSync(file).sort()) add(path.join(file, name));
  };
  for (const source of SOURCES.split(' ')) add(path.join(root, source));
  // Another build in its place has another time.
  return hash.update(String(statSync(path.join(root, 'dist', 'wf.cjs')).mtimeMs)).digest('hex');
}

if (process.argv[2] === '--now') {
  mkdirSync(path.dirname(note), { recursive: true });
  writeFileSync(note, state());
} else {
  try {
    process.exitCode = readFileSync(note, 'utf8') === state() ? 0 : 1;
  } catch {
    // There was no build yet.
    process.exitCode = 1;
  }
}
