import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { RunOptions, Transport } from '../../runtime/types.js';
import { createEngine } from '../../src/engine/engine.js';
import { toRunLog } from '../../src/engine/records/log-file.js';
import { completedWith, fakePrepared } from './prepared.js';

const answer: Transport = async () => ({ status: 200, headers: {}, body: new Uint8Array() });

test('a run gets the options of the engine, and prefers its own', async () => {
  const seen: RunOptions[] = [];
  const prepared = fakePrepared(async (_request, options = {}) => {
    seen.push(options);
    return completedWith();
  });
  const env = { A: '1' };
  const engine = createEngine({ env, mock: true, secrets: ['token'], transport: answer });
  await engine.run(prepared, {});
  await engine.run(prepared, {}, { mock: false, timeoutMs: 5, keepLog: false });
  assert.equal(seen[0]?.env, env);
  assert.equal(seen[0]?.transport, answer);
  assert.equal(seen[0]?.loadPlugin, prepared.loadPlugin);
  assert.deepEqual([seen[0]?.mock, seen[0]?.requestIsPlain, seen[0]?.secrets], [true, true, ['token']]);
  assert.deepEqual([seen[1]?.mock, seen[1]?.timeoutMs, seen[1]?.keepLog, seen[1]?.transport], [false, 5, false, answer]);
  await engine.close();
});

test('a record says when, how long, with what, and whether mock services answered', async () => {
  const request = { a: 1 };
  const prepared = fakePrepared(async (given) => completedWith({ given }));
  const engine = createEngine({ env: {} });
  const before = Date.now();
  const record = await engine.execute(prepared, request);
  assert.ok(record.startedAt.getTime() >= before && record.startedAt.getTime() <= Date.now());
  assert.ok(Number.isInteger(record.durationMs) && record.durationMs >= 0);
  assert.equal(record.finishedAt.getTime() - record.startedAt.getTime(), record.durationMs);
  assert.match(record.runId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  assert.deepEqual([record.request, record.mock, record.outcome.outputs], [request, false, { given: request }]);
  assert.notEqual((await engine.execute(prepared, request)).runId, record.runId);
  const startedAt = new Date(0);
  const mocked = await engine.execute(prepared, request, { mock: true, startedAt });
  assert.deepEqual([mocked.mock, mocked.startedAt], [true, startedAt]);
});

test('strict: reports all missing variables together, and runs nothing', async () => {
  let runs = 0;
  const prepared = fakePrepared(async () => {
    runs++;
    return completedWith();
  }, ['SET', 'B_MISSING', 'A_MISSING', 'EMPTY', 'constructor']);
  const env = { SET: '1', EMPTY: '' };
  const { outcome } = await createEngine({ env, strictEnv: true }).execute(prepared, {});
  assert.equal(outcome.status, 'error');
  assert.equal(
    outcome.message,
    '3 environment variables are not set: A_MISSING, B_MISSING, constructor. Set them in the shell or in .env.',
  );
  assert.deepEqual([outcome.error?.code, outcome.error?.message, runs], ['WF693', outcome.message, 0]);
  assert.equal((await createEngine({ env }).run(prepared, {})).outcome.status, 'completed');
  const one = await createEngine({ env: { ...env, A_MISSING: '1', B_MISSING: '1' }, strictEnv: true }).run(prepared, {});
  assert.equal(one.outcome.message, 'The environment variable constructor is not set. Set it in the shell or in .env.');
});

test('a fault of wf is an outcome without stack or path, and keeps its cause separately', async () => {
  const fault = new Error('boom at /home/me/secret-place');
  for (const run of [
    async () => Promise.reject(fault),
    () => {
      throw fault;
    },
  ]) {
    const { outcome, cause } = await createEngine({ env: {} }).run(fakePrepared(run), {});
    assert.deepEqual([outcome.status, outcome.error?.code, cause], ['error', 'WF699', fault]);
    assert.doesNotMatch(JSON.stringify(outcome), /boom|home/);
  }
});

test('a run that could not start also has a record', () => {
  const record = createEngine({ env: { KEY: 'topsecret' }, mock: true }).refuse(
    fakePrepared(async () => completedWith(), ['KEY']),
    'input.csv cannot be read: topsecret.',
  );
  const log = toRunLog(record);
  assert.deepEqual(
    [log.status, log.message, log.error?.code, log.mock, log.durationMs, log.entries],
    ['error', 'input.csv cannot be read: [redacted].', 'WF693', true, 0, []],
  );
});

test('secrets: the environment values that the workflow names, and those of the engine', async () => {
  const engine = createEngine({ env: { KEY: 'topsecret', OTHER: 'not-named' }, secrets: ['server-token'] });
  const { redactor } = await engine.execute(
    fakePrepared(async () => completedWith(), ['KEY']),
    {},
  );
  assert.equal(redactor.text('topsecret server-token not-named'), '[redacted] [redacted] not-named');
});

test('opens connections at the first call, shares them among all runs, and closes them with the engine', async () => {
  let sockets = 0;
  const server = createServer((_request, response) => response.end('{}')).on('connection', () => sockets++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const prepared = fakePrepared(async (_request, { transport } = {}) => {
    const { signal } = new AbortController();
    const reply = await transport?.({
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      signal,
      onAbort: () => {},
      maxBytes: 100,
    });
    return completedWith({ status: reply?.status ?? null });
  });
  const engine = createEngine({ env: {} });
  try {
    assert.equal(sockets, 0);
    for (let round = 0; round < 10; round++) assert.deepEqual((await engine.run(prepared, {})).outcome.outputs, { status: 200 });
    assert.ok(sockets > 0 && sockets < 10, `${sockets} connections for 10 runs`);
  } finally {
    await engine.close();
    await new Promise((resolve) => server.close(resolve));
  }
});
