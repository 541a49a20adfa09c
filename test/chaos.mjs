// `npm run chaos -- --seconds N`: bundles and runs `test/durable/chaos.ts` against the built command line.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTests } from '../esbuild.config.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(root, '.test-build', `chaos-${process.pid}`);
try {
  const [chaos] = await bundleTests(['durable/chaos.ts'], out);
  const { NODE_EXTRA_CA_CERTS: _ca, ...env } = process.env;
  const options = { cwd: root, stdio: 'inherit', env: { ...env, WF_TEST_ROOT: root } };
  process.exitCode = spawnSync(process.execPath, [chaos, ...process.argv.slice(2)], options).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
