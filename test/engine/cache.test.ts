// The cache of compiled workflows, and built modules: never runs anything damaged, foreign or from another version, and works without a
// cache.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { type Folder, folderWith, workflow } from '../commands/wf.js';
import { cli } from '../root.js';

const files = { 'a.wf': workflow('    if request.x:\n        set y to 1\n    complete with a "one" and y y') };
const answer = '{"status":"completed","outputs":{"a":"one","y":null}}\n';

const cacheOf = (folder: Folder): string => path.join(folder.path, '.cache', 'wf');
const entries = (folder: Folder): string[] => readdirSync(cacheOf(folder)).filter((name) => name.endsWith('.cjs'));
const run = (folder: Folder, env: Readonly<Record<string, string>> = {}): string =>
  folder.wf(['run', 'a.wf', '--json'], env).stdout;

test('the second run uses the cache, including warnings', (context) => {
  const folder = folderWith(context, files);
  const first = folder.wf(['run', 'a.wf', '--json']);
  const [name = ''] = entries(folder);
  const made = statSync(path.join(cacheOf(folder), name)).ino;
  const second = folder.wf(['run', 'a.wf', '--json']);
  assert.deepEqual([first.stdout, second.stdout], [answer, answer]);
  assert.match(first.stderr, /WF101/);
  assert.equal(second.stderr, first.stderr);
  assert.equal(statSync(path.join(cacheOf(folder), name)).ino, made);
  assert.equal(statSync(cacheOf(folder)).mode & 0o777, 0o700);
  assert.equal(statSync(path.join(cacheOf(folder), name)).mode & 0o777, 0o600);
});

test('a workflow from the cache is the same module as when it was compiled: stores know a version by it', async (context) => {
  const folder = folderWith(context, files);
  const options = { cwd: folder.path, env: { XDG_CACHE_HOME: path.join(folder.path, '.cache') } };
  const modules: unknown[] = [];
  for (let time = 0; time < 2; time++) {
    const prepared = await prepare('a.wf', options);
    assert.ok(prepared.ok);
    modules.push(prepared.prepared.artifact);
  }
  assert.equal(entries(folder).length, 1);
  assert.deepEqual(modules[1], modules[0]);
});

test('an entry belongs to one build of wf, because two builds of one version may compile differently', (context) => {
  const folder = folderWith(context, files);
  run(folder);
  const [name = ''] = entries(folder);
  const [, origin = ''] = readFileSync(path.join(cacheOf(folder), name), 'utf8').split('\n');
  const [build] = JSON.parse(origin.replace('// ', ''));
  const program = readdirSync(path.join(path.dirname(cli), 'chunks')).map((chunk) =>
    path.join(path.dirname(cli), 'chunks', chunk),
  );
  assert.match(build, /^[0-9a-f]{16}$/);
  assert.ok(program.some((chunk) => readFileSync(chunk, 'utf8').includes(build)));
});

test('compiles a changed file again', (context) => {
  const folder = folderWith(context, files);
  run(folder);
  writeFileSync(path.join(folder.path, 'a.wf'), workflow('    complete with a "two"'));
  assert.match(run(folder), /"two"/);
});

for (const [what, damage] of [
  ['cut off', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 500))],
  [
    'changed in one letter',
    (file: string) => writeFileSync(file, readFileSync(file, 'latin1').replace('"one"', '"two"'), 'latin1'),
  ],
  ['longer', (file: string) => appendFileSync(file, '\nprocess.exit(9);\n')],
  ['empty', (file: string) => writeFileSync(file, '')],
] as const) {
  test(`compiles again if an entry is ${what}`, (context) => {
    const folder = folderWith(context, files);
    run(folder);
    const [name = ''] = entries(folder);
    const file = path.join(cacheOf(folder), name);
    const whole = readFileSync(file);
    damage(file);
    assert.equal(run(folder), answer);
    assert.deepEqual(readFileSync(file), whole);
  });
}

test('does not load what others can write', (context) => {
  const folder = folderWith(context, files);
  run(folder);
  chmodSync(cacheOf(folder), 0o777);
  const [name = ''] = entries(folder);
  const before = statSync(path.join(cacheOf(folder), name)).mtimeMs;
  assert.equal(run(folder), answer);
  assert.equal(statSync(path.join(cacheOf(folder), name)).mtimeMs, before);
});

test('runs without a cache, or with one that cannot be used', (context) => {
  const off = folderWith(context, files);
  assert.equal(run(off, { WF_CACHE: 'off' }), answer);
  assert.equal(existsSync(cacheOf(off)), false);
  const blocked = folderWith(context, { ...files, '.cache': 'a file' });
  assert.equal(run(blocked), answer);
});

test('two processes can run at the same time', async (context) => {
  const folder = folderWith(context, files);
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, XDG_CACHE_HOME: path.join(folder.path, '.cache') };
  const started = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [cli, 'run', 'a.wf', '--json'], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const outputs = await Promise.all(
    started.map(async (child) => {
      let text = '';
      child.stdout.on('data', (data: Buffer) => {
        text += data.toString();
      });
      await once(child, 'close');
      return text;
    }),
  );
  assert.deepEqual(outputs, [answer, answer, answer, answer]);
  assert.deepEqual(
    readdirSync(cacheOf(folder)).filter((name) => name.startsWith('.')),
    [],
  );
});

test('refuses a built module that is invalid or from another version', (context) => {
  const folder = folderWith(context, { ...files, 'no.mjs': 'export const a = 1;', 'broken.mjs': 'export const' });
  assert.equal(folder.wf(['build', 'a.wf', '--out', 'out']).status, 0);
  const module = path.join(folder.path, 'out', 'a.mjs');
  assert.equal(folder.wf(['run', 'out/a.mjs', '--json']).stdout, answer);
  writeFileSync(module, readFileSync(module, 'utf8').replace(/("?compiler"?: ")[\d.]+"/, '$10.0.0"'));
  const old = folder.wf(['run', 'out/a.mjs']);
  assert.equal(old.status, 2);
  assert.match(old.stderr, /was built by wf 0\.0\.0, but this is wf \d/);
  assert.match(folder.wf(['run', 'no.mjs']).stderr, /was not built by "wf build"/);
  const broken = folder.wf(['run', 'broken.mjs']);
  assert.equal(broken.status, 2);
  assert.doesNotMatch(broken.stderr, / {4}at /);
});

test('a failed build leaves nothing, and a successful one no drafts', (context) => {
  const folder = folderWith(context, {
    'w/a.wf': files['a.wf'],
    'w/b.wf': workflow('    log nope'),
    'v/deep/a.wf': files['a.wf'],
    'v/a.wf': files['a.wf'],
  });
  assert.equal(folder.wf(['build', 'w']).status, 1);
  assert.equal(existsSync(path.join(folder.path, 'dist-wf')), false);
  const twice = folder.wf(['build', 'v']);
  assert.equal(twice.status, 2);
  assert.match(twice.stderr, /would both become a\.mjs/);
  mkdirSync(path.join(folder.path, 'blocked'));
  writeFileSync(path.join(folder.path, 'blocked', 'out'), '');
  assert.equal(folder.wf(['build', 'w/a.wf', '--out', 'blocked/out']).status, 2);
  assert.equal(folder.wf(['build', 'w/a.wf', '--minify']).status, 0);
  assert.deepEqual(readdirSync(path.join(folder.path, 'dist-wf')).sort(), ['a.mjs', 'a.mjs.map', 'manifest.json']);
  assert.equal(folder.wf(['run', 'dist-wf/a.mjs', '--json']).stdout, answer);
});

test('the source map of a built module leads to the file', (context) => {
  const folder = folderWith(context, files);
  folder.wf(['build', 'a.wf', '--out', 'out/deep']);
  const map: { sources: string[]; sourcesContent: (string | null)[] } = JSON.parse(
    readFileSync(path.join(folder.path, 'out/deep/a.mjs.map'), 'utf8'),
  );
  const index = map.sources.indexOf('../../a.wf');
  assert.notEqual(index, -1);
  assert.equal(map.sourcesContent[index], files['a.wf']);
});
