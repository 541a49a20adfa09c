// Bundles that were made before, by the hash of what they were made from. An entry is one file, written beside and renamed, with a
// hash of its own content: a damaged one is never loaded. What others could have written is never loaded either.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LocatedDiagnostic } from '../diagnostics/diagnostic.js';
import { isPrivate } from './cache-folder.js';

export interface CacheEntry {
  /** Where the module can be imported from. */
  readonly file: string;
  /** Warnings of the check, without the file: the same text may stand in several places. */
  readonly warnings: readonly Omit<LocatedDiagnostic, 'file'>[];
}

/** Name of the entry for a source; everything that changes the bundle is part of it. */
export function cacheKey(source: Uint8Array, file: string, variant: string): string {
  return createHash('sha256').update(`${WF_VERSION}\n${process.versions.node.split('.')[0] ?? ''}\n${variant}\n${file}\n`).update(source).digest('hex');
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Reads an entry; `undefined` where there is none that can be trusted. */
export function readCache(folder: string, key: string): CacheEntry | undefined {
  const file = path.join(folder, `${key}.mjs`);
  try {
    if (!isPrivate(folder, 'folder') || !isPrivate(file, 'file')) return undefined;
    const content = readFileSync(file, 'utf8');
    const end = content.indexOf('\n');
    const body = content.slice(end + 1);
    if (content.slice(0, end) !== `// ${hashOf(body)}`) return undefined;
    return { file, warnings: JSON.parse(body.slice(3, body.indexOf('\n'))) };
  } catch {
    return undefined;
  }
}

/** Writes an entry and gives where it is; `undefined` where the folder cannot be used. Nothing of this keeps a run from running. */
export function writeCache(folder: string, key: string, module: string, warnings: CacheEntry['warnings']): CacheEntry | undefined {
  const file = path.join(folder, `${key}.mjs`);
  const beside = path.join(folder, `.${key}.${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder, 'folder')) return undefined;
    const body = `// ${JSON.stringify(warnings).replace(/[\u2028\u2029]/g, ' ')}\n${module}`;
    writeFileSync(beside, `// ${hashOf(body)}\n${body}`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
    return { file, warnings };
  } catch {
    rmSync(beside, { force: true });
    return undefined;
  }
}
