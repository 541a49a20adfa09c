// Many runs cancelled together, in both kinds of stores: what each of them is promised is kept, also if the process dies in between.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { changeMany, chooseRuns } from '../../src/durable/engine/many-runs.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { until } from '../until.js';
import { tapNextStore } from './tapped-store.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

const ada = { name: 'ada', role: 'operator', way: 'http' } as const;

/** Starts runs and waits until they wait. */
async function waiting(engine: DurableEngine, prepared: Prepared, count: number): Promise<string[]> {
  const started = await Promise.all(Array.from({ length: count }, () => begun(engine, prepared)));
  for (const { end } of started) assert.equal((await end).kind, 'paused');
  return started.map(({ run }) => run);
}

const isCancelled = async (engine: DurableEngine, run: string): Promise<boolean> =>
  (await engine.state(run))?.status === 'cancelled';

/** How many runs get the message that the runs of these tests wait for. */
async function delivered(engine: DurableEngine): Promise<number | undefined> {
  const sent = await engine.send({ name: 'go', body: {} });
  return sent.kind === 'sent' ? sent.delivered : undefined;
}

for (const kind of storeKinds)
  for (const key of [undefined, Buffer.alloc(32, 7).toString('base64')])
    test(`${kind}${key === undefined ? '' : ', encrypted'}: runs that wait for messages and people are cancelled, with who and when`, async (t) => {
      const { open, file, env, database } = await testStore(t, kind, key !== undefined);
      if (kind === 'PostgreSQL' && database === undefined) return;
      if (key !== undefined) env.WF_STORE_KEY = key;
      const engine = await open();
      await engine.serve();
      const done = await begun(engine, await file('single/nothing.wf'));
      await done.end;
      const runs = [
        ...(await waiting(engine, await file('single/waits-for-go.wf'), 61)),
        ...(await waiting(engine, await file('single/two-questions.wf'), 2)),
      ];
      assert.equal((await engine.tasks()).tasks.length, 2);
      const refused = await engine.cancelMany([done.run, ...runs], ada);
      assert.deepEqual([...refused], [[done.run, 'The run has already ended, with the status "completed".']]);
      for (const run of runs) assert.ok(await isCancelled(engine, run), run);
      assert.deepEqual((await engine.tasks()).tasks, []);
      assert.equal(await delivered(engine), 0);
      const changes: string[] = [];
      for await (const { run, action, name, way } of engine.changes.list()) changes.push(`${run} ${action} ${name} ${way}`);
      assert.deepEqual(changes.sort(), runs.map((run) => `${run} cancel ada http`).sort());
      assert.equal((await engine.get(runs[0] ?? ''))?.activity?.[0]?.action, 'cancel');
    });

test('a hundred runs in a folder are cancelled by a few commits', async (t) => {
  const { open, file } = await testStore(t, 'folder');
  let [commits, ends] = [0, 0];
  tapNextStore({
    after({ method }) {
      if (method === 'commit') commits++;
      if (method === 'endShared') ends++;
    },
  });
  const engine = await open();
  await engine.serve();
  await waiting(engine, await file('single/waits-for-go.wf'), 100);
  const chosen = await chooseRuns(engine, 'cancel', {});
  [commits, ends] = [0, 0];
  const rerun = { from: 'start', workflow: 'recorded' } as const;
  assert.deepEqual(await changeMany(engine, chosen, { rerun, by: ada }), { changed: 100, refused: [], left: 0 });
  assert.ok(commits <= 4 && ends <= 4, `${commits} commits, ${ends} ends`);
});

for (const last of ['askToCancel', 'commit', 'endShared'])
  test(`runs are cancelled by the next process if theirs dies after ${last}`, async (t) => {
    const { open, file } = await testStore(t, 'folder');
    const go = await file('single/waits-for-go.wf');
    let endThread: (() => Promise<unknown>) | undefined;
    let [isAsked, isDead] = [false, false];
    const died = new Promise<void>((resolve) => {
      tapNextStore({
        onThread: (end) => {
          endThread = end;
        },
        after({ method }) {
          isAsked ||= method === 'askToCancel';
          if (isDead || !isAsked || method !== last) return;
          isDead = true;
          void endThread?.().then(() => resolve());
        },
        // What it does next would end in the middle.
        held: () => (isDead ? new Promise(() => undefined) : undefined),
      });
    });
    const first = await open();
    const runs = await waiting(first, go, 8);
    const asked = first.cancelMany(runs, ada).catch(() => undefined);
    await died;
    await first.close(0);
    await asked;
    const next = await open();
    await next.serve();
    await until(async () => (await Promise.all(runs.map((run) => isCancelled(next, run)))).every(Boolean));
    assert.equal(await delivered(next), 0);
    const changes: string[] = [];
    for await (const { run, name } of next.changes.list()) changes.push(`${run} ${name}`);
    assert.deepEqual(changes.sort(), runs.map((run) => `${run} ada`).sort());
  });
