// Search for runs: a term that may be an id and is a value as well, and whole values in encrypted stores, in both kinds of stores.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Value } from '../../runtime/types.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import type { PortableLine } from '../../src/durable/model/portable-lines.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const key = (n: number): string => Buffer.alloc(32, n).toString('base64');

async function ran(engine: DurableEngine, prepared: Prepared, request: Record<string, Value>): Promise<string> {
  const started = await engine.start({ prepared, request, respondAsync: true });
  assert.equal(started.kind, 'started');
  if (request.wait === undefined) await started.end;
  return started.run;
}

const found = async (engine: DurableEngine, q: string): Promise<string[]> =>
  (await engine.list({ q })).runs.map(({ run }) => run);

for (const kind of storeKinds) {
  test(`${kind}: a term of hexadecimal digits and hyphens is an id and a value`, async (t) => {
    const { open, file, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('kept/word.wf');
    const engine = await open();
    const terms = ['4711', '000123', 'DE-2026-000777', 'deadbeef', '0a1b2c3d-0a1b-7c3d-8e4f-0a1b2c3d4e5f', '50%', 'a_b'];
    const runs = new Map<string, string>();
    for (const order of terms) runs.set(order, await ran(engine, prepared, { order, word: 'x' }));
    for (const [order, run] of runs) assert.deepEqual(await found(engine, ` ${order} `), [run], order);
    const [first = ''] = runs.values();
    assert.deepEqual(await found(engine, first), [first]);
    // Runs of the same minute share these digits.
    assert.deepEqual((await found(engine, first.slice(0, 6))).sort(), [...runs.values()].sort());
    // The beginning of one run's id is the value of another.
    const other = await ran(engine, prepared, { order: first, word: 'x' });
    assert.deepEqual(await found(engine, first), [other, first]);
    const pages = await engine.list({ q: first, limit: 1 });
    assert.deepEqual((await engine.list({ q: first, limit: 1, cursor: pages.next ?? '' })).runs[0]?.run, first);
    assert.deepEqual((await engine.list({ q: first, status: 'error' })).runs, []);
    const none = await engine.list({ q: 'nothing at all' });
    assert.deepEqual(none, { runs: [] });
  });

  test(`${kind}: an encrypted store finds whole values that find by names, and says that it searches no others`, async (t) => {
    const { open, file, env, folder, database } = await kept(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [named, plain] = [await file('kept/found-by.wf'), await file('kept/word.wf')];
    const engine = await open({ env: { ...env, WF_STORE_KEY: key(1) } });
    const request = { customer: 'Grace "Hopper" & Co', order: { number: 4711 }, tags: ['rush', 'export'], secret: 'unnamed' };
    const run = await ran(engine, named, request);
    const other = await ran(engine, plain, { word: 'Ada', customer: 'Ada' });
    for (const q of ['Grace "Hopper" & Co', ' 4711', 'rush', 'export', run]) assert.deepEqual(await found(engine, q), [run], q);
    assert.deepEqual(await found(engine, other.slice(0, 23)), [other]);
    for (const q of ['Grace', 'grace "hopper" & co', '471', 'unnamed', 'Ada', '%', '"found"']) {
      const { runs, note } = await engine.list({ q });
      assert.deepEqual(runs, [], q);
      assert.match(note ?? '', /^The store is encrypted.*find by: request\.order/, q);
    }
    assert.equal((await engine.list({ q: 'rush' })).note, undefined);
    // A repeated run is found as well.
    const rerun = await engine.rerun(run, { from: 'start', workflow: 'recorded' });
    assert.equal(rerun.kind, 'started');
    await rerun.end;
    assert.deepEqual(await found(engine, 'rush'), [rerun.run, run]);
    if (kind !== 'folder') return;
    for (const name of readdirSync(path.join(folder, 'runs')))
      if (name.includes('.db')) assert.ok(!readFileSync(path.join(folder, 'runs', name)).includes('Hopper'), name);
  });

  test(`${kind}: a run stays found after its caller was told of it, under another key, and in another store`, async (t) => {
    const { open, file, env, database } = await kept(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('kept/found-by.wf');
    const first = await open();
    const run = await ran(first, prepared, { customer: 'Ada', wait: true });
    await first.settled(run, 'paused', 60_000);
    await first.acknowledge(run);
    await first.close(0);
    await (await open({ env, isRekeying: true })).rekey(Buffer.alloc(32, 1));
    const second = await open({ env: { ...env, WF_STORE_KEY: key(1) } });
    assert.deepEqual(await found(second, 'Ada'), [run]);
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.deepEqual(await found(second, 'Ada'), [run]);
    const lines: PortableLine[] = [];
    for await (const line of second.moving.export()) lines.push(line);
    const elsewhere = await kept(t, 'folder');
    const third = await elsewhere.open({ env: { ...env, WF_STORE_KEY: key(3) } });
    await third.moving.import(
      (async function* () {
        yield* lines;
      })(),
    );
    assert.deepEqual(await found(third, 'Ada'), [run]);
  });
}
