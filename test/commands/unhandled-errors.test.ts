// Unhandled errors of plugins and of wf: one line without a stack or a secret, the log is still written, and servers continue.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { watchUnhandledErrors } from '../../src/commands/unhandled-errors.js';
import type { Io } from '../../src/engine/io.js';
import { cli, root } from '../root.js';
import { standIn } from '../stand-in.js';
import { endProcess, endWithTest } from '../temporary-folder.js';
import { folderWith, workflow as withBody } from './wf.js';

const workflow = readFileSync(path.join(root, 'test/commands/files/waits.wf'), 'utf8');
const filesWith = (body: string, seconds: string) => ({
  'p.wf': workflow.replace('600', seconds),
  'ledger.mjs': `export const call = ({ parameters: { key } }) => { ${body}; return { value: 1 }; };\n`,
});
const env = { LEDGER_PLACE: 'k-123456' };

test('reports an unhandled rejection and continues the run', (context) => {
  const { wf } = folderWith(context, filesWith('Promise.reject(new Error("no " + key + "\\n"))', '0.2'));
  const { status, stdout, stderr } = wf(['run', 'p.wf'], env);
  assert.deepEqual([status, stdout], [0, 'Workflow completed.\n']);
  assert.equal(stderr, 'A plugin left an error unhandled: no [redacted]\\n\n');
});

test('an exception from a timer ends the run, with its log and without a stack', (context) => {
  const folder = folderWith(context, filesWith('setTimeout(() => { throw new Error("late " + key); })', '20'));
  const { status, stderr } = folder.wf(['run', 'p.wf', '--output-log', 'log.json'], env);
  assert.equal(status, 1);
  assert.equal(stderr, 'Error in p.wf (WF691):\n\n    A plugin failed outside of its call: late [redacted]\n');
  const log = JSON.parse(readFileSync(path.join(folder.path, 'log.json'), 'utf8'));
  assert.deepEqual([log.status, log.message], ['error', 'A plugin failed outside of its call: late [redacted]']);
});

test('a server survives both, and hides the secrets of all its workflows', async (context) => {
  const body = 'setTimeout(() => { throw new Error("late " + key); }); Promise.reject(new Error("no " + key))';
  const folder = folderWith(context, filesWith(body, '0.2'));
  const server = spawn(process.execPath, [cli, 'serve', 'p.wf', '--port', '0', '--host', '127.0.0.1'], {
    cwd: folder.path,
    env: { ...process.env, ...env, WF_CACHE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithTest(context, () => endProcess(server));
  let stderr = '';
  server.stderr.on('data', (text) => {
    stderr += text;
  });
  let stdout = '';
  for await (const text of server.stdout) {
    stdout += text;
    if (stdout.includes('\n')) break;
  }
  const url = /http:\S+/.exec(stdout)?.[0] ?? '';
  for (let run = 0; run < 2; run++) {
    const response = await fetch(url, { method: 'POST', headers: { connection: 'close' } });
    assert.deepEqual(await response.json(), { status: 'completed', outputs: {} });
  }
  server.kill('SIGTERM');
  const code = await new Promise((resolve) => server.once('close', resolve));
  assert.equal(code, 0);
  assert.deepEqual(
    stderr
      .split('\n')
      .filter((line) => line.startsWith('A plugin'))
      .sort(),
    [
      'failed outside of its call: late',
      'failed outside of its call: late',
      'left an error unhandled: no',
      'left an error unhandled: no',
    ].map((what) => `A plugin ${what} [redacted]`),
  );
});

test('without plugins, an unhandled error is one of wf, with its stack only if asked for', (t) => {
  const handlers = new Map<string, (cause: unknown) => void>();
  t.mock.method(process, 'on', (event: string, handler: (cause: unknown) => void) => {
    handlers.set(event, handler);
    return process;
  });
  const reported = (env: Io['env']): string => {
    const lines: string[] = [];
    const stderr = { write: (line: string) => void lines.push(line) };
    const io = standIn<Io>({ env, stderr }); // all that is used of it
    watchUnhandledErrors(io, { workflows: () => [], secrets: ['k-123456'] });
    handlers.get('unhandledRejection')?.(new TypeError('no k-123456'));
    return lines.join('');
  };
  assert.equal(reported({}), 'Internal error: no [redacted]\n');
  assert.match(reported({ WF_DEBUG: '1' }), /^Internal error: no \[redacted\]\nTypeError: no \[redacted\]\n +at /);
});

test('a bug during a run is shown with its stack only if asked for, with and without a store', (t) => {
  const folder = folderWith(t, { 'a.wf': withBody('    log "{env.KEY}"\n    complete') });
  assert.equal(folder.wf(['build', 'a.wf', '--out', '.']).status, 0);
  const built = path.join(folder.path, 'a.mjs');
  const code = readFileSync(built, 'utf8');
  const faulty = code.replace(/function main\(\w+, request\) \{/, "$& throw new TypeError('no k-123456');");
  assert.notEqual(faulty, code);
  writeFileSync(built, faulty);
  const hasStores = Number(process.versions.node.split('.')[0]) >= 20;
  for (const store of [[], ...(hasStores ? [['--store', './runs']] : [])]) {
    const said = (env: Readonly<Record<string, string>>): string => {
      const { status, stderr } = folder.wf(['run', 'a.mjs', '--quiet', ...store], { KEY: 'k-123456', ...env });
      assert.equal(status, 1);
      return stderr;
    };
    assert.doesNotMatch(said({}), /TypeError|\n +at /);
    const shown = said({ WF_DEBUG: '1' });
    assert.match(shown, /\(WF699\)[\s\S]*TypeError: no \[redacted\]\n +at main /);
    assert.doesNotMatch(shown, /k-123456/);
  }
});
