// `once for each`: one unfinished or completed run for each value, in both kinds of stores, whoever asks and whenever.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DurableEngine, Started } from '../../src/durable/durable-engine.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { dropTemplate } from './test-database.js';
import { storeKinds, testStore } from './test-store.js';

after(dropTemplate);

type Request = Record<string, string | number | boolean>;

/** Starts a run and waits for its end, unless the value is taken. */
async function ask(engine: DurableEngine, prepared: Prepared, request: Request): Promise<Started> {
  const started = await engine.start({ prepared, request });
  if (started.kind === 'started') await started.end;
  return started;
}

const runOf = (started: Started): string => ('run' in started ? started.run : '');

for (const kind of storeKinds) {
  test(`${kind}: an equal value gets the completed run, another value a new one`, async (t) => {
    const { open, file, ledger, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/once.wf');
    const engine = await open();
    const first = await ask(engine, prepared, { invoice: 'A-1' });
    const again = await ask(engine, prepared, { invoice: 'A-1', note: 'another request' });
    assert.deepEqual([first.kind, again.kind, runOf(again)], ['started', 'known', runOf(first)]);
    assert.ok(again.kind === 'known' && again.state.status === 'completed');
    assert.equal((await ask(engine, prepared, { invoice: 'A-2' })).kind, 'started');
    // Text and number are two values, as they are for `is`.
    assert.equal((await ask(engine, prepared, { invoice: 1 })).kind, 'started');
    assert.equal((await ask(engine, prepared, { invoice: '1' })).kind, 'started');
    assert.equal(ledger.received.length, 4);
  });

  test(`${kind}: a rejected and a cancelled run free their value, an unfinished one keeps it`, async (t) => {
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/once.wf');
    const engine = await open();
    assert.equal((await ask(engine, prepared, { invoice: 'B', refuse: true })).kind, 'started');
    const waiting = await engine.start({ prepared, request: { invoice: 'B', wait: true }, respondAsync: true });
    assert.equal(waiting.kind, 'started');
    const second = await ask(engine, prepared, { invoice: 'B' });
    assert.deepEqual([second.kind, runOf(second)], ['known', runOf(waiting)]);
    await engine.cancel(runOf(waiting));
    await engine.settled(runOf(waiting), 'ended', 60_000);
    assert.equal((await ask(engine, prepared, { invoice: 'B' })).kind, 'started');
  });

  test(`${kind}: many at the same moment, over two processes, are one run`, async (t) => {
    const { open, file, ledger, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/once.wf');
    const engines = [await open(), await open()];
    const started = await Promise.all(
      Array.from({ length: 20 }, (_, i) => engines[i % 2]?.start({ prepared, request: { invoice: 'C', i } })),
    );
    await Promise.all(started.map((one) => (one?.kind === 'started' ? one.end : undefined)));
    assert.equal(new Set(started.map((one) => one && runOf(one))).size, 1);
    assert.equal(ledger.received.length, 1);
  });

  test(`${kind}: a failed run whose rerun has completed does not free its value`, async (t) => {
    const { open, file, ledger, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/once.wf');
    const engine = await open({ current: () => prepared });
    ledger.fails = () => true;
    const failed = await ask(engine, prepared, { invoice: 'D' });
    ledger.fails = () => false;
    const rerun = await engine.rerun(runOf(failed), { from: 'start', workflow: 'recorded' });
    assert.ok('end' in rerun);
    await rerun.end;
    const again = await ask(engine, prepared, { invoice: 'D' });
    assert.deepEqual([again.kind, runOf(again)], ['known', rerun.run]);
  });

  test(`${kind}: a request with another request's Idempotency-Key takes no value`, async (t) => {
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/once.wf');
    const engine = await open();
    const start = async (key: string, invoice: string): Promise<Started> => {
      const started = await engine.start({ prepared, request: { invoice }, key });
      if (started.kind === 'started') await started.end;
      return started;
    };
    assert.equal((await start('k1', 'E')).kind, 'started');
    assert.equal((await start('k1', 'F')).kind, 'other request');
    assert.equal((await start('k2', 'F')).kind, 'started');
    assert.equal((await start('k1', 'E')).kind, 'known');
  });
}
