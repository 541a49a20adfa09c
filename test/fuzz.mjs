// `npm run fuzz -- [--seconds N] [--seed S]`: compares random programs with the tests' evaluator for half of the time, then repeats the
// other properties of the tests, file by file, each round with the next seed. Stops when the time is over, also within a file. Prints the
// seeds; a seed reproduces its cases.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleTests } from '../esbuild.config.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
});
const [seconds, firstSeed] = [Number(values.seconds), Number(values.seed)];
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '..');
const out = path.join(root, '.test-build', `fuzz-${process.pid}`);
const { NODE_EXTRA_CA_CERTS: _ca, FORCE_COLOR: _colour, ...env } = process.env;

/** Runs node until the time is over. Returns whether it failed before, and, if requested, what it printed. */
function node(args, more, stdio = 'inherit') {
  const left = Math.ceil(seconds * 1_000 - performance.now());
  if (left <= 0) return { isOver: true, isBad: false };
  const { status, stdout, error } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', stdio, stdio],
    encoding: 'utf8',
    env: { ...env, WF_TEST_ROOT: root, ...more },
    maxBuffer: 2 ** 28,
    timeout: left,
    killSignal: 'SIGKILL',
  });
  const isOver = error?.code === 'ETIMEDOUT';
  return { isOver, isBad: !isOver && status !== 0, text: stdout };
}

/** Test files with properties, except for those of programs. */
function propertyTests() {
  const names = readdirSync(here, { recursive: true }).map(String);
  return names.filter(
    (name) =>
      name.endsWith('.test.ts') &&
      !name.endsWith('programs.test.ts') &&
      readFileSync(path.join(here, name), 'utf8').includes("from 'fast-check'"),
  );
}

function fuzz(programs, properties) {
  const half = (seconds - performance.now() / 1_000) / 2;
  if (half > 0 && node(['--enable-source-maps', programs, String(half), String(firstSeed)]).isBad) return false;
  const preload = ['--import', pathToFileURL(path.join(here, 'fuzz-seed.mjs')).href];
  let done = 0;
  for (let seed = firstSeed; ; seed++)
    // A short run starts with other files each time.
    for (let count = 0; count < properties.length; count++) {
      const file = properties[(firstSeed + count) % properties.length];
      const { isOver, isBad, text } = node([...preload, file], { WF_FUZZ_SEED: String(seed) }, 'pipe');
      if (isOver) {
        console.log(`seeds ${firstSeed} to ${seed}: the properties hold in ${done} runs of ${properties.length} files`);
        return true;
      }
      if (isBad) {
        console.log(`${text}\nseed ${seed}: a property does not hold`);
        return false;
      }
      done++;
    }
}

try {
  const [programs, ...properties] = await bundleTests(['compiler/fuzz.ts', ...propertyTests()], out);
  if (!fuzz(programs, properties)) process.exitCode = 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
