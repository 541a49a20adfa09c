// Limits on runs, and the end of a server: runs in flight get their time, nothing new starts.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Outcome } from '../../runtime/types.js';
import { createApp } from '../../src/server/app/create-app.js';
import { createHttpServer, listen } from '../../src/server/process/http-server.js';
import { closeServer } from '../../src/server/process/run-server.js';
import { until } from '../until.js';
import { echo, fakeWorkflow, slow } from './fake-workflow.js';
import { post, rawClient, send, startServer } from './test-server.js';

test('over the limit: 503 with Retry-After; every accepted run finishes', async (t) => {
  const { prepared, started, finish } = slow();
  const { url, app } = await startServer(t, { workflows: [prepared], single: true, limits: { maxConcurrent: 2 } });
  const accepted = [post(url, { id: 1 }), post(url, { id: 2 })];
  await until(() => started() === 2);
  for (const body of [{ id: 3 }, undefined]) {
    const refused = await post(url, body);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.match(refused.text, /"error":"Too many.*"hint":/);
  }
  assert.equal((await send(`${url}/health`)).status, 200);
  finish();
  assert.deepEqual(await Promise.all(accepted.map(async (answer) => (await answer).text)), [
    '{"status":"completed","outputs":{"id":1}}',
    '{"status":"completed","outputs":{"id":2}}',
  ]);
  assert.equal(app.runs.inFlight, 0);
});

test('1,000 at the same time: all correct, and each with its own data', async (t) => {
  const { prepared, started, finish } = slow();
  const { port, app } = await startServer(t, { workflows: [prepared], single: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  t.after(() => agent.destroy());
  const one = (id: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        { port, host: '127.0.0.1', method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          let text = '';
          response.on('data', (part) => {
            text += part;
          });
          response.on('end', () => resolve(text));
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify({ id }));
    });
  const answering = Promise.all(Array.from({ length: 1000 }, (_, id) => one(id)));
  await until(() => started() === 1000);
  finish();
  const answers = await answering;
  for (const [id, text] of answers.entries()) assert.equal(text, `{"status":"completed","outputs":{"id":${id}}}`);
  assert.equal(app.runs.inFlight, 0);
});

test('300 runs in flight hold their values, not the bytes received; at their end nothing remains', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  // Memory is released over several turns.
  const settlesBelow = async (bytes: number): Promise<number> => {
    const deadline = Date.now() + 20_000;
    while (used() > bytes && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    return used();
  };
  const { prepared, started, finish } = slow();
  const { port, app } = await startServer(t, { workflows: [prepared], single: true });
  const body = `{"id": 1${' '.repeat(100_000)}}`;
  // One buffer for all, so that the clients' memory doesn't count.
  const message = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const clients = await Promise.all(Array.from({ length: 300 }, () => rawClient(t, port)));
  const before = used();
  for (const client of clients) client.write(message);
  await until(() => started() === 300);
  const most = before + 300 * 40_000;
  const inFlight = await settlesBelow(most);
  assert.ok(inFlight <= most, `${(inFlight - before) / 300} bytes for a run in flight`);
  finish();
  await Promise.all(clients.map((client) => client.answers(1)));
  assert.equal(app.runs.inFlight, 0);
  const least = before + 300 * 20_000;
  const left = await settlesBelow(least);
  assert.ok(left <= least, `${(left - before) / 300} bytes for a run that is over`);
});

test('requests leave no timers and no listeners behind', async (t) => {
  const { port, app } = await startServer(t, { workflows: [echo()], single: true, token: 'secret-token', corsOrigin: '*' });
  const signal = app.runs.signal;
  const counted = (): Record<string, number> => ({
    // Missing from the types of Node 18, but not from Node 18.
    timers: (process as unknown as { getActiveResourcesInfo(): string[] })
      .getActiveResourcesInfo()
      .filter((name) => name === 'Timeout').length,
    onProcess: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    onSignal: getEventListeners(signal, 'abort').length,
  });
  const client = await rawClient(t, port);
  const message = (authorization: string, body: string): string =>
    `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  let asked = 0;
  const ask = async (text: string): Promise<void> => {
    asked++;
    client.write(text);
    await client.answers(asked);
  };
  await ask(message('Bearer secret-token', '{}'));
  const before = counted();
  for (let turn = 0; turn < 20; turn++) {
    await ask(message('Bearer secret-token', '{"id": 1}'));
    await ask(message('Bearer secret-token', '{'));
    // Each wrong token is answered later than the one before.
    if (turn < 3) await ask(message('Bearer wrong', '{}'));
  }
  assert.deepEqual(counted(), before);
  assert.equal(app.runs.inFlight, 0);
});

test('a stopping server answers new requests with 503, lets runs finish, and closes', async () => {
  const { prepared, started, finish } = slow();
  const app = await createApp({ workflows: [prepared], single: true });
  const server = createHttpServer(app);
  const port = await listen(server, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const running = post(url, { id: 1 });
  await until(() => started() === 1);
  const closing = closeServer(server, app, 10_000);
  const health = await send(`${url}/health`);
  assert.equal(health.status, 503);
  assert.equal(health.text, '{"status":"stopping"}');
  assert.equal(health.headers.get('connection'), 'close');
  const refused = await post(url, {});
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  finish();
  assert.equal((await running).status, 200);
  assert.deepEqual(await closing, { aborted: 0 });
  await assert.rejects(post(url, {}));
});

test('closes idle keep-alive connections immediately', async (t) => {
  const { server, app, port } = await startServer(t, { workflows: [echo()], single: true });
  const clients = await Promise.all([rawClient(t, port), rawClient(t, port)]);
  for (const client of clients) client.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  for (const client of clients) await client.until(/"ok"/);
  let isClosed = false;
  void closeServer(server, app, 3_600_000).then(() => {
    isClosed = true;
  });
  await until(() => isClosed);
  await Promise.all(clients.map((client) => client.closed));
});

test('aborts runs as errors at the end of the grace time, and tells their clients', async () => {
  const { prepared, started } = slow();
  const app = await createApp({ workflows: [prepared], single: true });
  const server = createHttpServer(app);
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const running = post(url, { id: 1 });
  await until(() => started() === 1);
  const closing = closeServer(server, app, 100);
  const answer = await running;
  assert.equal(answer.status, 500);
  assert.match(answer.text, /"status":"error".*stopped before the run had ended/);
  assert.deepEqual(await closing, { aborted: 1 });
});

test('an unresponsive run and a client that does not read cannot hold up the server', async (t) => {
  const deaf = fakeWorkflow('deaf', () => new Promise<Outcome>(() => undefined));
  const app = await createApp({ workflows: [deaf], single: true });
  const server = createHttpServer(app);
  const port = await listen(server, 0, '127.0.0.1');
  const client = await rawClient(t, port);
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  const half = await rawClient(t, port);
  half.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Le');
  await until(() => app.runs.inFlight === 1);
  assert.deepEqual(await closeServer(server, app, 50), { aborted: 1 });
  await Promise.all([client.closed, half.closed]);
});

test('reports a port in use, and a foreign host, in one sentence', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()] });
  const app = await createApp({ workflows: [echo()] });
  await assert.rejects(listen(createHttpServer(app), port, '127.0.0.1'), {
    name: 'UsageError',
    message: new RegExp(`^Port ${port} is already in use\\. .+ --port \\(0 picks a free one\\)\\.$`),
    hint: undefined,
  });
  await assert.rejects(listen(createHttpServer(app), 0, '203.0.113.7'), {
    name: 'UsageError',
    message: /^"203\.0\.113\.7" is not an address of this machine\. .+\.$/,
    hint: undefined,
  });
});

test('a store is not closed before the callers of its runs have their answers', async (t) => {
  const { prepared, started, finish } = slow();
  const { url, app, server } = await startServer(t, { workflows: [prepared], single: true });
  let isAnswered = false;
  const answer = post(url, { id: 1 }).then(({ status }) => {
    isAnswered = true;
    return status;
  });
  await until(() => started() === 1);
  let isOpen = true;
  const store = {
    close: async (_: number, beforeClosing?: () => Promise<void>) => {
      finish();
      await beforeClosing?.();
      assert.equal(app.runs.inFlight, 0);
      isOpen = false;
      return { released: 0 };
    },
  };
  await closeServer(server, app, 0, undefined, store);
  assert.deepEqual([await answer, isAnswered, isOpen], [200, true, false]);
});

test('while it drains, a server says no when asked whether it is ready, and serves', async (t) => {
  const { url, app } = await startServer(t, { workflows: [echo()], single: true });
  const health = async (): Promise<number[]> => {
    const asked = ['/health', '/health/live', '/health/ready'].map(async (path) => (await send(`${url}${path}`)).status);
    return Promise.all(asked);
  };
  assert.deepEqual(await health(), [200, 200, 200]);
  app.runs.drain();
  assert.deepEqual(await health(), [200, 200, 503]);
  assert.equal((await post(url, { id: 1 })).status, 200);
  app.runs.stop();
  assert.deepEqual(await health(), [503, 200, 503]);
});
