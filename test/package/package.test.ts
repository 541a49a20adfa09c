// The package as users get it: packed, installed into an empty folder, and used by the command line, as a library in both module formats,
// and by TypeScript. Slow, because it installs: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readPage } from '../docs/page.js';
import { fixture, root, skipUnlessSlow } from '../root.js';

const base = mkdtempSync(path.join(tmpdir(), 'wf-package-'));
const app = path.join(base, 'app');

/** Bytes of the package itself, without its dependencies. Database and mail drivers, the language server and the playground are over a million of them. */
const LARGEST = 7_000_000;

function run(cwd: string, command: string, ...args: string[]): SpawnSyncReturns<string> {
  // Remove what npm passes to child processes, which would affect the npm started here.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_(registry|cache|userconfig))/i.test(name) && name !== 'WF_TEST_ROOT',
    ),
  );
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...env, XDG_CACHE_HOME: path.join(base, 'cache') } });
  assert.equal(result.error, undefined);
  return result;
}

function succeed(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = run(cwd, command, ...args);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

const wf = (...args: string[]): SpawnSyncReturns<string> => run(app, path.join(app, 'node_modules', '.bin', 'wf'), ...args);
const write = (name: string, text: string): void => writeFileSync(path.join(app, name), text);
const node = (name: string): string => succeed(app, process.execPath, name);

/** A block of a page that the other tests don't cover. */
const block = (page: string, language: string, containing: string): string => {
  const found = readPage(page).blocks.find((candidate) => candidate.language === language && candidate.text.includes(containing));
  assert.ok(found, `${page} has no block of ${language} with ${containing}`);
  return found.text;
};

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe('the package', { skip: skipUnlessSlow }, () => {
  let packed: Packed | undefined;

  before(() => {
    mkdirSync(app);
    const output: unknown = JSON.parse(succeed(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', base));
    [packed] = Object.values(output as Packed[]); // as npm documents
    write('package.json', '{ "private": true }\n');
    succeed(
      app,
      'npm',
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      path.join(base, packed?.filename ?? ''),
    );
    cpSync(fixture('examples'), path.join(app, 'fixtures', 'examples'), { recursive: true });
  });

  after(() => rmSync(base, { recursive: true, force: true }));

  test('contains what it needs, and no development files', () => {
    const files = packed?.files.map((file) => file.path) ?? [];
    for (const needed of [
      'package.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'dist/wf.cjs',
      'dist/index.cjs',
      'dist/runtime.mjs',
      'dist/third-party-licences.txt',
      'grammar/wf.ohm',
      'schemas/findings.schema.json',
      'schemas/runs.schema.json',
      'schemas/test-cases.schema.json',
      'docs/language.md',
    ]) {
      assert.ok(files.includes(needed), `${needed} is not in the package`);
    }
    assert.deepEqual(
      files.filter((file) => /^(src|test|runtime|bench|fixtures|\.)/.test(file)),
      [],
    );
    assert.ok((packed?.unpackedSize ?? Number.POSITIVE_INFINITY) < LARGEST, `it has ${packed?.unpackedSize} bytes`);
    assert.notEqual(
      statSync(path.join(app, 'node_modules', 'wf-lang', 'dist', 'wf.cjs')).mode & 0o111,
      0,
      'the program cannot be executed',
    );
  });

  test('resolves for ES modules, CommonJS and bundlers, with types', () => {
    const tarball = path.join(base, packed?.filename ?? '');
    const bin = (name: string): string => path.join(root, 'node_modules', '.bin', name);
    assert.match(succeed(root, bin('attw'), tarball, '--format', 'ascii', '--no-emoji'), /No problems found/);
    assert.match(succeed(root, bin('publint'), tarball, '--strict'), /All good!/);
  });

  test('refuses to be bundled, and runs next to a bundle', () => {
    write(
      'bundled.mjs',
      "import { run } from 'wf-lang';\nconsole.log((await run('fixtures/examples/hello.wf', { name: 'Ada' })).status);\n",
    );
    const bundle = (...options: string[]): SpawnSyncReturns<string> => {
      const esbuild = path.join(root, 'node_modules', '.bin', 'esbuild');
      succeed(
        app,
        esbuild,
        'bundled.mjs',
        '--bundle',
        '--platform=node',
        '--format=esm',
        '--outfile=bundle.mjs',
        '--log-level=error',
        ...options,
      );
      return run(app, process.execPath, 'bundle.mjs');
    };
    assert.match(bundle().stderr, /wf-lang cannot be bundled: mark it as external/);
    assert.equal(bundle('--external:wf-lang').stdout, 'completed\n');
  });

  test('has a bill of materials that lists what is bundled and what is installed', () => {
    const bill = JSON.parse(readFileSync(path.join(app, 'node_modules', 'wf-lang', 'dist', 'sbom.cdx.json'), 'utf8'));
    assert.equal(bill.bomFormat, 'CycloneDX');
    const isBundled = new Map(
      bill.components.map((component: { name: string; properties: { value: string }[] }) => [
        component.name,
        component.properties[0]?.value,
      ]),
    );
    assert.deepEqual(
      ['express', 'ohm-js', 'esbuild', '@e965/xlsx'].map((name) => isBundled.get(name)),
      ['true', 'true', 'false', 'false'],
    );
    assert.equal(isBundled.has('typescript'), false);
  });

  test('names the licence of every bundled package', () => {
    const licences = readFileSync(path.join(app, 'node_modules', 'wf-lang', 'dist', 'third-party-licences.txt'), 'utf8');
    for (const name of [
      'express',
      'undici',
      'ohm-js',
      'node-cron',
      'prom-client',
      'dotenv',
      'cors',
      'pg',
      'mysql2',
      'nodemailer',
    ]) {
      assert.match(licences, new RegExp(`^.*\\b${name}\\b.*\\d+\\.\\d+\\.\\d+`, 'm'), name);
    }
  });

  test('runs, checks, tests, builds and reads sheets', () => {
    assert.equal(wf('--version').stdout, `${JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version}\n`);
    const hello = wf('run', 'fixtures/examples/hello.wf', '--input', '{"name":"Ada"}');
    assert.deepEqual(
      [hello.status, hello.stdout, hello.stderr],
      [0, 'Saying hello to Ada\nWorkflow completed.\ngreeting: Hello, Ada!\n', ''],
    );
    assert.equal(wf('check', 'fixtures/examples', '--strict').status, 0);
    assert.equal(wf('test', 'fixtures/examples').status, 0);
    assert.equal(
      wf('run', 'fixtures/examples/daily-sales-report.wf', '--input-file', 'fixtures/examples/sales.xlsx', '--mock').status,
      0,
    );
    assert.equal(wf('build', 'fixtures/examples/hello.wf', '--out', 'built').status, 0);
    assert.match(succeed(app, process.execPath, 'built/hello.mjs', '--input', '{"name":"Ada"}'), /"greeting":"Hello, Ada!"/);
  });

  test('can be imported by an ES module, as the README shows', () => {
    write('embed.mjs', block('README.md', 'js', "from 'wf-lang'"));
    assert.equal(node('embed.mjs'), "line 1: warning WF109\nline 3: error WF041\ncompleted { greeting: 'Hello, Ada!' }\n");
  });

  test('does what the library page says', () => {
    write('hello.wf', readFileSync(fixture('examples', 'hello.wf'), 'utf8'));
    write('library.mjs', block('docs/library.md', 'js', "from 'wf-lang'"));
    assert.equal(node('library.mjs'), block('docs/library.md', '', 'Saying hello'));
    write('durable.mjs', block('docs/library.md', 'js', 'openStore'));
    assert.equal(node('durable.mjs'), block('docs/library.md', '', 'known true'));
  });

  test('can be required by a CommonJS module', () => {
    write(
      'embed.cjs',
      `const { check, compile, createApp, defineConnector, run } = require('wf-lang');
console.log([check, compile, createApp, defineConnector, run].map((value) => typeof value).join());
run('fixtures/examples/hello.wf', { name: 'Ada' }).then(({ outputs }) => console.log(outputs.greeting));\n`,
    );
    assert.equal(node('embed.cjs'), 'function,function,function,function,function\nHello, Ada!\n');
  });

  test('serves workflows inside another program', () => {
    write(
      'serve.mjs',
      `import { createServer } from 'node:http';
import { createApp, prepare } from 'wf-lang';
const preparation = await prepare('fixtures/examples/hello.wf', { cwd: process.cwd(), env: process.env });
const app = await createApp({ workflows: [preparation.prepared], single: true });
const server = createServer(app.listener).listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const response = await fetch(\`http://127.0.0.1:\${port}/\`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Ada"}' });
  console.log(response.status, await response.text());
  server.close();
  server.closeAllConnections();
  await app.close();
});\n`,
    );
    assert.equal(node('serve.mjs'), '200 {"status":"completed","outputs":{"greeting":"Hello, Ada!"}}\n');
  });

  test('has types for its exports, and for connectors', () => {
    write('connector.mts', block('docs/connectors.md', 'ts', 'defineConnector'));
    write(
      'required.cts',
      "import wf = require('wf-lang');\nexport const codes: string[] = wf.check('workflow:', 'x.wf').diagnostics.map(({ code }) => code);\n",
    );
    write('rates.mjs', block('docs/connectors.md', 'js', 'Connector'));
    write(
      'use.mts',
      `import { check, compile, createApp, type Outcome, run, type WfRecord } from 'wf-lang';
const outcome: Outcome = await run('hello.wf', { name: 'Ada' } satisfies WfRecord, { mock: true, timeoutMs: 1_000 });
const codes: string[] = check('workflow:', 'x.wf').diagnostics.map(({ code }) => code);
const compiled = compile('workflow:', { file: 'x.wf' });
export const text: string = compiled.hasErrors ? codes.join() : compiled.emitted.code;
export const app = await createApp({ workflows: [] });
// @ts-expect-error a request is a record
await run('hello.wf', 'Ada');
console.log(outcome.status satisfies 'completed' | 'rejected' | 'error');\n`,
    );
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2022',
          allowJs: true,
          checkJs: true,
          types: ['node'],
          typeRoots: [path.join(root, 'node_modules', '@types')],
        },
        files: ['use.mts', 'connector.mts', 'required.cts', 'rates.mjs', 'fixtures/examples/connectors/ledger.mjs'],
      }),
    );
    succeed(app, path.join(root, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.json');
  });
});
