// Loads the parts of `dist` and keeps the machine code that V8 made of them, so that the next start need not compile them again.
// Node 22 has this built in for whole programs; this works from Node 18 on. Without a usable cache it only loads.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { cacheFolder } from './compiler/5-bundle/cache-folder.js';
import { prune, readKept, writeKept } from './compiler/5-bundle/kept-files.js';

type Wrapped = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

const exportsOf = new Map<string, unknown>();
const fresh: { readonly script: Script; readonly file: string }[] = [];

/** The exports of the part `name`, loaded once. */
export function loadChunk(
  name: string,
  nativeRequire: (id: string) => unknown,
  nativeImport: (url: string) => Promise<unknown>,
): unknown {
  if (exportsOf.has(name)) return exportsOf.get(name);
  const file = path.join(WF_DIST, 'chunks', `${name}.cjs`);
  const source = readFileSync(file, 'utf8');
  const kept = keptFile(name, file);
  const cachedData = kept === undefined ? undefined : readKept(kept);
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) fresh.push({ script, file: kept });
  const module = { exports: {} as unknown };
  exportsOf.set(name, module.exports);
  const run = script.runInThisContext() as Wrapped; // the function above
  const require = (id: string): unknown => {
    if (id === 'wf:import') return nativeImport;
    return id.startsWith('wf:') ? loadChunk(id.slice(3), nativeRequire, nativeImport) : nativeRequire(id);
  };
  run(module.exports, require, module, file, path.dirname(file));
  exportsOf.set(name, module.exports);
  return module.exports;
}

/** Keeps what was compiled in this process; to be called at its end, when the functions that matter have been compiled. */
export function keepCode(): void {
  const written = fresh.splice(0).filter(({ script, file }) => writeKept(file, script.createCachedData()));
  const [first] = written;
  if (first !== undefined) prune(path.dirname(first.file), CODE_NAME, MOST_FILES);
}

/** What `keptFile` gives. */
const CODE_NAME = /^[a-z][\w.-]*-\d+-\d+-\d+$/;
/** Files of machine code that are kept: several versions of wf, some 20 files each, of some 100 KB. */
const MOST_FILES = 100;

/** V8 itself only compares lengths of sources: the name holds what tells one build from another. */
function keptFile(name: string, file: string): string | undefined {
  const folder = cacheFolder({ env: process.env });
  if (folder === undefined) return undefined;
  const { mtimeMs, size, ino } = lstatSync(file);
  return path.join(
    folder,
    'code',
    `${name}-${WF_VERSION}-${process.versions.v8}-${process.arch}-${Math.round(mtimeMs)}-${size}-${ino}`,
  );
}
