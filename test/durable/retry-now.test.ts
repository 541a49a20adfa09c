// "Retry now" ends the wait before a call is tried again: of a run that left memory, of one that is there, and of one that no process has.
// In both kinds of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { chooseRuns } from '../../src/durable/engine/many-runs.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import type { Ledger } from './ledger.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const secondCalls = (ledger: Ledger): string[] => ledger.received.filter(({ step }) => step === 2).map(({ key }) => key);

/** It waits before the call that follows so many. */
async function waitsAfter(engine: DurableEngine, ledger: Ledger, run: string, calls: number): Promise<void> {
  await until(async () => secondCalls(ledger).length === calls && (await engine.state(run))?.waitingFor?.kind === 'retry');
}

for (const kind of storeKinds) {
  // Two minutes are spent outside of memory, fifty seconds in it.
  for (const name of ['three-calls-with-retries', 'call-retried-soon']) {
    test(`${kind}: a wait before a retry ends at once, the next one does not (${name})`, async (t) => {
      const { open, file, ledger, database } = await kept(t, kind);
      if (kind === 'PostgreSQL' && database === undefined) return;
      const prepared = await file(`kept/${name}.wf`);
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
    const { open, file, ledger, env, folder, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [retried, message] = [await file('kept/three-calls-with-retries.wf'), await file('kept/waits-for-go.wf')];
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
