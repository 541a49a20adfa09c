// Services that attack with their answers: a million pieces, an invalid status, endless hosts.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { atOnce } from '../../runtime/in-turns.js';
import { readAiAnswer } from '../../runtime/services/ai-answer.js';
import { parseJson } from '../../runtime/values/json.js';
import { createTransport } from '../../src/engine/transport/transport.js';
import { listen } from '../../src/server/process/http-server.js';
import { processorTime, slowness } from '../processor-time.js';
import { until } from '../until.js';
import { CALL, startVictim } from './victim.js';

const readAnswer = (said: string) => atOnce(readAiAnswer(said));

/** Sends these bytes to each connection after its request. Resolves with the address. */
async function service(t: import('node:test').TestContext, answer: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
    t.after(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const callOf = async (t: import('node:test').TestContext, API: string) =>
  startVictim(t, ['run', 'case.wf', '--json'], { files: { 'case.wf': CALL }, env: { API } }).ended;

test('40. An answer in one-byte pieces takes no more memory than others', async (t) => {
  const API = await service(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
    socket.write('1\r\n \r\n'.repeat(2_000_000));
    socket.end('1\r\n7\r\n0\r\n\r\n');
  });
  const { stdout, peak } = await callOf(t, API);
  assert.equal(stdout, '{"status":"completed","outputs":{"got":7}}\n');
  assert.ok(peak < 180, `${peak} MB`);
});

for (const status of ['000', '001', '099', '101']) {
  test(`50. An answer with status ${status} fails immediately`, async (t) => {
    const API = await service(t, (socket) => socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\n{}`));
    const { stdout, stderr } = await callOf(t, API);
    const [, message] = /"message":"(.*)"/.exec(stdout) ?? [];
    assert.equal(message, 'Api: GET /x failed after 1 attempt: the answer is not HTTP.', stderr);
  });
}

test('51. Keeps connections to a limited number of origins, the latest ones', async (t) => {
  let connections = 0;
  let most = 0;
  const server = createServer((_, response) => response.end('{}'));
  server.on('connection', (socket) => {
    most = Math.max(most, ++connections);
    socket.once('close', () => connections--);
  });
  const port = await listen(server, 0, '0.0.0.0');
  t.after(() => void server.close());
  const { transport, close } = createTransport({ mostOrigins: 4 });
  // All of them resolve to this machine.
  const call = (host: number) =>
    transport({
      method: 'GET',
      url: `http://127.0.0.${host}:${port}/`,
      headers: {},
      maxBytes: 100,
      signal: new AbortController().signal,
      onAbort: () => undefined,
    });
  for (let host = 1; host <= 30; host++) {
    assert.equal((await call(host)).status, 200);
    await call(1);
  }
  assert.ok(most <= 8, `${most} connections at once`);
  await close();
  await until(() => connections === 0);
});

// Answers of several megabytes, built so that careless code reads them again and again.

const size = 9_000_000;

test('50. Reads megabytes from an AI only once', () => {
  const texts = [
    'prose {'.repeat(size / 7),
    `${'{"a":1} '.repeat(size / 8)}`,
    `{"result": "${'x'.repeat(size)}"`,
    `{${'"x":{'.repeat(size / 5)}`,
    `<think>${' '.repeat(size)}`,
    `${'`'.repeat(size)}{"result": 1}`,
    `[${'1,'.repeat(size / 2)}`,
  ];
  for (const text of texts) {
    const took = processorTime();
    assert.equal(readAnswer(text).confidence, 0.5);
    // A tenth of a second on an idle machine; it took seconds.
    assert.ok(took() < 1_500 * slowness(), `${text.slice(0, 20)}: ${Math.round(took())} ms`);
  }
  assert.deepEqual(readAnswer(`Here it is: ${'x'.repeat(1_000)} {"result": 7, "confidence": 1}`), { result: 7, confidence: 1 });
  assert.deepEqual(readAnswer(`{"result": "${'x'.repeat(size)}", "confidence": 1}`).confidence, 1);
});

test('50. Refuses megabytes of invalid JSON immediately, with a place if the engine knows one', () => {
  for (const [text, message] of [
    [`[${'1,'.repeat(size / 2)}x]`, /not valid JSON|ends too early/],
    [`[${'{"a":[1]},'.repeat(size / 10)}`, /not valid JSON|ends too early/],
    [`"${'x'.repeat(size)}`, /not valid JSON|ends too early/],
  ] as const) {
    const took = processorTime();
    const parsed = parseJson(text);
    assert.ok(!parsed.ok);
    assert.match(parsed.message, message);
    assert.ok(parsed.offset <= text.length && parsed.line === 1);
    assert.ok(took() < 1_500 * slowness());
  }
});
