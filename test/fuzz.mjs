// `npm run fuzz -- [--seconds N] [--seed S]`: compiles and runs random programs against the evaluator of the tests, and prints the seed.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleTests } from '../esbuild.config.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
});
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(root, '.test-build', `fuzz-${process.pid}`);
try {
  const [file] = await bundleTests(['compiler/fuzz.ts'], out);
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', file, values.seconds, values.seed], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WF_TEST_ROOT: root },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
