// Taking over what dead processes left in a folder: several of them at once, and while something else happens.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openDurable } from '../../src/durable/store/sqlite/sqlite.js';
import { makePrivateFile } from '../../src/durable/store/sqlite/store-folder.js';
import type { ThreadCall } from '../../src/durable/store/sqlite/thread-calls.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { mortal } from './mortal.js';
import { tapNextStore } from './tapped-store.js';
import { begun, type TestStore, testStore } from './test-store.js';

/** Dead processes, each with two runs that wait for two hours. */
async function left({ file, open }: TestStore, processes: number): Promise<string[][]> {
  const prepared = await file('single/wait-and-call.wf');
  const dead = await Promise.all(Array.from({ length: processes }, () => mortal(open)));
  const runs: string[][] = [];
  for (const { engine } of dead) {
    const two = [await begun(engine, prepared), await begun(engine, prepared)];
    for (const { end } of two) assert.equal((await end).kind, 'paused');
    runs.push(two.map(({ run }) => run));
  }
  await Promise.all(dead.map(({ kill }) => kill()));
  return runs;
}

function threeHoursLater(t: TestContext): void {
  t.after(() => {
    fakeClock.offset = 0;
  });
  fakeClock.offset = 3 * 3_600_000;
}

test('a run that is due does not continue before its shard is adopted, whatever other shards do meanwhile', async (t) => {
  const scene = await testStore(t, 'folder');
  const runs = await left(scene, 3);
  threeHoursLater(t);
  const asked: ThreadCall[] = [];
  tapNextStore({ after: (call) => void asked.push(call) });
  const engine = await scene.open();
  await engine.serve();
  for (const run of runs.flat()) await until(async () => (await engine.state(run))?.status === 'completed');
  for (const shard of [0, 1, 2]) {
    const first = (method: string): number => asked.findIndex((call) => call.method === method && call.args[0] === shard);
    assert.ok(first('adoptRunning') < first('loadRun'), `shard ${shard}`);
  }
  assert.deepEqual(engine.health(), { ok: true });
});

test('a server that is asked about one run of a dead process adopts the others as well', async (t) => {
  const scene = await testStore(t, 'folder');
  const engine = await scene.open();
  await engine.serve();
  const [[one = '', other = ''] = []] = await left(scene, 1);
  await engine.resume(one);
  threeHoursLater(t);
  for (const run of [one, other]) await until(async () => (await engine.state(run))?.status === 'completed');
});

test('waits for a process that is just creating the same file', async (t) => {
  const { folder } = await testStore(t, 'folder');
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const file = path.join(folder, 'new.db');
  makePrivateFile(file);
  // SQLite itself does not wait for a lock of this kind when it changes the journal mode.
  const holder = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const { DatabaseSync } = require(workerData.library);
     const database = new DatabaseSync(workerData.file);
     database.exec('BEGIN IMMEDIATE');
     parentPort.postMessage('held');
     setTimeout(() => database.close(), 60);`,
    { eval: true, workerData: { file, library: library } },
  );
  await new Promise((resolve) => holder.once('message', resolve));
  openDurable(file, 10_000).close();
  await holder.terminate();
});
