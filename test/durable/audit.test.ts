// Who changed what: every change is on record with its time, whichever way it came in. What was refused is not. In both kinds of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { changeMany, chooseRuns } from '../../src/durable/engine/many-runs.js';
import type { Actor, ChangeView } from '../../src/durable/model/changes.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const ada: Actor = { name: 'ada', role: 'operator', way: 'http' };
const shell: Actor = { name: 'root', role: 'operator', way: 'command line' };

async function listed(engine: DurableEngine, run?: string): Promise<ChangeView[]> {
  const found: ChangeView[] = [];
  for await (const change of engine.changes.list({ run })) found.push(change);
  return found;
}

const actions = (changes: readonly ChangeView[]): string[] => changes.map(({ action, name, way }) => `${action} ${name} ${way}`);

const waits = (engine: DurableEngine, run: string): Promise<void> =>
  until(async () => (await engine.state(run))?.status === 'waiting');

for (const kind of storeKinds) {
  test(`${kind}: changes are on record, with who made them, and refused ones are not`, async (t) => {
    const { open, file, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const engine = await open();
    await engine.serve();
    const [go, asks] = [await file('kept/waits-for-go.wf'), await file('kept/question-and-call.wf')];
    const began = Date.now();
    const { run } = await begun(engine, go);
    await waits(engine, run);
    assert.equal((await engine.retry(run, ada)).kind, 'not possible');
    assert.equal((await engine.cancel(run, ada)).kind, 'done');
    assert.equal((await engine.cancel(run, ada)).kind, 'not possible');
    assert.equal((await engine.cancel('no-run', ada)).kind, 'unknown');
    const rerun = await engine.rerun(run, { from: 'start', workflow: 'recorded' }, shell);
    assert.ok(rerun.kind === 'started');
    await waits(engine, rerun.run);
    assert.equal((await engine.send({ name: 'go', body: { x: 1 }, run: rerun.run, key: 'k' }, ada)).kind, 'sent');
    assert.equal((await engine.send({ name: 'go', body: { x: 1 }, run: rerun.run, key: 'k' }, ada)).kind, 'sent');
    await rerun.end;
    const { run: asking } = await begun(engine, asks);
    await waits(engine, asking);
    const [task] = (await engine.tasks()).tasks;
    const answer = task?.choices?.[0] ?? 'yes';
    assert.equal((await engine.answer(task?.task ?? '', { answer }, ada)).kind, 'answered');
    assert.equal((await engine.answer(task?.task ?? '', { answer }, ada)).kind, 'answered before');
    // The engine's own work has no one who asked for it.
    assert.equal((await engine.cancel(run)).kind, 'not possible');

    assert.deepEqual(actions(await listed(engine, run)), ['cancel ada http', 'rerun root command line']);
    assert.deepEqual(actions(await listed(engine)), [
      ...['cancel ada http', 'rerun root command line'],
      ...['message ada http', 'answer ada http'],
    ]);
    const [cancelled, again] = await listed(engine, run);
    assert.deepEqual({ ...cancelled, time: '' }, { time: '', name: 'ada', role: 'operator', way: 'http', action: 'cancel', run });
    assert.equal(again?.about, rerun.run);
    assert.ok(Date.parse(cancelled?.time ?? '') >= began && Date.parse(cancelled?.time ?? '') <= Date.now());
    // Each run shows its own, and a rerun who started it.
    assert.deepEqual(actions((await engine.get(rerun.run))?.activity ?? []), ['rerun root command line', 'message ada http']);
    assert.equal((await engine.get(asking))?.activity?.[0]?.about, answer);
  });

  test(`${kind}: a change of many runs is on record, and so is that of each`, async (t) => {
    const { open, file, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const engine = await open();
    await engine.serve();
    const go = await file('kept/waits-for-go.wf');
    const runs = [await begun(engine, go), await begun(engine, go)].map(({ run }) => run);
    for (const run of runs) await waits(engine, run);
    await changeMany(engine, await chooseRuns(engine, 'cancel', {}), { rerun: { from: 'start', workflow: 'recorded' }, by: ada });
    const all = await listed(engine);
    assert.deepEqual([all[0]?.action, all[0]?.about, all[0]?.run], ['bulk', 'cancel of 2 runs', undefined]);
    assert.deepEqual(
      all
        .slice(1)
        .map(({ run }) => run)
        .sort(),
      [...runs].sort(),
    );
  });

  test(`${kind}: the record is encrypted with the store, and keeps a change of its key`, async (t) => {
    const { open, file, env, database } = await kept(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    env.WF_STORE_KEY = Buffer.alloc(32, 1).toString('base64');
    const engine = await open();
    await engine.serve();
    const { run } = await begun(engine, await file('kept/waits-for-go.wf'));
    await waits(engine, run);
    await engine.cancel(run, ada);
    await engine.close(0);
    const rekeying = await open({ isRekeying: true });
    await rekeying.rekey(Buffer.alloc(32, 2), shell);
    env.WF_STORE_KEY = Buffer.alloc(32, 2).toString('base64');
    assert.deepEqual(actions(await listed(await open())), ['cancel ada http', 'rekey root command line']);
  });
}
