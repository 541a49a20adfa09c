// A run whose process ends while it waits in memory was interrupted, and its log says so. One that had left memory was not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { mortal } from './mortal.js';

/** How a process ends. Another one over a database cannot be killed here. */
const ends = [
  ['folder', 'is killed'],
  ['folder', 'stops'],
  ['PostgreSQL', 'stops'],
] as const;

for (const [kind, end] of ends)
  test(`the log says that a run was resumed whose process ${end} while it waits for seconds (${kind})`, async (t) => {
    const { file, open, ledger } = await kept(t, kind);
    const prepared = await file('kept/short-waits.wf');
    ledger.fails = ({ step }) => step === 2 && ledger.received.length === 2;
    const dying = async (): Promise<Awaited<ReturnType<typeof mortal>>> => {
      if (end === 'is killed') return mortal(open);
      const engine = await open();
      return { engine, kill: () => engine.close(0) };
    };
    const first = await dying();
    const { run } = await begun(first.engine, prepared);
    const waitsFor = (engine: typeof first.engine, what: string) => async () =>
      (await engine.state(run))?.waitingFor?.kind === what;
    await until(waitsFor(first.engine, 'time'));
    await first.kill();
    const second = await dying();
    await second.engine.serve();
    await until(waitsFor(second.engine, 'retry'));
    await second.kill();
    const last = await open();
    await last.serve();
    assert.equal((await last.settled(run, 'ended', 60_000))?.status, 'completed');
    const log = await last.log(run);
    assert.deepEqual(
      log.map(({ type, line }) => [type, line]),
      [
        ['call', 11],
        ['wait', 12],
        ['resumed', undefined],
        ['call', 13],
        ['retry', 13],
        ['resumed', undefined],
        ['call', 13],
      ],
    );
    for (const { type, message } of log)
      if (type === 'resumed')
        assert.equal(message, 'The run was resumed after its process had ended.', 'no call was in progress');
  });

for (const kind of storeKinds)
  test(`a run that was not in memory was not interrupted (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const prepared = await file('kept/calls-around-a-message.wf');
    const engine = await open();
    const { run, end } = await begun(engine, prepared);
    assert.equal((await end).kind, 'paused');
    await engine.close(0);
    const other = await open();
    await other.serve();
    await other.send({ name: 'go', body: { word: 'go' }, run });
    assert.equal((await other.settled(run, 'ended', 60_000))?.status, 'completed');
    const log = await other.log(run);
    assert.ok(!log.some(({ type }) => type === 'resumed'), JSON.stringify(log));
  });
