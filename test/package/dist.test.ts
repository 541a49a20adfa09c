// The built program contains each class once, so `instanceof` works wherever an error was thrown.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'acorn';
import { folderWith, workflow } from '../commands/wf.js';
import { fixture, root } from '../root.js';

const dist = path.join(root, 'dist');

/** The values of the field `name` of all classes in a syntax tree. */
function classNames(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(classNames);
  const { type, key, value } = node as Record<string, Record<string, unknown>>; // any of these may be absent
  const own = String(type) === 'PropertyDefinition' && key?.name === 'name' ? [value?.value] : [];
  return [...own, ...Object.values(node).flatMap(classNames)];
}

test('defines each error class once', () => {
  // Except in `runtime.mjs`, which becomes part of modules that run without the program, and in the thread of a store, which has modules of its
  // own wherever they stand, and answers with words.
  const files = readdirSync(dist, { recursive: true })
    .map(String)
    .filter((file) => file !== 'store-worker.cjs');
  const texts = files.filter((file) => file.endsWith('.cjs')).map((file) => readFileSync(path.join(dist, file), 'utf8'));
  // The program holds a copy of the loader, in place of this file.
  const loader = readFileSync(path.join(dist, 'loader.cjs'), 'utf8').replace('import(', 'importNatively(');
  const program = texts.findIndex((text) => text.includes(loader) && text !== loader);
  texts[program] = texts[program]?.replace(loader, '') ?? '';
  for (const name of ['UsageError', 'WfError', 'RunEnded']) {
    const found = texts
      .filter((text) => text.includes(`"${name}"`))
      .flatMap((text) => classNames(parse(text, { ecmaVersion: 'latest', allowHashBang: true })))
      .filter((value) => value === name);
    assert.equal(found.length, 1, name);
  }
});

test('a plugin that loads the library shares the chunks of the program', (context) => {
  const files = ['chunks.wf', 'chunks.cjs'].map(
    (name) => [name, readFileSync(path.join(root, 'test/package/files', name))] as const,
  );
  const { wf } = folderWith(context, Object.fromEntries(files));
  const { stdout, stderr } = wf(['run', 'chunks.wf', '--json'], { DIST: dist });
  const { outputs } = JSON.parse(stdout);
  assert.deepEqual({ ...outputs, chunks: outputs.chunks > 2 }, { chunks: true, runs: 'function', same: true }, stderr);
});

test('the first start uses the machine code of the build, if Node.js accepts it', (context) => {
  const { wf, path: folder } = folderWith(context, { 'hello.wf': readFileSync(fixture('examples/hello.wf')) });
  const saved = (cache: string, options: string): string[] => {
    const env = { XDG_CACHE_HOME: path.join(folder, cache), NODE_OPTIONS: options };
    assert.match(wf(['run', 'hello.wf', '--input', '{"name":"Ada"}'], env).stdout, /Hello, Ada!/);
    const names = readdirSync(path.join(folder, cache, 'wf'), { recursive: true }).map(String);
    return names.flatMap((name) => /^code.(\w+)-\d/.exec(name)?.[1] ?? []).sort();
  };
  assert.deepEqual(saved('usual', ''), []);
  assert.ok(saved('other', '--jitless').includes('compile'));
});

test('each start loads only what it needs', (context) => {
  const { wf } = folderWith(context, {
    'hello.wf': readFileSync(fixture('examples/hello.wf')),
    'plain.wf': workflow('    log "Hello"'),
    'inputs.wf': workflow('    complete with total request.total').replace(
      'workflow:',
      'inputs:\n    total is a number, at least 0\n\nworkflow:',
    ),
  });
  const loaded = (...words: string[]): { readonly chunks: string[]; readonly builtins: string[] } => {
    const { stderr } = wf(words, { NODE_OPTIONS: `--require ${path.join(root, 'test/package/files/print-chunks.cjs')}` });
    return JSON.parse(/^loaded: (.*)$/m.exec(stderr)?.[1] ?? assert.fail(stderr));
  };
  // Other modules of Node.js take milliseconds.
  const quick = ['events', 'fs', 'module', 'path', 'url', 'vm'];
  assert.deepEqual(loaded('--version'), { chunks: [], builtins: ['fs', 'path', 'vm'] });
  const first = loaded('run', 'plain.wf');
  assert.ok(first.chunks.includes('compile'));
  const again = loaded('run', 'plain.wf');
  assert.deepEqual(again.chunks, ['run', 'runtime', 'start']);
  const hello = ['run', 'hello.wf', '--input', '{"name":"Ada"}'];
  loaded(...hello);
  const withInputs = loaded(...hello);
  assert.deepEqual(withInputs.chunks, ['accept-request', 'input-words', 'like', ...again.chunks]);
  const check = loaded('check', ...['hello', 'chargeback', 'stock-check'].map((name) => fixture(`examples/${name}.wf`)));
  assert.ok(check.chunks.includes('compile'));
  assert.deepEqual(
    [...first.builtins, ...again.builtins, ...withInputs.builtins, ...check.builtins].filter((name) => !quick.includes(name)),
    [],
  );
  assert.deepEqual(
    loaded('check', 'inputs.wf').chunks.filter((name) => /runtime|accept-request/.test(name)),
    [],
  );
  assert.deepEqual(loaded('check', 'plain.wf').chunks, ['analyse', 'compile', 'start']);
  assert.deepEqual(loaded('check', path.join(root, 'bench/programs/twenty-lines.wf')).chunks, [
    'analyse',
    'catalogue',
    'compile',
    'start',
  ]);
  // Explanations of mistakes load with the first mistake.
  assert.deepEqual(
    check.chunks.filter((name) => /expected-at|explain|catalogue|emit|^run|call|operations/.test(name)),
    [],
  );
  const { chunks } = loaded('check', fixture('invalid/WF041'));
  assert.ok(chunks.includes('expected-at') && chunks.includes('explain') && chunks.includes('catalogue'), String(chunks));
});

/** The Unicode regular expressions that a chunk makes while it loads, outside of its functions, with a class such as \p{L} or from text. */
function unicodeClasses(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(unicodeClasses);
  const { type, regex, raw, callee, arguments: given } = node as Record<string, Record<string, unknown> | undefined>; // of a node
  if (/Function/.test(String(type))) return [];
  const isLiteral = regex !== undefined && String(raw).includes('\\p{');
  const isMade = callee?.name === 'RegExp' && Object.values(given ?? {}).some((flags) => Object(flags).value === 'u');
  return [...(isLiteral || isMade ? [raw ?? 'RegExp(…)'] : []), ...Object.values(node).flatMap(unicodeClasses)];
}

// V8 takes up to a millisecond for each, when it is made.
test('a check prepares no class of Unicode characters before a line needs it', () => {
  for (const name of ['start', 'compile', 'analyse', 'catalogue', 'run', 'runtime']) {
    const { body } = parse(readFileSync(path.join(dist, 'chunks', `${name}.cjs`), 'utf8'), { ecmaVersion: 'latest' });
    // A chunk is one function, given to another.
    const [chunk] =
      body[0]?.type === 'ExpressionStatement' && body[0].expression.type === 'CallExpression' ? body[0].expression.arguments : [];
    const inside = chunk?.type === 'FunctionExpression' ? chunk.body.body : assert.fail(name);
    assert.deepEqual(unicodeClasses(inside), [], name);
  }
});
