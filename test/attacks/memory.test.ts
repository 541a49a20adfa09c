// Line 57: a run that holds more than it may ends with its line; the server and all other runs continue, even with a small heap.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { listen } from '../../src/server/process/http-server.js';
import { testDatabase } from '../durable/test-database.js';
import { type StoreKind, storeKinds } from '../durable/test-store.js';
import { endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { attack, CALL, head, type Server, startServerVictim, startVictim } from './victim.js';

const workflow = (...lines: readonly string[]): string =>
  [
    'config:',
    '    name: "M"',
    '    version: 1',
    '',
    'workflow:',
    '    trigger: t',
    '',
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\n');

const SMALL_HEAP = ['--max-old-space-size=256'];
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The options that name a new store; `undefined` if there is none to be had. */
async function storeWords(t: TestContext, kind: StoreKind | 'no store'): Promise<string[] | undefined> {
  if (kind !== 'PostgreSQL') return kind === 'folder' ? ['--store', 'runs'] : [];
  const database = await testDatabase(true);
  if (database === undefined) return undefined;
  endWithTest(t, () => database.drop());
  return ['--store', database.address];
}

function post(t: TestContext, { port }: Server, request: unknown, path = '/'): Promise<string> {
  const body = JSON.stringify(request);
  const start = head(`Content-Length: ${Buffer.byteLength(body)}`).replace('POST /', `POST ${path}`);
  return attack(t, port, start, body).closed;
}

/** What attackers send, with the line that ends it. */
const hogs: Readonly<Record<string, readonly [line: number, lines: readonly string[], request: unknown]>> = {
  'records of records in an expression': [
    8,
    ['set all to (((record with a x and b y) for each y in request.a) for each x in request.a)', 'complete with n count of all'],
    { a: numbers(9_000) },
  ],
  'a list that grows in a loop': [
    10,
    [
      'set all to []',
      'for each x in request.a:',
      '    for each y in request.a:',
      '        add record with a x and b y to all',
      'complete with n count of all',
    ],
    { a: numbers(9_000) },
  ],
  'long texts in a list': [
    9,
    [
      'set all to []',
      'for each x in request.a:',
      '    set longer to uppercase of "{x} {request.text}"',
      '    add longer to all',
      'complete with n count of all',
    ],
    { a: numbers(9_000), text: 'a'.repeat(100_000) },
  ],
};

for (const [title, [line, lines, request]] of Object.entries(hogs))
  test(`57. Ends a run with ${title}, and serves others`, async (t) => {
    const server = await startServerVictim(t, workflow(...lines), { node: SMALL_HEAP });
    const [ended, other] = await Promise.all([post(t, server, request), post(t, server, { a: numbers(10), text: 'a' })]);
    assert.match(ended, /^HTTP\/1\.1 500 /);
    assert.match(ended, new RegExp(`case.wf, line ${line}: .*values take up more than 76 MB of memory`));
    assert.match(other, /^HTTP\/1\.1 200 /);
    assert.match(await post(t, server, { a: numbers(10), text: 'a' }), /^HTTP\/1\.1 200 /, 'afterwards');
    assert.equal((await server.stop()).code, 0);
  });

const together: Readonly<Record<string, readonly [runs: number, lines: readonly string[]]>> = {
  'double a list': [20, ['set all to request.a', 'repeat at most 24 times:', '    set all to all plus all']],
  'collect records': [
    60,
    ['set all to []', 'repeat at most 90000 times:', '    set r to record with a 1', '    add record with r r and n 1 to all'],
  ],
};

for (const [what, [runs, lines]] of Object.entries(together))
  test(`57. Many runs that ${what} at the same time leave the server alive, with a small heap`, async (t) => {
    const server = await startServerVictim(t, workflow(...lines, 'complete with n count of all'), { node: SMALL_HEAP });
    const answers = await Promise.all(Array.from({ length: runs }, () => post(t, server, { a: numbers(3) })));
    for (const answer of answers)
      assert.match(
        answer,
        /^HTTP\/1\.1 200 |not enough memory for all runs|no memory left for this list|more than 76 MB|more than 10,000,000 items/,
      );
    assert.match(await post(t, server, { a: [] }), /^HTTP\/1\.1 (?:200|500) /, 'afterwards');
    assert.equal((await server.stop()).code, 0);
  });

test('57. Does not end a run that makes a lot of garbage, nor one that may hold more', async (t) => {
  const garbage = [
    'set total to 0',
    'for each x in request.a:',
    '    set made to (record with a x and b y) for each y in request.a',
    '    set total to total plus count of made',
    'complete with n total',
  ];
  const server = await startServerVictim(t, workflow(...garbage), { node: SMALL_HEAP });
  assert.match(await post(t, server, { a: numbers(3_000) }), /^HTTP\/1\.1 200 [\s\S]*9000000/);
  const held = [
    'set all to (((record with a x and b y) for each y in request.a) for each x in request.a)',
    'complete with n count of all',
  ];
  const larger = await startServerVictim(t, workflow(...held), { words: ['--max-run-memory', '2gb'] });
  assert.match(await post(t, larger, { a: numbers(2_000) }), /^HTTP\/1\.1 200 [\s\S]*2000/);
});

for (const kind of ['no store', ...storeKinds] as const)
  test(`57. Clients that do not read their long answers leave room for others, and for a stop, with a small heap (${kind})`, async (t) => {
    const words = await storeWords(t, kind);
    if (words === undefined) return t.skip('There is no PostgreSQL here.');
    const lines = ['set all to request.text for each x in request.a', 'complete with all all'];
    const server = await startServerVictim(t, workflow(...lines), { node: SMALL_HEAP, words });
    const body = JSON.stringify({ a: numbers(80), text: 'x'.repeat(100_000) });
    const start = head(`Content-Length: ${body.length}`);
    for (let index = 0; index < 40; index++) attack(t, server.port, start, body).socket.pause();
    assert.match(await post(t, server, { a: [1], text: 'a' }), /^HTTP\/1\.1 200 /);
    assert.match(await post(t, server, { a: [1], text: 'a' }), /^HTTP\/1\.1 200 /);
    // Runs that end while it stops have their outcomes in memory as well.
    assert.equal((await server.stop()).code, 0);
  });

/** Outcomes of 20 MB. */
const longOutcomes: Readonly<Record<string, readonly [line: string, request: unknown]>> = {
  'few long texts': ['set all to request.text for each x in request.a', { a: numbers(200), text: 'x'.repeat(100_000) }],
  // Written in turns, so many runs begin to write before the first has ended.
  'many short texts': ['set all to "{x} {request.text}" for each x in request.a', { a: numbers(50_000), text: 'x'.repeat(400) }],
};

for (const kind of ['no store', ...storeKinds] as const)
  for (const [what, [line, request]] of Object.entries(longOutcomes))
    test(`51, 57. Runs whose outcomes are ${what} leave the server alive, with a small heap (${kind})`, async (t) => {
      const words = await storeWords(t, kind);
      if (words === undefined) return t.skip('There is no PostgreSQL here.');
      const server = await startServerVictim(t, workflow(line, 'complete with all all'), { node: SMALL_HEAP, words });
      const body = JSON.stringify(request);
      const clients = Array.from({ length: 16 }, () => attack(t, server.port, head(`Content-Length: ${body.length}`), body));
      // Half of them read nothing.
      const reading = clients.slice(6);
      for (const { socket } of clients.slice(0, 6)) socket.pause();
      const answers = await Promise.all(reading.map(({ closed }) => closed));
      for (const answer of answers) {
        // A disk that is busy with all of them may not take the next one in time.
        assert.match(
          answer.slice(0, 2000),
          /^HTTP\/1\.1 200 |not enough memory for all runs|store cannot be written at the moment/,
        );
        if (answer.startsWith('HTTP/1.1 200')) assert.ok(answer.length > 20_000_000);
      }
      assert.match(answers.map((answer) => answer.slice(9, 12)).join(), /200/);
      assert.match(await post(t, server, { a: [1], text: 'a' }), /^HTTP\/1\.1 200 /);
      for (const { socket } of clients) socket.destroy();
      const { code, peak } = await server.stop();
      assert.equal(code, 0);
      assert.ok(peak < 800, `${peak} MB`);
    });

/** A service that answers when the test does. */
async function startSilentService(t: TestContext): Promise<{ readonly waiting: ServerResponse[]; readonly API: string }> {
  const waiting: ServerResponse[] = [];
  const service = createServer((_request, response) => void waiting.push(response));
  const API = `http://127.0.0.1:${await listen(service, 0, '127.0.0.1')}`;
  t.after(() => {
    service.closeAllConnections();
    service.close();
  });
  return { waiting, API };
}

test('57. Requests whose runs wait for a slow service leave room for others, with a small heap', async (t) => {
  const { waiting, API } = await startSilentService(t);
  const server = await startServerVictim(t, CALL, { node: SMALL_HEAP, env: { API } });
  const body = JSON.stringify({ a: Array.from({ length: 300_000 }, () => ({})) });
  const clients = Array.from({ length: 30 }, () => attack(t, server.port, head(`Content-Length: ${body.length}`), body).closed);
  const first = await Promise.race(clients);
  assert.match(first, /^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*Too many large requests are in progress/);
  const small = post(t, server, { a: 1 });
  let refused = 0;
  for (const client of clients) void client.then((text) => text.startsWith('HTTP/1.1 503') && refused++);
  await until(() => waiting.length + refused === clients.length + 1);
  for (const response of waiting) response.end('7');
  assert.match(await small, /^HTTP\/1\.1 200 /);
  const statuses = (await Promise.all(clients)).map((text) => text.slice(9, 12));
  assert.ok(statuses.includes('200'), statuses.join());
  assert.deepEqual(
    statuses.filter((status) => status !== '200' && status !== '503'),
    [],
  );
  assert.equal((await server.stop()).code, 0);
});

test('57. Runs whose callers did not wait for them count for as long as they are in memory', async (t) => {
  const { waiting, API } = await startSilentService(t);
  const server = await startServerVictim(t, CALL, { node: SMALL_HEAP, env: { API }, words: ['--store', 'runs'] });
  const body = JSON.stringify({ a: Array.from({ length: 300_000 }, () => ({})) });
  const start = head(`Content-Length: ${body.length}`, 'Prefer: respond-async');
  const send = async (): Promise<string> => (await attack(t, server.port, start, body).closed).slice(9, 12);
  const statuses: string[] = [];
  while (statuses.length < 30 && !statuses.includes('503')) statuses.push(await send());
  assert.equal(statuses.pop(), '503');
  assert.deepEqual([...new Set(statuses)], ['202']);
  await until(() => waiting.length === statuses.length);
  for (const response of waiting) response.end('7');
  // Their runs end, one after another, and there is room again.
  await until(async () => (await send()) === '202');
});

test('57. wf run and wf schedule limit the memory of runs, too', async (t) => {
  const [line, lines, request] = hogs['a list that grows in a loop'] ?? assert.fail();
  const last = {
    schema: 'wf-schedule-state/1',
    file: 'case.wf',
    cron: '0 * * * *',
    timezone: 'UTC',
    seen: '2026-01-01T00:00:00Z',
  };
  const files = { 'case.wf': workflow(...lines), 'in.json': JSON.stringify(request), 'state.json': JSON.stringify(last) };
  const schedule = ['schedule', '--every', 'hour', '--timezone', 'UTC', '--state', 'state.json', '--catch-up', '--once'];
  for (const [command = '', ...options] of [['run'], schedule]) {
    const words = [command, 'case.wf', ...options, '--input-file', 'in.json', '--max-run-memory', '32mb'];
    const { code, stdout, stderr } = await startVictim(t, words, { files, node: SMALL_HEAP }).ended;
    assert.equal(code, 1, stdout);
    assert.match(stdout + stderr, /The run was stopped: its values take up more than 32 MB of memory/);
    assert.match(stdout + stderr, new RegExp(`case\\.wf.*(?:line |:)${line}\\b`));
  }
});
