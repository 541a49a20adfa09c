// Ctrl+C at moments that a signal to a real process does not hit reliably.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../src/commands/run.js';
import { testFile } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { inMemoryIo } from '../testing/in-memory-io.js';

test('Ctrl+C while the store is opened: the run does not begin', async (t) => {
  const cwd = temporaryFolder(t, { 'done.wf': testFile('durable/files/commands/done.wf') });
  const io = inMemoryIo(cwd, { WF_CACHE: 'off', HOME: cwd, WF_STORE: 'runs' }, (stop) => {
    if (!existsSync(path.join(cwd, 'runs'))) stop('SIGINT', 1);
  });
  const exit = await runCommand('done.wf', { input: '{"n": 7}' }, io);
  assert.deepEqual({ exit, ...io.written }, { exit: 130, out: '', err: 'Interrupted before the run began. Nothing was done.\n' });
});
