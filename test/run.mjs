// Bundles the test files with esbuild and hands them to node's own test runner: `node test/run.mjs [filter...]`.
// A filter is a part of a test file's path. UPDATE=1 rewrites golden fixtures.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTests } from '../esbuild.config.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const filters = process.argv.slice(2);
const out = path.join(root, '.test-build', String(process.pid));

const files = readdirSync(path.join(root, 'test'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.test.ts') && (filters.length === 0 || filters.some((filter) => name.includes(filter))))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches: ${filters.join(' ')}`);
  process.exit(1);
}
try {
  const built = await bundleTests(files, out);
  const { NODE_EXTRA_CA_CERTS: _ca, FORCE_COLOR: _colour, ...env } = process.env;
  const result = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...built], {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, WF_TEST_ROOT: root },
  });
  process.exitCode = result.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
