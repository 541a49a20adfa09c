// A rollup plugin for the npm packages that `src/` imports. esbuild bundles each of them, because it handles CommonJS well. ES module
// packages then go through rollup like our own code. All others are opaque to it and are inserted when the chunks are written.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { leanExpress } from './lean-express.mjs';
import { leanMysql } from './lean-mysql.mjs';
import { leanOhm } from './lean-ohm.mjs';
import { quickAssert } from './quick-assert.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PREFIX = '\0package:';

/**
 * Only the part of Ohm that loads recipes, matches, and runs operations without arguments. The rest would take each check longer to load:
 * it parses grammars, and the arguments of operations, with grammars of Ohm itself. Its package doesn't export this part. Nor does each
 * start compare the actions with the grammar: the tests do, with all of Ohm.
 */
export const ohmKernel = `import { Grammar } from './node_modules/ohm-js/src/Grammar.js';
import { Semantics } from './node_modules/ohm-js/src/Semantics.js';
export { makeRecipe } from './node_modules/ohm-js/src/main-kernel.js';
Semantics.BuiltInSemantics = Semantics.createSemantics(Grammar.BuiltInRules, null);
Grammar.prototype._checkTopDownActionDict = () => {};`;

/** Its packages consist of each other: together they take a third of the space. */
const OPENTELEMETRY = 'opentelemetry';

export const packageOf = (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

/** The plugin, and the names of all packages that it bundled. */
export function packages({ external }) {
  const bundled = new Set();
  const texts = new Map();

  async function bundle(contents, format, more = {}) {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: root },
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      target: 'node18',
      format,
      external,
      minify: format === 'cjs',
      legalComments: 'none',
      logLevel: 'error',
      plugins: [quickAssert, leanExpress, leanMysql, leanOhm],
      ...more,
    });
    const files = Object.entries(metafile.inputs).filter(([file]) => file !== '<stdin>');
    for (const [file] of files) if (packageOf(file) !== undefined) bundled.add(packageOf(file));
    return { text: outputFiles[0].text, isEsm: files.every(([, { format }]) => format === 'esm') };
  }

  const plugin = {
    name: 'packages',
    resolveId(id) {
      if (/^(node:|\.|\/|\0)/.test(id) || external.includes(id)) return undefined;
      return PREFIX + id;
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      if (name === OPENTELEMETRY)
        return (await bundle(`export * from './src/engine/opentelemetry.ts';`, 'esm', { mainFields: ['module', 'main'] })).text;
      if (name === 'ohm-js') return (await bundle(ohmKernel, 'esm')).text;
      const names = Object.keys(await import(name)).filter((exported) => /^[\w$]+$/.test(exported));
      const asEsm = await bundle(`export { ${names.join(', ')} } from '${name}';`, 'esm');
      if (asEsm.isEsm) return { code: asEsm.text, moduleSideEffects: false };
      texts.set(name, (await bundle(`module.exports = require('${name}');`, 'cjs')).text);
      const named = names.filter((exported) => exported !== 'default');
      return [
        'const module = { exports: {} };',
        `__WF_PACKAGE__("${name}")(module, module.exports);`,
        'export default module.exports;',
        // Some of these names, such as `static`, are not valid variable names.
        ...named.map((exported, index) => `const export${index} = module.exports.${exported};`),
        `export { ${named.map((exported, index) => `export${index} as ${exported}`).join(', ')} };`,
      ].join('\n');
    },
  };

  /** Inserts the packages into a chunk, after minification: their text is already minified. */
  const insert = {
    name: 'insert-packages',
    renderChunk: (code) =>
      code.replace(/\b__WF_PACKAGE__\("([^"]+)"\)/g, (_, name) => `(function(module,exports){${texts.get(name)}\n})`),
  };
  /** Goes before what finds our own files. */
  const joined = {
    name: 'joined-packages',
    resolveId: (id) => (id === `./${OPENTELEMETRY}.js` ? PREFIX + OPENTELEMETRY : undefined),
  };
  return { plugin, joined, insert, bundled };
}
