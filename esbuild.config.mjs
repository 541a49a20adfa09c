// Builds `dist/`: the command line as CommonJS (Node starts it faster than an ES module), split so that each command loads only
// what it needs; the library; and the runtime as one ES module that emitted workflows are bundled against.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { grammarModule, wordsModule } from './grammar/compile.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const at = (...parts) => path.join(root, ...parts);

/** `wf:words` and `wf:grammar`: the words of the grammar file, and the grammar as a recipe that loads without parsing it. */
const grammarPlugin = {
  name: 'wf-grammar',
  setup(build) {
    build.onResolve({ filter: /^wf:/ }, ({ path: name }) => ({ path: name, namespace: 'wf' }));
    build.onLoad({ filter: /.*/, namespace: 'wf' }, ({ path: name }) => {
      const source = readFileSync(at('grammar/wf.ohm'), 'utf8');
      return { contents: name === 'wf:words' ? wordsModule(source) : grammarModule(source), resolveDir: root };
    });
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

/** Literal `import("…")` becomes `require`: Node's ES module loader costs 8 ms at its first use. What is no chunk gets a default export. */
const requireInstead = (code) =>
  code.replace(/\bimport\(("[^"\\]+")\)/g, (_, name) => {
    const required = name.startsWith('"./') ? `require(${name})` : `(module=>({...module,default:module}))(require(${name}))`;
    return `Promise.resolve().then(() => ${required})`;
  });

async function buildCommonJs(out) {
  const result = await esbuild.build({
    ...common,
    entryPoints: { wf: 'src/cli.ts', index: 'src/index.ts' },
    outdir: out,
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    external: ['esbuild', 'xlsx'],
    plugins: [grammarPlugin, ohmKernelPlugin],
  });
  for (const file of result.outputFiles) {
    const relative = path.relative(out, file.path);
    const dist = relative.includes(path.sep) ? 'require("node:path").dirname(__dirname)' : '__dirname';
    const { code } = await esbuild.transform(file.text, { format: 'cjs', platform: 'node', target: 'node18', minifySyntax: true, minifyWhitespace: true, legalComments: 'none', define: { WF_DIST: 'wfDist', 'import.meta.url': 'wfUrl' } });
    // A CommonJS package has only a default export in its chunk; its callers expect the names that Node.js gives them.
    const { entryPoint = '', exports } = result.metafile.outputs[path.relative(root, file.path)] ?? {};
    const isPackage = entryPoint.includes('node_modules/') && exports?.join() === 'default';
    const names = isPackage ? 'module.exports={...module.exports.default,default:module.exports.default};' : '';
    const shebang = relative === 'wf.cjs' ? '#!/usr/bin/env node\n' : '';
    mkdirSync(path.dirname(file.path), { recursive: true });
    writeFileSync(file.path, `${shebang}${code.includes('wfDist') ? `const wfDist=${dist};` : ''}${code.includes('wfUrl') ? 'const wfUrl=require("node:url").pathToFileURL(__filename).href;' : ''}${requireInstead(code.replace(/^#!.*\n/, ''))}${names}`, { mode: shebang ? 0o755 : 0o644 });
  }
  return result.metafile;
}

async function buildRuntime(out) {
  await esbuild.build({ ...common, entryPoints: { runtime: 'runtime/index.ts' }, outdir: out, format: 'esm', outExtension: { '.js': '.mjs' }, legalComments: 'none' });
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
