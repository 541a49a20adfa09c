// Line 62: a page that someone visits starts nothing, and delivers nothing, on a server of their machine that has no token.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { attack, ECHO, type Server, startServerVictim, type VictimOptions } from './victim.js';

const head = (path: string, type: string, ...more: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, ...more, `Content-Type: ${type}`, 'Connection: close', 'Content-Length: 7', '', ''].join('\r\n');

const WAITS = `${ECHO.slice(0, ECHO.indexOf('complete'))}wait for approval with a request.a at most 1 hour
        if nothing comes:
            reject with "late"
    complete
`;

/** What a page can make a browser send without being asked, each as the lines of a request. */
const foreign: readonly (readonly [title: string, type: string, ...lines: string[]])[] = [
  ['of another site', 'application/json', 'Host: localhost:3000', 'Origin: https://evil.example'],
  ['in a sandbox', 'application/json', 'Host: localhost:3000', 'Origin: null'],
  ['of another port', 'application/json', 'Host: localhost:3000', 'Origin: http://localhost:1'],
  ['across sites', 'application/json', 'Host: localhost:3000', 'Sec-Fetch-Site: cross-site'],
  ['of another port, without an origin', 'application/json', 'Host: localhost:3000', 'Sec-Fetch-Site: same-site'],
  ['of a site whose name leads here', 'application/json', 'Host: evil.example:3000', 'Origin: http://evil.example:3000'],
  ['of such a site in an old browser', 'application/json', 'Host: evil.example'],
  ['with a name that only looks like this machine', 'application/json', 'Host: localhost.evil.example:3000'],
  ['as text', 'text/plain', 'Host: localhost:3000'],
  ['as a form with files', 'multipart/form-data; boundary=x', 'Host: localhost:3000'],
  ['as a form', 'application/x-www-form-urlencoded', 'Host: localhost:3000', 'Origin: https://evil.example'],
];

const start = (t: TestContext, words: readonly string[], options: VictimOptions = {}, file = ECHO): Promise<Server> =>
  startServerVictim(t, file, { words, ...options });

async function statusOf(
  t: TestContext,
  { port }: Server,
  ...[path, type, ...lines]: [string, string, ...string[]]
): Promise<number> {
  const answer = await attack(t, port, head(path, type, ...lines), '{"a":1}').closed;
  return Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
}

test('62. Pages of other sites start nothing on a server without a token', async (t) => {
  const server = await start(t, []);
  for (const [title, ...lines] of foreign) assert.equal(await statusOf(t, server, '/', ...lines), 403, title);
  for (const lines of [
    ['Host: localhost:3000'],
    ['Host: 127.0.0.1:3000', 'Origin: http://127.0.0.1:3000', 'Sec-Fetch-Site: same-origin'],
    ['Host: [::1]:3000', 'Sec-Fetch-Site: none'],
  ])
    assert.equal(await statusOf(t, server, '/', 'application/json', ...lines), 200, lines.join(', '));
  assert.equal(await statusOf(t, server, '/', 'application/x-www-form-urlencoded', 'Host: localhost:3000'), 200, 'curl -d');
});

test('62. They deliver no message either', async (t) => {
  const server = await start(t, ['--store', 'runs'], {}, WAITS);
  for (const [title, ...lines] of foreign) assert.equal(await statusOf(t, server, '/messages/approval', ...lines), 403, title);
  assert.equal(await statusOf(t, server, '/messages/approval', 'application/json', 'Host: localhost:3000'), 202);
});

for (const words of [
  ['--allow-origin', 'https://other.example,https://evil.example'],
  ['--allow-origin', '*'],
  ['--cors-origin', 'https://evil.example'],
  ['--cors'],
  ['--public-url', 'https://evil.example'],
  ['--auth-token', 'the-token'],
])
  test(`62. Those of an origin that is allowed do, as with a token: ${words.join(' ')}`, async (t) => {
    const server = await start(t, words);
    const page = ['Origin: https://evil.example', 'Authorization: Bearer the-token'];
    for (const host of ['Host: localhost:3000', 'Host: evil.example'])
      assert.equal(await statusOf(t, server, '/', 'application/json', host, ...page), 200, host);
    if (words.includes('*') || words.includes('--cors') || words.includes('--auth-token')) return;
    assert.equal(await statusOf(t, server, '/', 'application/json', 'Host: localhost', 'Origin: https://third.example'), 403);
  });

test('62. Behind a proxy, which sends any host, pages of other sites start nothing', async (t) => {
  const server = await start(t, ['--trust-proxy', '1']);
  assert.equal(await statusOf(t, server, '/', 'application/json', 'Host: wf'), 200);
  assert.equal(await statusOf(t, server, '/', 'application/json', 'Host: wf', 'Origin: https://evil.example'), 403);
});
