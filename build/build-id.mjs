// Identifies the sources of `dist`. During development, two builds of one version may compile a workflow differently.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A hash of all sources under `root`. */
export function buildId(root) {
  const hash = createHash('sha256');
  for (const folder of ['grammar', 'runtime', 'src'])
    for (const name of readdirSync(path.join(root, folder), { recursive: true }).map(String).sort()) {
      if (/\.(ts|ohm|mjs)$/.test(name)) hash.update(`${name}\n`).update(readFileSync(path.join(root, folder, name)));
    }
  return hash.digest('hex').slice(0, 16);
}
