// Saves the machine code that V8 compiled in this process when a command ends, so that the next start is faster.
import path from 'node:path';
import type { Script } from 'node:vm';
import { cacheFolder } from './cache-folder.js';
import { pruneCode, writeStored } from './cache-store.js';

interface FreshCode {
  readonly script: Script;
  readonly file: string;
  /** What the file starts with, before the machine code. */
  readonly head: Buffer;
}

const fresh: FreshCode[] = [];

/** A server may load any number of built modules, but only what a start loads first is worth keeping. */
const MOST_FRESH = 100;

/** Saves the code of `script` at the end. */
export function keepLater(script: Script, file: string, head: Buffer = Buffer.alloc(0)): void {
  if (fresh.length < MOST_FRESH) fresh.push({ script, file, head });
}

/** Saves the code compiled in this process. Call it at exit, when the functions that matter have been compiled. */
export function keepCode(): void {
  const written = fresh
    .splice(0)
    .filter(({ script, file, head }) => writeStored(file, Buffer.concat([head, script.createCachedData()])));
  const [first] = written;
  if (first !== undefined) pruneCode(path.dirname(path.dirname(first.file)));
}

/** The file with the machine code of a script for this version of wf and of V8; `undefined` without a cache. */
export function codeFile(
  name: string,
  { mtimeMs, size, ino }: { mtimeMs: number; size: number; ino: number },
): string | undefined {
  const folder = cacheFolder({ env: process.env });
  if (folder === undefined) return undefined;
  const made = `${WF_VERSION}-${process.versions.v8}-${process.arch}-${Math.round(mtimeMs)}-${size}-${ino}`;
  return path.join(folder, 'code', `${name}-${made}`);
}
