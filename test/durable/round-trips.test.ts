// What a run costs a database: the statements that write, and their order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { dropTemplate } from './test-database.js';
import { begun, testStore } from './test-store.js';

after(dropTemplate);

/** Notes the statements of all connections that write, except for renewals of the lease, until the test ends. */
function writes(context: { after(callback: () => void): void }): string[] {
  const noted: string[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text ?? '');
    const [, kind = '', table = ''] = /^\s*(BEGIN|INSERT INTO|UPDATE|DELETE FROM)\s*([\w."]*)/i.exec(text) ?? [];
    if (kind !== '' && table !== 'wf.processes') noted.push(`${kind} ${table}`.trim());
    return Reflect.apply(query, this, args);
  } as typeof query;
  context.after(() => {
    Client.prototype.query = query;
  });
  return noted;
}

test('a run without effects is one statement, one with a call two, and one with two calls has steps', async (t) => {
  const { file, open, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  const texts = [
    await file('single/log-and-call.wf'),
    await file('single/two-calls.wf'),
    await file('single/output.wf'),
  ] as const;
  // The first run of a text stores its version and its places.
  for (const prepared of texts) await (await begun(engine, prepared)).end;
  const noted = writes(t);
  const costs = async (prepared: (typeof texts)[number]): Promise<string[]> => {
    noted.length = 0;
    const started = await engine.start({ prepared, request: {} });
    assert.equal(started.kind, 'started');
    const { end, run } = started as Awaited<ReturnType<typeof begun>>;
    assert.equal((await end).kind, 'outcome');
    await engine.settled(run, 'ended', 60_000);
    assert.equal((await engine.state(run))?.status, 'completed');
    return noted.slice();
  };
  const ofRuns = (statements: readonly string[]): string[] => statements.filter((statement) => !/dbos|BEGIN/.test(statement));
  // DBOS may still be ending what an earlier run began.
  assert.deepEqual(ofRuns(await costs(texts[0])), ['INSERT INTO wf.runs', 'UPDATE wf.runs']);
  assert.deepEqual(ofRuns(await costs(texts[2])), ['INSERT INTO wf.runs']);
  const steps = await costs(texts[1]);
  assert.ok(steps.some((statement) => /operation_outputs/.test(statement)));
  assert.deepEqual(ofRuns(steps), ['INSERT INTO wf.runs', 'UPDATE wf.runs'], 'its last call is recorded with its end');
});

test('110 waiting runs are cancelled with one statement, or two', async (t) => {
  const { file, open, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  const prepared = await file('single/days-and-message.wf');
  const runs: string[] = [];
  while (runs.length < 110) runs.push((await begun(engine, prepared)).run);
  for (const run of runs) await engine.settled(run, 'paused', 60_000);
  const noted = writes(t);
  assert.equal((await engine.cancelMany(runs, { name: 'ada', way: 'http' })).size, 0);
  assert.ok(noted.filter((statement) => statement === 'UPDATE wf.runs').length <= 2, noted.join('; '));
  for (const run of runs) assert.equal((await engine.state(run))?.status, 'cancelled');
});

test('what was recorded with the row of a run is read like its steps, and encrypted with a new key', async (t) => {
  const { file, open, database, env } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  const { run, end } = await begun(engine, await file('single/log-and-call.wf'));
  await end;
  const [log, journal] = [await engine.log(run), await engine.journal(run)];
  assert.ok(log.some(({ message }) => message !== undefined) && (journal?.entries.length ?? 0) > 0);
  const key = Buffer.alloc(32, 7);
  await engine.close(0);
  await (await open({ isRekeying: true })).rekey(key);
  const rekeyed = await open({ env: { ...env, WF_STORE_KEY: key.toString('base64') } });
  assert.deepEqual([await rekeyed.log(run), await rekeyed.journal(run)], [log, journal]);
});
