// Who changed what: every change is on record with its time, whichever way it came in. What was refused is not. In both kinds of stores.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Values } from '../../src/commands/command-spec.js';
import { auditCommand } from '../../src/commands/runs/audit.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { changeMany, chooseRuns } from '../../src/durable/engine/many-runs.js';
import type { Actor, ChangeView } from '../../src/durable/model/changes.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

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
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const engine = await open();
    await engine.serve();
    const [go, asks] = [await file('single/waits-for-go.wf'), await file('single/question-and-call.wf')];
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
      'cancel ada http',
      'rerun root command line',
      'message ada http',
      'answer ada http',
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
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const engine = await open();
    await engine.serve();
    const go = await file('single/waits-for-go.wf');
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
    const { open, file, env, database } = await testStore(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    env.WF_STORE_KEY = Buffer.alloc(32, 1).toString('base64');
    const engine = await open();
    await engine.serve();
    const { run } = await begun(engine, await file('single/waits-for-go.wf'));
    await waits(engine, run);
    await engine.cancel(run, ada);
    await engine.close(0);
    const rekeying = await open({ isRekeying: true });
    await rekeying.rekey(Buffer.alloc(32, 2), shell);
    env.WF_STORE_KEY = Buffer.alloc(32, 2).toString('base64');
    assert.deepEqual(actions(await listed(await open())), ['cancel ada http', 'rekey root command line']);
  });

  test(`${kind}: what several processes notice is on record once, and what one does twice is there twice`, async (t) => {
    const { open, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [one, two] = [await open(), await open()];
    const noticed = { action: 'token', by: { way: 'command line' }, about: 'ada (operator) added' } as const;
    await Promise.all([one, two, one, two].map((engine) => engine.changes.recordOnce(noticed)));
    await one.changes.recordOnce({ ...noticed, about: 'ada (operator) removed' });
    assert.deepEqual(
      (await listed(two)).map(({ about }) => about),
      ['ada (operator) added', 'ada (operator) removed'],
    );
    await one.changes.record(noticed);
    assert.equal((await listed(one)).length, 3);
  });
}

test('a complete export has the record, and its import puts it into the other store, once', async (t) => {
  const { open, file, folder, env } = await testStore(t, 'folder');
  const engine = await open();
  await engine.serve();
  const { run } = await begun(engine, await file('single/waits-for-go.wf'));
  await waits(engine, run);
  await engine.cancel(run, ada);
  await engine.changes.record({ action: 'token', by: shell, about: 'ben (viewer)' });
  await engine.close(0);
  const command = async (words: string, WF_STORE: string, values: Values = {}): Promise<string> => {
    const io = inMemoryIo(folder, { ...env, WF_STORE });
    const [name = '', ...rest] = words.split(' ');
    assert.equal(name === 'audit' ? await auditCommand(values, io) : await runsCommand([name, ...rest], values, io), 0);
    return io.written.out;
  };
  const before = await command('audit', 'runs');
  assert.equal(before.trim().split('\n').length, 2);
  writeFileSync(path.join(folder, 'runs.jsonl'), await command('export', 'runs', { complete: true }));
  for (let times = 0; times < 2; times++) {
    await command('import runs.jsonl', 'other');
    const [first, second, third, ...more] = (await command('audit', 'other')).trim().split('\n');
    // The import is on record first: it was, before it began.
    assert.match(first ?? '', /"way":"command line","action":"import","run":null,"about":"1 run"/);
    assert.deepEqual(`${second}\n${third}\n`, before);
    assert.deepEqual(more, [], 'and not twice');
  }
  await command('prune', 'other', { olderThan: '0d', dryRun: true });
  await command('prune', 'other', { olderThan: '0d' });
  await command('prune', 'other', { olderThan: '0d' });
  const lines = (await command('audit', 'other')).trim().split('\n');
  assert.deepEqual([lines.length, /"action":"prune","run":null,"about":"1 run, older than 0d"/.test(lines[3] ?? '')], [4, true]);
});
