// A run is cancelled while the disk is full: whoever tries is told, and can stop in time; the run is cancelled later.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsCommand } from '../../src/commands/runs/runs.js';
import { sqliteCodes } from '../../src/durable/store/sqlite/sqlite.js';
import type { ThreadCall, ThreadFault } from '../../src/durable/store/sqlite/thread-calls.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { type Tap, tapNextStore } from './tapped-store.js';
import { begun, testStore } from './test-store.js';

const full: ThreadFault = { name: 'Error', message: 'database or disk is full', hint: undefined, sqlite: sqliteCodes.full };

/** A disk that takes nothing more into the files of runs, once the wish to cancel one is recorded. */
function fillingDisk(): Tap & { isFull: boolean; refused: number } {
  const disk = {
    isFull: false,
    refused: 0,
    before: ({ method }: ThreadCall) => {
      if (!disk.isFull || method !== 'commit') return undefined;
      disk.refused++;
      return full;
    },
    after: ({ method }: ThreadCall) => {
      disk.isFull ||= method === 'addToInbox';
    },
  };
  return disk;
}

test('a run that cannot be cancelled because the disk is full keeps nobody, and is cancelled later', async (t) => {
  const { file, open, env, folder } = await testStore(t, 'folder');
  const first = await open();
  const { run, end } = await begun(first, await file('single/waits-for-go.wf'));
  assert.equal((await end).kind, 'paused');
  await first.close(10);

  await t.test('a process that was asked to', async () => {
    tapNextStore(fillingDisk());
    const engine = await open();
    await assert.rejects(engine.cancel(run), /^Error: The store cannot be written: the disk is full\.$/);
    await engine.close(10);
  });

  await t.test('a command', async () => {
    tapNextStore(fillingDisk());
    const io = inMemoryIo(folder, { ...env, WF_STORE: 'runs' });
    await assert.rejects(runsCommand(['cancel', run], {}, io), {
      name: 'UsageError',
      message: 'The command could not be completed: the disk is full.',
    });
  });

  await t.test('a server that finds the wish of an earlier one', async () => {
    const disk = fillingDisk();
    disk.isFull = true;
    tapNextStore(disk);
    const engine = await open();
    void engine.serve().catch(() => undefined);
    await until(() => disk.refused > 0);
    await engine.close(10);
  });

  const last = await open();
  await last.serve();
  await until(async () => (await last.state(run))?.status === 'cancelled');
});
