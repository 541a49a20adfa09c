// Bodies built to cost more than they appear to: in a million pieces, without an end, or never completed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack, ECHO, head, startServerVictim } from './victim.js';

/** Baseline of the process, plus what a garbage collector may leave uncollected. */
const atRest = 110;

test('40. Bodies in one-byte pieces take no more memory than others', async (t) => {
  const server = await startServerVictim(t, ECHO, { node: ['--max-old-space-size=64'] });
  const clients = Array.from({ length: 6 }, () =>
    attack(t, server.port, head('Transfer-Encoding: chunked'), '1\r\n \r\n'.repeat(250_000), '9\r\n{"a":"b"}\r\n0\r\n\r\n'),
  );
  for (const text of await Promise.all(clients.map(({ closed }) => closed))) {
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\{"status":"completed","outputs":\{"got":"b"\}\}$/);
  }
  const { peak, code } = await server.stop();
  assert.equal(code, 0);
  assert.ok(peak < atRest + 6 * 4, `${peak} MB`);
});

test('40. Drains refused bodies in turns, and cuts off endless ones', async (t) => {
  const server = await startServerVictim(t, ECHO, { words: ['--max-body', '1kb'] });
  const endless = attack(t, server.port, head('Transfer-Encoding: chunked'), '1\r\n \r\n'.repeat(1_000_000));
  assert.match(await endless.closed, /^HTTP\/1\.1 413 /);
  assert.ok((await server.stop()).peak < atRest);
});

test('20. Says why it refuses a long body to a client that closes the connection', async (t) => {
  const server = await startServerVictim(t, ECHO, { words: ['--auth-token', 'the-token'] });
  const body = Buffer.alloc(16 * 1024 * 1024, ' ');
  for (const [more, status] of [
    ['Authorization: Bearer the-token', 413],
    ['X-None: x', 401],
  ] as const) {
    const { closed } = attack(t, server.port, head(more, `Content-Length: ${body.length}`), body);
    assert.match(await closed, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"error":"`));
  }
  assert.equal((await server.stop()).code, 0);
});

test('51. Limits the total of unfinished bodies, but always accepts small ones', async (t) => {
  const server = await startServerVictim(t, ECHO, {});
  const half = Buffer.alloc(1024 * 1024 - 10, ' ');
  const clients = Array.from({ length: 160 }, () => attack(t, server.port, head('Content-Length: 1048576'), half));
  // There is no room for the last ones.
  const refused = await Promise.race(clients.map(({ closed }) => closed));
  assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*Too many large bodies/);
  assert.match(await attack(t, server.port, head('Content-Length: 7'), '{"a":1}').closed, /"got":1/);
  for (const { socket } of clients) socket.destroy();
  // The room is available again.
  const whole = Buffer.concat([half.subarray(0, 1_000_000), Buffer.from('{"a":2}')]);
  let answer = '';
  while (!answer.startsWith('HTTP/1.1 200'))
    answer = await attack(t, server.port, head(`Content-Length: ${whole.length}`), whole).closed;
  assert.match(answer, /"got":2/);
  const { peak } = await server.stop();
  assert.ok(peak < atRest + 2 * 64, `${peak} MB`);
});

test('48. Refuses more headers than Node keeps, and sees all of fewer', async (t) => {
  const server = await startServerVictim(t, ECHO, { words: ['--auth-token', 'the-token'] });
  const many = (count: number, ...last: readonly string[]): string =>
    head('Authorization: Bearer the-token', ...Array.from({ length: count }, () => 'a:'), ...last, 'Content-Length: 7');
  assert.match(await attack(t, server.port, many(2_100), '{"a":1}').closed, /^HTTP\/1\.1 431 [\s\S]*"The headers are too large/);
  assert.match(await attack(t, server.port, many(1_900), '{"a":1}').closed, /^HTTP\/1\.1 200 [\s\S]*"got":1/);
  // A second one after 1,990 others.
  assert.match(
    await attack(t, server.port, many(1_990, 'Authorization: Bearer other'), '{"a":1}').closed,
    /^HTTP\/1\.1 4(?:01|31) /,
  );
});

test('53. Refuses targets that are not paths', async (t) => {
  const server = await startServerVictim(t, ECHO, {});
  for (const [target, status] of [
    ['/', 200],
    ['/?x#y', 400],
    ['/#x', 400],
    ['ftp://x/', 400],
    ['ws://x/', 400],
    ['http://x/', 200],
    ['HTTP://x/', 200],
    ['http://x/#y', 400],
    ['*', 400],
  ] as const) {
    const text = await attack(t, server.port, head('Content-Length: 7').replace('POST /', `POST ${target}`), '{"a":1}').closed;
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), target);
  }
});
