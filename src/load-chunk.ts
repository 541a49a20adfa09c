// Loads the chunks of `dist` and caches the machine code that V8 compiles from them, so that the next start is faster. Node 22 offers
// this for whole programs; this works from Node 18. Without a usable cache, it just loads.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Script } from 'node:vm';
import { distFolder } from './dist-folder.js';
import { codeFile, keptScript, newScript } from './engine/cache/code-cache.js';

interface Chunk {
  readonly id: string;
  readonly filename: string;
  exports: unknown;
  loaded: boolean;
}
type Run = (exports: unknown, require: NodeJS.Require, module: Chunk, filename: string, dirname: string) => void;

/**
 * Returns a `require` for a file in `dist`. It loads chunks through the code cache and leaves everything else to `native`. Chunks are
 * registered with Node.js, so a plugin that loads the library gets the same ones.
 */
export function cachingRequire(native: NodeJS.Require, dist: string = distFolder): NodeJS.Require {
  const folder = path.join(dist, 'chunks');
  const requireFrom = (from: string): NodeJS.Require =>
    Object.assign((id: string) => {
      if (!id.startsWith('.')) return native(id);
      const file = path.join(from, id);
      const known = native.cache[file];
      if (known !== undefined) return known.exports;
      return path.dirname(file) === folder ? load(file) : native(file);
    }, native);
  const requireChunk = requireFrom(folder);
  const load = (file: string): unknown => {
    const chunk: Chunk = { id: file, filename: file, exports: {}, loaded: false };
    native.cache[file] = chunk as NodeModule; // the properties that `require` reads
    try {
      compiled(file)(chunk.exports, requireChunk, chunk, file, folder);
    } catch (error) {
      // Too many files may have been open. The next attempt must not get half a chunk.
      delete native.cache[file];
      throw failedPart(error);
    }
    chunk.loaded = true;
    return chunk.exports;
  };
  return requireFrom(dist);
}

/**
 * Without the path, and without a code, because nobody should take it for a fault of another file. `isOfProgram` recognizes it, because this file
 * can't share a class with what it loads. The mark of a suspension makes a run with a store wait for the next process: nothing is wrong with
 * the run (`runtime/run/durable-run.ts`).
 */
export const failedPart = (cause: unknown): Error =>
  Object.assign(new Error('A part of wf could not be loaded. If wf was updated, restart it.', { cause }), {
    isOfProgram: true,
    [Symbol.for('wf.suspension')]: 'released',
  });

/** The error for a program in `dist` that can't start because it is gone; `undefined` if it is there. */
export const missingPart = (program: string): Error | undefined =>
  existsSync(path.join(distFolder, program))
    ? undefined
    : failedPart(Object.assign(new Error('It is gone.'), { code: 'ENOENT' }));

/** The end of each chunk of this build: a process that an update surprises must not mix two builds. */
const OWN_END = `//${WF_BUILD}\n`;

/** The texts of chunks as they were when `keepChunks` read them. */
const kept = new Map<string, () => string>();

/**
 * Reads all chunks, for a process that lasts: an update may replace or remove them, and a disk may fail, before it needs them. Chunks that
 * can't be read are left out. Compresses them only then, because that takes longer.
 */
export async function keepChunks(dist: string = distFolder): Promise<void> {
  // Every command starts with this file, and only servers need these.
  const [{ readdir, readFile }, { promisify }, { gunzipSync, gzip }] = await Promise.all([
    import('node:fs/promises'),
    import('node:util'),
    import('node:zlib'),
  ]);
  const folder = path.join(dist, 'chunks');
  const read = new Map<string, Buffer>();
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const code = await readFile(file).catch(() => undefined);
    if (code?.toString('latin1', code.length - OWN_END.length) !== OWN_END) continue;
    read.set(file, code);
    kept.set(file, () => code.toString('latin1'));
  }
  for (const [file, code] of read) {
    const packed = await promisify(gzip)(code, { level: 1 });
    kept.set(file, () => gunzipSync(packed).toString('latin1'));
  }
}

function compiled(file: string): Run {
  const script = ownScript(file) ?? newScript(kept.get(file)?.() ?? otherBuild(), file, undefined);
  return script.runInThisContext() as Run; // the build makes a chunk a function
}

/**
 * The chunk on the disk, with its machine code; `undefined` if it belongs to another build by now, or can't be read but was kept. The kept
 * ones do without machine code: V8 compares that with little more than the length of the text.
 */
function ownScript(file: string): Script | undefined {
  let code: string;
  try {
    // The build writes plain ASCII, and this is the fastest way to read it.
    code = readFileSync(file).toString('latin1');
  } catch (error) {
    if (kept.has(file)) return undefined;
    throw error;
  }
  return code.endsWith(OWN_END) ? (builtScript(file, code) ?? cachedScript(file, code)) : undefined;
}

function otherBuild(): never {
  throw Object.assign(new Error('The file belongs to another build.'), { code: 'OTHER_BUILD' });
}

/** With the machine code made by the build, if this Node.js can use it. */
function builtScript(file: string, code: string): Script | undefined {
  const cachedData = readIfThere(path.join(builtFolder, path.basename(file, '.cjs')));
  if (cachedData === undefined) return undefined;
  const script = newScript(code, file, cachedData);
  // An option of Node.js changes what V8 accepts.
  return script.cachedDataRejected === true ? undefined : script;
}

/** With the machine code that an earlier start has saved. Its name identifies the build. */
function cachedScript(file: string, code: string): Script {
  const kept = code.length < LEAST_CACHED ? undefined : codeFile(path.basename(file, '.cjs'), lstatSync(file));
  return kept === undefined ? newScript(code, file, undefined) : keptScript(code, file, kept);
}

/** The folder with the machine code that `build/machine-code.mjs` made for this version of V8, if it made any. */
const builtFolder = path.join(distFolder, 'code', `${process.versions.v8}-${process.arch}`);

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Characters of a chunk below which reading the cache takes longer than compiling. */
const LEAST_CACHED = 8_000;
