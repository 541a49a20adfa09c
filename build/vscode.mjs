// Builds the extension for VS Code to `editors/vscode/out`: `node build/vscode.mjs`; with `--package`, also `wf.vsix`. Needs the program in `dist`.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { grammarModulesOfTests } from './grammar-modules.mjs';
import { licenceText } from './licences.mjs';
import { packageOf } from './packages.mjs';
import { textMateGrammar } from './textmate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const folder = at('editors', 'vscode');
const out = path.join(folder, 'out');
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

const packages = new Set();

async function bundle(name, more) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`editors/vscode/src/${name}.ts`],
    bundle: true,
    minify: true,
    metafile: true,
    outdir: out,
    external: ['vscode'],
    legalComments: 'none',
    logLevel: 'warning',
    define: { WF_VERSION: JSON.stringify(version) },
    plugins: [grammarModulesOfTests],
    tsconfig: at('tsconfig.json'),
    ...more,
  });
  for (const file of Object.keys(metafile.inputs)) if (packageOf(file) !== undefined) packages.add(packageOf(file));
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const browser = { platform: 'browser', target: 'es2022' };
await Promise.all([
  bundle('web', { ...browser, format: 'cjs' }),
  bundle('server', { ...browser, format: 'iife', inject: ['src/playground/worker/node-names.ts'] }),
  bundle('desktop', { platform: 'node', target: 'node18', format: 'cjs' }),
]);
writeFileSync(
  path.join(out, 'wf.tmLanguage.json'),
  `${JSON.stringify(textMateGrammar(readFileSync(at('grammar/wf.ohm'), 'utf8')), null, 2)}\n`,
);
writeFileSync(path.join(out, 'third-party-licences.txt'), licenceText(root, packages));
// The program that a desktop without one uses, without what only a command line needs.
cpSync(at('dist'), path.join(out, 'wf'), {
  recursive: true,
  filter: (file) => !/[\\/]dist[\\/](types|code|playground)$/.test(file),
});
cpSync(at('LICENSE'), path.join(folder, 'LICENSE'));

if (process.argv.includes('--package')) {
  // Loaded here, because the rest needs no packager.
  const { createVSIX } = await import('@vscode/vsce');
  await createVSIX({
    cwd: folder,
    packagePath: path.join(folder, 'wf.vsix'),
    dependencies: false,
    version,
    updatePackageJson: false,
    allowMissingRepository: true,
  });
}
