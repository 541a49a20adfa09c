// The address of a PostgreSQL store: where it leads is what is shown, and the encryption that it asks for has the same words, with the same
// meaning, as for a database service.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import path from 'node:path';
import { before, test } from 'node:test';
import { openStore, shownStore } from '../../src/durable/open-store.js';
import { readAddress } from '../../src/durable/store/postgres/postgres-database.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { type OwnPostgres, ownPostgres } from '../connectors/embedded-postgres.js';
import { root } from '../root.js';
import { databaseOn } from './test-database.js';

const tls = path.join(root, 'test/files/tls');
const authority = 'sslrootcert=authority.pem';
const clients =
  'SELECT count(*)::int AS clients FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE datname = $1 AND ssl = $2';

let postgres: OwnPostgres | undefined;
before(async () => {
  postgres = await ownPostgres();
});

const storeAt = (host: string, name: string, options: string): string =>
  `postgres://postgres@${host}:${new URL(postgres?.address ?? 'x://x').port}/${name}?${options}`;

for (const [host, options, env, encrypted] of [
  ['127.0.0.1', '', {}, false],
  ['127.0.0.1', 'sslmode=disable', { PGSSLMODE: 'require' }, false],
  ['127.0.0.1', '', { PGSSLMODE: 'require' }, true],
  ['127.0.0.1', 'sslmode=prefer', {}, true],
  ['127.0.0.1', 'sslmode=require', {}, true],
  ['127.0.0.1', `sslmode=verify-ca&${authority}`, {}, true],
  ['localhost', `sslmode=verify-full&${authority}`, {}, true],
  ['localhost', `sslmode=verify-full&${authority}&sslcert=client.pem&sslkey=client-key.pem`, {}, true],
] as const)
  test(`A store at ${host} with "${options}" ${encrypted ? 'encrypts every connection' : 'encrypts none'}`, async (t) => {
    if (postgres === undefined) return t.skip('no server of its own can be started');
    const { address, drop } = await databaseOn(postgres.address);
    t.after(drop);
    const name = new URL(address).pathname.slice(1);
    const { Client } = await import('pg');
    const engine = await openStore(storeAt(host, name, options), { env, cwd: tls });
    try {
      // With its tables, its lease and the executor of its runs.
      await engine.serve();
      const client = new Client({ connectionString: postgres.address });
      await client.connect();
      const countOf = async (isEncrypted: boolean): Promise<unknown> =>
        (await client.query(clients, [name, isEncrypted])).rows[0].clients;
      const [wanted, others] = [await countOf(encrypted), await countOf(!encrypted)];
      await client.end();
      assert.ok(Number(wanted) >= 2, `${wanted}`);
      assert.equal(others, 0);
    } finally {
      await engine.close(0);
    }
  });

const refusalOf = async (address: string): Promise<string> => {
  const error: unknown = await openStore(address, { env: {}, cwd: tls }).catch((thrown) => thrown);
  assert.ok(error instanceof UsageError, String(error));
  return `${error.message} ${error.hint}`;
};

test('Each refusal of an encrypted store is a sentence of wf', async (t) => {
  if (postgres === undefined) return t.skip('no server of its own can be started');
  for (const [host, options, words] of [
    ['localhost', 'sslmode=verify-ca&sslrootcert=other-authority.pem', /cannot be opened: its certificate is not trusted/],
    ['127.0.0.1', `sslmode=verify-full&${authority}`, /cannot be opened: its certificate is not trusted/],
    ['localhost', 'sslmode=require&sslrootcert=other-authority.pem', /cannot be opened: its certificate is not trusted/],
    [
      'localhost',
      'sslmode=verify-full&sslrootcert=nowhere.pem',
      /the CA file named in its address cannot be read: it does not exist/,
    ],
    ['localhost', 'sslmode=sometimes', /names an unknown kind of encryption \(sslmode\)\. Use sslmode=disable/],
  ] as const) {
    const said = await refusalOf(storeAt(host, 'postgres', options));
    assert.match(said, words);
    assert.match(said, /sslmode/);
  }
});

test('An address leads where it is shown to lead, and nothing else of it is shown', () => {
  const at = (where: string, env = {}): readonly string[] => {
    const { url, shown } = readAddress(where, env, '/');
    return [shown, shownStore(where), decodeURIComponent(url)];
  };
  const env = { PGHOST: '/run/pg', PGPORT: '5433', PGUSER: 'ada', PGPASSWORD: 'p@/' };
  assert.deepEqual(
    [
      at('postgres://a:b@one:1/d?host=two&port=2&user=u&password=p%40w&application_name=x'),
      at('postgres://a:p@w@one/d'),
      at('postgres://a@one/d?host=%3A%3A1'),
      at('postgres://a@one/d?host=/run/pg'),
      at('postgres:///d', env),
    ],
    [
      ['postgres://u@two:2/d', 'postgres://u@two:2/d', 'postgres://u:p@w@two:2/d?application_name=x'],
      ['postgres://a@one:5432/d', 'postgres://a@one/d', 'postgres://a:p@w@one:5432/d'],
      ['postgres://a@[::1]:5432/d', 'postgres://a@[::1]/d', 'postgres://a@[::1]:5432/d'],
      ['postgres://a@%2Frun%2Fpg:5432/d', 'postgres://a@%2Frun%2Fpg/d', 'postgres://a@/run/pg:5432/d'],
      ['postgres://ada@%2Frun%2Fpg:5433/d', 'postgres:///d', 'postgres://ada:p@/@/run/pg:5433/d'],
    ],
  );
  for (const wrong of [
    'postgres://a@one/%ff',
    'postgres://a:%ff@one/d',
    'postgres://a@one/d?port=x',
    'postgres://a@one/d?port=99999',
  ])
    assert.throws(() => readAddress(wrong, {}, '/'), /The address of the store is not a valid postgres:\/\/ address/, wrong);
});

test('A server without encryption is refused unless the address leaves it open', async (t) => {
  // Answers "no" to the question of the protocol, and then as a server that is starting.
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      if (data.length === 8) socket.write('N');
      else socket.end(starting);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : '';
  const at = (mode: string): string => `postgres://u:secret@127.0.0.1:${port}/d?sslmode=${mode}`;
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.match(await refusalOf(at(mode)), /its address requires encryption, which the database does not offer\. Check sslmode/);
  assert.match(await refusalOf(at('prefer')), /cannot be opened: the database is restarting/);
});

test('What is no PostgreSQL, and a socket that nobody has opened, are named in words of wf', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : '';
  assert.match(
    await refusalOf(`postgres://u@127.0.0.1:${port}/d?sslmode=require`),
    /what answers there is not PostgreSQL\. Check/,
  );
  // A server that restarts removes its socket for a moment.
  const refused = await openStore('postgres://u@%2Fnowhere/d', { env: {}, cwd: tls }).catch((thrown) => thrown);
  assert.ok(refused instanceof UsageError && refused.mayPass);
  assert.match(refused.message, /nothing answers there/);
});

const fields = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';
const starting = Buffer.concat([Buffer.from('E'), Buffer.from([0, 0, 0, fields.length + 4]), Buffer.from(fields)]);
