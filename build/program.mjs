// Bundles the program and the library, `src/` and its packages, into `dist/wf.cjs`, `dist/index.cjs` and the chunks they share. The output
// is CommonJS, which Node.js starts faster than ES modules. Each module is in a single chunk, so every class exists once.
import { chmodSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import { buildId } from './build-id.mjs';
import { consoleAssets } from './console-assets.mjs';
import { grammarModules } from './grammar-modules.mjs';
import { writeBillOfMaterials, writeLicences } from './licences.mjs';
import { loadedBy, onDemand, onDemandFiles, standInFor } from './on-demand.mjs';
import { packages } from './packages.mjs';
import { sources } from './sources.mjs';
import { staticImports } from './static-imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Optional dependencies of pg: a native library, and the sockets of another platform. */
const neverNeeded = ['pg-native', 'cloudflare:sockets'];

const define = {
  WF_VERSION: JSON.stringify(version),
  WF_BUILD: JSON.stringify(buildId(root)),
  WF_DIST: '__dirname',
};

/** Installed by npm next to the package, not bundled. */
const external = ['esbuild', 'xlsx', '@photostructure/sqlite', ...neverNeeded];

/** A `require` of one of our own files is a synchronous lazy import: the file becomes a chunk. */
const requiredChunks = {
  name: 'required-chunks',
  transform(code, importer) {
    if (!importer.endsWith('.ts')) return undefined;
    return code.replace(/\brequire\("(\.[^"]+)\.js"\)/g, (_, id) => {
      const name = `${path.basename(id)}.cjs`;
      const file = path.resolve(path.dirname(importer), `${id}.ts`);
      this.emitFile({ type: 'chunk', id: file, fileName: `chunks/${name}`, preserveSignature: 'strict' });
      // All chunks are in one folder.
      return `require("./${name}")`;
    });
  },
};

/** Leaves the dynamic import of `src/native-import.ts` alone; the others become calls of `require`. */
const nativeImport = {
  name: 'native-import',
  renderDynamicImport: ({ moduleId }) =>
    path.basename(moduleId) === 'native-import.ts' ? { left: 'import(', right: ')' } : null,
};

const fromRoot = (id) => path.relative(root, id).split(path.sep).join('/');

/** True for the modules whose paths match one of `patterns`. */
const matching =
  (...patterns) =>
  (id) =>
    patterns.some((pattern) => pattern.test(fromRoot(id)));

const startsAlways = matching(
  /^src\/(commands\/(dispatch|progress)|engine\/prepare\/find-workflows)\.ts$/,
  /^src\/compiler\/diagnostics\/(locate|render-text|summary)\.ts$/,
);

/**
 * What `wf check` loads, including for a file with environment variables. It uses a small part of the runtime, which must not pull in the
 * rest.
 */
const checked = new Set([
  ...(await staticImports('src/commands/check.ts', onDemandFiles)),
  ...(await staticImports('src/compiler/3-check/secrets.ts', onDemandFiles)),
]);

/** Checks the defaults of inputs. In the chunk of the runtime, which also uses it, the check of any file with inputs would load that. */
const acceptsDefaults = standInFor('runtime/inputs/accept-request.ts');

/**
 * Groups modules that start together, along with their static imports, because each file read at start-up takes time. `wf check` reads
 * `loader`, `start` and `compile`; a cached run reads `loader`, `start`, `run` and `runtime`. Everything else is split automatically.
 */
const groups = [
  // Needed by `wf.cjs` itself, before there is a code cache: Node.js loads it.
  { name: 'loader', test: matching(/^src\/(load-chunk|native-import|dist-folder|engine\/usage-error)\.ts$/) },
  {
    name: 'start',
    test: (id) => startsAlways(id) || id === acceptsDefaults || (matching(/^runtime\//)(id) && checked.has(fromRoot(id))),
  },
  { name: 'runtime', test: matching(/^src\/compiler\/5-bundle\/runtime\.ts$/) },
  // The cells of tables are needed by the analysis, and by the emitter without it.
  { name: 'compile', test: matching(/^src\/(compiler\/compile|compiler\/3-check\/tables\/cells|commands\/check)\.ts$/) },
  { name: 'analyse', test: matching(/^src\/analysis\/analyse\.ts$/) },
  { name: 'catalogue', test: matching(/^src\/compiler\/diagnostics\/catalogue\/index\.ts$/) },
  { name: 'run', test: matching(/^src\/commands\/run\.ts$/) },
];

/** Assigns each module to the first group that one of its importers, or itself, belongs to. */
function manualChunks() {
  let assigned;
  return (id, { getModuleIds, getModuleInfo }) => {
    if (assigned === undefined) {
      assigned = new Map();
      const add = (module, name) => {
        const info = getModuleInfo(module);
        if (assigned.has(module) || info === null || info.isExternal) return;
        assigned.set(module, name);
        for (const imported of info.importedIds) add(imported, name);
      };
      for (const { name, test } of groups) for (const module of getModuleIds()) if (test(module)) add(module, name);
    }
    return assigned.get(id);
  };
}

/** Minifies with esbuild, which writes plain ASCII: Node.js reads that several times faster. */
const minify = {
  name: 'minify',
  async renderChunk(text) {
    const { code } = await transform(text, { minify: true, target: 'node18', format: 'cjs', legalComments: 'none' });
    return { code: code.replace(/[^\x00-\x7f]/g, escaped), map: null };
  },
};

/** esbuild leaves regular expressions as they are. */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Makes a chunk a function that `src/load-chunk.ts` runs as a script, with the text as it is on disk: putting a function around 160 KB at
 * each start costs a garbage collection. If Node.js itself loads the chunk, `this` is its exports, and the function runs at once. The last line
 * names the build: the loader accepts no other.
 */
const asFunction = {
  name: 'as-function',
  renderChunk(text, { fileName, exports }) {
    if (!fileName.startsWith('chunks/')) return null;
    // The directive stays first, or the chunk would not be strict.
    const body = exports.length < MANY_EXPORTS ? text : text.replace(STRICT, `${STRICT}module.exports=exports={__proto__:null};`);
    const code = `(f=>this===globalThis?f:f(${MODULE_NAMES}))(function(${MODULE_NAMES}){${body}\n});\n//${JSON.parse(define.WF_BUILD)}\n`;
    return { code, map: null };
  },
};

/** What Node.js passes to a CommonJS module. */
const MODULE_NAMES = 'exports,require,module,__filename,__dirname';

/**
 * An object with this many exports is made a dictionary, to which V8 adds each in a seventh of the time. Reading from one takes longer, so
 * chunks that servers and loops read from must have fewer.
 */
const MANY_EXPORTS = 150;

/**
 * Puts the loader into the program as well, which saves each start a file to find and read. It is registered under the path of its own file,
 * where chunks and the library look for it.
 */
const loaderInside = {
  name: 'loader-inside',
  generateBundle(_options, bundle) {
    const program = bundle['wf.cjs'];
    const inside = [
      '(()=>{',
      'const filename=require("node:path").join(__dirname,"loader.cjs"),',
      'module=require.cache[filename]={id:filename,filename,exports:{},loaded:true,children:[]};',
      `(function(exports){${once(bundle['loader.cjs'].code, 'import(', 'importNatively(')}})(module.exports);`,
      'return module.exports})()',
    ].join('');
    const text = once(program.code, 'require("./loader.cjs")', inside);
    const source = `(function(${MODULE_NAMES},importNatively){${text}\n});\n`;
    this.emitFile({ type: 'asset', fileName: PROGRAM, source });
    program.code = `#!/usr/bin/env node\n${STRICT}${starter}`;
  },
};

/**
 * Refuses to run as part of a bundle. The library finds its chunks next to its own file, and a bundler neither follows nor moves them; what
 * it passes as `module` has no file name.
 */
const refuseBundlers = {
  name: 'refuse-bundlers',
  generateBundle(_options, bundle) {
    const library = bundle['index.cjs'];
    const advice =
      'wf-lang cannot be bundled: mark it as external, for example with esbuild --external:wf-lang, and install it next to the bundle.';
    library.code = once(library.code, STRICT, `${STRICT}if(!module.filename)throw new Error(${JSON.stringify(advice)});`);
  },
};

/** Replaces a part of a text that must be there once. */
function once(text, part, by) {
  const [before, after, ...more] = text.split(part);
  if (after === undefined || more.length > 0) throw new Error(`The program must contain ${part} once`);
  return before + by + after;
}

const PROGRAM = 'program.cjs';

/**
 * The text of `wf.cjs`: starts the program with the machine code of the build. Node.js itself would compile the program at each start, which
 * takes longer. A script can't import, so the import comes from here.
 */
const starter = [
  'const{readFileSync}=require("node:fs"),{join}=require("node:path"),{Script}=require("node:vm"),',
  `filename=join(__dirname,"${PROGRAM}");`,
  'let cachedData;',
  'try{cachedData=readFileSync(join(__dirname,"code",process.versions.v8+"-"+process.arch,"program"))}catch{}',
  'new Script(readFileSync(filename).toString("latin1"),{filename,cachedData}).runInThisContext()',
  `(${MODULE_NAMES},(id)=>import(id));\n`,
].join('');

/** Names a chunk after its package, or after our own file or group. */
const chunkFile = ({ name, facadeModuleId }) => {
  if (name === 'loader') return 'loader.cjs';
  return `chunks/${facadeModuleId?.startsWith('\0package:') ? facadeModuleId.slice(9).replace(/[@\\/]+/g, '-') : name}.cjs`;
};

const STRICT = '"use strict";';

/** Our own code is strict; some packages are not. */
const head = ({ moduleIds }) => (moduleIds.every((id) => id.startsWith('\0package:')) ? '' : STRICT);

/** Writes the program and the library to the folder `out`, with the licences of its packages and of `others`, a promise. Throws if `wf.cjs` would load a chunk on every start. */
export async function buildProgram(out, others) {
  const { plugin, joined, insert, bundled } = packages({ external });
  const bundle = await rollup({
    input: {
      wf: 'src/cli.ts',
      index: 'src/index.ts',
      'sheet-reader': 'src/input/sheet-reader.ts',
      'sheet-writer': 'src/connectors/tables/sheet-writer.ts',
    },
    // Almost everything is used, and finding out what isn't takes seconds.
    treeshake: false,
    external: (id) => id.startsWith('node:') || isBuiltin(id) || external.includes(id),
    plugins: [grammarModules, consoleAssets, onDemand, joined, sources(define), plugin, requiredChunks, nativeImport],
    preserveEntrySignatures: 'allow-extension',
    onwarn(warning) {
      throw new Error(warning.message);
    },
  });
  const { output } = await bundle.write({
    dir: out,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: chunkFile,
    // The ES module loader of Node.js takes 8 ms on first use. `src/native-import.ts` uses it if nothing else works.
    dynamicImportInCjs: false,
    // Read each file only when its code is needed.
    hoistTransitiveImports: false,
    manualChunks: manualChunks(),
    generatedCode: 'es2015',
    interop: 'default',
    externalLiveBindings: false,
    freeze: false,
    minifyInternalExports: true,
    strict: false,
    banner: head,
    plugins: [minify, insert, asFunction, loaderInside, refuseBundlers],
  });
  await bundle.close();
  chmodSync(path.join(out, 'wf.cjs'), 0o755);
  const all = new Set([...bundled, ...(await others)]);
  writeLicences(root, out, all);
  writeBillOfMaterials(root, out, all);
  const early = output.find(({ fileName }) => fileName === 'wf.cjs').imports.filter((file) => file.startsWith('chunks/'));
  if (early.length > 0) throw new Error(`src/cli.ts statically imports code that only commands need: ${early.join(', ')}`);
  // Its stubs would look for their chunks beside it.
  for (const chunk of output.filter(({ fileName }) => !fileName.startsWith('chunks/')))
    for (const file of loadedBy(chunk))
      throw new Error(`${chunk.fileName} is outside of chunks/ and would not find ${file}, which something in it imports`);
}
