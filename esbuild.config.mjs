// Builds `dist/`: the program and the library (`build/program.mjs`), and the runtime as one ES module that `wf build` bundles workflows
// with. Also bundles the tests.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { consoleAssetsOfTests } from './build/console-assets.mjs';
import { grammarModulesOfTests } from './build/grammar-modules.mjs';
import { saveMachineCode } from './build/machine-code.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const at = (...parts) => path.join(root, ...parts);

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node18',
  define: { WF_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

async function buildRuntime(out) {
  await esbuild.build({
    ...common,
    entryPoints: { runtime: 'runtime/index.ts' },
    outdir: out,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    legalComments: 'none',
    // Comments would be read at each start of a built module. The bundler breaks the lines again.
    minifyWhitespace: true,
  });
}

/**
 * What starts while somebody waits, again and again: the thread of a store, and the process that opens an SQLite file. A single file each, with
 * only what it uses: the chunks of the program would take three times as long to load.
 */
async function buildStarters(out) {
  await esbuild.build({
    ...common,
    define: { ...common.define, WF_DIST: '__dirname' },
    entryPoints: {
      'sqlite-process': 'src/connectors/database/sqlite-process.ts',
      'store-worker': 'src/durable/store/sqlite/store-worker.ts',
    },
    outdir: out,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    legalComments: 'none',
    minify: true,
  });
}

/** Bundles test files as ES modules with shared chunks. Packages stay where npm put them. Returns the paths to run. */
export async function bundleTests(files, out) {
  await esbuild.build({
    ...common,
    define: { ...common.define, WF_BUILD: '"tests"', WF_DIST: JSON.stringify(at('dist')) },
    entryPoints: files.map((file) => ({ in: at('test', file), out: file.replace(/\.ts$/, '') })),
    outdir: out,
    format: 'esm',
    splitting: true,
    sourcemap: 'linked',
    packages: 'external',
    external: ['node:*'],
    outExtension: { '.js': '.mjs' },
    plugins: [grammarModulesOfTests, consoleAssetsOfTests],
  });
  return files.map((file) => path.join(out, file.replace(/\.ts$/, '.mjs')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fresh = at(`dist.${process.pid}`);
  try {
    // Tests, which import this file, don't need it.
    const [{ buildProgram }, { buildPlayground }] = await Promise.all([
      import('./build/program.mjs'),
      import('./build/playground.mjs'),
    ]);
    const playground = buildPlayground(fresh);
    await Promise.all([playground, buildProgram(fresh, playground), buildRuntime(fresh), buildStarters(fresh)]);
    saveMachineCode(root, fresh);
    // TypeScript must not read the library's types as those of an ES module: it is CommonJS.
    mkdirSync(path.join(fresh, 'types'));
    writeFileSync(path.join(fresh, 'types', 'package.json'), '{ "type": "commonjs" }\n');
    // Replaced in one step, so that a command running meanwhile never sees half a build.
    const old = at(`dist.old.${process.pid}`);
    try {
      renameSync(at('dist'), old);
    } catch {
      // There was no earlier build.
    }
    renameSync(fresh, at('dist'));
    rmSync(old, { recursive: true, force: true });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
