// `npm run fuzz -- [--seconds N] [--seed S]`: compares random programs with the tests' evaluator for half of the time, then repeats all
// other properties of the tests, each time with the next seed. Prints the seeds; a seed reproduces its cases.
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

/** Runs node. Returns whether it succeeded and, if requested, what it printed. */
function node(args, more, stdio = 'inherit') {
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', stdio, stdio],
    encoding: 'utf8',
    env: { ...env, WF_TEST_ROOT: root, ...more },
    maxBuffer: 2 ** 28,
  });
  return { ok: status === 0, text: stdout };
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
  const started = performance.now();
  if (!node(['--enable-source-maps', programs, String(seconds / 2), String(firstSeed)]).ok) return false;
  let seed = firstSeed;
  for (; performance.now() - started < seconds * 1_000; seed++) {
    const preload = ['--import', pathToFileURL(path.join(here, 'fuzz-seed.mjs')).href];
    const { ok, text } = node(
      [...preload, '--test', '--test-reporter=spec', ...properties],
      { WF_FUZZ_SEED: String(seed) },
      'pipe',
    );
    if (ok) continue;
    console.log(`${text}\nseed ${seed}: a property does not hold`);
    return false;
  }
  console.log(`seeds ${firstSeed} to ${seed - 1}: the properties of ${properties.length} files hold`);
  return true;
}

try {
  const [programs, ...properties] = await bundleTests(['compiler/fuzz.ts', ...propertyTests()], out);
  if (!fuzz(programs, properties)) process.exitCode = 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
