// Caches compiled workflows under a hash of what they were compiled from. An entry is one file. It includes the source, which
// is compared, and a checksum, so neither a collision nor damage can load the wrong module. The hash therefore need not be
// cryptographic; loading the cryptography of Node.js would take longer than a small run.
import path from 'node:path';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';
import { prune, pruneCode, readStored, writeStored } from './cache-store.js';

interface CacheEntry {
  /** Input of `evaluate`. */
  readonly code: string;
  /** Warnings of the check, without the file: several files may have the same text. */
  readonly warnings: readonly Omit<LocatedDiagnostic, 'file'>[];
  /** The workflows that are compiled into it. They must still be the same. */
  readonly called: readonly CachedCall[];
}

interface CachedCall {
  /** From the folder of the workflow. */
  readonly file: string;
  /** Its path with links resolved. */
  readonly name: string;
  /** Its bytes as Latin-1. */
  readonly text: string;
}

/** Everything that determines an entry. */
interface CacheKey {
  /** Name of the entry's file. */
  readonly name: string;
  /** First line of the entry: exactly what it was made from. */
  readonly origin: string;
}

export function cacheKey(source: Uint8Array, file: string, variant: string): CacheKey {
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('latin1');
  const origin = JSON.stringify([WF_BUILD, process.versions.node.split('.')[0], variant, file, text]);
  return { name: `${sumOf(Buffer.from(origin))}.cjs`, origin };
}

/** Reads an entry; `undefined` if there is none that can be trusted. */
export function readCache(folder: string, { name, origin }: CacheKey): CacheEntry | undefined {
  const content = readStored(path.join(folder, name));
  if (content === undefined) return undefined;
  try {
    const body = content.subarray(SUM_LINE);
    if (content.toString('latin1', 0, SUM_LINE) !== `// ${sumOf(body)}\n`) return undefined;
    const head = Buffer.from(`// ${origin}\n// `);
    if (!body.subarray(0, head.length).equals(head)) return undefined;
    const end = body.indexOf(0x0a, head.length);
    const about: Omit<CacheEntry, 'code'> = JSON.parse(body.toString('utf8', head.length, end));
    return { code: body.toString('utf8', end + 1), ...about };
  } catch {
    return undefined;
  }
}

/** Writes an entry if the folder can be used. Never fails. */
export function writeCache(folder: string, { name, origin }: CacheKey, { code, ...about }: CacheEntry): void {
  const body = Buffer.from(`// ${origin}\n// ${JSON.stringify(about).replace(/[\u2028\u2029]/g, ' ')}\n${code}`);
  const isWritten = writeStored(path.join(folder, name), Buffer.concat([Buffer.from(`// ${sumOf(body)}\n`), body]));
  // A server may write hundreds when it starts, so it only prunes once in a while.
  if (!isWritten || writes++ % PRUNE_EVERY > 0) return;
  prune(folder, /^[0-9a-f]{24}\.cjs$/, MOST_ENTRIES);
  // Of other versions: this one may have its code from the build, and never write any.
  pruneCode(folder);
}

/** Entries to keep, at a few KB each. */
const MOST_ENTRIES = 500;
const PRUNE_EVERY = 100;
let writes = 0;

/** A 96-bit hash: multiplicative hashes over 4-byte words, each finalized as in MurmurHash3. */
function sumOf(bytes: Buffer): string {
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.byteLength & ~3)));
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  let c = bytes.byteLength;
  const add = (word: number): void => {
    a = Math.imul(a ^ word, 2654435761);
    b = Math.imul(b ^ (word >>> 9) ^ word, 1597334677);
    c = Math.imul(c + word, 0x85ebca6b) ^ (c >>> 13);
  };
  for (const word of words) add(word);
  for (const rest of bytes.subarray(bytes.byteLength & ~3)) add(rest + 1);
  const mixed = [a ^ (b >>> 16), b ^ (a >>> 13), c ^ (a >>> 7)].map((part) =>
    (Math.imul(part ^ (part >>> 15), 2246822507) >>> 0).toString(16).padStart(8, '0'),
  );
  return mixed.join('');
}

/** Length of the first line of an entry: `// `, the checksum and a line break. */
const SUM_LINE = 28;
