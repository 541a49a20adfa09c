// Erasing the data of a run: nothing of it is left in the store, in no file of it either, except for that it was and who asked.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { changeMany, chooseRuns } from '../../src/durable/engine/many-runs.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { until } from '../until.js';
import { allRows, dropTemplate } from './test-database.js';
import { storeKinds, type TestStore, testStore } from './test-store.js';

after(dropTemplate);

const ada = { name: 'Ada', way: 'http' } as const;

/** Everything that is on disk, as text. */
async function everything({ folder, database }: TestStore): Promise<string> {
  if (database !== undefined) return allRows(database);
  const files = path.join(folder, 'runs');
  return readdirSync(files)
    .map((name) => readFileSync(path.join(files, name), 'latin1'))
    .join('\n');
}

/** Starts a run with a key, answers its question and sends its message. */
async function lived(engine: DurableEngine, prepared: Prepared, name: string): Promise<string> {
  const request = { name, more: name.padEnd(20_000, 'x') + name };
  const started = await engine.start({ prepared, request, key: `key of ${name}`.replaceAll(' ', '-') });
  assert.ok(started.kind === 'started');
  const { run } = started;
  await until(async () => (await engine.state(run))?.waitingFor?.kind === 'person');
  const { tasks } = await engine.tasks();
  const task = tasks.find((one) => one.run === run);
  await engine.answer(task?.task ?? '', { answer: `Yes, ${name}`, comment: `${name} is fine` }, ada);
  await until(async () => (await engine.state(run))?.waitingFor?.kind === 'message');
  await engine.send({ name: 'news', body: { name, text: `${name} again` }, run });
  assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
  return run;
}

for (const kind of storeKinds) {
  for (const isEncrypted of [false, true]) {
    test(`nothing of an erased run is left, but that it was, and who asked (${kind}${isEncrypted ? ', encrypted' : ''})`, async (t) => {
      const store = await testStore(t, kind, isEncrypted);
      const { open, file, env } = store;
      const keyed = isEncrypted ? { env: { ...env, WF_STORE_KEY: Buffer.alloc(32, 7).toString('base64') } } : {};
      const prepared = await file('single/whole-life.wf');
      const engine = await open(keyed);
      await engine.serve();
      const gone = await lived(engine, prepared, 'Marker-Gone-77');
      const other = await lived(engine, prepared, 'Marker-TestStore-88');
      // It never reads this one.
      await engine.send({ name: 'news', body: { name: 'Marker-Gone-77' }, run: gone });
      const erased = await engine.erase(gone, ada);
      assert.ok(erased.kind === 'done');
      assert.equal(erased.state.erased?.by, 'Ada');
      const state = await engine.state(gone);
      assert.deepEqual([state?.status, state?.outputs, state?.erased?.by], ['completed', undefined, 'Ada']);
      assert.deepEqual((await engine.get(gone))?.request, {});
      assert.deepEqual(await engine.log(gone), []);
      assert.deepEqual((await engine.journal(gone))?.entries, []);
      assert.equal((await engine.retrace(gone))?.reached.size, 0);
      assert.equal((await engine.rerun(gone, { from: 'start', workflow: 'recorded' })).kind, 'not possible');
      assert.deepEqual((await engine.list({ q: 'Marker-Gone-77' })).runs, []);
      assert.deepEqual(
        (await engine.tasks({ closed: true })).tasks.map(({ run }) => run),
        [other],
      );
      assert.equal((await engine.get(other))?.outputs?.name, 'Marker-TestStore-88');
      const request = { name: 'Marker-Gone-77', more: 'Marker-Gone-77'.padEnd(20_000, 'x').concat('Marker-Gone-77') };
      const again = await engine.start({ prepared, request, key: 'key-of-Marker-Gone-77' });
      assert.ok(again.kind === 'known');
      assert.deepEqual([again.run, again.state.erased?.by], [gone, 'Ada']);
      await engine.close(0);
      const stored = await everything(store);
      assert.equal(stored.indexOf('Marker-Gone'), -1);
      if (!isEncrypted) assert.ok(stored.includes('Marker-TestStore-88'));
      // It is erased for whoever opens the store later, too, and who asks again finds nothing to erase.
      const later = await open(keyed);
      assert.equal((await later.erase(gone, { ...ada, name: 'Bob' })).kind, 'done');
      assert.deepEqual((await later.get(gone))?.erased, erased.state.erased);
    });
  }

  test(`only finished runs that someone started are erased, one or all that a filter finds (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const engine = await open();
    await engine.serve();
    const waiting = await engine.start({ prepared: await file('single/message.wf'), request: { n: 1 }, respondAsync: true });
    const done = await engine.start({ prepared: await file('single/output.wf'), request: { n: 2 }, respondAsync: true });
    assert.ok(waiting.kind === 'started' && done.kind === 'started');
    await Promise.all([done.end, waiting.end]);
    const refused = await engine.erase(waiting.run);
    assert.ok(refused.kind === 'not possible');
    assert.match(refused.problem, /has not ended/);
    assert.equal((await engine.erase('00000000-0000-7000-8000-000000000000')).kind, 'unknown');
    const chosen = await chooseRuns(engine, 'erase', {});
    assert.deepEqual([chosen.runs, chosen.unfit], [[done.run], 1]);
    const rerun = { from: 'start', workflow: 'recorded' } as const;
    assert.equal((await changeMany(engine, chosen, { rerun, by: ada })).changed, 1);
    assert.equal((await engine.state(done.run))?.erased?.by, 'Ada');
    assert.deepEqual((await chooseRuns(engine, 'erase', {})).runs, []);
    const failed = await engine.start({
      prepared: await file('single/error-after-message.wf'),
      request: { id: 'x' },
      respondAsync: true,
    });
    assert.ok(failed.kind === 'started');
    await failed.end;
    await engine.erase(failed.run);
    const { runs } = await engine.list({ status: 'error' });
    assert.deepEqual(
      runs.map(({ reason }) => reason),
      ['the reason was erased'],
    );
  });
}
