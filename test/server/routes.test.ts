// Every answer in docs/http.md, over a real socket, through the fast path and through Express: both must be identical.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { AppOptions } from '../../src/server/app/create-app.js';
import { completed, echo, failed, fakeWorkflow, rejected } from './fake-workflow.js';
import { type Answered, post, rawClient, send, startServer } from './test-server.js';

const review = fakeWorkflow(
  'review',
  async ({ id, total }) => {
    if (total === 'broken') return failed('I cannot subtract a text ("a customer").', 11, 'I cannot subtract a text.');
    return Number(total) > 100 ? rejected(`too large: ${total}`) : completed({ id: id ?? null, ok: true });
  },
  { name: 'Review', version: 4, trigger: 'when asked' },
);

const jsonType = 'application/json; charset=utf-8';

function isRefusal(answer: Answered, status: number, hint: RegExp): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), jsonType);
  const { error, hint: given, ...rest } = answer.json as Record<string, string>;
  assert.match(error ?? '', /.+/);
  assert.match(given ?? '', hint);
  assert.deepEqual(rest, {});
}

for (const direct of [true, false]) {
  describe(direct ? 'the direct path' : "Express's routes", () => {
    const single: AppOptions = { workflows: [review], single: true, direct };
    const folder: AppOptions = { workflows: [echo(), review], direct };

    test('outcomes', async (t) => {
      const { url } = await startServer(t, single);
      const done = await post(url, { id: 1, total: 5 });
      assert.equal(done.status, 200);
      assert.equal(done.text, '{"status":"completed","outputs":{"id":1,"ok":true}}');
      assert.equal(done.headers.get('content-type'), jsonType);
      assert.equal(done.headers.get('content-length'), String(done.text.length));
      assert.equal(done.headers.get('x-powered-by'), null);
      assert.equal(done.headers.get('access-control-allow-origin'), null);
      const refused = await post(url, { total: 500 });
      assert.equal(refused.status, 400);
      assert.equal(refused.text, '{"status":"rejected","message":"too large: 500"}');
      const broken = await post(url, { total: 'broken' });
      assert.equal(broken.status, 500);
      assert.equal(broken.text, '{"status":"error","message":"review.wf, line 11: I cannot subtract a text."}');
    });

    test('a missing body is an empty record', async (t) => {
      const { url } = await startServer(t, { workflows: [echo()], single: true, direct });
      for (const init of [{ method: 'POST' }, { method: 'POST', body: '', headers: { 'content-type': 'application/json' } }]) {
        assert.deepEqual((await send(url, init)).json, { status: 'completed', outputs: { request: {} } });
      }
    });

    test('a body that is not a JSON object: 400 with the place of the fault', async (t) => {
      const { url } = await startServer(t, single);
      isRefusal(await post(url, '{"a":'), 400, /line 1, column 6/i);
      isRefusal(await post(url, '{\n "a": 1,\n}'), 400, /line 2, column 8/i);
      isRefusal(await post(url, ' '), 400, /line 1/i);
      for (const [body, kind] of [
        ['[1]', /object.*list/],
        ['"x"', /object.*text/],
        ['1', /object.*number/],
        ['null', /object.*null/],
        ['true', /object.*boolean/],
      ] as const) {
        isRefusal(await post(url, body), 400, kind);
      }
      isRefusal(await post(url, `${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400, /more than 200 levels/);
      const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      assert.equal((await post(url, nested(200))).status, 200);
      isRefusal(await post(url, nested(201)), 400, /more than 200 levels/);
    });

    test('bytes that are not UTF-8: 400', async (t) => {
      const { url } = await startServer(t, single);
      const body = Buffer.concat([Buffer.from('{\n"a": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
      isRefusal(await send(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }), 400, /line 2/i);
    });

    test('data of a body is data', async (t) => {
      const { url } = await startServer(t, { workflows: [echo()], single: true, direct });
      const { text } = await post(url, '{"__proto__":{"total":500},"constructor":{"x":1},"n":9007199254740993}');
      assert.equal(
        text,
        '{"status":"completed","outputs":{"request":{"__proto__":{"total":500},"constructor":{"x":1},"n":"9007199254740993"}}}',
      );
      assert.equal(({} as Record<string, unknown>).total, undefined);
    });

    test('content types', async (t) => {
      const { url } = await startServer(t, single);
      for (const type of [
        'application/json',
        'Application/JSON; charset=UTF-8',
        'application/vnd.x+json; charset="utf-8"',
        'application/problem+json',
        'application/x-www-form-urlencoded',
        'application/x-www-form-urlencoded; charset=UTF-8',
      ]) {
        assert.equal((await post(url, '{}', { 'content-type': type })).status, 200, type);
      }
      for (const type of [
        'text/xml',
        'text/plain;charset=UTF-8',
        'application/jsonp',
        'application/json; charset=latin1',
        'application/x-www-form-urlencoded; charset=iso-8859-1',
        'multipart/form-data',
      ]) {
        isRefusal(await post(url, '{}', { 'content-type': type }), 415, /application\/json/);
      }
    });

    test('content encodings', async (t) => {
      const { url } = await startServer(t, single);
      assert.equal((await post(url, '{}', { 'content-encoding': 'identity' })).status, 200);
      const answer = await post(url, '{}', { 'content-encoding': 'gzip' });
      isRefusal(answer, 415, /uncompressed/);
      assert.equal(answer.headers.get('accept-encoding'), 'identity');
      isRefusal(await post(url, '{}', { 'content-encoding': '<x>' }), 415, /uncompressed/);
    });

    test('a large body: 413, even without an announced length', async (t) => {
      const { url } = await startServer(t, { ...single, limits: { maxBody: 1000 } });
      const body = (size: number): string => JSON.stringify({ id: 'x'.repeat(size - 9) });
      assert.equal(body(1000).length, 1000);
      assert.equal((await post(url, body(1000))).status, 200);
      isRefusal(await post(url, body(1001)), 413, /1000 bytes/);
      const stream = new ReadableStream({
        start(controller) {
          for (let part = 0; part < 20; part++) controller.enqueue(Buffer.from('x'.repeat(1000)));
          controller.close();
        },
      });
      const chunked: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        body: stream,
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      };
      isRefusal(await send(url, chunked), 413, /1000 bytes/);
      isRefusal(await post(url, body(3_000_000)), 413, /1000 bytes/);
    });

    test('unknown routes: 404 that lists the existing ones', async (t) => {
      const { url } = await startServer(t, folder);
      isRefusal(await post(`${url}/nope`, {}), 404, /POST \/echo, POST \/review/);
      for (const path of ['/Echo', '/echo/', '/%65cho', '//echo', '/health/', '/%7Bx%7D', '/echo/x', '/%zz', '/metrics']) {
        isRefusal(await send(`${url}${path}`, { method: 'POST' }), 404, /POST/);
      }
      const long = await send(`${url}/${'x'.repeat(10_000)}`, { method: 'POST' });
      isRefusal(long, 404, /POST/);
      assert.match(long.text, /^\{"error":"No route matches POST \/x{198}…\.",/);
      assert.equal((await post(`${url}/echo?a=1&b`, {})).status, 200);
    });

    test('wrong methods: 405 with Allow', async (t) => {
      const { url } = await startServer(t, folder);
      const expectAllow = async (method: string, path: string, allow: string): Promise<void> => {
        const answer = await send(`${url}${path}`, { method });
        isRefusal(answer, 405, /^Use /);
        assert.equal(answer.headers.get('allow'), allow);
      };
      await expectAllow('GET', '/echo', 'POST, OPTIONS');
      await expectAllow('DELETE', '/echo', 'POST, OPTIONS');
      await expectAllow('POST', '/', 'GET, HEAD, OPTIONS');
      await expectAllow('POST', '/health', 'GET, HEAD, OPTIONS');
      await expectAllow('PUT', '/openapi.json', 'GET, HEAD, OPTIONS');
      const head = await send(`${url}/echo`, { method: 'HEAD' });
      assert.equal(head.status, 405);
      assert.equal(head.text, '');
      const options = await send(`${url}/echo`, { method: 'OPTIONS' });
      assert.equal(options.status, 204);
      assert.equal(options.headers.get('allow'), 'POST, OPTIONS');
    });

    test('a single file takes GET, HEAD and POST at /', async (t) => {
      const { url } = await startServer(t, single);
      assert.equal((await send(url)).text, '{"name":"Review","version":4,"trigger":"when asked"}');
      const put = await send(url, { method: 'PUT', body: '{}' });
      assert.equal(put.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
      isRefusal(await post(`${url}/review`, {}), 404, /POST \//);
    });

    test('serves info and health, also for HEAD', async (t) => {
      const { url } = await startServer(t, folder);
      assert.deepEqual((await send(url)).json, {
        workflows: [
          { name: 'echo', route: '/echo', trigger: '', version: 1 },
          { name: 'Review', route: '/review', trigger: 'when asked', version: 4 },
        ],
      });
      assert.equal((await send(`${url}/health?x`)).text, '{"status":"ok"}');
      for (const path of ['/', '/health', '/openapi.json']) {
        const got = await send(`${url}${path}`);
        const head = await send(`${url}${path}`, { method: 'HEAD' });
        assert.equal(head.status, 200);
        assert.equal(head.text, '');
        assert.equal(head.headers.get('content-length'), got.headers.get('content-length'));
      }
    });

    test('request ids', async (t) => {
      const { url } = await startServer(t, folder);
      assert.equal((await post(`${url}/echo`, {}, { 'x-request-id': 'my-id-7' })).headers.get('x-request-id'), 'my-id-7');
      for (const id of ['', 'a b', 'x'.repeat(129), 'ü']) {
        const given = (await post(`${url}/echo`, {}, { 'x-request-id': id })).headers.get('x-request-id') ?? '';
        assert.match(given, /^[0-9a-f-]{36}$/, JSON.stringify(id));
      }
      for (const answer of [await send(`${url}/nope`), await send(`${url}/health`), await post(`${url}/echo`, '{')]) {
        assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      }
    });

    test('reports an internal error without its cause', async (t) => {
      const engine = { run: () => Promise.reject(new Error('at /root/secret.mjs')), close: async () => undefined };
      const { url, err } = await startServer(t, { ...single, engine });
      const answer = await post(url, {});
      isRefusal(answer, 500, /server log/);
      assert.doesNotMatch(answer.text, /secret/);
      assert.match(err.join('\n'), /internal error at POST \/: at \/root\/secret\.mjs/);
    });
  });
}

test('the time limit of a run: the option, else that of the file, else five minutes', async (t) => {
  const limits: (number | undefined)[] = [];
  const timed = (timeoutMs?: number) =>
    fakeWorkflow(
      `limit-${timeoutMs}`,
      async (_request, options) => {
        limits.push(options?.timeoutMs);
        return completed({});
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  const workflows = [timed(), timed(3_600_000)];
  for (const given of [undefined, 0, 60_000]) {
    const { url } = await startServer(t, { workflows, limits: { timeoutMs: given } });
    for (const { basename } of workflows) await post(`${url}/${basename}`, {});
  }
  // The shorter of two limits applies, so 0 leaves that of the file.
  assert.deepEqual(limits, [300_000, 0, 0, 0, 60_000, 60_000]);
});

// The fast path and Express answer every POST to a workflow alike, byte for byte.

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
