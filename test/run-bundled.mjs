// Bundles a TypeScript file of the tests and runs it as a script, with the arguments of this process.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTests } from '../esbuild.config.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Sets the exit code of this process. @param file below `test/` */
export async function runBundled(file) {
  const out = path.join(root, '.test-build', `${path.basename(file, '.ts')}-${process.pid}`);
  try {
    const [script] = await bundleTests([file], out);
    const { NODE_EXTRA_CA_CERTS: _ca, ...env } = process.env;
    const options = { cwd: root, stdio: 'inherit', env: { ...env, WF_TEST_ROOT: root } };
    process.exitCode = spawnSync(process.execPath, [script, ...process.argv.slice(2)], options).status ?? 1;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
