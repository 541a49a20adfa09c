// Says by its exit code whether `dist` is what these sources build, so that `npm test` doesn't repeat the build of `npm install`. With `--now`,
// remembers that it is. A build by another Node.js counts as another one: it has machine code for that version.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceHash } from './build-id.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const note = path.join(root, 'node_modules', '.cache', 'wf-build');

/** All that a build reads; the lock file stands for the packages. */
const SOURCES =
  'build grammar runtime src fixtures/examples esbuild.config.mjs package.json package-lock.json tsconfig.json tsconfig.types.json LICENSE'.split(
    ' ',
  );

// Another build in the place of `dist` has another time.
const state = () =>
  sourceHash(root, SOURCES)
    .update(`${process.version} ${statSync(path.join(root, 'dist', 'wf.cjs')).mtimeMs}`)
    .digest('hex');

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
