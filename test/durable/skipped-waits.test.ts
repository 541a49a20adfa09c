// A wait is skipped as if its time had come: of a run that left memory, of one that is there, and of one that no process has. In both kinds
// of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { chooseRuns } from '../../src/durable/engine/many-runs.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import type { Ledger } from './ledger.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

const by = { name: 'Ada', role: 'operator', way: 'http' } as const;

/** It waits in this line, and has waited there since another moment than before. */
const waitsIn = async (engine: DurableEngine, run: string, line: number, before?: string): Promise<string> => {
  let since: string | undefined;
  await until(async () => {
    const { waitingFor } = (await engine.state(run)) ?? {};
    since = waitingFor?.since;
    return waitingFor?.line === line && since !== before;
  });
  return since ?? '';
};

for (const kind of storeKinds) {
  test(`${kind}: each kind of wait ends as if its time had come, on record, and no other one does`, async (t) => {
    const { open, file, database, env, folder } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/waits-in-turn.wf');
    const [server, elsewhere] = [await open(), await open()];
    await server.serve();
    const { run } = await begun(server, prepared);
    await waitsIn(server, run, 11);
    assert.equal((await elsewhere.skip(run, undefined, by)).kind, 'done');
    await waitsIn(server, run, 12);
    const wrong = await server.skip(run, 11);
    assert.ok(wrong.kind === 'not possible' && /does not wait in line 11 now/.test(wrong.problem), JSON.stringify(wrong));
    assert.equal((await server.skip(run, 12)).kind, 'done');
    await waitsIn(server, run, 15);
    const [task] = (await server.tasks()).tasks;
    const io = inMemoryIo(folder, { ...env, WF_STORE: database ?? 'runs' });
    assert.equal(await runsCommand(['skip', run], { line: '15' }, io), 0);
    assert.equal(io.written.out, `Run ${run} waits no longer: it goes on now.\n`);
    // One branch keeps the run in memory for a minute: the wait of the other one ends there.
    await until(async () => (await server.journal(run))?.entries.some(({ line }) => line === 24) === true);
    assert.equal((await server.answer(task?.task ?? '', { answer: 'late' })).kind, 'over');
    assert.equal((await elsewhere.skip(run, 22)).kind, 'done');
    assert.equal((await server.skip(run, 24)).kind, 'done');
    // The next round waits for as long as ever.
    const first = await waitsIn(server, run, 26);
    assert.equal((await server.skip(run, 26)).kind, 'done');
    await waitsIn(server, run, 26, first);
    assert.equal((await elsewhere.skip(run, 26)).kind, 'done');
    const ended = await server.settled(run, 'ended', 60_000);
    assert.deepEqual([ended?.status, ended?.outputs], ['completed', { came: false, said: 'nobody' }]);
    const over = await server.skip(run);
    assert.ok(over.kind === 'not possible' && /already ended/.test(over.problem), JSON.stringify(over));
    const changes = [];
    for await (const { action, name, about, way } of server.changes.list({ run })) changes.push([action, name, about, way]);
    assert.deepEqual(changes[0], ['skip', 'Ada', undefined, 'http']);
    assert.deepEqual(changes[1]?.slice(2), ['line 15', 'command line']);
  });

  test(`${kind}: the wait of a run that no process has is over for the next one; one without a time limit goes on`, async (t) => {
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [long, endless] = [await file('single/wait-and-call.wf'), await file('single/waits-for-go.wf')];
    const before = await open();
    const { run } = await begun(before, long);
    const { run: other } = await begun(before, endless);
    for (const id of [run, other]) await before.settled(id, 'paused', 60_000);
    await before.close(0);
    const command = await open();
    const refused = await command.skip(other);
    assert.ok(refused.kind === 'not possible' && /only the message go ends it/.test(refused.problem), JSON.stringify(refused));
    assert.equal((await command.skip('01a20d80-b6ec-77f7-bff7-b88a34855983')).kind, 'unknown');
    assert.equal((await command.skip(run)).kind, 'done');
    await command.close(0);
    const server = await open();
    await server.serve();
    assert.equal((await server.settled(run, 'ended', 60_000))?.status, 'completed');
  });
}

// "Retry now" ends the wait before a call is tried again: of a run that left memory, of one that is there, and of one that no process has.
// In both kinds of stores.

const secondCalls = (ledger: Ledger): string[] => ledger.received.filter(({ step }) => step === 2).map(({ key }) => key);

/** It waits before the call that follows so many. */
async function waitsAfter(engine: DurableEngine, ledger: Ledger, run: string, calls: number): Promise<void> {
  await until(async () => secondCalls(ledger).length === calls && (await engine.state(run))?.waitingFor?.kind === 'retry');
}

for (const kind of storeKinds) {
  // Two minutes are spent outside of memory, fifty seconds in it.
  for (const name of ['three-calls-with-retries', 'call-retried-soon']) {
    test(`${kind}: a wait before a retry ends at once, the next one does not (${name})`, async (t) => {
      const { open, file, ledger, database } = await testStore(t, kind);
      if (kind === 'PostgreSQL' && database === undefined) return;
      const prepared = await file(`single/${name}.wf`);
      const [server, elsewhere] = [await open(), await open()];
      await server.serve();
      ledger.fails = ({ step }) => step === 2;
      const { run } = await begun(server, prepared);
      await waitsAfter(server, ledger, run, 1);
      const [first, second] = [await elsewhere.retry(run), await waitsAfter(server, ledger, run, 2)];
      assert.deepEqual([first.kind, second], ['done', undefined]);
      // A wait that began later is as long as ever.
      const due = Date.parse((await server.state(run))?.waitingFor?.until ?? '');
      assert.ok(due - Date.now() > 20_000, String(due - Date.now()));
      ledger.fails = () => false;
      assert.equal((await server.retry(run)).kind, 'done');
      assert.equal((await server.settled(run, 'ended', 60_000))?.status, 'completed');
      assert.equal(new Set(secondCalls(ledger)).size, 1);
      assert.equal(secondCalls(ledger).length, 3);
      for (const engine of [server, elsewhere]) {
        const over = await engine.retry(run);
        assert.ok(over.kind === 'not possible' && /already ended/.test(over.problem), JSON.stringify(over));
      }
    });
  }

  test(`${kind}: the wait of a run that no process has is over for the next one`, async (t) => {
    const { open, file, ledger, env, folder, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [retried, message] = [await file('single/three-calls-with-retries.wf'), await file('single/waits-for-go.wf')];
    const before = await open();
    ledger.fails = ({ step }) => step === 2;
    const { run } = await begun(before, retried);
    const { run: other } = await begun(before, message);
    await waitsAfter(before, ledger, run, 1);
    await before.settled(other, 'paused', 60_000);
    await before.close(0);
    ledger.fails = () => false;
    const runs = async (...words: string[]): Promise<string> => {
      const io = inMemoryIo(folder, { ...env, WF_STORE: database ?? 'runs' });
      assert.equal(await runsCommand(words, words.length > 1 ? {} : { where: 'status=waiting' }, io), 0);
      return io.written.out;
    };
    const command = await open();
    assert.deepEqual((await chooseRuns(command, 'retry', {})).runs, [run]);
    const refused = await command.retry(other);
    assert.ok(
      refused.kind === 'not possible' && /does not wait before a retry: it is waiting for a message/.test(refused.problem),
    );
    assert.equal((await command.retry('01a20d80-b6ec-77f7-bff7-b88a34855983')).kind, 'unknown');
    await command.close(0);
    assert.equal(await runs('retry', run), `Run ${run} tries its call again now.\n`);
    assert.equal(secondCalls(ledger).length, 1);
    assert.equal(await runs('retry'), '1 run retried.\nPassed over: 1 that cannot be retried in its state.\n');
    const server = await open();
    await server.serve();
    assert.equal((await server.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.equal(new Set(secondCalls(ledger)).size, 1);
  });
}
