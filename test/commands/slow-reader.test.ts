// What is printed into a pipe whose reader is slow: nothing of it is lost, and a reader that has stopped for good keeps no command.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { cli } from '../root.js';
import { folderWith, workflow } from './wf.js';

/** More than any pipe holds. */
const LINES = 5_000;

/** A run that prints much, and is not read yet. */
function talkative(context: TestContext): ChildProcess {
  const folder = folderWith(context, {
    'a.wf': workflow(`    for each n in request.rows:\n        log "{n} ${'é'.repeat(60)}"`),
    'rows.json': JSON.stringify({ rows: Array.from({ length: LINES }, (_, index) => index) }),
  });
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, XDG_CACHE_HOME: path.join(folder.path, '.cache') };
  const child = spawn(process.execPath, [cli, 'run', 'a.wf', '--input-file', 'rows.json'], {
    cwd: folder.path,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

test('a slow reader gets every line whole and in order', async (context) => {
  const child = talkative(context);
  const read: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => {
    read.push(piece);
    child.stdout?.pause();
    setTimeout(() => child.stdout?.resume(), 1);
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  const lines = Buffer.concat(read).toString().trimEnd().split('\n');
  assert.equal(lines.length, LINES + 1);
  assert.ok(lines.slice(0, LINES).every((line, index) => line === `${index} ${'é'.repeat(60)}`));
});

test('a signal ends a command whose reader has stopped for good', { timeout: 60_000 }, async (context) => {
  const child = talkative(context);
  const ended = once(child, 'exit');
  const asking = setInterval(() => child.kill('SIGTERM'), 300);
  const [code, signal] = await ended;
  clearInterval(asking);
  // By the second signal while it runs, or by a later one that finds it waiting.
  assert.ok(code === 130 || signal === 'SIGTERM', `${code} ${signal}`);
});
