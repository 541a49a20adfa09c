// Runs move from a store in a folder to one on PostgreSQL, and back: finished ones as they are, unfinished ones to continue there.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

for (const [from, to] of [
  ['folder', 'PostgreSQL'],
  ['PostgreSQL', 'folder'],
] as const) {
  test(`runs move from a store of kind ${from} to one of kind ${to}, and continue there`, async (t) => {
    const { file, open, ledger, env } = await kept(t, from);
    const target = await kept(t, to);
    const calls = await file('kept/calls-around-a-message.wf');
    const first = await open();
    const simple = { prepared: await file('kept/output.wf'), request: { n: 4 }, key: 'k1' };
    const done = await first.start(simple);
    assert.ok(done.kind === 'started');
    await done.end;
    const { run, end } = await begun(first, calls, { n: 1 });
    assert.equal((await end).kind, 'paused');

    const command = await target.open({ env: { LEDGER_URL: 'http://localhost:1' } });
    assert.deepEqual(await command.moving.import(first.moving.export()), { runs: 2, unfinished: 1, known: 0 });
    await command.close(0);
    const second = await target.open({ env });
    assert.deepEqual(await second.moving.import(first.moving.export()), { runs: 0, unfinished: 0, known: 2 });
    await first.close(0);
    await second.serve();
    assert.deepEqual((await second.state(done.run))?.outputs, { n: 4 });
    const again = await second.start(simple);
    assert.deepEqual([again.kind, again.kind === 'known' && again.run], ['known', done.run]);
    await until(async () => (await second.state(run))?.waitingFor?.kind === 'message');
    assert.equal(await second.moving.unrecorded(), 0);
    await second.send({ name: 'go', body: { word: 'now' }, run });
    await until(async () => (await second.state(run))?.status === 'completed');
    assert.deepEqual((await second.state(run))?.outputs, { sum: 2_003, word: 'now' });
    const types = (await second.log(run)).map(({ type }) => type);
    assert.ok(!types.includes('warning'), 'the environment at its start is unknown here');
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [1, 2],
    );
  });
}

for (const kind of storeKinds) {
  test(`a message is not recorded until a process continues its run (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const first = await open();
    const { run, end } = await begun(first, await file('kept/message.wf'));
    await end;
    await first.close(0);
    const command = await open();
    await command.send({ name: 'go', body: {}, run });
    assert.equal(await command.moving.unrecorded(), 1);
    await command.close(0);
    const second = await open();
    await second.serve();
    assert.equal((await second.settled(run, 'ended', 10_000))?.status, 'completed');
    assert.equal(await second.moving.unrecorded(), 0);
  });
}
