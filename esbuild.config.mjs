// Builds `dist/`: the command line as CommonJS (Node starts it faster than an ES module), split so that each command loads only
// what it needs; the library; and the runtime as one ES module that emitted workflows are bundled against.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { grammarModule, rulesModule, wordsModule } from './grammar/compile.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const at = (...parts) => path.join(root, ...parts);

const made = { 'wf:words': wordsModule, 'wf:rules': rulesModule, 'wf:grammar': grammarModule };

/** `wf:words`, `wf:rules` and `wf:grammar`: what is made of the grammar file, so that nobody has to parse it at a start. */
const grammarPlugin = {
  name: 'wf-grammar',
  setup(build) {
    build.onResolve({ filter: /^wf:(words|rules|grammar)$/ }, ({ path: name }) => ({ path: name, namespace: 'wf' }));
    build.onLoad({ filter: /.*/, namespace: 'wf' }, ({ path: name }) => ({
      contents: made[name](readFileSync(at('grammar/wf.ohm'), 'utf8')),
      resolveDir: root,
    }));
  },
};

/** Only the part of Ohm that loads recipes and matches; the part that parses grammars stays out of `dist`. */
const ohmKernelPlugin = {
  name: 'ohm-kernel',
  setup(build) {
    const folder = at('node_modules/ohm-js/src');
    build.onResolve({ filter: /^ohm-js$/ }, () => ({ path: 'ohm-js', namespace: 'ohm-kernel' }));
    build.onLoad({ filter: /.*/, namespace: 'ohm-kernel' }, () => ({
      contents: "import './semanticsDeferredInit.js'; export { makeRecipe } from './main-kernel.js';",
      resolveDir: folder,
    }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node18',
  define: { WF_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

/** What npm installs beside the package instead of being a part of it. */
const external = ['esbuild', 'xlsx'];

/**
 * Every `import("…")` and `require("…")` of the sources becomes a part of its own, loaded where it is needed: `wf:<name>` in the built code. `parts`
 * collects them: name → what esbuild is to start from.
 */
const partsPlugin = (parts) => ({
  name: 'parts',
  setup(build) {
    build.onResolve({ filter: /^[^:]*$/ }, async ({ path: name, kind, importer, resolveDir, pluginData }) => {
      const isPart = kind === 'dynamic-import' || (kind === 'require-call' && importer.endsWith('.ts'));
      if (!isPart || external.includes(name) || pluginData === 'resolving') return undefined;
      if (!name.startsWith('.')) {
        // A package, whole: with the names and the default export that Node.js would give.
        parts.set(name, { stdin: { contents: `export * from '${name}'; export { default } from '${name}';`, resolveDir: root } });
        return { path: `wf:${name}`, external: true };
      }
      const { path: file } = await build.resolve(name, { kind, importer, resolveDir, pluginData: 'resolving' });
      const part = path.basename(file, '.ts');
      const known = parts.get(part)?.entryPoints?.[0];
      if (known !== undefined && known !== file) throw new Error(`Two parts would be called ${part}`);
      parts.set(part, { entryPoints: [file] });
      return { path: `wf:${part}`, external: true };
    });
  },
});

/**
 * Parts are loaded by `require`: Node's ES module loader costs 8 ms at its first use. Modules of others get the default export that
 * `import` would give them; an `import` of what is only known at run time stays one.
 */
const requireParts = (code) =>
  code
    .replace(/\bimport\(("[^"\\]+")\)/g, (_, name) => {
      const isOwn = name.startsWith('"wf:') || name.startsWith('"./');
      return `Promise.resolve().then(() => ${isOwn ? `require(${name})` : `(module=>({...module,default:module}))(require(${name}))`})`;
    })
    // `import(${` stands in the text of a module that the compiler emits.
    .replace(/\bimport\((?!["']|\$\{)/g, 'require("wf:import")(');

/** Lets a file that Node.js itself loads ask for parts: its own copy of `src/load-chunk.ts` loads them. */
const partsRequire =
  'const wfNative=require;let wfLoad;require=id=>id==="wf:import"?url=>import(url):id.startsWith("wf:")?wfLoad(id.slice(3),wfNative,url=>import(url)):wfNative(id);\n';

/** The licences of the packages that `dist` holds: name and version, then the text. */
function writeLicences(out, inputs) {
  const packages = new Set(
    [...inputs].map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter((name) => name !== undefined),
  );
  const entries = [...packages].sort().map((name) => {
    const folder = at('node_modules', name);
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? 'The package holds no licence text.' : readFileSync(path.join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(
    path.join(out, 'third-party-licences.txt'),
    `This program holds parts of these packages.\n\n${entries.join(`\n${'-'.repeat(80)}\n\n`)}`,
  );
}

async function buildCommonJs(out) {
  const inputs = new Set();
  const parts = new Map();
  const buildOne = async (file, entry, head) => {
    const dist = file.includes('/') ? 'require("node:path").dirname(__dirname)' : '__dirname';
    const result = await esbuild.build({
      ...common,
      ...entry,
      define: { ...common.define, WF_DIST: 'wfDist', 'import.meta.url': 'wfUrl' },
      format: 'cjs',
      write: false,
      metafile: true,
      outfile: path.join(out, file),
      external,
      legalComments: 'none',
      minify: true,
      plugins: [partsPlugin(parts), grammarPlugin, ohmKernelPlugin],
    });
    for (const input of Object.keys(result.metafile.inputs)) inputs.add(input);
    const code = requireParts(result.outputFiles[0].text.replace(/^#!.*\n/, ''));
    const constants = [
      code.includes('wfDist') ? `const wfDist=${dist};` : '',
      code.includes('wfUrl') ? 'const wfUrl=require("node:url").pathToFileURL(__filename).href;' : '',
    ].join('');
    mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    writeFileSync(path.join(out, file), head + constants + code, { mode: head.startsWith('#!') ? 0o755 : 0o644 });
  };
  const withLoader = (contents) => ({
    stdin: { contents: `${contents} import { loadChunk } from './src/load-chunk.ts'; wfLoad = loadChunk;`, resolveDir: root },
  });
  await buildOne('wf.cjs', withLoader("import './src/cli.ts';"), `#!/usr/bin/env node\n${partsRequire}`);
  await buildOne('index.cjs', withLoader("export * from './src/index.ts';"), partsRequire);
  const built = new Set();
  for (let open = [...parts]; open.length > 0; open = [...parts].filter(([name]) => !built.has(name))) {
    for (const [name] of open) built.add(name);
    await Promise.all(open.map(([name, entry]) => buildOne(`chunks/${name}.cjs`, entry, '')));
  }
  writeLicences(out, inputs);
}

async function buildRuntime(out) {
  await esbuild.build({
    ...common,
    entryPoints: { runtime: 'runtime/index.ts' },
    outdir: out,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    legalComments: 'none',
    // Its comments would be read at each start of each built module; the bundler breaks the lines again.
    minifyWhitespace: true,
  });
}

/** Test files as ES modules with shared chunks; packages stay where npm put them. Returns the paths to run. */
export async function bundleTests(files, out) {
  await esbuild.build({
    ...common,
    define: { ...common.define, WF_DIST: JSON.stringify(at('dist')) },
    entryPoints: files.map((file) => ({ in: at('test', file), out: file.replace(/\.ts$/, '') })),
    outdir: out,
    format: 'esm',
    splitting: true,
    sourcemap: 'inline',
    packages: 'external',
    external: ['node:*'],
    outExtension: { '.js': '.mjs' },
    plugins: [grammarPlugin],
  });
  return files.map((file) => path.join(out, file.replace(/\.ts$/, '.mjs')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fresh = at(`dist.${process.pid}`);
  try {
    await Promise.all([buildCommonJs(fresh), buildRuntime(fresh)]);
    // The library is CommonJS: TypeScript must not take the types beside it for those of an ES module.
    mkdirSync(path.join(fresh, 'types'));
    writeFileSync(path.join(fresh, 'types', 'package.json'), '{ "type": "commonjs" }\n');
    // Swapped in whole, so that a command that runs meanwhile never sees half a build.
    const old = at(`dist.old.${process.pid}`);
    try {
      renameSync(at('dist'), old);
    } catch {
      // There was no build yet.
    }
    renameSync(fresh, at('dist'));
    rmSync(old, { recursive: true, force: true });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
