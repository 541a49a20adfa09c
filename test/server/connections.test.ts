// Raw bytes: broken requests, clients that are slow, leave, or send several requests at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.js';
import { completed, echo, fakeWorkflow, slow } from './fake-workflow.js';
import { post, rawClient, send, startServer } from './test-server.js';

const quick = { headersMs: 300, requestMs: 600, checkMs: 50 };
const json = 'Host: x\r\nContent-Type: application/json\r\n';

test('answers anything but HTTP with JSON and CORS headers, and closes', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()], single: true, corsOrigin: '*' });
  for (const [bytes, status] of [
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['GET / HTTP/1.1\r\nbad header\r\n\r\n', 400],
    ['GET / HTTP/9.9\r\n\r\n', 400],
    [`POST / HTTP/1.1\r\n${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const client = await rawClient(t, port);
    client.write(Buffer.from(bytes, 'latin1'));
    const text = await client.closed;
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(text, /\r\nContent-Type: application\/json; charset=utf-8\r\n/);
    assert.match(text, /\r\nX-Request-Id: /);
    assert.match(text, /\r\nAccess-Control-Allow-Origin: \*\r\n/);
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
    assert.ok(body.error && body.hint);
  }
});

test('requires exactly one Host; refuses other codings and tunnels', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()], corsOrigin: '*', token: 'the-token' });
  const allowed = 'Authorization: Bearer the-token\r\n';
  for (const [bytes, status, says] of [
    ['GET /health HTTP/1.1\r\n\r\n', 400, /exactly one Host/],
    ['POST /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n', 400, /exactly one Host/],
    ['GET /health HTTP/1.0\r\n\r\n', 200, /ok/],
    [`POST /echo HTTP/1.1\r\nHost: a\r\n${allowed}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501, /gzip, chunked/],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 401, /Bearer/],
    [`CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n${allowed}\r\n`, 404, /CONNECT example\.com:443/],
  ] as const) {
    const client = await rawClient(t, port);
    client.write(bytes);
    const text = await client.answers(1);
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), bytes);
    assert.match(text, says);
    assert.match(text, /\r\nX-Request-Id: /);
    assert.match(text, /\r\nAccess-Control-Allow-Origin: \*\r\n/);
    if (bytes.startsWith('CONNECT')) await client.closed;
  }
});

test('answers slow headers and slow bodies with 408 and closes; others notice nothing', async (t) => {
  const { port, url } = await startServer(t, { workflows: [echo()], single: true }, quick);
  const clients = await Promise.all(Array.from({ length: 200 }, () => rawClient(t, port)));
  for (const [index, client] of clients.entries()) {
    client.write(index % 2 === 0 ? 'POST / HTTP/1.1\r\nX-Slow' : `POST / HTTP/1.1\r\n${json}Content-Length: 100\r\n\r\n{"a"`);
  }
  for (let turn = 0; turn < 10; turn++) assert.equal((await post(url, { turn })).status, 200);
  for (const text of await Promise.all(clients.map((client) => client.closed)))
    assert.match(text, /^HTTP\/1\.1 408 .*too long to arrive/s);
  assert.equal((await send(`${url}/health`)).status, 200);
});

test('continues the run of a client that leaves, and reports its end', async (t) => {
  const { prepared, started, finish } = slow();
  const { port, app, out, connections } = await startServer(t, { workflows: [prepared], single: true });
  const client = await rawClient(t, port);
  client.write(`POST / HTTP/1.1\r\n${json}X-Request-Id: left-early\r\nContent-Length: 2\r\n\r\n{}`);
  while (started() === 0) await new Promise(setImmediate);
  client.socket.destroy();
  await until(() => connections() === 0);
  assert.equal(app.runs.inFlight, 1);
  finish();
  await app.runs.drained();
  assert.match(out.join('\n'), /left-early POST \/ 200 \d+ms completed \(client disconnected\)/);
});

test('a client that leaves in the middle of its body starts nothing', async (t) => {
  const { prepared, started } = slow();
  const { port, app, out, bytesRead } = await startServer(t, { workflows: [prepared], single: true, verbose: true });
  const client = await rawClient(t, port);
  const beginning = `POST / HTTP/1.1\r\n${json}Content-Length: 100\r\n\r\n{"a": 1`;
  client.write(beginning);
  await until(() => bytesRead() === beginning.length);
  client.socket.destroy();
  while (out.length === 0) await new Promise(setImmediate);
  assert.match(out[0] ?? '', /POST \/ - \d+ms aborted by the client/);
  assert.equal(started(), 0);
  assert.equal(app.runs.inFlight, 0);
});

test('answers a body with broken framing with 400 and closes', async (t) => {
  const { port, app } = await startServer(t, { workflows: [echo()], single: true });
  const client = await rawClient(t, port);
  client.write(`POST / HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\nzzz\r\n`);
  assert.match(await client.closed, /^HTTP\/1\.1 400 /);
  assert.equal(app.runs.inFlight, 0);
});

test('begins few of a thousand pipelined requests per turn, and answers all of them in order', async (t) => {
  let [inTurn, most] = [0, 0];
  const counted = fakeWorkflow('counted', async (request) => {
    if (inTurn++ === 0) setImmediate(() => (inTurn = 0));
    most = Math.max(most, inTurn);
    return completed(request);
  });
  const { port } = await startServer(t, { workflows: [counted], single: true });
  const body = (n: number): string => `{"a":${n}}`;
  const client = await rawClient(t, port);
  client.write(
    Array.from({ length: 1_000 }, (_, n) => `POST / HTTP/1.1\r\n${json}Content-Length: ${body(n).length}\r\n\r\n${body(n)}`).join(
      '',
    ),
  );
  const text = await client.answers(1_000);
  const got = [...text.matchAll(/"a":(\d+)/g)].map(([, n]) => Number(n));
  assert.deepEqual(
    got,
    Array.from({ length: 1_000 }, (_, n) => n),
  );
  // The counts of two turns may be one, and the first request is not behind another.
  assert.ok(most <= 1 + 2 * 32, String(most));
});

test('answers pipelined requests in order; garbage after them does not cut them off', async (t) => {
  const { prepared, started, finish } = slow();
  const { port, bytesRead } = await startServer(t, { workflows: [prepared, echo()] });
  const client = await rawClient(t, port);
  client.write(
    `POST /slow HTTP/1.1\r\n${json}Content-Length: 8\r\n\r\n{"id":1}POST /echo HTTP/1.1\r\n${json}Content-Length: 8\r\n\r\n{"id":2}`,
  );
  while (started() === 0) await new Promise(setImmediate);
  const before = bytesRead();
  client.write('NO HTTP AT ALL\r\n\r\n');
  await until(() => bytesRead() > before);
  assert.equal(client.received(), '');
  finish();
  const statuses = [...(await client.closed).matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n({.*?})(?=HTTP|$)/g)].map(
    ([, status, body]) => `${status} ${body}`,
  );
  assert.deepEqual(statuses.slice(0, 2), [
    '200 {"status":"completed","outputs":{"id":1}}',
    '200 {"status":"completed","outputs":{"request":{"id":2}}}',
  ]);
  assert.match(statuses[2] ?? '', /^400 /);
});

test('answers Expect: 100-continue if the body may come, and not if it is refused', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()], single: true, token: 'secret-token', limits: { maxBody: 100 } });
  const head = (length: number, more = ''): string =>
    `POST / HTTP/1.1\r\n${json}Expect: 100-continue\r\nContent-Length: ${length}\r\n${more}\r\n`;
  const allowed = 'Authorization: Bearer secret-token\r\n';
  const good = await rawClient(t, port);
  good.write(head(2, allowed));
  assert.equal(await good.until(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
  good.write('{}');
  assert.match(await good.until(/completed/), /HTTP\/1\.1 200 OK/);
  for (const [text, status] of [
    [head(2), 401],
    [head(101, allowed), 413],
    [head(2, `${allowed}Content-Encoding: gzip\r\n`), 415],
    [`POST / HTTP/1.1\r\n${json}Expect: coffee\r\nContent-Length: 2\r\n\r\n`, 417],
  ] as const) {
    const client = await rawClient(t, port);
    client.write(text);
    const answer = await client.closed;
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(answer, /\r\nConnection: close\r\n/);
    assert.doesNotMatch(answer, /100 Continue/);
  }
});

test('the absolute form of a target is the same route; HTTP/1.0 is answered and closed', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()] });
  const client = await rawClient(t, port);
  client.write(
    `POST http://x:1/echo?y HTTP/1.1\r\n${json}Content-Length: 0\r\n\r\nGET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  const text = await client.until(/"ok"/);
  assert.equal([...text.matchAll(/HTTP\/1\.1 200/g)].length, 2);
  const old = await rawClient(t, port);
  old.write('GET /health HTTP/1.0\r\n\r\n');
  assert.match(await old.closed, /^HTTP\/1\.1 200 /);
});

test('cuts off an endless body', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()], single: true, limits: { maxBody: 1000 } });
  const client = await rawClient(t, port);
  client.write(`POST / HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`);
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')]);
  let open = true;
  void client.closed.then(() => {
    open = false;
  });
  let sent = 0;
  while (open && sent < 200) {
    await new Promise((resolve) =>
      client.socket.write(chunk) ? resolve(0) : client.socket.once('drain', resolve).once('close', resolve),
    );
    await new Promise(setImmediate);
    sent++;
  }
  assert.ok(!open, `still open after ${sent} MB`);
  assert.match(client.received(), /^HTTP\/1\.1 413 /);
});

test('takes the rest of a refused body, so that the connection stays of use', async (t) => {
  const { port } = await startServer(t, { workflows: [echo()] });
  const body = ' '.repeat(8_000_000);
  for (let time = 0; time < 5; time++) {
    const client = await rawClient(t, port);
    client.write(
      `POST /nothing HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}GET /health HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    await until(() => client.received().split('HTTP/1.1 ').length > 2);
    assert.match(client.received(), /^HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 200 /);
    client.socket.destroy();
  }
});

test('one answer is one write', async (t) => {
  const { server, port } = await startServer(t, {
    workflows: [fakeWorkflow('one', async () => completed({ text: 'ü'.repeat(2000) }))],
    single: true,
  });
  let writes = 0;
  server.on('connection', (socket) => {
    // Counts the writes of a stream to the system, once per turn.
    for (const name of ['_write', '_writev'] as const) {
      const write = socket[name] as ((...args: unknown[]) => void) | undefined;
      Object.defineProperty(socket, name, {
        value: (...args: unknown[]) => {
          writes++;
          write?.apply(socket, args);
        },
      });
    }
  });
  const client = await rawClient(t, port);
  client.write(`POST / HTTP/1.1\r\n${json}Content-Length: 2\r\n\r\n{}`);
  await client.until(/"\}\}$/);
  assert.equal(writes, 1);
});
