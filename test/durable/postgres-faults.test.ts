// What can happen to a store on PostgreSQL: connections that are cut, another process that takes a run, many processes that create the store,
// addresses that lead nowhere, servers that die.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { openStore } from '../../src/durable/open-store.js';
import { PostgresDatabase, readAddress } from '../../src/durable/store/postgres/postgres-database.js';
import { prepareStore } from '../../src/durable/store/postgres/store-tables.js';
import type { UsageError } from '../../src/engine/usage-error.js';
import { cli, seed } from '../root.js';
import { post, startServer } from '../server/test-server.js';
import { endProcess, endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { cut } from './chaos-database.js';
import { runChaos } from './chaos-run.js';
import { fakeClock } from './fake-clock.js';
import { randomFrom } from './random-from.js';
import { dropTemplate, testDatabase } from './test-database.js';
import { begun, testStore } from './test-store.js';

const WAITING_FOR_A_LOCK =
  'SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()';

after(dropTemplate);

/** Runs one statement, apart from the connections of the store. */
async function sql(address: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('what is recorded for a run that another process has taken is refused, and the run continues there', async (t) => {
  const { file, open, ledger, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  const prepared = await file('single/two-calls.wf');
  let isTaken = (): void => undefined;
  const taken = new Promise<void>((resolve) => {
    isTaken = resolve;
  });
  ledger.answered = ({ step }) => (step === 1 && ledger.received.length === 1 ? taken : undefined);
  const { run, end } = await begun(engine, prepared);
  await until(() => ledger.received.length === 1);
  // What a process does that finds the lease of this one expired.
  await sql(database, `UPDATE wf.runs SET owner = 'another', leg = leg + 1, legs = legs || (leg + 1)`);
  await sql(database, `UPDATE dbos.workflow_status SET status = 'CANCELLED', owner_xid = NULL`);
  isTaken();
  assert.equal((await end).kind, 'lost');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1],
    'the former owner sends nothing more',
  );
  await engine.serve();
  await until(async () => (await engine.state(run))?.status === 'completed');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1, 1, 2],
    'its first call was in doubt',
  );
  assert.equal(ledger.received[0]?.key, ledger.received[1]?.key);
  assert.deepEqual((await engine.state(run))?.outputs, { sum: 2_003 });
});

test('a call whose connection took longer than the lease is not sent, and the run continues where it is allowed to', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const sent: string[] = [];
  let refusals = 0;
  const engine = await open({
    async transport(request) {
      // The process slept while it connected.
      if (refusals === 0) fakeClock.offset = 60_000;
      const may = request.mayBegin?.();
      fakeClock.offset = 0;
      if (may !== true) {
        refusals++;
        throw new Error('not sent');
      }
      sent.push(new URL(request.url).pathname);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode('5') };
    },
  });
  await engine.serve();
  const { run } = await begun(engine, await file('single/two-numbers.wf'));
  await until(async () => (await engine.state(run))?.status === 'completed');
  assert.deepEqual([refusals, sent], [1, ['/1/1', '/1/2']]);
});

test('a run that another process took while this one was reading it is not executed here', async (t) => {
  const { file, open, ledger, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  await engine.serve();
  const { run, end } = await begun(engine, await file('single/wait-and-call.wf'));
  await end;
  await sql(
    database,
    `CREATE FUNCTION steal() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN UPDATE wf.runs SET owner = 'another', leg = 3, legs = legs || 3 WHERE id = NEW.id; RETURN NULL; END $$;
     CREATE TRIGGER thief AFTER UPDATE ON wf.runs FOR EACH ROW WHEN (NEW.leg = 2) EXECUTE FUNCTION steal();
     UPDATE wf.runs SET due = 0`,
  );
  fakeClock.offset = 3 * 3_600_000;
  t.after(() => {
    fakeClock.offset = 0;
  });
  await until(async () => (await engine.state(run))?.status === 'completed');
  const legs = await sql(database, "SELECT count(*)::integer AS count FROM dbos.workflow_status WHERE workflow_uuid LIKE '%:2'");
  assert.deepEqual([ledger.received.length, legs], [1, [{ count: 0 }]]);
});

/** A way to a database that can be cut: open connections break, and new ones are refused. */
interface Severable {
  readonly address: string;
  readonly cutOff: () => void;
  readonly mend: () => void;
}

async function severable(t: TestContext, database: string): Promise<Severable> {
  const address = new URL(database);
  const [port, host] = [Number(address.port || 5432), address.hostname];
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const server = connect(port, host);
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const listening = proxy.address();
  address.host = `127.0.0.1:${typeof listening === 'object' ? listening?.port : ''}`;
  return {
    address: address.href,
    cutOff() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
  };
}

test('whoever waits for a run is not held while the database cannot be reached', async (t) => {
  const { file, open, ledger, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const network = await severable(t, database);
  const { cutOff } = network;
  const engine = await openStore(network.address, { env: { LEDGER_URL: ledger.address }, cwd: '.' });
  endWithTest(t, () => engine.close(0));
  const prepared = await file('single/two-calls.wf');
  const other = await open();

  await t.test('one whose run is not recorded yet', async () => {
    await (await begun(engine, prepared)).end;
    const locker = new Client({ connectionString: database });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE wf.runs IN EXCLUSIVE MODE');
    const starting = Promise.resolve(engine.start({ prepared, request: {}, key: 'a' }));
    await until(async () => (await sql(database, WAITING_FOR_A_LOCK)).length > 0);
    cutOff();
    const started = await starting;
    await locker.end();
    network.mend();
    assert.equal(started.kind, 'unrecorded');
    const run = started.kind === 'unrecorded' ? started.run : '';
    await until(async () => (await other.state(run))?.status === 'completed');
    await until(() => engine.health().ok);
    const again = await engine.start({ prepared, request: {}, key: 'a' });
    assert.deepEqual([again.kind, again.kind === 'known' && again.run], ['known', run]);
    ledger.received.length = 0;
  });

  ledger.delayMs = () => (ledger.received.length === 1 ? 1_000 : 0);
  const started = await engine.start({ prepared, request: {} });
  assert.ok(started.kind === 'started');
  const ended = started.endWithin(60_000);
  await until(() => ledger.received.length === 1);
  cutOff();
  assert.equal(await ended, undefined);
  assert.equal((await engine.state(started.run))?.status, 'running', 'as its caller is told');
  network.mend();
  await until(async () => (await other.state(started.run))?.status === 'completed');
});

test('whoever waits for a run that has left memory is told where it is when the database cannot be reached', async (t) => {
  const { file, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const network = await severable(t, database);
  const store = await openStore(network.address, { env: {}, cwd: '.' });
  endWithTest(t, () => store.close(0));
  const { url, err } = await startServer(t, { workflows: [await file('single/message.wf')], store, host: '127.0.0.1' });
  const headers = { prefer: 'wait=60', 'idempotency-key': 'k' };
  const starting = post(`${url}/message`, {}, headers);
  await until(async () => (await sql(database, 'SELECT 1 FROM wf.waiters')).length > 0);
  await until(async () => (await sql(database, 'SELECT 1 FROM wf.runs WHERE owner IS NULL')).length > 0);
  network.cutOff();
  const started = await starting;
  const location = `/runs/${started.headers.get('x-run-id')}`;
  assert.deepEqual([started.status, started.headers.get('location'), err], [202, location, []], started.text);
  network.mend();
  await until(async () => (await sql(database, "SELECT 1 FROM wf.runs WHERE extra LIKE '%acknowledged%'")).length > 0);
  const again = await post(`${url}/message`, {}, headers);
  assert.deepEqual([again.status, again.headers.get('location')], [202, location], again.text);
});

test('a process that stops while the database cannot be reached waits for it no longer than the grace time', {
  timeout: 60_000,
}, async (t) => {
  const { file, folder, env, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const network = await severable(t, database);
  const { file: workflow } = await file('single/short-wait.wf');
  const server = spawn(process.execPath, [cli, 'serve', workflow, '--port', '0', '--grace', '1', '--store', network.address], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithTest(t, () => endProcess(server));
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (part) => {
      said += String(part);
    });
  }
  await until(() => said.includes('Store: '));
  const url = `${said.match(/http:\/\/\S+/)?.[0]}${said.match(/POST (\S+)/)?.[1]}`;
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  const { status } = await fetch(url, { method: 'POST', headers, body: '{}' });
  assert.equal(status, 202);
  network.cutOff();
  await until(() => said.includes('The store cannot be written'));
  server.kill('SIGTERM');
  await until(() => server.exitCode !== null || server.signalCode !== null);
  assert.deepEqual([server.exitCode, server.signalCode], [0, null]);
});

test('connections are cut in the middle of everything: runs continue, and nothing recorded is sent again', async (t) => {
  const { file, open, ledger, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  await engine.serve();
  const prepared = await file('single/four-calls.wf');
  const numbers = [1, 2, 3, 4, 5, 6];
  const runs = await Promise.all(numbers.map((n) => begun(engine, prepared, { n })));
  for (let cuts = 0; cuts < 8; cuts++) {
    await cut(database);
    await until(() => engine.health().ok);
  }
  // A page that is read through a connection that was cut fails; a run does not.
  const isCompleted = (run: string): Promise<boolean> =>
    engine.state(run).then(
      (state) => state?.status === 'completed',
      () => false,
    );
  for (const { run } of runs) await until(() => isCompleted(run));
  assert.deepEqual(ledger.judge(numbers, 4).violations, []);
});

test('a run that a process has by the database only, because an answer was lost, is taken up again', async (t) => {
  const { file, open, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const engine = await open();
  await engine.serve();
  const { run, end } = await begun(engine, await file('single/long-wait.wf'));
  assert.equal((await end).kind, 'paused');
  await engine.state(run);
  await sql(database, 'UPDATE wf.runs SET state = 1, owner = (SELECT id FROM wf.processes ORDER BY started DESC LIMIT 1)');
  assert.equal((await engine.state(run))?.status, 'running');
  await until(async () => (await engine.state(run))?.status === 'waiting');
});

test('a newer version adds its tables to a store, an older one works beside it, and refuses only a newer format', async (t) => {
  const { file, open, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const meta = (key: string, value: string): Promise<unknown> =>
    sql(database, `UPDATE wf.meta SET value = '${value}' WHERE key = '${key}'`);
  await sql(
    database,
    `DROP FUNCTION wf.take_turns; DROP TABLE wf.turns, wf.changes; ALTER TABLE wf.runs DROP COLUMN environment, DROP COLUMN head, DROP COLUMN tail;
     DROP TABLE wf.views;
     DELETE FROM wf.meta WHERE key = 'additions'`,
  );
  const newer = await open();
  const turns = `SELECT to_regclass('wf.turns') IS NOT NULL AS is_there`;
  assert.deepEqual(await sql(database, turns), [{ is_there: true }]);
  await meta('additions', '99');
  const older = await open();
  const { end } = await begun(older, await file('single/one-output.wf'));
  assert.equal((await end).kind, 'outcome');
  await older.close(0);
  await newer.close(0);
  await meta('format', '2');
  await assert.rejects(open(), {
    name: 'UsageError',
    message: 'The store was written by a newer wf: it has format 2, and this wf knows format 1.',
  });
  const [kept99] = await sql(database, `SELECT convert_from(value, 'UTF8') AS count FROM wf.meta WHERE key = 'additions'`);
  assert.deepEqual(kept99, { count: '99' });
});

test('migrates an older format in one transaction, and only once, whoever is first', async (t) => {
  const { open, database: address } = await testStore(t, 'PostgreSQL', true);
  if (address === undefined) return;
  const database = await PostgresDatabase.open(readAddress(address, {}, '/'), () => undefined);
  t.after(() => database.close());
  const prepared = (...migrations: readonly string[]) =>
    prepareStore(database, undefined, {
      tables:
        'CREATE SCHEMA wf; CREATE TABLE wf.meta(key text PRIMARY KEY, value bytea NOT NULL); CREATE TABLE wf.one(a integer)',
      additions: ['ALTER TABLE wf.one ADD COLUMN added integer'],
      migrations,
    });
  const columns = async (): Promise<unknown> => {
    const names = `SELECT json_agg(column_name ORDER BY ordinal_position) AS names FROM information_schema.columns WHERE table_name = 'one'`;
    const [row] = (await sql(address, names)) as [{ names: unknown }]; // an aggregate has one row
    return row.names;
  };
  await prepared();
  const add = (name: string): string => `ALTER TABLE wf.one ADD COLUMN ${name} integer`;
  await assert.rejects(prepared(add('b'), 'ALTER TABLE wf.missing ADD COLUMN c integer'));
  assert.deepEqual(await columns(), ['a', 'added'], 'nothing is half done');
  await Promise.all([prepared(add('b'), add('c')), prepared(add('b'), add('c'))]);
  assert.deepEqual(await columns(), ['a', 'added', 'b', 'c']);
  await assert.rejects(prepared(add('b')), /written by a newer wf: it has format 3, and this wf knows format 2/);
  await sql(address, `UPDATE wf.meta SET value = 'none' WHERE key = 'format'`);
  await assert.rejects(open(), /The store has no format that this wf knows/);
  await sql(address, `DELETE FROM wf.meta WHERE key = 'format'`);
  await assert.rejects(open(), /The store has no format that this wf knows/);
});

test('an address that leads nowhere is a plain sentence without the password', async () => {
  const opened = (where: string): Promise<unknown> => openStore(where, { env: {}, cwd: process.cwd() });
  await assert.rejects(opened('postgres://wf:secret@127.0.0.1:1/wf'), {
    name: 'UsageError',
    message: 'The store postgres://wf@127.0.0.1:1/wf cannot be opened: nothing answers there.',
    mayPass: true,
  });
  await assert.rejects(opened('postgres://wf:secret@127.0.0.1'), {
    name: 'UsageError',
    message: 'The store postgres://wf@127.0.0.1:5432/ names no database.',
  });
});

test('a database that does not exist yet may exist at a later attempt', async (t) => {
  const database = await testDatabase(true);
  if (database === undefined) return t.skip('There is no PostgreSQL here.');
  t.after(database.drop);
  const where = new URL(database.address);
  where.pathname = '/not_created_yet';
  await assert.rejects(openStore(where.href, { env: {}, cwd: process.cwd() }), (error: UsageError) => {
    assert.match(error.message, /cannot be opened: the database does not exist\.$/);
    return error.mayPass;
  });
});

test('five processes create a store at once', async (t) => {
  const database = await testDatabase(true);
  if (database === undefined) return t.skip('There is no PostgreSQL here.');
  const { folder, file, env } = await testStore(t);
  const prepared = await file('single/output.wf');
  const children = Array.from({ length: 5 }, (_, n) =>
    spawn(process.execPath, [cli, 'run', prepared.file, '--store', database.address, '--input', `{"n":${n}}`], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0, 0, 0]);
  const engine = await openStore(database.address, { env, cwd: folder });
  assert.equal((await engine.list({ status: 'completed' })).runs.length, 5);
  await engine.close(0);
  await database.drop();
});

// Servers that are killed at the end are adopted only once their leases expire.
const skip = process.env.WF_TEST_CHAOS === undefined && 'it takes about ten seconds: .ci/run runs it, and WF_TEST_CHAOS=1';

test('nothing is lost, and nothing recorded is sent again, while servers over a database die, sleep and stop', {
  skip,
}, async (t) => {
  const database = await testDatabase();
  if (database === undefined) return t.skip('There is no PostgreSQL here.');
  const { address, drop } = database;
  const report = await runChaos({
    seconds: 3,
    servers: 2,
    random: randomFrom(seed(11)),
    say: (line) => t.diagnostic(line),
    database: { address, longestStopMs: 1_500, faults: [{ everyMs: 700, strike: () => cut(address) }] },
  });
  await drop();
  assert.deepEqual(report.violations, []);
  assert.ok(report.kills + report.stops + report.ends + report.strikes > 2, 'something has happened');
});
