// A signal during the setup of a schedule stops it as cleanly as a later one.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { scheduleCommand } from '../../src/commands/schedule.js';
import type { Io } from '../../src/engine/io.js';
import { folderWith, workflow } from './wf.js';

test('a signal before the first line of output', async (context) => {
  const { path: cwd } = folderWith(context, { 'r.wf': workflow('    complete') });
  let stop: Parameters<Io['onStop']>[0] | undefined;
  let printed = '';
  const out = new PassThrough().on('data', (text) => {
    printed += text;
  });
  const io: Io = {
    ...{ cwd, env: { WF_CACHE: 'off' }, stdin: new PassThrough().end(), stdout: out, stderr: out, stream: () => out },
    colour: { stdout: false, stderr: false },
    onStop(callback) {
      stop = callback;
      return () => undefined;
    },
  };
  const code = scheduleCommand('r.wf', { every: 'hour' }, io);
  stop?.('SIGTERM', 1);
  assert.equal(await code, 0);
  assert.match(printed, /Stopped after 0 runs/);
});
