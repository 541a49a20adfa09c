// The limits of a server: on the requests of one sender, and on runs at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter, senderAddress } from '../../src/access/rate-limit.js';
import { RunsInLine } from '../../src/server/workflows/runs.js';
import { echo } from './fake-workflow.js';
import { post, send, startServer } from './test-server.js';

const request = (remoteAddress: string, forwarded?: string): never =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as never;

for (const direct of [true, false]) {
  test(`refuses requests beyond the limit, and says when to come back (${direct ? 'direct path' : 'Express'})`, async (t) => {
    const { url } = await startServer(t, { workflows: [echo()], direct, rateLimit: { requests: 2, windowMs: 60_000 } });
    const answers = [];
    for (let sent = 0; sent < 3; sent++) answers.push(await post(`${url}/echo`, {}, { authorization: `Bearer ${sent}` }));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('ratelimit')?.replace(/\d+$/, '…')]),
      [
        [200, '"default";r=1;t=…'],
        [200, '"default";r=0;t=…'],
        [429, '"default";r=0;t=…'],
      ],
    );
    const { headers, json } = answers[2] ?? assert.fail();
    assert.equal(headers.get('ratelimit-policy'), '"default";q=2;w=60');
    const wait = Number(headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60);
    assert.deepEqual(Object.keys(json as object), ['error', 'hint']);
    assert.equal((await send(`${url}/nothing`)).status, 429);
    for (const path of ['/health', '/health/live', '/health/ready']) assert.equal((await send(`${url}${path}`)).status, 200);
  });
}

test('requests with a token count by token, and those with a wrong one by address', async (t) => {
  const rateLimit = { requests: 1, windowMs: 60_000 };
  const { url } = await startServer(t, { workflows: [echo()], token: 'right', operatorToken: 'operator', rateLimit });
  const statusWith = async (token: string): Promise<number> =>
    (await post(`${url}/echo`, {}, { authorization: `Bearer ${token}` })).status;
  assert.deepEqual([await statusWith('wrong'), await statusWith('guess')], [401, 429]);
  assert.deepEqual([await statusWith('right'), await statusWith('operator'), await statusWith('right')], [200, 200, 429]);
});

test('a new window begins with the first request after the last one', () => {
  let time = 0;
  const limit = { requests: 1, windowMs: 10_000 };
  const count = createRateLimiter({ limit, trustProxy: 0, roles: { tokenOf: () => undefined }, now: () => time });
  assert.deepEqual(count(request('10.0.0.1')), { allowed: true, left: 0, resetSeconds: 10 });
  time = 9_500;
  assert.deepEqual(count(request('10.0.0.1')), { allowed: false, left: 0, resetSeconds: 1 });
  assert.equal(count(request('10.0.0.2')).allowed, true);
  time = 10_000;
  assert.equal(count(request('10.0.0.1')).allowed, true);
  assert.equal(count(request('10.0.0.2')).allowed, false);
});

test('only what trusted proxies wrote into X-Forwarded-For counts', () => {
  const addresses = (trustProxy: number, remote: string, forwarded?: string): string =>
    senderAddress(request(remote, forwarded), trustProxy);
  assert.equal(addresses(0, '::ffff:10.0.0.9', '1.2.3.4'), '10.0.0.9');
  assert.equal(addresses(1, '10.0.0.9', '9.9.9.9, 1.2.3.4'), '1.2.3.4');
  assert.equal(addresses(2, '10.0.0.9', '9.9.9.9, 1.2.3.4,10.0.0.8'), '1.2.3.4');
  assert.equal(addresses(1, '10.0.0.9'), '10.0.0.9');
  assert.equal(addresses(1, '10.0.0.9', 'unknown'), '10.0.0.9');
  assert.equal(addresses(1, '10.0.0.9', '2001:db8:0:1::5'), addresses(1, '10.0.0.9', '2001:0db8::1:9:9:9:9'));
  assert.notEqual(addresses(1, '10.0.0.9', '2001:db8:0:1::5'), addresses(1, '10.0.0.9', '2001:db8:0:2::5'));
});

// `runs at once:`: with a store, requests wait in line, in order; without one, they are refused.

test('further runs get their turn in order, and each workflow has its own line', async () => {
  const line = new RunsInLine(true);
  const begun: number[] = [];
  const enter = (n: number): Promise<void> => {
    const turn = line.enter('order', 2);
    assert.notEqual(turn, 'full');
    return Promise.resolve(turn === 'full' ? undefined : turn).then(() => void begun.push(n));
  };
  const all = [1, 2, 3, 4].map(enter);
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(begun, [1, 2]);
  assert.equal(line.enter('other', 1), undefined);
  line.leave('order');
  await all[2];
  assert.deepEqual(begun, [1, 2, 3]);
  line.leave('order');
  await all[3];
  line.leave('order');
  // One has left without a successor.
  assert.equal(line.enter('order', 2), undefined);
  assert.notEqual(line.enter('order', 2), undefined);
});

test('runs that continue without a request count, and never wait', async () => {
  const line = new RunsInLine(true);
  const ends: (() => void)[] = [];
  for (let n = 0; n < 2; n++) line.continues('order', new Promise<void>((resolve) => ends.push(resolve)));
  let hasTurn = false;
  const turn = line.enter('order', 1);
  assert.ok(turn instanceof Promise);
  const begun = turn.then(() => {
    hasTurn = true;
  });
  ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasTurn, false);
  ends[1]?.();
  await begun;
  assert.ok(line.enter('order', 1) instanceof Promise);
});

test('without a store, and beyond a thousand, there is no line', () => {
  const none = new RunsInLine(false);
  assert.deepEqual([none.enter('order', 1), none.enter('order', 1)], [undefined, 'full']);
  none.leave('order');
  assert.equal(none.enter('order', 1), undefined);
  const long = new RunsInLine(true);
  assert.equal(long.enter('order', 1), undefined);
  for (let n = 0; n < 1_000; n++) assert.ok(long.enter('order', 1) instanceof Promise);
  assert.equal(long.enter('order', 1), 'full');
});
