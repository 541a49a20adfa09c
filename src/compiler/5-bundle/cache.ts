// Bundles that were made before, found by a hash of what they were made from. An entry is one file, written beside and renamed; it
// holds the source itself, which is compared, and a sum of its content: neither a coincidence nor damage can load a wrong module.
// The hashes need not be cryptographic, then, and the cryptography of Node.js takes longer to load than a small run.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LocatedDiagnostic } from '../diagnostics/diagnostic.js';
import { isPrivate } from './cache-folder.js';

export interface CacheEntry {
  /** Where the module can be loaded from: CommonJS, which Node.js loads faster than an ES module. */
  readonly file: string;
  /** Warnings of the check, without the file: the same text may stand in several places. */
  readonly warnings: readonly Omit<LocatedDiagnostic, 'file'>[];
}

/** What an entry is made from: everything that changes the bundle. */
export interface CacheKey {
  /** Name of the entry's file. */
  readonly name: string;
  /** First line of the entry: what it was made from, exactly. */
  readonly origin: string;
}

export function cacheKey(source: Uint8Array, file: string, variant: string): CacheKey {
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('latin1');
  const origin = JSON.stringify([WF_VERSION, process.versions.node.split('.')[0], variant, file, text]);
  return { name: `${sumOf(origin)}.cjs`, origin };
}

/** Reads an entry; `undefined` where there is none that can be trusted. */
export function readCache(folder: string, { name, origin }: CacheKey): CacheEntry | undefined {
  const file = path.join(folder, name);
  try {
    if (!isPrivate(folder, 'folder') || !isPrivate(file, 'file')) return undefined;
    const content = readFileSync(file, 'utf8');
    const end = content.indexOf('\n');
    const body = content.slice(end + 1);
    if (content.slice(0, end) !== `// ${sumOf(body)}` || !body.startsWith(`// ${origin}\n`)) return undefined;
    const start = origin.length + 4;
    return { file, warnings: JSON.parse(body.slice(start + 3, body.indexOf('\n', start))) };
  } catch {
    return undefined;
  }
}

/** Writes an entry and gives where it is; `undefined` where the folder cannot be used. Nothing of this keeps a run from running. */
export function writeCache(folder: string, { name, origin }: CacheKey, module: string, warnings: CacheEntry['warnings']): CacheEntry | undefined {
  const file = path.join(folder, name);
  const beside = path.join(folder, `.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder, 'folder')) return undefined;
    const body = `// ${origin}\n// ${JSON.stringify(warnings).replace(/[\u2028\u2029]/g, ' ')}\n${module}`;
    writeFileSync(beside, `// ${sumOf(body)}\n${body}`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
    return { file, warnings };
  } catch {
    rmSync(beside, { force: true });
    return undefined;
  }
}

/** 106 bits that tell texts apart: two multiplicative hashes over the UTF-16 units, each mixed at its end as in MurmurHash3. */
function sumOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  let c = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
    c = Math.imul(c + code, 0x85ebca6b) ^ (c >>> 13);
  }
  const mixed = [a ^ (b >>> 16), b ^ (a >>> 13), c ^ text.length].map((part) => (Math.imul(part ^ (part >>> 15), 2246822507) >>> 0).toString(16).padStart(8, '0'));
  return mixed.join('');
}
