// Line 57: a run that holds more than it may ends with its line; the server and all other runs continue, even with a small heap.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { attack, head, type Server, startServerVictim } from './victim.js';

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

test('57. Clients that do not read their long answers leave room for others, with a small heap', async (t) => {
  const lines = ['set all to request.text for each x in request.a', 'complete with all all'];
  const server = await startServerVictim(t, workflow(...lines), { node: SMALL_HEAP });
  const body = JSON.stringify({ a: numbers(80), text: 'x'.repeat(100_000) });
  const start = head(`Content-Length: ${body.length}`);
  for (let index = 0; index < 40; index++) attack(t, server.port, start, body).socket.pause();
  assert.match(await post(t, server, { a: [1], text: 'a' }), /^HTTP\/1\.1 200 /);
  assert.match(await post(t, server, { a: [1], text: 'a' }), /^HTTP\/1\.1 200 /);
  assert.equal((await server.stop()).code, 0);
});
