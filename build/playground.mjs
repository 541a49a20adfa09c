// Builds the playground: a page, its script, its style sheet and a worker with the compiler, as files that any web server can serve.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { grammarModulesOfTests } from './grammar-modules.mjs';
import { leanOhm, refusing } from './lean-ohm.mjs';
import { licenceText } from './licences.mjs';
import { ohmKernel, packageOf } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const examplesFolder = path.join(root, 'fixtures', 'examples');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Only files from where the page comes from, and code that those unpack or compile. */
const POLICY =
  "default-src 'none'; script-src 'self' blob:; worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** The examples as data, each with the request and the settings of its first case. */
function examplesModule() {
  const examples = readdirSync(examplesFolder)
    .filter((file) => file.endsWith('.wf'))
    .map((name) => ({ name, text: readFileSync(path.join(examplesFolder, name), 'utf8') }))
    // The browser reads no sheets.
    .filter(({ text }) => !/ is a table at "/.test(text))
    .map(({ name, text }) => {
      const caseFile = path.join(examplesFolder, name.replace(/\.wf$/, '.test.json'));
      const all = existsSync(caseFile) ? JSON.parse(readFileSync(caseFile, 'utf8')) : [];
      const first = (all.cases ?? all).find(({ mocks }) => typeof mocks !== 'string');
      const { name: _name, expect: _expect, generated: _generated, input = {}, ...around } = first ?? {};
      return {
        name,
        text,
        ...(first && { input }),
        ...(Object.keys(around).length > 0 && { around }),
      };
    });
  return `export const examples = ${JSON.stringify(examples)};`;
}

/** Leaves out what only real services and files need: every call of a playground is answered by a mock, and its runs have no store. */
const withoutServices = {
  name: 'without-services',
  setup(build) {
    build.onLoad(
      {
        filter:
          /[\\/]runtime[\\/](standalone|services[\\/](ai-answer|durable-workflow-call|call-turns|http|connected|plugin|sign-in|exchange|address|cause|headers))\.ts$/,
      },
      ({ path: file }) => refusing(file, 'The playground calls no services'),
    );
    build.onLoad({ filter: /[\\/]2-parse[\\/]table-from-file\.ts$/ }, ({ path: file }) =>
      refusing(file, 'The playground reads no files'),
    );
  },
};

/** The part of Ohm that wf uses, and the examples. */
const ownModules = {
  name: 'own-modules',
  setup(build) {
    build.onResolve({ filter: /^(ohm-js|wf:examples)$/ }, ({ path: id }) => ({ path: id, namespace: 'playground' }));
    build.onLoad({ filter: /.*/, namespace: 'playground' }, ({ path: id }) => ({
      contents: id === 'ohm-js' ? ohmKernel : examplesModule(),
      resolveDir: root,
    }));
  },
};

/** The editor takes its colours and depths from wf itself, so it needs none of the parsers for programming languages. */
const withoutParsers = {
  name: 'without-parsers',
  setup(build) {
    build.onResolve({ filter: /^(@codemirror\/language|@lezer\/common)$/ }, ({ path: id }) => ({
      path: id,
      namespace: 'parsers',
    }));
    build.onLoad({ filter: /.*/, namespace: 'parsers' }, () => ({
      contents: `const none = () => { throw new Error('The playground has no parser'); };
export { none as IndentContext, none as NodeProp, none as getIndentUnit, none as getIndentation, none as indentString, none as indentUnit, none as matchBrackets, none as syntaxTree };`,
    }));
  },
};

/** Parts of pages that only the console has. */
const OF_CONSOLE =
  /\.(?:activity|assign|assigned|bulk|causes|copies|count|crumbs|danger|end-wait|facts-list|filter|hush|live|notice|pages|state|stuck|sure|task|title|top)(?![\w-])/;

/** Leaves the rules for those parts out of the style sheets that both share. */
const withoutConsole = {
  name: 'without-console',
  setup(build) {
    build.onLoad({ filter: /[\\/]console[\\/]style[\\/]\w+\.css$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
      const contents = text.replace(/([^{}@;]+)\{([^{}]*)\}/g, (_, selectors, rules) => {
        const kept = selectors.split(/,(?![^(]*\))/).filter((selector) => !OF_CONSOLE.test(selector));
        return kept.length === 0 ? '' : `${kept.join(',')}{${rules}}`;
      });
      return { contents, loader: 'css' };
    });
  },
};

/** A module of the sources, for the build itself. */
async function ownModule(file) {
  const { outputFiles } = await build({ absWorkingDir: root, entryPoints: [file], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

async function smallest(text) {
  const [code] = await once(new Worker(new URL('smallest.mjs', import.meta.url), { workerData: text }), 'message');
  return code;
}

const hashed = (name, text) => name.replace('.', `-${createHash('sha256').update(text).digest('hex').slice(0, 10)}.`);

/** Writes the files to `out/playground`. Returns the names of the packages that are part of them. */
export async function buildPlayground(out) {
  const folder = path.join(out, 'playground');
  const packages = new Set();
  const bundle = async (entry, more = {}) => {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      outdir: folder,
      target: ['chrome111', 'firefox113', 'safari16.4'],
      platform: 'browser',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'warning',
      ...more,
      define: { WF_VERSION: JSON.stringify(version), ...more.define },
    });
    for (const file of Object.keys(metafile.inputs)) if (packageOf(file) !== undefined) packages.add(packageOf(file));
    return outputFiles[0].text;
  };
  mkdirSync(folder, { recursive: true });
  const write = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return name;
  };
  const worker = await bundle('src/playground/worker/main.ts', {
    format: 'iife',
    inject: ['src/playground/worker/node-names.ts'],
    plugins: [ownModules, withoutServices, leanOhm, grammarModulesOfTests],
  });
  const { pack } = await ownModule('src/playground/packed/pack.ts');
  const packed = async (name, text) => write(hashed(name, text), pack(await smallest(text)));
  const program = await packed('program.bin', worker);
  const main = await packed(
    'main.bin',
    await bundle('src/playground/page/main.ts', { format: 'esm', plugins: [withoutParsers] }),
  );
  const script = await bundle('src/playground/page/start.ts', {
    format: 'iife',
    define: { PLAYGROUND_MAIN: JSON.stringify(main), PLAYGROUND_PROGRAM: JSON.stringify(program) },
  });
  const style = await bundle('src/playground/page/playground.css', { plugins: [withoutConsole] });
  const page = readFileSync(path.join(root, 'src/playground/page/index.html'), 'utf8')
    .replace('%POLICY%', POLICY)
    .replace('%STYLE%', write(hashed('style.css', style), style))
    .replace('%SCRIPT%', write(hashed('start.js', script), script));
  write('index.html', page);
  write('files.json', '{"files":[],"canWrite":false}\n');
  write('licences.txt', licenceText(root, packages));
  return packages;
}
