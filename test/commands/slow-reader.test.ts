// Output into a pipe with a slow reader: nothing is lost, and a reader that never reads again can't hold up a command.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { cli } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { folderWith, workflow } from './wf.js';

/** More than the capacity of any pipe. */
const LINES = 5_000;

/** Runs a workflow with much output that is not read yet. */
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
  endWithTest(context, () => endProcess(child));
  return child;
}

test('a slow reader gets every line, complete and in order', async (context) => {
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

test('a signal ends a command whose reader has stopped reading', { timeout: 60_000 }, async (context) => {
  const child = talkative(context);
  const ended = once(child, 'exit');
  const { stdout } = child;
  assert.ok(stdout);
  // A signal before there is too much output would simply end the run.
  stdout.on('readable', () => undefined);
  await until(() => stdout.readableLength >= stdout.readableHighWaterMark);
  const asking = setInterval(() => child.kill('SIGTERM'), 300);
  const [code, signal] = await ended;
  clearInterval(asking);
  // Either the second signal during the run, or a later one while it waits.
  assert.ok(code === 130 || signal === 'SIGTERM', `${code} ${signal}`);
});
