import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs, retryableStatus, waitBefore } from '../../runtime/services/http-status.js';
import type { LogEntry } from '../../runtime/types.js';
import { until } from '../until.js';
import { api, callOnce, entriesOf, scene } from './stub.js';

const twice = { times: 2, waitMs: 0 };

test('waits: constant, or doubled up to five minutes; Retry-After can only lengthen them, up to five minutes', () => {
  const waits = [1, 2, 3, 4].map((attempt) => waitBefore({ times: 9, waitMs: 60_000, doubling: true }, attempt, undefined));
  assert.deepEqual(waits, [60_000, 120_000, 240_000, 300_000]);
  assert.equal(waitBefore({ times: 1, waitMs: 5_000 }, 3, undefined), 5_000);
  assert.equal(waitBefore({ times: 1, waitMs: 5_000 }, 1, 2_000), 5_000);
  assert.equal(waitBefore({ times: 1, waitMs: 5_000 }, 1, 7_000), 7_000);
  assert.equal(waitBefore({ times: 1, waitMs: 5_000 }, 1, 3_600_000), 300_000);
  assert.equal(waitBefore({ times: 1, waitMs: 600_000 }, 1, undefined), 600_000);
});

test('Retry-After: seconds or a date, nothing else', () => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  assert.equal(retryAfterMs('120', now), 120_000);
  assert.equal(retryAfterMs('Sun, 01 Mar 2026 10:00:30 GMT', now), 30_000);
  assert.equal(retryAfterMs('Sun, 01 Mar 2026 09:00:00 GMT', now), 0);
  for (const other of [undefined, '', 'soon', '-5', '1.5', '1e3']) assert.equal(retryAfterMs(other, now), undefined);
});

test('decides which statuses are retried', () => {
  const worth = Array.from({ length: 500 }, (_, index) => index + 100).filter(retryableStatus);
  assert.deepEqual(worth.slice(0, 4), [408, 425, 429, 500]);
  assert.equal(worth.length, 103);
});

for (const status of [400, 401, 404, 409, 422]) {
  test(`sends ${status} once`, () =>
    scene({ 'POST /v1': { status } }, async ({ call, stub }) => {
      await call(api, { request: { verb: 'charge', retry: twice } });
      assert.equal(stub.seen.length, 1);
    }));
}

test('retries 5xx and a broken connection with the same key; each call has its own key', () =>
  scene({ 'POST /v1': [{ status: 500 }, { raw: (socket) => socket.destroy() }, { json: { id: 9 } }] }, async ({ call, stub }) => {
    const outcome = await call(api, { request: { verb: 'charge', retry: twice } });
    assert.deepEqual(outcome.outputs?.value, { id: 9 });
    await call(api, { request: { verb: 'charge' } });
    const keys = stub.seen.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 4);
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.equal(new Set(keys).size, 2);
  }));

test('retries a time-out', async () => {
  let attempt = 0;
  const transport = () =>
    attempt++ === 0 ? new Promise<never>(() => undefined) : Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });
  const outcome = await callOnce({ ...api, url: ['http://a.example'], timeoutMs: 150 }, { transport, request: { retry: twice } });
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(
    entriesOf(outcome, 'call').map(({ error, status }) => error ?? status),
    ['no answer within 0.15 seconds', 200],
  );
});

test('waits for Retry-After', () =>
  scene({ 'GET /v1': [{ status: 429, headers: { 'retry-after': '1' } }, { json: 1 }] }, async ({ call }) => {
    const start = performance.now();
    const outcome = await call(api, { request: { retry: twice } });
    assert.equal(outcome.status, 'completed');
    assert.deepEqual(
      entriesOf(outcome, 'retry').map(({ waitMs }) => waitMs),
      [1_000],
    );
    assert.ok(performance.now() - start >= 990);
  }));

test('counts and reports the attempts if all are used up', () =>
  scene({ 'GET /v1': { status: 500 } }, async ({ call }) => {
    const outcome = await call(api, { request: { retry: twice, handled: true } });
    const failure = outcome.outputs?.failure as Record<string, unknown>;
    assert.equal(failure.attempts, 3);
    assert.match(String(failure.message), /failed after 3 attempts/);
  }));

test('can be cancelled while it waits for a retry, and while it waits for an answer', () =>
  scene({ 'GET /v1': { status: 500 }, 'GET /v1/hang': { raw: () => undefined } }, async ({ call, stub }) => {
    for (const request of [{ retry: { times: 5, waitMs: 60_000 } }, { path: ['/hang'] }]) {
      const stop = new AbortController();
      let retries = 0;
      const running = call(api, { request, signal: stop.signal, onLog: ({ type }) => void (type === 'retry' && retries++) });
      await until(() => ('path' in request ? stub.seen.at(-1)?.url === '/v1/hang' : retries === 1));
      stop.abort(new Error('shutting down'));
      const outcome = await running;
      assert.equal(outcome.status, 'error');
      assert.equal(outcome.message, 'shutting down');
      assert.equal(outcome.error?.code, 'WF691');
      assert.equal(entriesOf(outcome, 'call').length, 1);
    }
  }));

test('abandoned work does not disturb the next wait of the run', async () => {
  // The first attempt ends long after its time limit, while the run waits for its retry.
  let attempt = 0;
  let endLate = (): void => assert.fail('the retry came before the first attempt');
  const transport = () =>
    attempt++ === 0
      ? new Promise<never>((_, reject) => {
          endLate = () => reject(new Error('late'));
        })
      : Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });
  const onLog = ({ type }: LogEntry): void => void (type === 'retry' && setImmediate(endLate));
  const outcome = await callOnce(
    { ...api, url: ['http://a.example'], timeoutMs: 20 },
    { transport, request: { retry: { times: 1, waitMs: 50 } }, onLog },
  );
  assert.equal(outcome.status, 'completed');
});
