// The layout of the code (docs/architecture.md): imports go one way, the runtime stands alone, only the command line knows its process, and
// files stay short.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type AnyNode, parse } from 'acorn';
import { transform } from 'esbuild';
import { root } from './root.js';

interface SourceFile {
  /** Relative to the root of the project, with slashes. */
  readonly name: string;
  readonly text: string;
  /** For files of the project: relative to its root. For others: as written. */
  readonly imports: readonly string[];
}

const IMPORT = /(?:\bfrom|^import|\bimport\(|\brequire\()\s*'([^']+)'/gm;

function read(name: string): SourceFile {
  const text = readFileSync(path.join(root, name), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, target = '']) =>
    target.startsWith('.') ? path.posix.join(path.posix.dirname(name), target).replace(/\.js$/, '.ts') : target,
  );
  return { name, text, imports };
}

const filesUnder = (folder: string): SourceFile[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).split(path.sep).join('/')}`)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map(read);

const runtime = filesUnder('runtime');
const src = filesUnder('src');
const code = [...runtime, ...src];

const phases = ['1-layout', '2-parse', '3-check', '4-emit', '5-bundle'];
const phaseOf = (name: string): number => phases.findIndex((phase) => name.startsWith(`src/compiler/${phase}/`));

/** `file → what it imports`, for each import that `isWrong` selects. */
const wrongImports = (files: readonly SourceFile[], isWrong: (name: string, target: string) => boolean): string[] =>
  files.flatMap(({ name, imports }) => imports.filter((target) => isWrong(name, target)).map((target) => `${name} → ${target}`));

test('finds imports', () => {
  assert.ok(code.length > 200);
  assert.ok(src.find(({ name }) => name === 'src/compiler/compile.ts')?.imports.includes('src/compiler/2-parse/parse.ts'));
  assert.ok(
    src.find(({ name }) => name === 'src/commands/command-table.ts')?.imports.includes('src/commands/run.ts'),
    'dynamic ones too',
  );
});

test('no phase of the compiler imports a later one', () => {
  assert.deepEqual(
    wrongImports(src, (name, target) => phaseOf(name) !== -1 && phaseOf(target) > phaseOf(name)),
    [],
  );
});

test('the compiler knows no front-end, and its diagnostics no phase', () => {
  const outside = /^src\/(access|commands|connectors|console|durable|engine|input|server|scheduler|testing|cli)\b/;
  assert.deepEqual(
    wrongImports(src, (name, target) => name.startsWith('src/compiler/') && outside.test(target)),
    [],
  );
  assert.deepEqual(
    wrongImports(src, (name, target) => name.startsWith('src/compiler/diagnostics/') && phaseOf(target) !== -1),
    [],
  );
});

test('the runtime imports nothing but itself and Node.js', () => {
  assert.deepEqual(
    wrongImports(runtime, (_, target) => !target.startsWith('runtime/') && !target.startsWith('node:')),
    [],
  );
});

test('phases before the bundle read and write nothing', () => {
  assert.deepEqual(
    wrongImports(src, (name, target) => phaseOf(name) !== -1 && phaseOf(name) < 4 && target.startsWith('node:')),
    [],
  );
});

test('what editors and browsers use knows no system', () => {
  const pure = /^src\/(format|diagram|language-service|language-server|analysis)\//;
  const known = /^(src\/(compiler|format|diagram|language-service|language-server|analysis|rules)|runtime)\//;
  const isSystem = (target: string): boolean => /^(node:|src\/|runtime\/|test\/)/.test(target) && !known.test(target);
  assert.ok(src.some(({ name }) => pure.test(name)));
  assert.deepEqual(
    wrongImports(src, (name, target) => pure.test(name) && isSystem(target)),
    [],
  );
});

test('front-ends do not import each other, and the engine imports none of them', () => {
  const frontEnds = ['server', 'console', 'scheduler', 'testing', 'commands'];
  const ofFrontEnd = (name: string): string | undefined => frontEnds.find((folder) => name.startsWith(`src/${folder}/`));
  // These assemble the front-ends. A server with a store loads the console on demand.
  const callers = /^src\/(commands\/|playground\/|cli\.ts$|index\.ts$|server\/runs-api\/store-part\.ts$)/;
  assert.deepEqual(
    wrongImports(
      src,
      (name, target) => ofFrontEnd(target) !== undefined && ofFrontEnd(target) !== ofFrontEnd(name) && !callers.test(name),
    ),
    [],
  );
});

/** The layers of `src/durable` (its README.md), and those that each may import, besides itself: also for types. */
const durableLayers: readonly (readonly [layer: string, ...imports: string[]])[] = [
  ['model/'],
  ['journal/', 'model/'],
  ['store/port.ts', 'model/'],
  ['store/shared/', 'model/', 'store/port.ts'],
  ['store/sqlite/', 'model/', 'store/port.ts', 'store/shared/'],
  ['store/postgres/', 'model/', 'store/port.ts', 'store/shared/'],
  ['views/', 'model/', 'journal/', 'store/port.ts', 'store/shared/', 'durable-engine.ts'],
  ['transfer/', 'model/', 'store/port.ts', 'views/', 'durable-engine.ts'],
  ['engine/', 'model/', 'journal/', 'store/', 'views/', 'transfer/', 'durable-engine.ts'],
  ['durable-engine.ts', 'model/'],
  ['open-store.ts', 'model/', 'engine/', 'store/', 'durable-engine.ts'],
];

test('the layers of durable runs import downwards only, and the two kinds of stores do not know each other', () => {
  const folder = 'src/durable/';
  const layerOf = (name: string): string | undefined =>
    durableLayers.find(([layer]) => name.startsWith(`${folder}${layer}`))?.[0];
  const files = src.filter(({ name }) => name.startsWith(folder));
  assert.deepEqual(
    files.map(({ name }) => name).filter((name) => layerOf(name) === undefined),
    [],
    'every file is in a layer',
  );
  const allowed = new Map(durableLayers.map(([layer, ...imports]) => [layer, [layer, ...imports]]));
  assert.deepEqual(
    wrongImports(files, (name, target) => {
      if (!target.startsWith(folder)) return false;
      return allowed.get(layerOf(name) ?? '')?.every((layer) => !target.startsWith(`${folder}${layer}`)) ?? true;
    }),
    [],
  );
});

/**
 * The files that act on a message to a run, from where it arrives to where the wait wakes: the first hands a row to the store, which puts it
 * into the inbox of the run that waits; the loop finds it there and rings; the run in memory passes the ring on; the wait looks, and takes it.
 */
const MESSAGE_PATH = [
  'engine/people-actions.ts',
  'store/shared/messages.ts',
  'engine/recovery-loop.ts',
  'engine/live-run.ts',
  'journal/waits.ts',
];

/** What the files on the path call to hand a message over, or to be woken by one. */
const HANDS_OVER = /\b(?:sendMessage|wantMessage|messageDone|inboxKinds\.message|custody\.deliver|knock|knocked)\b/;

/** They only name these words: ports, and methods that call the one of the same meaning behind the port. */
const PASSES_ON = new Set(['journal/journal-host.ts', 'engine/run-host.ts', 'store/shared/shared-tables.ts']);

test('a message wait crosses at most five files', () => {
  const folder = 'src/durable/';
  const above = src.filter(({ name }) => /^src\/durable\/(?:engine|journal|store\/shared)\//.test(name));
  const crossed = above
    .filter(({ text }) => HANDS_OVER.test(text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')))
    .map(({ name }) => name.slice(folder.length))
    .filter((name) => !PASSES_ON.has(name));
  assert.deepEqual(crossed, [...MESSAGE_PATH].sort());
  assert.ok(crossed.length <= 5);
  for (const name of PASSES_ON) {
    const lines = read(`${folder}${name}`).text.split('\n');
    const bodies = lines.flatMap((line, index) =>
      HANDS_OVER.test(line) && line.endsWith('{') ? [lines.indexOf(line.replace(/\S.*$/, '}'), index) - index] : [],
    );
    assert.ok(
      bodies.every((length) => length <= 3),
      `${name} does more than to pass messages on`,
    );
  }
  const row = read(`${folder}README.md`)
    .text.split('\n')
    .find((line) => line.startsWith('| Where does a message to a run arrive?'));
  assert.deepEqual(
    [...(row ?? '').matchAll(/`([a-z]+\/[a-z/-]+\.ts)`/g)].map(([, name]) => name),
    MESSAGE_PATH,
    'the README names them in this order',
  );
});

test('the engine asks its store through the port', () => {
  const engine = src.filter(({ name }) => name.startsWith('src/durable/engine/'));
  assert.deepEqual(
    wrongImports(engine, (_, target) => /^src\/durable\/store\/(?:sqlite|postgres)\//.test(target)),
    [],
  );
  assert.deepEqual(
    engine.filter(({ text }) => /\b(?:sqlite|postgres|dbos|shard)/i.test(text)).map(({ name }) => name),
    [],
    'it names no kind of store',
  );
  const asked = src.filter(
    ({ name, text }) => name.startsWith('src/durable/') && /instanceof \w*(?:Store|Shard|Recorder|Writer|Engine)\b/.test(text),
  );
  assert.deepEqual(
    asked.map(({ name }) => name),
    [],
    'nothing asks which store or writer it has',
  );
});

test('only the command line knows its arguments, its exit and its console', () => {
  // A module that is started directly, and the process of a worker, are separate programs.
  const programs = new Set([
    'src/cli.ts',
    'runtime/standalone.ts',
    'src/connectors/database/sqlite-process.ts',
    'src/input/sheet-reader.ts',
  ]);
  const found = code
    .filter(({ name }) => !programs.has(name) && !name.startsWith('src/commands/'))
    .flatMap(({ name, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          /^\s*(\/\/|\*|\/\*)/.test(line) || !/\bprocess\.(argv|exit|exitCode|stdout|stderr)\b|(?<![\w/-])console\.\w/.test(line)
            ? []
            : [`${name}:${index + 1}: ${line.trim()}`],
        ),
    );
  assert.deepEqual(found, []);
});

test('every file has a header, and is short enough to read', () => {
  for (const { name, text } of code) {
    assert.match(text, /^\/\/ \S/, `${name} does not begin with what goes in and comes out`);
    const lines = text.split('\n').length - 1;
    assert.ok(lines <= 500, `${name} has ${lines} lines`);
  }
});

/** Files of fewer than 30 lines that a single folder imports, each with its reason. */
const SHORT_FILES: Readonly<Record<string, string>> = {
  'runtime/index.ts': 'what emitted modules import',
  'src/commands/rules.ts': 'a command is a file',
  'src/commands/runs/audit.ts': 'a command is a file',
  'src/connectors/tables/sheet-writer.ts': 'a thread of its own',
  'src/connectors/tables/workbook-bytes.ts': 'loads the sheet library, in two threads',
  'src/engine/opentelemetry.ts': 'its packages are bundled as one',
  'src/engine/prepare/evaluate-mapped.ts': 'loaded for debuggers only',
  'src/input/sheet-reader.ts': 'a program of its own',
};

test('a file of fewer than 30 lines is shared by two folders, or has a reason', () => {
  const importers = new Map<string, Set<string>>();
  for (const { name, imports } of code)
    for (const target of imports) importers.set(target, (importers.get(target) ?? new Set()).add(path.posix.dirname(name)));
  const short = code
    .filter(({ name, text }) => text.split('\n').length - 1 < 30 && (importers.get(name)?.size ?? 0) < 2)
    .map(({ name }) => name);
  assert.deepEqual(short.sort(), Object.keys(SHORT_FILES).sort());
});

/** Names that a file declares and exports. Re-exports don't count. */
const EXPORT =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (?!\{|\*)(\w+)/gm;

const EXPORTED_VALUE = /^export (?:async )?(?:function\*?|class|const|let) (\w+)/gm;

/** The files that export each name. */
function exporters(files: readonly SourceFile[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name: file, text } of files)
    for (const [, name = ''] of text.matchAll(EXPORT)) found.set(name, (found.get(name) ?? new Set()).add(file));
  return found;
}

const ambiguous = (names: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...names].filter(([, where]) => where.size > 1).map(([name, where]) => `${name}: ${[...where].join(', ')}`);

test('each exported name has one meaning', () => {
  const names = exporters(code);
  assert.ok(names.get('compile')?.has('src/compiler/compile.ts'));
  assert.deepEqual(ambiguous(names), []);
});

test('each name that tests share has one meaning', () => {
  const names = exporters(filesUnder('test').filter(({ name }) => !name.endsWith('.test.ts')));
  assert.ok(names.get('temporaryFolder')?.has('test/temporary-folder.ts'));
  assert.deepEqual(ambiguous(names), []);
});

/** Names in an `import`, in an `export … from`, and of what is loaded later. */
const IMPORTED = /\{([^{}]*)\}\s*(?:from\b|=\s*(?:await import|\(?await|require)\b|\)\s*=>)|\bimport\([^()]*\)\)?\.(\w+)/g;

test('every exported function and value is imported by another file', () => {
  // What others import: the package `wf`, the kit for connectors, and emitted modules. Catalogues are imported as a whole.
  const entries = /^(?:src\/index|src\/connector|runtime\/index|src\/compiler\/diagnostics\/catalogue\/\w+)\.ts$/;
  const importers = new Map<string, Set<string>>();
  for (const { name: file, text } of [...code, ...filesUnder('test')])
    for (const [, names = '', loaded = ''] of text.matchAll(IMPORTED))
      for (const [word] of `${names} ${loaded}`.matchAll(/[A-Za-z_$][\w$]*/g))
        importers.set(word, (importers.get(word) ?? new Set()).add(file));
  const unused = code
    .filter(({ name }) => !entries.test(name))
    .flatMap(({ name: file, text }) =>
      [...text.matchAll(EXPORTED_VALUE)]
        .map(([, name = '']) => name)
        .filter((name) => [...(importers.get(name) ?? [])].every((importer) => importer === file))
        .map((name) => `${file}: ${name}`),
    );
  assert.deepEqual(unused, []);
});

/** Functions that emitted modules call: by position, because an object would cost time where they run often, and longer modules otherwise. */
const CALLED_BY_POSITION = ['defineWorkflow', 'lookUp', 'roundsTogether', 'shiftDate'];
/** Ohm passes an action one parameter for each part of its rule. */
const ACTIONS = 'src/compiler/2-parse/actions/';

/** The names of functions with more than five parameters; a function without a name has that of what holds it. */
function* crowded(node: AnyNode, around: string): Generator<string> {
  const named = 'id' in node && node.id ? node.id : 'key' in node && node.key ? node.key : undefined;
  const name = named !== undefined && 'name' in named ? named.name : around;
  if ('params' in node && node.params.length > 5) yield name;
  for (const part of Object.values(node).flat())
    if (typeof part === 'object' && part !== null && 'type' in part) yield* crowded(part, name);
}

test('a function has at most five parameters', async () => {
  const found = code
    .filter(({ name }) => !name.startsWith(ACTIONS))
    .map(async ({ name, text }) => {
      const { code: script } = await transform(text, { loader: 'ts', target: 'esnext' });
      return [...crowded(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }), name)];
    });
  assert.deepEqual((await Promise.all(found)).flat().sort(), CALLED_BY_POSITION);
});

test('nothing has a catch-all name', () => {
  assert.deepEqual(
    code.map(({ name }) => name).filter((name) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(name)),
    [],
  );
});

/**
 * Imports that load one file while another is loading. Types are gone at run time, and an `import()` runs when everything is loaded, so
 * neither affects the order.
 */
function loads({ name, text }: SourceFile): string[] {
  const code = text.replace(/^(?:import|export) type [^;]*;/gm, '').replace(/\bimport\(/g, '');
  return [...code.matchAll(IMPORT)]
    .map(([, target = '']) => target)
    .filter((target) => target.startsWith('.'))
    .map((target) => path.posix.join(path.posix.dirname(name), target).replace(/\.js$/, '.ts'));
}

test('no imports are circular across folders, or among more than five files, types included', () => {
  const files = new Map(code.map((file) => [file.name, file.imports]));
  for (const circle of circlesIn(files)) {
    const folders = new Set(circle.map((name) => path.posix.dirname(name)));
    assert.equal(folders.size, 1, `circular imports: ${circle.join(', ')}`);
    assert.ok(circle.length <= 5, `circular imports: ${circle.join(', ')}`);
  }
});

/** The groups of files that reach each other by imports (Tarjan, 1972). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (name: string): void => {
    const index = order.size;
    order.set(name, index);
    lowest.set(name, index);
    open.push(name);
    for (const target of graph.get(name) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(name, Math.min(lowest.get(name) ?? index, lowest.get(target) ?? index));
    }
    if (lowest.get(name) !== index) return;
    const circle = open.splice(open.indexOf(name));
    if (circle.length > 1) circles.push(circle);
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return circles;
}

test('no import is circular', () => {
  const graph = new Map(code.map((file) => [file.name, loads(file)]));
  assert.ok(graph.get('src/compiler/3-check/check.ts')?.includes('src/compiler/3-check/statements/check-block.ts'));
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): void => {
    const start = way.indexOf(name);
    if (start !== -1) circles.push([...way.slice(start), name].join(' → '));
    if (start !== -1 || done.has(name)) return;
    for (const target of graph.get(name) ?? []) visit(target, [...way, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  assert.deepEqual(circles, []);
});
