// Loads built modules: without the module loader of Node.js if possible, with the same results otherwise.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { builtFoot, builtHead } from '../../src/compiler/5-bundle/built-module.js';
import { compiledHere, isWorkflowModule, loadModule } from '../../src/engine/prepare/load-module.js';
import { type Folder, folderWith, workflow } from '../commands/wf.js';
import { root } from '../root.js';

const files = (name: string): string => path.join(root, 'test/engine/files', name);

const services = (module: string): string => `services:\n    Sums is a plugin "${module}"\n\n`;
const calling = (module: string): string =>
  workflow('    add all using Sums with a 2 and b 3\n        save the result as sum\n    complete with sum sum').replace(
    'workflow:',
    `${services(module)}workflow:`,
  );
const answer = (sum: unknown): string => `{"status":"completed","outputs":{"sum":${JSON.stringify(sum)}}}\n`;

function built(folder: Folder, name: string, ...options: string[]): (() => unknown) | undefined {
  const made = folder.wf(['build', `${name}.wf`, '--out', 'out', ...options]);
  assert.equal(made.status, 0, made.stderr);
  const file = path.join(folder.path, 'out', `${name}.mjs`);
  return compiledHere(readFileSync(file, 'utf8'), file);
}

for (const options of [[], ['--minify'], ['--target', 'node22']]) {
  test(`a module of ${['wf build', ...options].join(' ')} needs no module loader`, (context) => {
    const folder = folderWith(context, { 'a.wf': workflow('    complete with a request.a') });
    const exports = built(folder, 'a', ...options)?.();
    assert.ok(isWorkflowModule(exports));
    assert.equal(exports.workflow.file, 'a.wf');
    assert.equal(
      folder.wf(['run', 'out/a.mjs', '--json', '--input', '{"a":1}']).stdout,
      '{"status":"completed","outputs":{"a":1}}\n',
    );
  });
}

const plugins = {
  'of plain code': ['export const call = ({ parameters: { a, b } }) => ({ value: a + b });', 5],
  'that imports': [
    "import { inspect } from 'node:util'; export const call = ({ parameters: { a, b } }) => ({ value: inspect(a + b) });",
    '5',
  ],
  'that imports later': [
    "export const call = async ({ parameters: { a } }) => ({ value: (await import('node:util')).inspect(a) });",
    '2',
  ],
  'that imports later what the module itself would': [
    "export const call = async () => ({ value: typeof (await Promise.all([import('node:fs'), import('node:url')]))[0].statSync });",
    'function',
  ],
  'that looks at its address': ['export const call = () => ({ value: typeof import.meta.url });', 'string'],
  'that waits before it is there': ['const late = await Promise.resolve(7); export const call = () => ({ value: late });', 7],
  'that speaks of imports': [
    'export const call = () => ({ value: "import { a } from b; export { run };" });',
    'import { a } from b; export { run };',
  ],
} as const;

for (const [what, [code, sum]] of Object.entries(plugins)) {
  test(`loads a module with a plugin ${what}`, (context) => {
    const folder = folderWith(context, { 'a.wf': calling('./sums.mjs'), 'sums.mjs': code });
    built(folder, 'a');
    const ran = folder.wf(['run', 'out/a.mjs', '--json']);
    assert.equal(ran.stdout, answer(sum), ran.stderr);
  });
}

test('leaves other modules to Node.js', () => {
  const own = `${builtHead}\nwf$module.run = 1;\n${builtFoot}\n//# sourceMappingURL=a.mjs.map\n`;
  assert.deepEqual(compiledHere(own, 'a.mjs')?.(), { run: 1 });
  for (const text of [
    'export const a = 1;',
    `import x from "x";\n${own}`,
    own.slice(0, own.indexOf('export')),
    own.replace('wf$module.run = 1;', 'var x = import.meta.url;'),
    own.replace('wf$module.run = 1;', 'var x = await 1;'),
    own.replace('wf$module.run = 1;', 'import x from "x";'),
    'export const',
  ])
    assert.equal(compiledHere(text, 'a.mjs'), undefined, text);
});

test('the runtime of a built module imports nothing unless it is started as a program', () => {
  // A function compiled from text can't import. Only `runAsProgram` does, which is called at its end.
  const text = readFileSync(path.join(root, 'dist', 'runtime.mjs'), 'utf8');
  assert.doesNotMatch(text, /^import\b/m);
  assert.deepEqual(
    [...text.matchAll(/\bimport\(([^)]*)\)/g)].map(([, name]) => name),
    ['"node:url"', '"node:fs"', '"node:url"', '"node:module"'],
  );
});

test('loads a module again after a rebuild', async (context) => {
  const folder = folderWith(context, { 'a.wf': workflow('    complete with a 1') });
  const load = async (): Promise<unknown> => {
    assert.equal(folder.wf(['build', 'a.wf', '--out', 'out']).status, 0);
    const file = path.join(folder.path, 'out', 'a.mjs');
    return loadModule(file, readFileSync(file, 'utf8'));
  };
  const first = await load();
  writeFileSync(path.join(folder.path, 'a.wf'), workflow('    complete with b 2'));
  const second = await load();
  assert.ok(isWorkflowModule(first) && isWorkflowModule(second));
  assert.deepEqual([first.workflow.outputKeys, second.workflow.outputKeys], [['a'], ['b']]);
});

test('keeps the machine code of a module, and uses it for the same code only', (context) => {
  const folder = folderWith(context, { 'a.wf': workflow('    complete with a 1') });
  assert.equal(folder.wf(['build', 'a.wf', '--out', 'out']).status, 0);
  const cache = path.join(folder.path, 'cache');
  const file = path.join(folder.path, 'out', 'a.mjs');
  const run = (): string => folder.wf(['run', 'out/a.mjs', '--json'], { XDG_CACHE_HOME: cache }).stdout;
  const kept = (): string[] => readdirSync(path.join(cache, 'wf/code')).filter((name) => name.startsWith('module-'));
  const answer = '{"status":"completed","outputs":{"a":1}}\n';
  assert.equal(run(), answer);
  assert.equal(kept().length, 1);
  assert.equal(run(), answer);
  // The same file by its size and times, with other code.
  const { mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('[["a", 1]]', '[["a", 2]]'));
  utimesSync(file, mtime, mtime);
  assert.equal(run(), answer.replace('1', '2'));
  assert.equal(kept().length, 1);
  const [name = ''] = kept();
  writeFileSync(path.join(cache, 'wf/code', name), 'damaged');
  assert.equal(run(), answer.replace('1', '2'));
});

test('the loops of two built modules take turns', (context) => {
  const source = readFileSync(files('rounds.wf'));
  const folder = folderWith(context, { 'a.wf': source, 'b.wf': source });
  assert.equal(folder.wf(['build', 'a.wf', 'b.wf', '--out', 'out']).status, 0);
  const modules = ['a', 'b'].map((name) => path.join(folder.path, 'out', `${name}.mjs`));
  const { stdout, stderr } = spawnSync(process.execPath, [files('two-modules.mjs'), ...modules], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(stdout || '{}'), { sums: [49_995_000, 49_995_000], most: 1 }, stderr);
});

test('started by Node.js alone, a module uses the drivers of the wf package next to it and starts in its own folder', (context) => {
  const text = workflow('    save note using Notes at "a.txt" with text "hi"\n    complete with saved true').replace(
    'workflow:',
    'services:\n    Notes is a folder at "./notes"\n\nworkflow:',
  );
  const folder = folderWith(context, { 'a.wf': text });
  assert.equal(folder.wf(['build', 'a.wf', '--out', 'out']).status, 0);
  const start = (): string =>
    spawnSync(process.execPath, [path.join(folder.path, 'out/a.mjs')], { cwd: root, encoding: 'utf8' }).stdout;
  assert.match(start(), /needs a driver.*install the package wf-lang next to it/);
  mkdirSync(path.join(folder.path, 'node_modules'));
  symlinkSync(root, path.join(folder.path, 'node_modules/wf-lang'));
  assert.equal(start(), '{"status":"completed","outputs":{"saved":true}}\n');
  assert.equal(readFileSync(path.join(folder.path, 'out/notes/a.txt'), 'utf8'), 'hi');
});

// Traces show lines of the `.wf` file if Node.js is asked to follow source maps: in code compiled on the fly, and in built modules started
// in any way.

const body = '    set x to request.a plus 1\n\n    log "x {x}"\n    complete with x x';
/** The line of `log` in the file. */
const LINE = 10;

test('a trace leads to the line of the file', (context) => {
  const folder = folderWith(context, { 'my flow.wf': workflow(body), 'a.wf': workflow(body) });
  assert.equal(folder.wf(['build', 'a.wf', '--out', 'out']).status, 0);
  writeFileSync(
    path.join(folder.path, 'trace.cjs'),
    `const { run } = require(${JSON.stringify(path.join(root, 'dist', 'index.cjs'))});
run(process.argv[2], { a: 1 }, { onLog: () => console.log(new Error('here').stack) }).then(({ outputs }) => console.log(outputs));`,
  );
  for (const [file, place] of [
    ['a.wf', path.join(folder.path, 'a.wf')],
    ['my flow.wf', path.join(folder.path, 'my flow.wf')],
    ['out/a.mjs', path.join(folder.path, 'a.wf')],
  ] as const) {
    const trace = (...options: string[]): string =>
      spawnSync(process.execPath, [...options, 'trace.cjs', file], {
        cwd: folder.path,
        encoding: 'utf8',
        env: { HOME: folder.path },
      }).stdout;
    const mapped = trace('--enable-source-maps');
    assert.ok(decodeURI(mapped).includes(`${place}:${LINE}:`), mapped);
    assert.match(mapped, /\{ x: 2 \}/);
    assert.match(trace(), /\{ x: 2 \}/);
  }
});
