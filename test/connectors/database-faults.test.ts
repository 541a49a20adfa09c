// Databases that are gone, hang or refuse, and statements that are cancelled.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Cancellation } from '../../runtime/run/cancellation.js';
import { root } from '../root.js';
import { until } from '../until.js';
import { type DatabaseScene, databaseScene, skipOf, testDatabases } from './database-scene.js';
import { cause, failureOf, succeeded } from './results.js';

const [, postgres, mysql] = testDatabases;
const servers = [postgres, mysql].filter((database) => database !== undefined);

/** A proxy in front of a server, which forwards everything until told otherwise. */
async function between(
  address: string,
  use: (through: string, sockets: Set<Socket>, stop: { passing: boolean; held: number }) => Promise<void>,
): Promise<void> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const stop = { passing: true, held: 0 };
  const server = createServer((socket) => {
    const on = connect(Number(target.port || (target.protocol === 'mysql:' ? 3306 : 5432)), target.hostname);
    for (const [from, to] of [
      [socket, on],
      [on, socket],
    ] as const) {
      sockets.add(from);
      from
        .on('data', (part) => {
          if (stop.passing) to.write(part);
          else stop.held += part.length;
        })
        .on('close', () => to.destroy())
        .on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(address);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an object
  try {
    await use(through.href, sockets, stop);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** Connects and disconnects. What happened to other connections before is known to their owners in this process by then. */
async function roundTrip(address: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.destroy();
  await once(socket, 'close');
}

/** Aborts a task once it has started. Returns how long it then took to end. */
async function cutOff(scene: DatabaseScene, statement: string, hasBegun: () => unknown): Promise<number> {
  const cancellation = new Cancellation();
  const work = scene.perform({ does: 'run', wish: 'rows', statement: [statement] }, cancellation);
  await until(hasBegun);
  const start = Date.now();
  cancellation.abort();
  failureOf(await work);
  return Date.now() - start;
}

/** For SQLite, which can't report what it is working on. */
const after = (ms: number): (() => boolean) => {
  const start = performance.now();
  return () => performance.now() - start >= ms;
};

const sleep = (name: string, seconds: number): string =>
  name === 'MySQL' ? `select sleep(${seconds})` : `select pg_sleep(${seconds})`;
const running: Record<string, string> = {
  PostgreSQL: "select pid from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%sleep(27)%'",
  MySQL: "select id from information_schema.processlist where info like '%sleep(27)%' and id <> connection_id()",
};

/** Whether the database is executing `sleep(27)`. */
const isRunning = async (scene: DatabaseScene, name: string): Promise<boolean> => {
  const rows = succeeded(await scene.run(running[name] ?? '', 'rows'));
  return Array.isArray(rows) && rows.length > 0;
};

for (const database of servers) {
  const { name, address = '' } = database;

  describe(name, { skip: skipOf(database) }, () => {
    test('cancels a statement in the database, and the next call works', () =>
      databaseScene(address, async (scene) => {
        const took = await cutOff(scene, sleep(name, 27), () => isRunning(scene, name));
        assert.ok(took < 20_000, `${took} ms`);
        await until(async () => !(await isRunning(scene, name)));
        succeeded(await scene.run('select 1', 'rows'));
      }));

    test('runs ten calls at the same time; the eleventh waits', () =>
      databaseScene(address, async (scene) => {
        const start = Date.now();
        await Promise.all(Array.from({ length: 11 }, () => scene.run(sleep(name, 0.4), 'rows')));
        assert.ok(Date.now() - start >= 800);
        await Promise.all(Array.from({ length: 10 }, async () => succeeded(await scene.run('select 1', 'rows'))));
      }));

    test('fails if a server goes silent in the middle of a result', () =>
      between(address, (through, _, stop) =>
        databaseScene(through, async (scene) => {
          succeeded(await scene.run('select 1', 'rows'));
          stop.passing = false;
          const took = await cutOff(scene, 'select 2', () => stop.held > 0);
          assert.ok(took < 20_000, `${took} ms`);
        }),
      ));

    test('fails if a server disappears in the middle of a result, and reconnects when it is back', () =>
      between(address, (through, sockets) =>
        databaseScene(through, (scene) =>
          databaseScene(address, async (direct) => {
            succeeded(await scene.run('select 1', 'rows'));
            const work = scene.run(sleep(name, 27), 'rows');
            await until(() => isRunning(direct, name));
            for (const socket of sockets) socket.destroy();
            const lost = failureOf(await work);
            assert.deepEqual([lost.code, lost.retryable], ['WF654', true], JSON.stringify(lost));
            succeeded(await scene.run('select 1', 'rows'));
            // A connection that broke while idle is not reused.
            for (const socket of sockets) socket.destroy();
            await roundTrip(through);
            succeeded(await scene.run('select 1', 'rows'));
          }),
        ),
      ));

    test('fails if nothing listens', () => {
      const nowhere = new URL(address);
      nowhere.host = '127.0.0.1:1';
      return databaseScene(nowhere.href, async (scene) => {
        const failure = failureOf(await scene.run('select 1'));
        assert.deepEqual([failure.code, failure.cause, failure.retryable], ['WF654', 'connection refused', true]);
      });
    });

    test('fails with a wrong password, and for a missing database', async () => {
      const wrong = new URL(address);
      wrong.username = 'wf_nobody';
      wrong.password = 's3cret';
      await databaseScene(wrong.href, async (scene) => {
        const failure = failureOf(await scene.run('select 1'));
        assert.equal(failure.retryable, false);
        assert.doesNotMatch(JSON.stringify(failure), /s3cret/);
      });
      const missing = new URL(address);
      missing.pathname = '/wf_nowhere';
      await databaseScene(missing.href, async (scene) => assert.match(cause(await scene.run('select 1')), /no such database/));
    });

    test('session settings do not reach the next call', () =>
      databaseScene(address, async (scene) => {
        const set = name === 'MySQL' ? 'set @left = 7' : "set application_name to 'left'";
        const look = name === 'MySQL' ? 'select @left as x' : 'show application_name';
        succeeded(await scene.run(set));
        const found = JSON.stringify(succeeded(await scene.run(look, 'rows')));
        assert.doesNotMatch(found, /left|7/);
      }));
  });
}

const named = process.env.WF_TEST_POSTGRES !== undefined && 'the server that WF_TEST_POSTGRES names has certificates of its own';

describe('encryption', { skip: named || (postgres && skipOf(postgres)) }, () => {
  const tls = path.join(root, 'test/files/tls');
  const authority = `sslrootcert=${tls}/authority.pem`;
  const { port } = new URL(postgres?.address ?? 'x://x');
  const connected = (host: string, options: string, use: (scene: DatabaseScene) => Promise<void>): Promise<void> =>
    databaseScene(`postgres://postgres@${host}:${port}/postgres?${options}`, use);
  const isEncrypted = 'select ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()';

  for (const [host, options, encrypted] of [
    ['127.0.0.1', 'sslmode=disable', false],
    ['127.0.0.1', 'sslmode=prefer', true],
    ['127.0.0.1', 'sslmode=require', true],
    ['127.0.0.1', `sslmode=verify-ca&${authority}`, true],
    ['localhost', `sslmode=verify-full&${authority}`, true],
  ] as const)
    test(`connects to ${host} with ${options.replace(tls, '…')}`, () =>
      connected(host, options, async (scene) =>
        assert.deepEqual(succeeded(await scene.run(isEncrypted, 'rows')), [{ ssl: encrypted, client_dn: null }]),
      ));

  for (const [what, host, options] of [
    ['an unknown authority', 'localhost', `sslmode=verify-ca&sslrootcert=${tls}/other-authority.pem`],
    ['a certificate for another host', '127.0.0.1', `sslmode=verify-full&${authority}`],
    ['a CA file that is missing', 'localhost', 'sslmode=verify-full&sslrootcert=nowhere.pem'],
  ] as const)
    test(`does not retry ${what}`, () =>
      connected(host, options, async (scene) => {
        const { code, retryable, cause } = failureOf(await scene.run('select 1'));
        assert.deepEqual([code, retryable], ['WF654', false], cause);
        assert.match(cause, /certificate|CA file/);
      }));

  test('presents a client certificate, and cancels a statement through an encrypted connection', () =>
    connected(
      'localhost',
      `sslmode=verify-full&${authority}&sslcert=${tls}/client.pem&sslkey=${tls}/client-key.pem`,
      async (scene) => {
        assert.deepEqual(succeeded(await scene.run(isEncrypted, 'rows')), [{ ssl: true, client_dn: '/CN=postgres' }]);
        const sleeping = "select pid from pg_stat_activity where query = 'select pg_sleep(28)' and state = 'active'";
        const isAsleep = async (): Promise<boolean> => JSON.stringify(succeeded(await scene.run(sleeping, 'rows'))) !== '[]';
        await cutOff(scene, sleep('PostgreSQL', 28), isAsleep);
        await until(async () => !(await isAsleep()));
      },
    ));
});

describe('SQLite', () => {
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as c from n';

  test('ends an endless statement, and leaves the file unchanged', () =>
    databaseScene('./a.sqlite', async (scene) => {
      succeeded(await scene.run('create table t (a integer)'));
      assert.ok((await cutOff(scene, endless, after(300))) < 20_000);
      const change = `insert into t with recursive n(i) as (select 1 union all select i + 1 from n) select i from n`;
      assert.ok((await cutOff(scene, change, after(300))) < 20_000);
      assert.equal(succeeded(await scene.table('t', { does: 'count' })), 0);
    }));

  test('other work continues meanwhile', () =>
    databaseScene('./a.sqlite', async (scene) => {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 10);
      await cutOff(scene, endless, after(300));
      clearInterval(timer);
      // A blocked thread ticks once, when it is over.
      assert.ok(ticks >= 3, `${ticks}`);
    }));

  test('the process that holds a file ends with the connections', () =>
    databaseScene('./a.sqlite', async (scene) => {
      succeeded(await scene.run('select 1', 'rows'));
    }));

  test('fails for a missing folder, a file that is not a database, and one that is not writable', async () => {
    await databaseScene('./nowhere/a.sqlite', async ({ run, folder }) => {
      assert.match(cause(await run('select 1')), /^the database file cannot be opened/);
      assert.equal(existsSync(path.join(folder, 'nowhere')), false);
    });
    await databaseScene('./a.sqlite', async ({ run, folder }) => {
      writeFileSync(path.join(folder, 'a.sqlite'), 'no database'.repeat(500));
      assert.equal(cause(await run('select * from t')), 'the file is damaged, or is not an SQLite database');
    });
    await databaseScene('./sub', async ({ run, folder }) => {
      mkdirSync(path.join(folder, 'sub'));
      assert.match(cause(await run('select 1')), /^the database file cannot be opened/);
      chmodSync(path.join(folder, 'sub'), 0o700);
    });
  });

  test('refuses invalid addresses', async () => {
    for (const address of [
      '',
      'http://127.0.0.1/x',
      'mongodb://x/y',
      ':memory:',
      './folder/',
      'postgres://h/d?sslmode=sometimes',
      'a\nb',
    ]) {
      await databaseScene(address, async ({ run }) => assert.equal(failureOf(await run('select 1')).code, 'WF651', address));
    }
  });
});
