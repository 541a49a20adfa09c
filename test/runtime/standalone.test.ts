// A built module started directly, in a separate process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../root.js';

const source = `
import { completed, defineWorkflow, field, rejected, runAsProgram } from './runtime/index.ts';
const workflow = { name: 'T', version: 1, trigger: '', file: 't.wf', env: ['API_KEY'], services: [], requestFields: [], outputKeys: [], sites: [], compiler: '0' };
export const run = defineWorkflow(workflow, [], async (run, request) => {
  run.log('key ' + run.env('API_KEY') + '\\u001b[31m', 1);
  if (request.no) return rejected('no');
  if (request.wait) await run.wait(1, 'hours', [2, 1, 1], 0);
  return completed([['got', field(request, 'a')]]);
});
runAsProgram(import.meta.url, run);
`;

let dir = '';
let program = '';
before(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'wf-alone-'));
  program = path.join(dir, 'order.mjs');
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    define: { WF_VERSION: '"0"' },
    outfile: program,
    logLevel: 'error',
  });
});
after(() => rm(dir, { recursive: true, force: true }));

async function start(args: readonly string[], { file = program, signal }: { file?: string; signal?: NodeJS.Signals } = {}) {
  const child = spawn(process.execPath, [file, ...args], { env: { API_KEY: 'k-123456' } });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    out.stdout += data;
  });
  child.stderr.on('data', (data) => {
    out.stderr += data;
    if (signal !== undefined) child.kill(signal);
  });
  const [exit] = await once(child, 'close');
  return { ...out, exit };
}

test('runs, prints the response, and logs to standard error', async () => {
  assert.deepEqual(await start(['--input', '{"a": 12345678901234567890}']), {
    stdout: '{"status":"completed","outputs":{"got":"12345678901234567890"}}\n',
    stderr: 'key [redacted]\\u001b[31m\n',
    exit: 0,
  });
  assert.equal((await start([])).stdout, '{"status":"completed","outputs":{"got":null}}\n');
});

test('rejected exits with 3; a link to the module works', async () => {
  const link = path.join(dir, 'link.mjs');
  await symlink(program, link);
  const { stdout, exit } = await start(['--input={"no":1}'], { file: link });
  assert.deepEqual([stdout, exit], ['{"status":"rejected","message":"no"}\n', 3]);
});

test('wrong usage exits with 2 and prints one line', async () => {
  for (const args of [['--input', '{"a":'], ['--input', '[1]'], ['--input'], ['--inptu', '{}'], ['--input', '{}', 'more']]) {
    const { stdout, stderr, exit } = await start(args);
    assert.deepEqual([stdout, exit], ['', 2]);
    assert.match(stderr, /^[^\n]+--input[^\n]+\n$/);
  }
});

test('SIGTERM interrupts it', async () => {
  const { stdout, exit } = await start(['--input', '{"wait":true}'], { signal: 'SIGTERM' });
  assert.deepEqual([stdout, exit], ['{"status":"error","message":"interrupted"}\n', 1]);
});

test('does nothing when imported', async () => {
  const user = path.join(dir, 'user.mjs');
  await writeFile(
    user,
    `import { run } from './order.mjs';\nconst { status, log } = await run({ a: 1 }, { env: {} });\nconsole.log(status, log.length);\n`,
  );
  assert.equal((await start([], { file: user })).stdout, 'completed 2\n');
});
