// A rerun that completes makes the first run good; a second rerun needs to be asked for, and a key makes one rerun of two requests. In both
// kinds of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WfRecord } from '../../runtime/types.js';
import type { DurableEngine, RerunRequest } from '../../src/durable/durable-engine.js';
import type { RunSummary } from '../../src/durable/model/run-views.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

async function ended(engine: DurableEngine, prepared: Prepared, request: WfRecord): Promise<string> {
  const started = await engine.start({ prepared, request });
  assert.equal(started.kind, 'started');
  await started.end;
  return started.run;
}

const failure: RerunRequest = { from: 'failure', workflow: 'recorded', onlyFirst: true };

async function rerun(engine: DurableEngine, run: string, how: RerunRequest = failure): Promise<string> {
  const started = await engine.rerun(run, how);
  assert.equal(started.kind, 'started', JSON.stringify(started));
  await started.end;
  return started.run;
}

for (const kind of storeKinds) {
  test(`${kind}: a run is made good by a rerun that completes, or by a rerun of that`, async (t) => {
    const { open, file, ledger, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const refund = await file('kept/refund-or-not.wf');
    const engine = await open();
    ledger.fails = () => true;
    const [first, second, third] = [
      await ended(engine, refund, { order: 11 }),
      await ended(engine, refund, { order: 12 }),
      await ended(engine, refund, { order: 13 }),
    ];
    const failed = await rerun(engine, first);
    ledger.fails = () => false;
    const last = await rerun(engine, failed);
    const other = await rerun(engine, second);
    const good = ({ runs }: { readonly runs: readonly RunSummary[] }): (readonly [string, string | undefined])[] =>
      runs.map(({ run, madeGoodBy }) => [run, madeGoodBy]);
    // All of them are still listed as errors, marked.
    assert.deepEqual(good(await engine.list({ status: 'error' })), [
      [failed, last],
      [third, undefined],
      [second, other],
      [first, last],
    ]);
    const oldest = good(await engine.list({ status: 'error', sort: 'longest' }));
    assert.deepEqual(new Map(oldest), new Map(good(await engine.list({ status: 'error' }))), 'in every order');
    assert.ok((await engine.list({ status: 'completed' })).runs.every(({ madeGoodBy }) => madeGoodBy === undefined));
    assert.equal((await engine.get(first))?.madeGoodBy, last);
    assert.equal((await engine.get(third))?.madeGoodBy, undefined);
    const { lastDay, lastHour, madeGood } = await engine.stats(new Date(0).toISOString());
    assert.deepEqual([lastDay.error, lastHour.error, lastDay.completed], [1, 1, 2]);
    assert.deepEqual(madeGood, { lastHour: 3, lastDay: 3 });
    assert.deepEqual(
      (await engine.reasons({})).map(({ runs, latest }) => [runs, latest]),
      [[1, third]],
    );
  });

  test(`${kind}: a run that has been rerun is rerun once more only if that is wanted`, async (t) => {
    const { open, file, ledger, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const refund = await file('kept/refund-or-not.wf');
    const [engine, elsewhere] = [await open(), await open()];
    ledger.fails = () => true;
    const [run, raced] = [await ended(engine, refund, { order: 11 }), await ended(engine, refund, { order: 12 })];
    ledger.fails = () => false;
    const first = await rerun(engine, run, { ...failure, key: 'key-1' });
    assert.deepEqual(await elsewhere.rerun(run, { ...failure, key: 'key-1' }), { kind: 'known', run: first });
    const problem = `The run has been rerun already: ${first}.`;
    for (const how of [failure, { ...failure, key: 'key-2' }, { ...failure, from: 'start' as const, key: 'key-1' }])
      assert.deepEqual(await engine.rerun(run, how), { kind: 'not possible', problem, hasOne: true }, JSON.stringify(how));
    // Once more, as often as it is asked for without a key, and once for each key.
    const wanted: RerunRequest = { from: 'start', workflow: 'recorded' };
    const again = await rerun(engine, run, { ...wanted, key: 'key-3' });
    assert.deepEqual(await elsewhere.rerun(run, { ...wanted, key: 'key-3' }), { kind: 'known', run: again });
    assert.deepEqual(await engine.rerun(run, { ...failure, onlyFirst: false, key: 'key-3' }), {
      kind: 'not possible',
      problem: 'This Idempotency-Key was used before with another body.',
    });
    await rerun(engine, run, wanted);
    assert.equal((await engine.get(run))?.reruns.length, 3);
    // Two processes at the same time.
    const both = await Promise.all([engine, elsewhere, engine].map((one) => one.rerun(raced, failure)));
    assert.deepEqual(both.map((one) => one.kind).sort(), ['not possible', 'not possible', 'started']);
    for (const one of both) if (one.kind === 'started') await one.end;
    assert.equal((await engine.get(raced))?.reruns.length, 1);
    assert.equal(ledger.received.filter(({ run: order, step }) => order === 12 && step === 1).length, 2);
  });
}
