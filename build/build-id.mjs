// Identifies the sources of `dist`. During development, two builds of one version may compile a workflow differently.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A hash of files, and of all files in folders, under `root`. */
export function sourceHash(root, sources, isRead = () => true) {
  const hash = createHash('sha256');
  const add = (name) => {
    const file = path.join(root, name);
    if (statSync(file).isDirectory()) for (const inside of readdirSync(file).sort()) add(path.join(name, inside));
    else if (isRead(name)) hash.update(`${name}\n`).update(readFileSync(file));
  };
  for (const source of sources) add(source);
  return hash;
}

/** A hash of all sources under `root`. */
export const buildId = (root) =>
  sourceHash(root, ['grammar', 'runtime', 'src'], (name) => /\.(ts|ohm|mjs)$/.test(name))
    .digest('hex')
    .slice(0, 16);
