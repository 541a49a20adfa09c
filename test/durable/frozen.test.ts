// A run that freezes its process is noticed, although the process never gets to write anything.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { begun, kept } from './kept.js';
import { tapNextStore } from './tapped-store.js';

/** Sets the number of processes that died in a row while they executed the only run of a shard, which was 1. */
function countAdoptions(file: string, adoptions: number): void {
  const { DatabaseSync } = loadSqlite();
  const shard = new DatabaseSync(file);
  assert.equal(shard.prepare('UPDATE runs SET adoptions = ? WHERE adoptions = 1').run(adoptions).changes, 1);
  shard.close();
}

test('a run whose process is killed ten times in a row for not moving is stuck, also if it had been waiting', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, folder } = await kept(t, 'folder');
  const first = await open();
  const { run, end } = await begun(first, await file('kept/log-after-a-wait.wf'));
  assert.equal((await end).kind, 'paused');
  await first.close(0);
  fakeClock.offset = 2 * 3_600_000;
  // It is found waiting, then executing once, and after that as often as nine other processes would have found it.
  for (let life = 1; life <= 3; life++) {
    if (life === 3) countAdoptions(path.join(folder, 'runs/s0.db'), 9);
    let thread: Worker | undefined;
    let isFrozen = false;
    tapNextStore({
      onThread: (started) => {
        thread = started;
      },
      // A process that does not move sends nothing to the thread of its store.
      held: () => (isFrozen ? new Promise(() => undefined) : undefined),
    });
    const engine = await open({
      onLog: () => {
        isFrozen = true;
      },
    });
    await engine.serve();
    let isStuck = false;
    await until(async () => {
      if (!isFrozen) isStuck = (await engine.state(run))?.status === 'stuck';
      return isFrozen || isStuck;
    });
    assert.equal(isStuck, life === 3, `life ${life}`);
    await thread?.terminate();
    await engine.close(0);
  }
});
