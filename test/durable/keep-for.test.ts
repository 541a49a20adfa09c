// `keep for` in `config:`: how long the runs of a workflow are kept, whatever the store keeps, in both kinds of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const DAY_MS = 86_400_000;

for (const kind of storeKinds) {
  test(`runs are kept as long as their workflow says, and what was asked goes with them (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const engine = await open();
    await engine.serve();
    const short = await begun(engine, await file('kept/short-lived.wf'), { n: 1, name: 'Ada' });
    await short.end;
    const [task] = (await engine.tasks()).tasks;
    assert.ok(task);
    await engine.answer(task.task, { answer: 'Yes, Ada' });
    assert.equal((await engine.settled(short.run, 'ended', 60_000))?.status, 'completed');
    const long = await begun(engine, await file('kept/long-lived.wf'), { n: 2 });
    const usual = await begun(engine, await file('kept/output.wf'), { n: 3 });
    await Promise.all([long.end, usual.end]);
    await until(async () => (await engine.list({})).runs.length === 3);
    assert.deepEqual(await engine.prune({ olderThanMs: 90 * DAY_MS, dryRun: true }), { runs: 1 });
    assert.deepEqual(await engine.prune({ olderThanMs: 90 * DAY_MS }), { runs: 1 });
    assert.equal(await engine.state(short.run), undefined);
    assert.deepEqual((await engine.tasks({ closed: true })).tasks, []);
    // Older than this are all of them.
    assert.deepEqual(await engine.prune({ olderThanMs: -1_000 }), { runs: 1 });
    assert.deepEqual(
      (await engine.list({})).runs.map(({ run }) => run),
      [long.run],
    );
  });

  test(`a store that keeps runs forever deletes those of a workflow that says how long (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const first = await open();
    const runs = [];
    for (const name of ['kept/output.wf', 'kept/short-lived.wf'])
      runs.push(await begun(first, await file(name), { n: 1, name: 'Ada' }));
    await Promise.all(runs.map(({ end }) => end));
    const [kept1, short] = runs;
    assert.ok(kept1 && short);
    await first.cancel(short.run);
    await until(async () => (await first.state(short.run))?.status === 'cancelled');
    await first.close(0);
    const second = await open();
    await second.serve();
    await until(async () => (await second.list({})).runs.length === 1);
    assert.equal((await second.state(kept1.run))?.status, 'completed');
  });
}
