// Saves the machine code that V8 compiled in this process when a command ends, so that the next start is faster.
import path from 'node:path';
import { Script } from 'node:vm';
import { cacheFolder, pruneCode, readStored, writeStored } from './cache-store.js';

interface FreshCode {
  readonly script: Script;
  readonly file: string;
  /** The start of the file, before the machine code. */
  readonly head: Buffer;
}

const fresh: FreshCode[] = [];

/** A server may load any number of built modules, but only what a start loads first is worth keeping. */
const MOST_FRESH = 100;

export const newScript = (code: string, filename: string, cachedData: Buffer | undefined): Script =>
  new Script(code, { filename, ...(cachedData === undefined ? {} : { cachedData }) });

/**
 * Compiles a script with the machine code that an earlier start has saved in the file `kept`. If there is none that V8 can use, saves its own
 * at the end.
 * @param head what the file must start with: V8 only compares lengths, so whatever else identifies the code
 */
export function keptScript(code: string, filename: string, kept: string, head: Buffer = Buffer.alloc(0)): Script {
  const stored = readStored(kept);
  const cachedData = stored?.subarray(0, head.length).equals(head) === true ? stored.subarray(head.length) : undefined;
  const script = newScript(code, filename, cachedData);
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  if (!isKept && fresh.length < MOST_FRESH) fresh.push({ script, file: kept, head });
  return script;
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
