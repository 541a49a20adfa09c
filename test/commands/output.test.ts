// What commands write: into a pipe with a slow reader, to a full disk, and in a progress line. Nothing is lost, and nothing holds them up.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { lossyFileStream } from '../../src/commands/lossy-file-stream.js';
import { createProgress, progressText } from '../../src/commands/progress.js';
import type { Io } from '../../src/engine/io.js';
import { cli } from '../root.js';
import { standIn } from '../stand-in.js';
import { endProcess, endWithTest, temporaryFolder } from '../temporary-folder.js';
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

// A log that can't be written for a while: reported once, and continued afterwards.

function file(context: TestContext): string {
  const folder = temporaryFolder(context);
  return path.join(folder, 'log');
}

test('writes to a file immediately', (context) => {
  const name = file(context);
  const opened = openSync(name, 'a');
  lossyFileStream(opened, () => assert.fail())?.write('one\n');
  assert.equal(readFileSync(name, 'utf8'), 'one\n');
  closeSync(opened);
});

test('a full disk is reported once and does not end the stream', { skip: !existsSync('/dev/full') }, () => {
  const opened = openSync('/dev/full', 'w');
  const reasons: unknown[] = [];
  const stream = lossyFileStream(opened, (reason) => reasons.push(reason));
  for (const line of ['one\n', 'two\n']) stream?.write(line);
  assert.deepEqual(
    reasons.map((reason) => reason instanceof Error && 'code' in reason && reason.code),
    ['ENOSPC'],
  );
  assert.equal(stream?.writable, true);
  closeSync(opened);
});

test('leaves anything but files to Node.js', () => {
  assert.equal(
    lossyFileStream(987_654, () => assert.fail()),
    undefined,
  );
});

// The progress line: only on a terminal, only for long work, and not too often.

function terminal(isTTY: boolean): { io: Pick<Io, 'stderr'>; written: string[] } {
  const written: string[] = [];
  const stderr = { isTTY, write: (text: string) => written.push(text) > 0 };
  // Only these two members are used.
  return { io: { stderr: standIn<Io['stderr']>(stderr) }, written };
}

test('shows items, rate and time left', () => {
  assert.equal(progressText('line 12', 50_000, 200_000, 5_000), 'line 12: 50,000 of 200,000 (25 %), 10,000 a second, 15 s left');
  assert.equal(progressText('line 12', 10, 200_000, 5_000), 'line 12: 10 of 200,000 (0 %), 2 a second, 1667 min left');
  assert.equal(progressText('checked', 0, 500, 0), 'checked: 0 of 500 (0 %)');
});

test('writes nothing without a terminal', () => {
  const { io, written } = terminal(false);
  const progress = createProgress(io, 10, () => written.length * 1_000);
  progress.update(1, 'line 1', 500, 1_000);
  progress.clear();
  assert.deepEqual(written, []);
});

test('writes at most five lines per second, erases the last one, and skips short work', () => {
  const { io, written } = terminal(true);
  let time = 0;
  const progress = createProgress(io, 1_000, () => time);
  progress.update(3, 'line 3', 1, 900);
  for (time = 0; time <= 1_000; time += 10) progress.update(3, 'line 3', time, 2_000);
  assert.equal(written.length, 5);
  assert.match(written[0] ?? '', /^\r[^\n]*line 3: 200 of 2,000/);
  progress.clear();
  assert.equal(written.at(-1), '\r\u001b[K');
  progress.clear();
  assert.equal(written.length, 6);
});

test('shows the outermost of nested loops', () => {
  const { io, written } = terminal(true);
  let time = 0;
  const progress = createProgress(io, 1_000, () => time);
  progress.update(5, 'line 5', 10, 5_000);
  progress.update(7, 'line 7', 10, 5_000);
  time = 300;
  progress.update(7, 'line 7', 20, 5_000);
  assert.deepEqual(written, []);
  progress.update(5, 'line 5', 20, 5_000);
  assert.equal(written.length, 1);
});

test('no name of a file, no argument and no cell controls the terminal', (context) => {
  const hostile = 'a\u001b[31m\u0007\u009b2J\u202ez';
  const table = `tables:\n    Cost is a table at "./t.csv"\n\nworkflow:\n    trigger: t\n\n    look up cost in Cost with country request.a`;
  const { wf } = folderWith(context, {
    'ok.wf': workflow('    log "x"'),
    [`${hostile}.wf`]: workflow('    log  "x"'),
    't.csv': `country is,cost\n${hostile},1\n`,
    'table.wf': `config:\n    name: "Table"\n    version: 1\n\n${table}\n    complete with cost cost\n`,
  });
  for (const words of [
    [hostile],
    ['check', `${hostile}.wf`],
    ['check', `no ${hostile}.wf`],
    ['check', 'ok.wf', '--format', hostile],
    ['format', `${hostile}.wf`, '--diff'],
    ['format', `${hostile}.wf`],
    ['build', 'ok.wf', '--out', hostile],
    ['init', hostile],
    ['rules', 'table.wf'],
    ['run', 'ok.wf', '--input', `{"${hostile}`],
    ['run', 'ok.wf', '--store', `postgres://u@127.0.0.1:1/${hostile}`],
    ['runs', 'show', hostile, '--store', `no ${hostile}`],
    ['serve', 'ok.wf', '--host', hostile],
    ['schedule', 'ok.wf', '--every', hostile],
  ]) {
    const { stdout, stderr } = wf(words);
    const shown = stdout + stderr;
    assert.notEqual(shown, '');
    assert.doesNotMatch(
      shown,
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/,
      `${JSON.stringify(words)}: ${JSON.stringify(shown)}`,
    );
  }
});
