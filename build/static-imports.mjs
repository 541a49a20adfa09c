// Finds the modules that load along with an entry of the sources.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { grammarModulesOfTests } from './grammar-modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Paths, relative to the repository, of everything that `entry` imports statically, except through the modules in `without`. */
export async function staticImports(entry, without) {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    logLevel: 'error',
    packages: 'external',
    define: { WF_VERSION: '""', WF_BUILD: '""', WF_DIST: '""' },
    plugins: [grammarModulesOfTests],
  });
  const found = new Set();
  const walk = (file) => {
    if (found.has(file) || (file !== entry && without.includes(path.join(root, file)))) return;
    found.add(file);
    for (const { path: target, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) walk(target);
  };
  walk(entry);
  return found;
}
