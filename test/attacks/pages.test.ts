// Line 62: a page that somebody visits starts nothing on a server of their machine that has no token.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack, ECHO, head, startServerVictim } from './victim.js';

const foreign = ['Origin: https://evil.example', 'Origin: null', 'Sec-Fetch-Site: cross-site', 'Origin: http://localhost:1'];

test('62: pages of other sites start nothing on a server without a token', async (t) => {
  const server = await startServerVictim(t, ECHO, {});
  const post = (...more: readonly string[]): Promise<string> =>
    attack(t, server.port, head(...more, 'Content-Length: 7'), '{"a":1}').closed;
  for (const header of foreign) assert.match(await post(header), /^HTTP\/1\.1 403 [\s\S]*pages of other sites/, header);
  for (const header of ['Origin: http://x', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: none'])
    assert.match(await post(header), /^HTTP\/1\.1 200 /, header);
  assert.equal((await server.stop()).code, 0);
});

test('62: those of an origin that is allowed, and with a token, do', async (t) => {
  for (const words of [['--cors-origin', 'https://evil.example'], ['--cors'], ['--auth-token', 'the-token']]) {
    const server = await startServerVictim(t, ECHO, { words });
    const sent = head('Origin: https://evil.example', 'Authorization: Bearer the-token', 'Content-Length: 7');
    assert.match(await attack(t, server.port, sent, '{"a":1}').closed, /^HTTP\/1\.1 200 /, words.join(' '));
    await server.stop();
  }
});
