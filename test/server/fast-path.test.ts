// The fast path and Express answer every POST to a workflow alike, byte for byte.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AppOptions } from '../../src/server/app/create-app.js';
import { echo, failed, fakeWorkflow } from './fake-workflow.js';
import { rawClient, startServer } from './test-server.js';

const token = 's3cret-token';
const allowed = `Authorization: Bearer ${token}\r\n`;
const json = (body: string, headers = ''): string =>
  `Host: a\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Each without its request line. */
const requests: readonly string[] = [
  json('{"a":1}'),
  json('{"a":1}', allowed),
  json('{"a":', allowed),
  json('[]', allowed),
  json(`"${'x'.repeat(200)}"`, allowed),
  json('{}', `${allowed}Origin: https://app.example\r\n`),
  json('{}', `${allowed}Expect: 100-continue\r\n`),
  json('{}', `${allowed}Expect: tea\r\n`),
  json('{}', `${allowed}Host: b\r\n`),
  `Host: a\r\n${allowed}Content-Type: text/xml\r\nContent-Length: 1\r\n\r\n<`,
  `Host: a\r\n${allowed}\r\n`,
  `${allowed}\r\n`,
];

async function answerOf(t: TestContext, options: AppOptions, request: string): Promise<string> {
  const { port } = await startServer(t, options);
  const client = await rawClient(t, port);
  client.write(request);
  return (await client.answers(1)).replace(/^Date: .*$/m, 'Date: now');
}

for (const corsOrigin of [undefined, '*', 'https://app.example']) {
  test(`the fast path and Express answer alike (CORS: ${corsOrigin ?? 'off'})`, async (t) => {
    const broken = fakeWorkflow('broken', async () => failed('no'));
    const options = { workflows: [echo(), broken], token, corsOrigin, limits: { maxBody: 100 } };
    for (const path of ['/echo', '/broken', '/echo?a=1', 'http://a/echo', '/echo#x', '/nope']) {
      for (const rest of requests) {
        const request = `POST ${path} HTTP/1.1\r\nX-Request-Id: one\r\n${rest}`;
        const [fast, slow] = await Promise.all([true, false].map((direct) => answerOf(t, { ...options, direct }, request)));
        assert.equal(fast, slow, request);
        assert.match(fast ?? '', /^HTTP\/1\.1 \d{3} /);
      }
    }
  });
}
