// A signal during the setup of a schedule stops it as cleanly as a later one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleCommand } from '../../src/commands/schedule.js';
import type { Io } from '../../src/engine/io.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { folderWith, workflow } from './wf.js';

test('a signal before the first line of output', async (context) => {
  const { path: cwd } = folderWith(context, { 'r.wf': workflow('    complete') });
  let stop: Parameters<Io['onStop']>[0] | undefined;
  const io = inMemoryIo(cwd, { WF_CACHE: 'off' }, (callback) => {
    stop = callback;
  });
  const code = scheduleCommand('r.wf', { every: 'hour' }, io);
  stop?.('SIGTERM', 1);
  assert.equal(await code, 0);
  assert.match(io.written.out, /Stopped after 0 runs/);
});
