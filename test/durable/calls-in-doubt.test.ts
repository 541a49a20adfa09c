// Calls `at most once` of failed runs, of which nobody knows whether they were received: why, and what a rerun from the failure does once
// someone has decided.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableEngine, Rerun } from '../../src/durable/durable-engine.js';
import { until } from '../until.js';
import { begun, storeKinds, type TestStore, testStore } from './test-store.js';

const fromFailure = { from: 'failure', workflow: 'recorded' } as const;

/** A run whose process ends while its calls of step 1 (or all) are under way, and which another process has taken up. */
async function interrupted(scene: TestStore, name: string, calls: number): Promise<{ engine: DurableEngine; run: string }> {
  const { file, open, ledger } = scene;
  ledger.delayMs = () => (ledger.received.at(-1)?.step === 2 && calls === 1 ? 0 : 60_000);
  const first = await open();
  const { run } = await begun(first, await file(name));
  await until(() => ledger.received.length === calls);
  await first.close(0);
  ledger.delayMs = () => 0;
  const engine = await open();
  await engine.serve();
  assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'error');
  return { engine, run };
}

async function endOf(engine: DurableEngine, rerun: Rerun): Promise<unknown> {
  assert.ok(rerun.kind === 'started', JSON.stringify(rerun));
  await rerun.end;
  return (await engine.state(rerun.run))?.outputs;
}

const keysOf = ({ ledger }: TestStore, step: number): string[] =>
  ledger.received.flatMap((one) => (one.step === step ? [one.key] : []));

for (const kind of storeKinds) {
  test(`a rerun from the failure asks about a call in doubt, and sends it again with its key (${kind})`, async (t) => {
    const scene = await testStore(t, kind);
    const { engine, run } = await interrupted(scene, 'single/charge-and-receipt.wf', 1);
    const asked = await engine.rerun(run, fromFailure);
    assert.ok(asked.kind === 'in doubt', JSON.stringify(asked));
    assert.deepEqual(
      asked.calls.map(({ line, service, phrase }) => [line, service, phrase]),
      [[11, 'Ledger', 'charge card']],
    );
    assert.match(asked.calls[0]?.reason ?? '', /^the process ended before it recorded the answer/);
    assert.deepEqual(await engine.inDoubt(run), asked.calls);
    assert.equal(scene.ledger.received.length, 1, 'nothing was sent');
    const rerun = await engine.rerun(run, { ...fromFailure, again: [11], by: 'Ada' });
    assert.deepEqual(await endOf(engine, rerun), { v: 1_001 });
    assert.deepEqual(keysOf(scene, 1), Array(2).fill(keysOf(scene, 1)[0]));
    assert.ok(rerun.kind === 'started');
    const [decision] = (await engine.get(rerun.run))?.decisions ?? [];
    assert.deepEqual([decision?.line, decision?.decision, decision?.by], [11, 'again', 'Ada']);
    assert.ok(Math.abs(Date.parse(decision?.at ?? '') - Date.now()) < 60_000);
    assert.deepEqual(await engine.inDoubt(rerun.run), []);
  });

  test(`a result that someone gives stands for the call in doubt, which is not sent (${kind})`, async (t) => {
    const scene = await testStore(t, kind);
    const { engine, run } = await interrupted(scene, 'single/charge-and-receipt.wf', 1);
    const wrong = await engine.rerun(run, { ...fromFailure, done: [{ line: 14, result: 1 }] });
    assert.ok(wrong.kind === 'not possible' && /No call in line 14 is in doubt\. In doubt: line 11/.test(wrong.problem));
    const rerun = await engine.rerun(run, { ...fromFailure, done: [{ line: 11, result: { v: 7 } }] });
    assert.deepEqual(await endOf(engine, rerun), { v: 7 });
    assert.deepEqual([keysOf(scene, 1).length, keysOf(scene, 2).length], [1, 1]);
    assert.ok(rerun.kind === 'started');
    assert.ok((await engine.log(rerun.run)).some(({ type, line, ok }) => type === 'call' && line === 11 && ok === true));
    // A rerun of the rerun has the result as well.
    assert.deepEqual(await endOf(engine, await engine.rerun(rerun.run, { from: 'start', workflow: 'recorded' })), { v: 1_001 });
  });

  test(`each call of a line is decided on its own, results in their order (${kind})`, async (t) => {
    const scene = await testStore(t, kind);
    const { engine, run } = await interrupted(scene, 'single/two-charges.wf', 2);
    assert.deepEqual(
      (await engine.inDoubt(run)).map(({ line }) => line),
      [13, 13],
    );
    const one = await engine.rerun(run, { ...fromFailure, done: [{ line: 13, result: { v: 5 } }] });
    assert.ok(one.kind === 'in doubt' && one.calls.length === 1, JSON.stringify(one));
    const three = await engine.rerun(run, { ...fromFailure, done: [5, 6, 7].map((v) => ({ line: 13, result: { v } })) });
    assert.ok(three.kind === 'not possible' && /more results for line 13/.test(three.problem));
    const both = await engine.rerun(run, { ...fromFailure, done: [5, 6].map((v) => ({ line: 13, result: { v } })) });
    assert.deepEqual(await endOf(engine, both), { all: [5, 6] });
    assert.equal(scene.ledger.received.length, 2);
  });

  test(`a run that was cancelled while a call was under way says so (${kind})`, async (t) => {
    const scene = await testStore(t, kind);
    scene.ledger.delayMs = () => 60_000;
    const engine = await scene.open();
    const { run } = await begun(engine, await scene.file('single/charge-and-receipt.wf'));
    await until(() => scene.ledger.received.length === 1);
    assert.equal((await engine.cancel(run)).kind, 'done');
    await engine.settled(run, 'ended', 60_000);
    assert.match((await engine.inDoubt(run))[0]?.reason ?? '', /^the run was cancelled while this call was under way$/);
    scene.ledger.delayMs = () => 0;
    const rerun = await engine.rerun(run, { ...fromFailure, done: [{ line: 11, result: { v: 3 } }] });
    assert.deepEqual(await endOf(engine, rerun), { v: 3 });
  });

  test(`a failure in another branch is named as the reason, and is mended by the rerun (${kind})`, async (t) => {
    const scene = await testStore(t, kind);
    scene.ledger.fails = ({ step }) => step === 2;
    scene.ledger.delayMs = () => (scene.ledger.received.at(-1)?.step === 1 ? 60_000 : 0);
    const first = await scene.open();
    const { run } = await begun(first, await scene.file('single/charge-beside-a-check.wf'));
    await until(async () => ((await first.journal(run))?.entries ?? []).some(({ line, ok }) => line === 17 && ok === false));
    assert.equal((await first.state(run))?.status, 'running', 'the end waits for the result');
    await first.close(0);
    scene.ledger.delayMs = () => 0;
    const engine = await scene.open();
    await engine.serve();
    assert.equal((await engine.settled(run, 'ended', 60_000))?.error?.line, 17);
    const [call] = await engine.inDoubt(run);
    assert.equal(call?.line, 13);
    assert.match(call?.reason ?? '', /line 17 failed and ended the run while this call was under way/);
    scene.ledger.fails = () => false;
    assert.deepEqual(await endOf(engine, await engine.rerun(run, { ...fromFailure, done: [{ line: 13, result: { v: 3 } }] })), {
      v: 3,
    });
    assert.equal(keysOf(scene, 1).length, 1);
  });
}
