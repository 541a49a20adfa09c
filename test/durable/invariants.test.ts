// The invariants of durable runs that src/durable/README.md lists, as far as no other test holds them; and that those tests exist.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { addressOfEffect, isInside, keyAddress, pathOfBlock, readEffectAddress } from '../../src/durable/model/addresses.js';
import { entryKinds } from '../../src/durable/model/entries.js';
import type { StoreWrite } from '../../src/durable/model/run-rows.js';
import { root } from '../root.js';
import { until } from '../until.js';
import { tapNextStore } from './tapped-store.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

const sources = (folder: string): { readonly name: string; readonly text: string }[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(path.join(root, folder, name), 'utf8') }));

test('each invariant in the README of durable runs names a test that exists', () => {
  const readme = readFileSync(path.join(root, 'src/durable/README.md'), 'utf8');
  const named = [...readme.matchAll(/`([\w-]+\.test\.ts)`: "([^"]+)"/g)];
  assert.ok(named.length >= 20, `${named.length} tests`);
  const tests = new Map(readdirSync(path.join(root, 'test/durable')).map((name) => [name, `test/durable/${name}`]));
  tests.set('structure.test.ts', 'test/structure.test.ts');
  for (const [, file = '', name = ''] of named) {
    const found = tests.get(file);
    assert.ok(found !== undefined, `There is no ${file}.`);
    assert.ok(readFileSync(path.join(root, found), 'utf8').includes(name), `${file} has no test "${name}".`);
  }
});

test('the end of a run, the close of its branches and the end of its blocks are in one commit', async (t) => {
  const { open, file, ledger } = await testStore(t, 'folder');
  const commits: (readonly StoreWrite[])[] = [];
  // The arguments of `commit`: a shard, and the writes.
  tapNextStore({ before: ({ method, args }) => void (method === 'commit' && commits.push(args[1] as readonly StoreWrite[])) });
  const engine = await open();
  const quick = 1;
  let step = 0;
  ledger.onRequest = (received) => {
    step = received.step;
  };
  ledger.delayMs = () => (step === quick ? 0 : 60_000);
  const { end } = await begun(engine, await file('aborted/beside-an-end.wf'));
  assert.equal((await end).kind, 'outcome');
  await engine.close(0);
  const last = commits.filter((writes) => writes.some(([kind]) => kind === 'end'));
  assert.equal(last.length, 1);
  const entries = (last[0] ?? []).filter((write) => write[0] === 'entry');
  const ends = entries.filter(([, , , , , part, kind]) => kind === entryKinds.fork && part === 1);
  assert.equal(ends.length, 1, 'the block');
  const closed = new Set(entries.filter(([, , , , , , kind]) => kind === entryKinds.log).map(([, , , branch]) => branch));
  assert.deepEqual([...closed].filter((branch) => branch !== null).sort(), ['0.0', '0.1/0.0', '0.1/0.1', '0.2'], 'its branches');
  const earlier = commits.slice(0, -1).flat();
  assert.ok(!earlier.some((write) => write[0] === 'entry' && write[6] === entryKinds.fork && write[5] === 1));
});

test('the forms of addresses: 4#2 in stores, 4-2 in keys', () => {
  assert.deepEqual([addressOfEffect('', 2), addressOfEffect('4.0/2.1', 3)], ['#2', '4.0/2.1#3']);
  for (const [branch, seq] of [
    ['', 2],
    ['4.0', 0],
    ['4.0/2.1', 13],
  ] as const)
    assert.deepEqual(readEffectAddress(addressOfEffect(branch, seq)), { branch, seq });
  assert.deepEqual([keyAddress('', 2), keyAddress('4.0', 2), keyAddress('4.0/2.1', 3)], ['2', '4.0-2', '4.0/2.1-3']);
  assert.deepEqual([pathOfBlock('', 4), pathOfBlock('4.0', 2)], ['4', '4.0/2']);
  assert.deepEqual([isInside('4.0/2.1', '4.0'), isInside('4.01', '4.0'), isInside('4.0', '4.0')], [true, false, true]);
});

for (const kind of storeKinds) {
  test(`${kind}: WF691 ends a run as cancelled, or releases it; WF690 is an end of its own`, async (t) => {
    const { open, file, ledger } = await testStore(t, kind);
    const prepared = await file('single/two-calls.wf');
    ledger.delayMs = () => 60_000;
    const engine = await open();
    const cancelled = await begun(engine, prepared);
    const released = await begun(engine, prepared);
    await until(() => ledger.received.length === 2);
    await engine.cancel(cancelled.run);
    const ended = await cancelled.end;
    assert.equal(ended.kind, 'cancelled');
    assert.deepEqual([ended.state.status, ended.state.error], ['cancelled', undefined]);
    const leaving = released.end;
    await engine.close(0);
    assert.equal((await leaving).kind, 'released');
    ledger.delayMs = () => 0;
    const next = await open();
    await next.serve();
    assert.equal((await next.settled(released.run, 'ended', 60_000))?.status, 'completed');
    const limited = await begun(next, await file('out-of-time/limited.wf'), { days: 0.00003 });
    const late = await limited.end;
    assert.deepEqual(late.kind === 'outcome' && [late.outcome.status, late.outcome.error?.code], ['error', 'WF690']);
    assert.equal((await next.state(limited.run))?.status, 'error');
  });
}

test('every INSERT names its columns, so that a new column is not mistaken for another', () => {
  const unnamed = sources('src/durable').flatMap(({ name, text }) =>
    [...text.matchAll(/INSERT(?: OR \w+)? INTO [\w.$ {}]+?(?=\s*(?:VALUES|SELECT))/g)]
      .filter(([insert]) => !insert.includes('('))
      .map(([insert]) => `${name}: ${insert}`),
  );
  assert.deepEqual(unnamed, []);
  assert.ok(
    sources('src/durable').some(({ text }) => /INSERT INTO entries\(n, pos, branch,/.test(text)),
    'finds those with columns',
  );
});

test('states of runs are compared by name, never by number', () => {
  const compared = sources('src/durable').flatMap(({ name, text }) =>
    [...text.matchAll(/\bstate\s*(?:[<>]=?|=|<>|IN \()\s*\d+/g)].map(([found]) => `${name}: ${found}`),
  );
  // An index of existing databases.
  assert.deepEqual(compared, ['store/postgres/store-tables.ts: state < 10']);
});
