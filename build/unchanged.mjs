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

const sources = sourceHash(root, SOURCES).update(process.version).digest('hex');
// Another build in the place of `dist` has another time.
const built = () => `${sources} ${statSync(path.join(root, 'dist', 'wf.cjs'), { throwIfNoEntry: false })?.mtimeMs}`;
const noted = () => {
  try {
    return readFileSync(note, 'utf8');
  } catch {
    // There was no build yet.
    return '';
  }
};

if (process.argv[2] !== '--now') {
  if (noted() === built()) process.exit(0);
  mkdirSync(path.dirname(note), { recursive: true });
  writeFileSync(note, sources);
  process.exit(1);
}
// If a source has changed since the build began, the next one does not rely on it.
if (noted() === sources) writeFileSync(note, built());
