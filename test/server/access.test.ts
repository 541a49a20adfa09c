// Access control, and what browsers may do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { echo, failed, fakeWorkflow, slow } from './fake-workflow.js';
import { post, rawClient, send, startServer } from './test-server.js';

const token = 's3cret-token';
const bearer = { authorization: `Bearer ${token}` };

for (const direct of [true, false]) {
  const way = direct ? 'direct path' : 'Express';

  test(`requires a token before anything else (${way})`, async (t) => {
    const { url, out, err } = await startServer(t, {
      workflows: [echo()],
      token,
      direct,
      verbose: true,
      wrongTokens: { slow: async () => 'slowed', release: () => undefined },
    });
    for (const [method, path] of [
      ['POST', '/echo'],
      ['GET', '/'],
      ['GET', '/nope'],
      ['PUT', '/echo'],
      ['POST', '/health'],
      ['GET', '/openapi.json'],
      ['OPTIONS', '/echo'],
    ] as const) {
      for (const authorization of [
        '',
        'Bearer',
        'Bearer ',
        'Bearer wrong',
        `Bearer ${token}x`,
        `Bearer ${token} x`,
        `Basic ${token}`,
        token,
        `Bearer s3cret-toke`,
        `Token ${token}`,
      ]) {
        const answer = await send(`${url}${path}`, { method, headers: authorization === '' ? {} : { authorization } });
        assert.equal(answer.status, 401, `${method} ${path} with ${authorization}`);
        assert.deepEqual(Object.keys(answer.json as object), ['error', 'hint']);
        assert.equal((answer.json as { error: string }).error, 'Unauthorized');
        assert.match((answer.json as { hint: string }).hint, /Authorization.*Bearer/);
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
    }
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
      assert.equal((await post(`${url}/echo`, {}, { authorization })).status, 200, authorization);
    }
    assert.equal((await send(`${url}/health`)).status, 200);
    assert.equal((await send(`${url}/health`, { method: 'HEAD' })).status, 200);
    assert.doesNotMatch([...out, ...err].join('\n'), /s3cret-token/);
  });

  test(`two Authorization headers never pass, and the body is not read (${way})`, async (t) => {
    const { port } = await startServer(t, { workflows: [echo()], single: true, token, direct });
    for (const headers of [
      `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}`,
      `authorization: Bearer ${token}\r\nAUTHORIZATION: Bearer x`,
      'X-None: 1',
    ]) {
      const client = await rawClient(t, port);
      client.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Length: 1000\r\n\r\n{"a":`);
      assert.match(await client.answers(1), /^HTTP\/1\.1 401 /);
    }
  });

  test(`CORS: every answer has the headers (${way})`, async (t) => {
    const broken = fakeWorkflow('broken', async () => failed('no'));
    const { prepared, started, finish } = slow();
    const { url } = await startServer(t, {
      workflows: [echo(), broken, prepared],
      token,
      corsOrigin: 'https://app.example',
      direct,
      limits: { maxBody: 100, maxConcurrent: 1 },
    });
    const expectCors = async (status: number, path: string, init: RequestInit): Promise<void> => {
      const answer = await send(`${url}${path}`, init);
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example');
      assert.equal(answer.headers.get('vary'), 'Origin');
      assert.equal(answer.headers.get('access-control-expose-headers'), 'X-Request-Id,Retry-After');
    };
    await expectCors(200, '/echo', { method: 'POST', headers: { ...bearer, origin: 'https://other.example' } });
    await expectCors(200, '/health', {});
    await expectCors(400, '/echo', { method: 'POST', headers: { ...bearer, 'content-type': 'application/json' }, body: '{' });
    await expectCors(401, '/echo', { method: 'POST' });
    await expectCors(404, '/nope', { headers: bearer });
    await expectCors(405, '/echo', { headers: bearer });
    await expectCors(413, '/echo', {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: 'x'.repeat(101),
    });
    await expectCors(415, '/echo', { method: 'POST', headers: { ...bearer, 'content-type': 'text/xml' } });
    await expectCors(500, '/broken', { method: 'POST', headers: bearer });
    const running = post(`${url}/slow`, {}, bearer);
    while (started() === 0) await new Promise(setImmediate);
    await expectCors(503, '/echo', { method: 'POST', headers: bearer });
    finish();
    assert.equal((await running).status, 200);
  });
}

test('a preflight needs no token; any other OPTIONS does', async (t) => {
  const { url } = await startServer(t, { workflows: [echo()], token, corsOrigin: '*' });
  const ask = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  for (const path of ['/echo', '/nope', '/']) {
    const answer = await send(`${url}${path}`, { method: 'OPTIONS', headers: ask });
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('vary'), null);
    assert.equal(answer.headers.get('access-control-allow-headers'), 'Authorization,Content-Type,X-Request-Id,Idempotency-Key');
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /POST/);
    assert.match(answer.headers.get('x-request-id') ?? '', /.+/);
  }
  assert.equal((await send(`${url}/echo`, { method: 'OPTIONS', headers: { origin: 'https://app.example' } })).status, 401);
  assert.equal((await send(`${url}/echo`, { method: 'OPTIONS', headers: bearer })).status, 204);
});

test('without CORS, answers a preflight and allows nothing', async (t) => {
  const { url } = await startServer(t, { workflows: [echo()], token });
  const answer = await send(`${url}/echo`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(answer.status, 204);
  assert.deepEqual(
    [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
    [],
  );
});

test('the token appears in no answer and no line, whatever a client sends', async (t) => {
  const { url, out, err } = await startServer(t, { workflows: [echo()], token, verbose: true });
  const answers = [
    await post(`${url}/${token}`, {}, bearer),
    await post(`${url}/echo`, `{"${token}`, { ...bearer, 'x-request-id': token }),
    await post(`${url}/echo`, `{"a": ${token}}`, bearer),
  ];
  assert.equal(out.length, 3);
  assert.doesNotMatch([...out, ...err].join('\n'), /s3cret-token/);
  // What a client itself sent may come back, to that client only.
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 400, 400],
  );
});
