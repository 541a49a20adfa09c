// Provides `wf:console-assets`: the console's script and style sheet, each bundled into one text, named by its hash. There is a plugin for
// each of the two bundlers.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const name = 'wf:console-assets';
/** Files that contain everything the script and the style sheet can use. */
const target = ['chrome111', 'firefox113', 'safari16.4'];

async function asset(file, ending) {
  const common = { absWorkingDir: root, bundle: true, minify: true, write: false, legalComments: 'none', logLevel: 'warning' };
  const result = await esbuild.build({ ...common, entryPoints: [file], outdir: 'dist', format: 'iife', target });
  const [{ text }] = result.outputFiles;
  return { name: `${createHash('sha256').update(text).digest('hex').slice(0, 12)}${ending}`, text };
}

async function moduleText() {
  const [script, style, drawing] = await Promise.all([
    asset('src/console/client/main.ts', '.js'),
    asset('src/console/style/console.css', '.css'),
    asset('src/console/style/drawing.css', '.css'),
  ]);
  return `export const script = ${JSON.stringify(script)};\nexport const style = ${JSON.stringify(style)};\nexport const drawing = ${JSON.stringify(drawing)};\n`;
}

/** For rollup. */
export const consoleAssets = {
  name: 'console-assets',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: async (id) => (id === `\0${name}` ? moduleText() : undefined),
};

/** For esbuild, which bundles the tests. */
export const consoleAssetsOfTests = {
  name: 'console-assets',
  setup(build) {
    build.onResolve({ filter: /^wf:console-assets$/ }, () => ({ path: name, namespace: 'wf-console' }));
    build.onLoad({ filter: /.*/, namespace: 'wf-console' }, async () => ({ contents: await moduleText() }));
  },
};
