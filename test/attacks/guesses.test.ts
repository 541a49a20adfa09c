// Line 63: wrong tokens wait longer each time, on every route; right ones never do, whoever guesses at the same address.
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createWrongTokens, type WrongTokens } from '../../src/access/rate-limit.js';
import { createFakeStore } from '../console/fake-store.js';
import { echo } from '../server/fake-workflow.js';
import { send, startServer } from '../server/test-server.js';

interface Waits {
  readonly wrongTokens: WrongTokens;
  /** How long each wrong token waits, in order. */
  readonly asked: number[];
}

/** Waits that end at once, or only when the server stops. */
function waits(end: 'at once' | 'never', trustProxy = 0): Waits {
  const asked: number[] = [];
  const wrongTokens = createWrongTokens({
    trustProxy,
    after(ms, done) {
      asked.push(ms);
      if (end === 'at once') setImmediate(done);
      return () => undefined;
    },
    now: () => 0,
  });
  return { wrongTokens, asked };
}

const routes = [
  ['POST', '/echo'],
  ['GET', '/'],
  ['GET', '/openapi.json'],
  ['GET', '/runs'],
  ['POST', '/runs/bulk'],
  ['POST', '/messages/x'],
  ['GET', '/tasks'],
  ['GET', '/console'],
] as const;

async function serverWithConsole(t: TestContext, { wrongTokens }: Waits, trustProxy = 0): Promise<string> {
  const { url } = await startServer(t, {
    workflows: [echo()],
    token: 'caller-token',
    operatorToken: 'operator-token',
    store: createFakeStore(),
    console: true,
    wrongTokens,
    trustProxy,
  });
  return url;
}

const as = (token: string, more: Record<string, string> = {}): RequestInit => ({
  headers: { authorization: `Bearer ${token}`, ...more },
});

for (const [method, path] of routes)
  test(`63. A wrong token waits longer each time, and the right one never: ${method} ${path}`, async (t) => {
    const slowed = waits('at once');
    const url = await serverWithConsole(t, slowed);
    for (const guess of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      assert.equal((await fetch(url + path, { method, ...as(guess) })).status, 401);
    assert.deepEqual(slowed.asked, [250, 500, 1000, 2000, 4000, 8000, 8000]);
    for (const token of ['operator-token', 'caller-token']) await fetch(url + path, { method, ...as(token) });
    await fetch(url + path, { method });
    // To the console, callers have a wrong token.
    assert.equal(slowed.asked.length, path === '/console' ? 8 : 7);
  });

test('63. Somebody who guesses locks nobody out at the same address', async (t) => {
  const slowed = waits('never');
  const url = await serverWithConsole(t, slowed);
  const pending = routes.flatMap(([method, path]) =>
    [1, 2, 3].map((index) => fetch(url + path, { method, ...as(`${index}-${path}`) }).then(({ status }) => status)),
  );
  const refused = await Promise.any(pending);
  assert.equal(refused, 429, 'when too many answers wait, further guesses are refused');
  assert.equal((await send(`${url}/openapi.json`, as('caller-token'))).status, 200);
  assert.equal((await send(`${url}/runs`, as('operator-token'))).status, 200);
  assert.equal((await fetch(`${url}/console`, as('operator-token'))).status, 200);
  const form = new URLSearchParams({ token: 'operator-token', to: '/console' });
  assert.equal((await fetch(`${url}/console/sign-in`, { method: 'POST', body: form, redirect: 'manual' })).status, 303);
  slowed.wrongTokens.release();
  assert.deepEqual(new Set(await Promise.all(pending)), new Set([401, 429]));
});

test('63. One wrong token that a program goes on sending is one mistake to others at its address', async (t) => {
  const slowed = waits('at once');
  const url = await serverWithConsole(t, slowed);
  for (let index = 0; index < 4; index++) await send(`${url}/echo`, { method: 'POST', ...as('an-old-token') });
  await send(`${url}/echo`, { method: 'POST', ...as('mistyped') });
  await send(`${url}/echo`, { method: 'POST', ...as('an-old-tokem') });
  assert.deepEqual(slowed.asked, [250, 500, 1000, 2000, 500, 8000]);
});

test('63. Behind a trusted proxy, each client counts for itself', async (t) => {
  for (const trustProxy of [0, 1]) {
    const slowed = waits('at once', trustProxy);
    const url = await serverWithConsole(t, slowed, trustProxy);
    for (const [index, client] of ['192.0.2.1', '192.0.2.2', '192.0.2.1'].entries())
      await send(`${url}/runs`, as(`guess-${index}`, { 'x-forwarded-for': `203.0.113.9, ${client}` }));
    assert.deepEqual(slowed.asked, trustProxy === 1 ? [250, 250, 500] : [250, 500, 1000]);
  }
});

test('63. A server that stops need not wait for them', async (t) => {
  const slowed = waits('never');
  const { url, app } = await startServer(t, { workflows: [echo()], token: 'caller-token', ...slowed });
  const answer = send(`${url}/echo`, { method: 'POST', ...as('wrong') });
  while (slowed.asked.length === 0) await new Promise(setImmediate);
  app.runs.stop();
  assert.equal((await answer).status, 401);
});

test('63. Guesses from very many addresses are bounded, and an IPv6 network is one address', async () => {
  const { wrongTokens } = waits('never');
  const from = (remoteAddress: string): Promise<'slowed' | 'busy'> => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    return wrongTokens.slow(new IncomingMessage(socket), 'x');
  };
  for (let index = 0; index < 20; index++) void from(`2001:db8:1:2::${index}`);
  assert.equal(await from('2001:db8:1:2::ffff'), 'busy');
  for (let index = 0; index < 480; index++) void from(`192.0.${index}.1`);
  assert.equal(await from('198.51.100.1'), 'busy');
});
