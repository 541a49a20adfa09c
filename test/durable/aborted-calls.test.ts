// A call that the end of its run or its branch aborts is in the log of a run with a store as it is without one.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { isOutside, RunHistory } from '../../src/durable/views/run-history.js';
import { createEngine } from '../../src/engine/engine.js';
import { root } from '../root.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { begun, storeKinds, type TestStore, testStore } from './test-store.js';

const folder = path.join(root, 'test/durable/files/aborted');
/** Workflows that others call, and a notification, which is not sent without a store. */
const others: ReadonlySet<string> = new Set(['part.wf', 'one-call.wf', 'inner.wf', 'notified.wf']);
const names = readdirSync(folder).filter((name) => !others.has(name));

const timeGoesOn = (): void => {
  fakeClock.isInstant = false;
};

/** Which entries a log has, in an order that does not depend on the moment of each. */
const entriesOf = (log: readonly LogEntry[], address: string): string[] =>
  log
    .map(({ time: _, durationMs, ...entry }) => ({ ...entry, lasts: typeof durationMs }))
    .map((entry) => JSON.stringify(entry, Object.keys(entry).sort()).replace(address, ''))
    .sort();

/** The calls that are under way when each run ends, and the call whose answer lets it end: it comes when they have arrived. */
const underWay: Readonly<Record<string, { readonly steps: readonly number[]; readonly ends?: number }>> = {
  'before-a-retry.wf': { steps: [] },
  'beside-a-failure.wf': { steps: [5], ends: 2 },
  'beside-an-end.wf': { steps: [5, 6, 7], ends: 1 },
  'late-part.wf': { steps: [5, 6] },
  'limited.wf': { steps: [5], ends: 1 },
  'out-of-time.wf': { steps: [5] },
  'parts-out-of-time.wf': { steps: [5] },
  'parts-within-parts.wf': { steps: [5, 6] },
  'second-attempt.wf': { steps: [3, 3] },
};

/**
 * Calls of step 2 fail, as do first ones of step 3; from there on, no other is answered. However long the machine takes until the calls of
 * `name` are under way, no limit of a run is over.
 * @param standsStill time goes on only with `timeGoesOn`
 */
function makeSlow({ ledger }: TestStore, name = '', standsStill = false): void {
  const asked: number[] = [];
  const { steps = [], ends } = underWay[name] ?? {};
  const haveArrived = (): boolean => {
    const left = [...asked];
    return steps.every((step) => left.includes(step) && left.splice(left.indexOf(step), 1));
  };
  fakeClock.isInstant = steps.length > 0 || name === 'before-a-retry.wf';
  ledger.onRequest = ({ step }) => {
    asked.push(step);
    if (!standsStill && steps.length > 0 && haveArrived()) fakeClock.isInstant = false;
  };
  ledger.answered = ({ step }) => (step === ends ? until(haveArrived) : undefined);
  const isFirst = (wanted: number): boolean => asked.filter((step) => step === wanted).length === 1;
  ledger.fails = ({ step }) => step === 2 || (step === 3 && isFirst(3));
  ledger.delayMs = () => {
    const step = asked.at(-1) ?? 0;
    return step > 3 || (step === 3 && !isFirst(3)) ? 60_000 : 0;
  };
}

for (const kind of storeKinds)
  for (const name of names)
    test(`${name}: calls that were aborted are logged as without a store (${kind})`, async (t) => {
      t.after(timeGoesOn);
      const scene = await testStore(t, kind);
      makeSlow(scene, name);
      const prepared = await scene.file(`aborted/${name}`);
      const plain = createEngine({ env: scene.env, secrets: [] });
      t.after(() => plain.close());
      const onLog = ({ type }: LogEntry): void => {
        if (type === 'retry' && name === 'before-a-retry.wf') timeGoesOn();
      };
      const { outcome } = await plain.run(prepared, {}, { folder: scene.folder, onLog });
      makeSlow(scene, name);
      const engine = await scene.open();
      await engine.serve();
      const { run } = await begun(engine, prepared);
      if (name === 'before-a-retry.wf') {
        await until(async () => (await engine.log(run)).some(({ type }) => type === 'retry'));
        timeGoesOn();
      }
      const state = await engine.settled(run, 'ended', 60_000);
      assert.equal(state?.status, outcome.status);
      const log = await engine.log(run);
      assert.deepEqual(entriesOf(log, scene.ledger.address), entriesOf(outcome.log, scene.ledger.address));
      // None is logged before what ended it, and its steps end after it.
      assert.deepEqual(
        log.map(({ time }) => time),
        log.map(({ time }) => time).sort(),
      );
    });

for (const kind of storeKinds) {
  test(`a rerun from the failure sends an aborted call with its key, and logs it once (${kind})`, async (t) => {
    t.after(timeGoesOn);
    const scene = await testStore(t, kind);
    const { received } = scene.ledger;
    const engine = await scene.open();
    await engine.serve();
    for (const name of ['out-of-time.wf', 'late-part.wf', 'parts-within-parts.wf', 'beside-a-failure.wf']) {
      received.length = 0;
      const isCancelled = name === 'late-part.wf' || name === 'parts-within-parts.wf';
      makeSlow(scene, name, isCancelled);
      const { run } = await begun(engine, await scene.file(`aborted/${name}`));
      if (isCancelled) {
        await until(() => received.some(({ step }) => step > 4));
        assert.equal((await engine.cancel(run)).kind, 'done');
        timeGoesOn();
      }
      await engine.settled(run, 'ended', 60_000);
      const aborted = received.filter(({ step }) => step > 4);
      makeSlow(scene);
      scene.ledger.delayMs = () => 0;
      scene.ledger.fails = () => false;
      const rerun = await engine.rerun(run, { from: 'failure', workflow: 'recorded' });
      assert.ok(rerun.kind === 'started', JSON.stringify(rerun));
      assert.equal((await engine.settled(rerun.run, 'ended', 60_000))?.status, 'completed', name);
      const log = await engine.log(rerun.run);
      assert.deepEqual(
        log.filter(({ ok }) => ok === false),
        [],
        name,
      );
      for (const { step, key } of aborted)
        assert.deepEqual(
          received.flatMap((other) => (other.step === step ? [other.key] : [])),
          [key, key],
          `${name}, ${step}`,
        );
      assert.ok(aborted.length > 0);
    }
  });

  test(`the history shows an aborted call where it was made (${kind})`, async (t) => {
    t.after(timeGoesOn);
    const scene = await testStore(t, kind);
    makeSlow(scene, 'second-attempt.wf');
    const engine = await scene.open();
    const { run } = await begun(engine, await scene.file('aborted/second-attempt.wf'));
    await engine.settled(run, 'ended', 60_000);
    const { entries = [] } = (await engine.journal(run)) ?? {};
    const history = new RunHistory();
    history.feed(entries);
    const effects = history.effects.filter(isOutside).map(({ kind: of, line, attempts, ok, error, finishedAt }) => {
      assert.notEqual(finishedAt, undefined);
      return { of, line, attempts, ok, error };
    });
    const error = 'The run exceeded its time limit of 1 second and was stopped.';
    assert.deepEqual(effects, [{ of: 'call', line: 12, attempts: 2, ok: false, error }]);
  });

  test(`a notification that was aborted is in the log, without the key of its task (${kind})`, async (t) => {
    t.after(timeGoesOn);
    const scene = await testStore(t, kind);
    makeSlow(scene);
    const engine = await scene.open();
    // However long the machine takes until the notification is sent, it is not the time limit that is over.
    fakeClock.isInstant = true;
    scene.ledger.onRequest = () => {
      fakeClock.isInstant = false;
    };
    scene.ledger.delayMs = () => 60_000;
    const { run } = await begun(engine, await scene.file('aborted/notified.wf'));
    await engine.settled(run, 'ended', 60_000);
    const log = await engine.log(run);
    assert.deepEqual(
      log.map(({ type, step, phrase, ok }) => [type, step, phrase, ok]),
      [
        ['step', 'Asks', undefined, undefined],
        ['call', 'Asks', 'notify', false],
        ['step', 'Asks', undefined, undefined],
      ],
    );
  });
}

for (const kind of storeKinds)
  test(`a rerun from the failure has the calls in its log that were aborted before the failure (${kind})`, async (t) => {
    const scene = await testStore(t, kind);
    const { ledger } = scene;
    const engine = await scene.open();
    await engine.serve();
    const aborted = (log: readonly LogEntry[]): readonly LogEntry[] =>
      log.filter(({ ok, status }) => ok === false && status === undefined);
    for (const [name, count] of [
      ['aborted/late-part.wf', 3],
      ['single/question-and-call.wf', 1],
    ] as const) {
      ledger.received.length = 0;
      makeSlow(scene, path.basename(name));
      // The call after those that are aborted.
      ledger.fails = ({ step }) => step === 2 || (step === 1 && ledger.received.length > 3);
      const { run } = await begun(engine, await scene.file(name));
      if (name === 'single/question-and-call.wf') {
        await until(() => ledger.received.length > 0);
        const [task] = (await engine.tasks()).tasks;
        assert.equal((await engine.answer(task?.task ?? '', { answer: 'yes' })).kind, 'answered');
      }
      assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'error');
      const log = await engine.log(run);
      assert.equal(aborted(log).length, count, JSON.stringify(log));
      ledger.fails = () => false;
      ledger.delayMs = () => 0;
      const rerun = await engine.rerun(run, { from: 'failure', workflow: 'recorded' });
      assert.ok(rerun.kind === 'started', JSON.stringify(rerun));
      assert.equal((await engine.settled(rerun.run, 'ended', 60_000))?.status, 'completed');
      const again = await engine.log(rerun.run);
      assert.deepEqual(aborted(again), aborted(log));
      assert.equal(again.length, log.length);
    }
  });
