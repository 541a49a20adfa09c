// Paths, and the environment of every measured process: the same for `wf` and its yardsticks.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '..');
export const wf = path.join(root, 'dist', 'wf.cjs');
export const program = (name) => path.join(here, 'programs', name);

/** `NODE_EXTRA_CA_CERTS` triples the start-up time of Node.js itself, which would flatter every ratio of start-ups. */
const disturbing = /^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NODE_COMPILE_CACHE|NODE_V8_COVERAGE|FORCE_COLOR|WF_.*)$/;

/** A temporary folder, deleted at the end, and an environment whose caches are inside it. */
export function createPlace() {
  if (!existsSync(wf)) throw new Error('There is no build to measure. Run "npm run build" first.');
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-bench-'));
  const kept = Object.entries(process.env).filter(([name]) => !disturbing.test(name));
  const env = { ...Object.fromEntries(kept), XDG_CACHE_HOME: path.join(folder, 'cache') };
  let last = 0;
  return {
    folder,
    env,
    /** A new, empty folder. */
    fresh() {
      const name = path.join(folder, `fresh-${last++}`);
      mkdirSync(name);
      return name;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
