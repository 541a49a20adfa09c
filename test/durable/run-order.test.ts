// Lists of runs in other orders than the newest first, page by page, and those that have waited for long.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { RunQuery } from '../../src/durable/model/run-views.js';
import { fakeClock } from './fake-clock.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

for (const kind of storeKinds) {
  test(`sorts runs by age, due time and duration, and finds those that wait (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const [waits, ends] = [await file('single/long-wait.wf'), await file('single/nothing.wf')];
    const engine = await open();
    const ids: string[] = [];
    for (const prepared of [waits, waits, ends, waits]) {
      const { run, end } = await begun(engine, prepared, { n: ids.length });
      await end;
      ids.push(run);
    }
    const listed = async (query: RunQuery): Promise<number[]> => {
      const found: number[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: Awaited<ReturnType<typeof engine.list>> = await engine.list({
          limit: 2,
          ...query,
          ...(cursor === '' ? {} : { cursor }),
        });
        found.push(...page.runs.map(({ run }) => ids.indexOf(run)));
        cursor = page.next;
      }
      return found;
    };
    assert.deepEqual(await listed({}), [3, 2, 1, 0]);
    assert.deepEqual(await listed({ sort: 'oldest' }), [0, 1, 2, 3]);
    assert.deepEqual(await listed({ sort: 'oldest', status: 'waiting' }), [0, 1, 3]);
    assert.deepEqual(await listed({ sort: 'due' }), [0, 1, 3], 'only what waits is due');
    // A run that ends may have taken longer than the last one has waited so far.
    fakeClock.offset = 3_600_000;
    assert.deepEqual(await listed({ sort: 'longest' }), [0, 1, 3, 2]);
    fakeClock.offset = 0;
    const [first] = (await engine.list({ sort: 'oldest', limit: 1 })).runs;
    const since = first?.waitingFor?.since ?? '';
    assert.ok(since >= (first?.createdAt ?? '') && since <= new Date().toISOString(), since);
    assert.deepEqual(await listed({ waitingSince: since }), [0], 'the first one has waited for the longest time');
    assert.deepEqual(await listed({ waitingSince: new Date().toISOString(), sort: 'oldest' }), [0, 1, 3]);
    assert.deepEqual(await listed({ waitingSince: '2020-01-01T00:00:00.000Z' }), []);
  });
}
