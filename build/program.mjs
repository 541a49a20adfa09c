// Bundles the program and the library: `src/` and its packages → `dist/wf.cjs`, `dist/index.cjs` and the chunks they share. The output
// is CommonJS, which Node.js starts faster than ES modules. Each module is in one chunk only, so every class exists once.
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { consoleAssets } from './console-assets.mjs';
import { grammarModules } from './grammar-modules.mjs';
import { leanMysql } from './lean-mysql.mjs';
import { writeLicences } from './licences.mjs';
import { onDemand, onDemandFiles } from './on-demand.mjs';
import { quickAssert } from './quick-assert.mjs';
import { staticImports } from './static-imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** What pg would use if somebody asked for it: a library of the system, the sockets of another platform. */
const neverNeeded = ['pg-native', 'cloudflare:sockets'];

/** Installed by npm next to the package, not bundled. */
const external = ['esbuild', 'xlsx', '@photostructure/sqlite', ...neverNeeded];

/** Bundles only the half of Ohm that loads recipes and matches, not the half that parses grammars. */
const ohmKernel = {
  name: 'ohm-kernel',
  resolveId(id) {
    if (id === 'ohm-js') return '\0ohm-js';
    return id.startsWith('ohm-js/src/') ? path.join(root, 'node_modules', id) : undefined;
  },
  load(id) {
    if (id !== '\0ohm-js') return undefined;
    return "import 'ohm-js/src/semanticsDeferredInit.js'; export { makeRecipe } from 'ohm-js/src/main-kernel.js';";
  },
};

/** A `require` of one of our own files is a synchronous lazy import: the file becomes a chunk. */
const requiredChunks = {
  name: 'required-chunks',
  async resolveId(id, importer, { kind }) {
    if (kind !== 'require-call' || !importer.endsWith('.ts') || !id.startsWith('.')) return undefined;
    const { id: file } = await this.resolve(id, importer, { skipSelf: true });
    const name = `${path.basename(file, '.ts')}.cjs`;
    this.emitFile({ type: 'chunk', id: file, fileName: `chunks/${name}`, preserveSignature: 'strict' });
    // All chunks are in one folder.
    return { id: `./${name}`, external: true };
  },
};

const fromRoot = (id) => path.relative(root, id).split(path.sep).join('/');

/** True for the modules whose paths match one of `patterns`. */
const matching =
  (...patterns) =>
  (id) =>
    patterns.some((pattern) => pattern.test(fromRoot(id)));

const startsAlways = matching(
  /^src\/(commands\/(dispatch|progress)|engine\/(find-workflows|read-workflow))\.ts$/,
  /^src\/compiler\/diagnostics\/(locate|render-text|summary)\.ts$/,
);

/** What `wf check` loads, also for a file with environment variables. It uses a little of the runtime, which must not bring the rest along. */
const checked = new Set([
  ...(await staticImports('src/commands/check.ts', onDemandFiles)),
  ...(await staticImports('src/compiler/3-check/secrets.ts', onDemandFiles)),
]);

/**
 * Groups modules that start together, along with their static imports, because each file read at start-up takes time. `wf check` reads
 * `loader`, `start` and `compile`; a cached run reads `loader`, `start`, `run` and `runtime`. Everything else is split automatically.
 */
const groups = [
  // Needed by `wf.cjs` itself, before there is a code cache: Node.js loads it.
  { name: 'loader', test: matching(/^src\/(load-chunk|native-import|dist-folder|engine\/usage-error)\.ts$/), priority: 6 },
  {
    name: 'start',
    test: (id) => startsAlways(id) || (matching(/^runtime\//)(id) && checked.has(fromRoot(id))),
    priority: 5,
  },
  { name: 'runtime', test: matching(/^src\/compiler\/5-bundle\/runtime\.ts$/), priority: 4 },
  { name: 'compile', test: matching(/^src\/(compiler\/compile|commands\/check)\.ts$/), priority: 3 },
  { name: 'run', test: matching(/^src\/commands\/run\.ts$/), priority: 2 },
];

/** Minifies with esbuild, which writes plain ASCII: Node.js reads that several times faster. */
const minify = {
  name: 'minify',
  async renderChunk(text) {
    const { code } = await transform(text, { minify: true, target: 'node18', format: 'cjs', legalComments: 'none' });
    return { code, map: null };
  },
};

const packageOf = (file) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1];

/** Names a chunk after its package, or after our own file or group. */
const chunkFile = ({ name, facadeModuleId }) => {
  if (name === 'loader') return 'loader.cjs';
  return `chunks/${packageOf(facadeModuleId ?? '')?.replace(/[@\\/]+/g, '-') ?? name}.cjs`;
};

/** Our own code is strict; some packages are not. */
function head({ fileName, moduleIds }) {
  const strict = moduleIds.every(packageOf) ? '' : '"use strict";';
  return fileName === 'wf.cjs' ? `#!/usr/bin/env node\n${strict}` : strict;
}

/** Writes the program and the library to the folder `out`. Throws if `wf.cjs` would load a chunk on every start. */
export async function buildProgram(out) {
  const bundle = await rolldown({
    cwd: root,
    input: {
      wf: 'src/cli.ts',
      index: 'src/index.ts',
      'sheet-reader': 'src/input/sheet-reader.ts',
      'store-worker': 'src/durable/store-worker.ts',
    },
    platform: 'node',
    external,
    plugins: [grammarModules, consoleAssets, ohmKernel, quickAssert, leanMysql, onDemand, requiredChunks],
    preserveEntrySignatures: 'allow-extension',
    // A dynamic import may be of code that somebody else imports statically.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    transform: { target: 'node18', define: { WF_VERSION: JSON.stringify(version), WF_DIST: '__dirname' } },
  });
  const { output } = await bundle.write({
    dir: out,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: chunkFile,
    // The ES module loader of Node.js costs 8 ms at its first use. `src/native-import.ts` uses it where nothing else will do.
    dynamicImportInCjs: false,
    codeSplitting: { groups },
    minify: false,
    strict: false,
    banner: head,
    plugins: [minify],
  });
  await bundle.close();
  chmodSync(path.join(out, 'wf.cjs'), 0o755);
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  writeLicences(root, out, new Set(modules.map(packageOf).filter((name) => name !== undefined)));
  const early = output.find(({ fileName }) => fileName === 'wf.cjs').imports.filter((file) => file.startsWith('chunks/'));
  if (early.length > 0) throw new Error(`src/cli.ts statically imports code that only commands need: ${early.join(', ')}`);
}
