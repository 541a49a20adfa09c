import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { ServiceSpec, Value } from '../../runtime/types.js';
import { api, entriesOf, resultOf, scene } from './stub.js';

const post = { verb: 'create', description: 'order' } as const;

test('a read sends its pairs as a query, with lists repeated and empty values left out', () =>
  scene({ 'GET /v1/users': { json: [] } }, async ({ stub, call }) => {
    const parameters = [
      ['q', 'a b&c'],
      ['page', 2],
      ['tags', ['x', 'y', null]],
      ['none', null],
      ['where', { a: 1 }],
      ['sum', 0.1 + 0.2],
    ] as const;
    const outcome = await call(api, { request: { path: ['users?sort=up'], parameters } as never });
    assert.equal(outcome.status, 'completed');
    const [, search = ''] = stub.seen[0]?.url.split('?') ?? [];
    const query = new URLSearchParams(search);
    assert.deepEqual(
      [...query],
      [
        ['sort', 'up'],
        ['q', 'a b&c'],
        ['page', '2'],
        ['tags', 'x'],
        ['tags', 'y'],
        ['where', '{"a":1}'],
        ['sum', '0.3'],
      ],
    );
  }));

test('an action sends exactly its pairs as JSON, with the standard headers', () =>
  scene({ 'POST /v1/orders': { status: 201, json: { id: 7 }, headers: { 'x-limit': '59' } } }, async ({ stub, call }) => {
    const outcome = await call(api, {
      request: {
        ...post,
        path: ['/orders'],
        parameters: [
          ['total', 0.1 + 0.2],
          ['note', null],
          ['__proto__', 1],
        ],
      },
    });
    assert.deepEqual(outcome.outputs?.value, { id: 7 });
    assert.equal(outcome.outputs?.status, 201);
    const [seen] = stub.seen;
    assert.equal(seen?.body, '{"total":0.3,"note":null,"__proto__":1}');
    assert.equal(seen?.headers.accept, 'application/json');
    assert.equal(seen?.headers['content-type'], 'application/json');
    assert.match(seen?.headers['user-agent'] ?? '', /^wf\/\d/);
    assert.match(String(seen?.headers['idempotency-key']), /^.{8,}$/);
    assert.equal(seen?.headers['accept-encoding'], undefined);
  }));

test('each call sends the id of the request that started the run, unless it declares another', () =>
  scene({ 'GET /v1': { json: {} } }, async ({ stub, call }) => {
    await call(api, { requestId: 'my-id-7' });
    await call({ ...api, headers: [['x-request-id', ['own']]] }, { requestId: 'my-id-7' });
    await call(api);
    assert.deepEqual(
      stub.seen.map(({ headers }) => headers['x-request-id']),
      ['my-id-7', 'own', undefined],
    );
  }));

test('an action without pairs sends an empty object; a read sends no body and no key', () =>
  scene({ 'POST /v1': { json: {} }, 'GET /v1': { json: {} } }, async ({ stub, call }) => {
    await call(api, { request: post });
    await call(api);
    assert.deepEqual(
      stub.seen.map(({ body }) => body),
      ['{}', ''],
    );
    assert.equal(stub.seen[1]?.headers['idempotency-key'], undefined);
    assert.equal(stub.seen[1]?.headers['content-type'], undefined);
  }));

test('verbs choose the method, and a delete has a query instead of a body', () =>
  scene(
    { 'PUT *': { json: 1 }, 'PATCH *': { json: 1 }, 'DELETE *': { status: 204 }, 'POST *': { json: 1 }, 'GET *': { json: 1 } },
    async ({ stub, call }) => {
      for (const verb of ['update', 'patch', 'remove', 'notify', 'look', 'Fetch'])
        await call(api, { request: { verb, parameters: [['x', 1]] } });
      assert.deepEqual(
        stub.seen.map(({ method }) => method),
        ['PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'GET'],
      );
      assert.deepEqual([stub.seen[2]?.url, stub.seen[2]?.body], ['/v1?x=1', '']);
    },
  ));

test('declared headers override the standard ones, in any case', () =>
  scene({ 'POST /v1': { json: {} } }, async ({ stub, call }) => {
    const service: ServiceSpec = {
      ...api,
      headers: [
        ['accept', ['text/csv']],
        ['USER-AGENT', ['mine']],
        ['idempotency-key', ['fixed-key']],
        ['X-Key', [{ env: 'API_KEY' }, '!']],
      ],
    };
    await call(service, { request: post, env: { API_KEY: 'k-123456' } });
    const { headers } = stub.seen[0] ?? assert.fail('nothing was sent');
    assert.deepEqual(
      [headers.accept, headers['user-agent'], headers['idempotency-key'], headers['x-key']],
      ['text/csv', 'mine', 'fixed-key', 'k-123456!'],
    );
  }));

test('sends a form if the service declares one', () =>
  scene({ 'POST /v1': { json: {} } }, async ({ stub, call }) => {
    const service: ServiceSpec = { ...api, headers: [['Content-Type', ['application/x-www-form-urlencoded']]] };
    await call(service, {
      request: {
        ...post,
        parameters: [
          ['amount', 5],
          ['note', 'a & b'],
          ['tags', ['x', 'y']],
          ['none', null],
        ],
      },
    });
    assert.equal(stub.seen[0]?.body, 'amount=5&note=a+%26+b&tags=x&tags=y');
  }));

test('posts a webhook to its own address, including slash and query', () =>
  scene({ 'POST /hook/': { text: 'ok' } }, async ({ stub, call }) => {
    const outcome = await call(
      { name: 'Hook', kind: 'webhook', url: [{ env: 'STUB_URL' }, '/hook/?k=1#part'] },
      { request: { verb: 'get', parameters: [['text', 'hi']] } },
    );
    assert.equal(resultOf(outcome), 'ok');
    assert.deepEqual([stub.seen[0]?.method, stub.seen[0]?.url, stub.seen[0]?.body], ['POST', '/hook/?k=1', '{"text":"hi"}']);
  }));

test('reads answers: text, none, JSON of several types, other encodings, compressed', () =>
  scene(
    {
      'GET /v1/text': { text: '{"a":1}' },
      'GET /v1/none': { status: 204 },
      'GET /v1/problem': {
        text: '\ufeff{"a":12345678901234567890}',
        headers: { 'content-type': 'application/hal+json; charset=utf-8' },
      },
      'GET /v1/empty': { text: '', headers: { 'content-type': 'application/json' } },
      'GET /v1/latin': { text: Buffer.from('Ren\xe9', 'latin1'), headers: { 'content-type': 'text/plain; charset=iso-8859-1' } },
      'GET /v1/zip': { text: gzipSync('{"z":1}'), headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
    },
    async ({ call }) => {
      const results = [];
      for (const name of ['text', 'none', 'problem', 'empty', 'latin', 'zip'])
        results.push(resultOf(await call(api, { request: { path: [`/${name}`] } })));
      assert.deepEqual(results, ['{"a":1}', null, { a: '12345678901234567890' }, null, 'René', { z: 1 }]);
    },
  ));

test('reads answers as careless services send them', () =>
  scene(
    {
      'GET /v1/raw-deflate': {
        text: deflateRawSync('{"a":1}'),
        headers: { 'content-type': 'application/json', 'content-encoding': 'deflate' },
      },
      'GET /v1/twice': {
        text: deflateSync(gzipSync('{"a":1}')),
        headers: { 'content-type': 'application/json', 'content-encoding': 'GZIP, deflate' },
      },
      'GET /v1/not-an-encoding': { json: { a: 1 }, headers: { 'content-encoding': 'utf-8' } },
      'GET /v1/type-twice': {
        raw: withoutType('Content-Type: application/json\r\nContent-Type: application/json\r\n', '{"a":1}'),
      },
      'GET /v1/no-type': { raw: withoutType('', ' [{"a":1}]') },
      'GET /v1/no-type-no-json': { raw: withoutType('', '{oops') },
      'GET /v1/no-type-number': { raw: withoutType('', '12') },
    },
    async ({ call }) => {
      const results: Value[] = [];
      for (const name of [
        'raw-deflate',
        'twice',
        'not-an-encoding',
        'type-twice',
        'no-type',
        'no-type-no-json',
        'no-type-number',
      ])
        results.push(resultOf(await call(api, { request: { path: [`/${name}`] } })));
      assert.deepEqual(results, [{ a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }, [{ a: 1 }], '{oops', '12']);
    },
  ));

const withoutType = (headers: string, body: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);

test('reads a Latin-1 header as such', () =>
  scene(
    { 'GET /v1': { raw: (socket) => socket.end('HTTP/1.1 204 No Content\r\nX-Name: Ren\xe9\r\n\r\n', 'latin1') } },
    async ({ call }) => assert.deepEqual((await call(api)).outputs?.headers, { 'x-name': 'René' }),
  ));

test('own fields only: __proto__ of an answer is data, as is a header with that name', () =>
  scene(
    { 'GET /v1': { text: '{"__proto__":{"polluted":1}}', headers: { 'content-type': 'application/json', ['__proto__']: 'x' } } },
    async ({ call }) => {
      const { value, headers } = (await call(api)).outputs ?? assert.fail();
      assert.deepEqual(Object.keys(value as object), ['__proto__']);
      assert.ok(Object.hasOwn(headers as object, '__proto__'));
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    },
  ));

test('user and password in the address become Basic authorization and are never shown', () =>
  scene({ 'GET /v1': { status: 500, text: 'no' } }, async ({ stub, call }) => {
    const url = stub.url.replace('//', '//ada:p%40ss-word@');
    const outcome = await call(api, { env: { STUB_URL: url }, request: { handled: false } });
    assert.equal(stub.seen[0]?.headers.authorization, `Basic ${Buffer.from('ada:p@ss-word').toString('base64')}`);
    assert.equal(outcome.status, 'error');
    assert.doesNotMatch(JSON.stringify(outcome), /p@ss-word|p%40ss-word|cEBzcy13b3Jk/);
    const written = await call({ name: 'Api', kind: 'api', url: [`${url}/v1`] });
    assert.match(String(entriesOf(written, 'call')[0]?.url), /^http:\/\/\[redacted\]@127\.0\.0\.1:\d+\/v1$/);
    await call({ ...api, headers: [['authorization', ['mine']]] }, { env: { STUB_URL: url } });
    assert.equal(stub.seen[2]?.headers.authorization, 'mine');
  }));

test('logs each attempt, with what was sent where', () =>
  scene({ 'GET /v1/users/a%2Fb': [{ status: 503, text: 'busy' }, { json: 1 }] }, async ({ call, stub }) => {
    const outcome = await call(api, {
      request: { description: 'user', path: ['/users/', { name: 'request.name', value: 'a/b' }], retry: { times: 2, waitMs: 0 } },
    });
    const [first, second] = entriesOf(outcome, 'call').map(({ time: _time, durationMs, ...entry }) => ({
      ...entry,
      timed: typeof durationMs,
    }));
    const common = {
      type: 'call',
      line: 12,
      service: 'Api',
      kind: 'api',
      phrase: 'get user',
      method: 'GET',
      url: `${stub.url}/v1/users/a%2Fb`,
      timed: 'number',
    };
    assert.deepEqual(first, {
      ...common,
      status: 503,
      attempt: 1,
      ok: false,
      error: 'status 503 (Service Unavailable)',
      body: 'busy',
    });
    assert.deepEqual(second, { ...common, status: 200, attempt: 2, ok: true });
    assert.deepEqual(
      entriesOf(outcome, 'retry').map(({ attempt, waitMs }) => [attempt, waitMs]),
      [[2, 0]],
    );
  }));

test('shows the host of an address from the environment, and nothing that may be a key', () =>
  scene({ 'GET *': { json: 1 } }, async ({ stub, call }) => {
    const secret = 'of-nobodys-business';
    const host = stub.url.replace('http://', '');
    const written = '{env.SVC_URL}';
    for (const [value, template, shown] of [
      [`http://${host}`, [{ env: 'SVC_URL' }], `http://${host}/x?a=1`],
      [`http://${host}/`, [{ env: 'SVC_URL' }, 'v1'], `http://${host}/v1/x?a=1`],
      [host, ['http://', { env: 'SVC_URL' }, '/v1?b=2'], `http://${host}/v1/x?b=2&a=1`],
      [`http://${host}/api?key=${secret}`, [{ env: 'SVC_URL' }], `${written}/x?a=1`],
      [`HTTP://${host}/a/../${secret}/`, [{ env: 'SVC_URL' }], `${written}/x?a=1`],
      [secret, [`http://${host}/`, { env: 'SVC_URL' }], `http://${host}/${written}/x?a=1`],
      [`http://${secret}:${secret}@${host}`, [{ env: 'SVC_URL' }], `http://[redacted]@${host}/x?a=1`],
      [`http://${host}#${secret}`, [{ env: 'SVC_URL' }], `${written}/x?a=1`],
    ] as const) {
      const service = { ...api, url: template };
      const request = { path: ['/x'], parameters: [['a', 1]] as const };
      const outcome = await call(service, { request, env: { SVC_URL: value } });
      assert.equal(outcome.status, 'completed', outcome.message);
      assert.equal(entriesOf(outcome, 'call')[0]?.url, shown);
      assert.doesNotMatch(JSON.stringify(outcome.log), /nobodys/);
      const failed = await call(service, { request, env: { SVC_URL: value.replace(host, 'host.invalid') } });
      assert.doesNotMatch(JSON.stringify([failed.log, failed.message]), /nobodys/);
    }
  }));

test('the address of a webhook never appears in a log, wherever it comes from', () =>
  scene({ 'POST *': { json: { ok: true } } }, async ({ stub, call }) => {
    const whole = `${stub.url}/hooks/T0/secret-of-the-hook`;
    for (const url of [[{ env: 'HOOK' }], [whole]] as const) {
      const hook = { name: 'Hook', kind: 'webhook', url } as const;
      const outcome = await call(hook, {
        request: { verb: 'send', parameters: [['text', `look: ${whole}`]] },
        env: { HOOK: whole },
      });
      assert.equal(entriesOf(outcome, 'call')[0]?.url, url[0] === whole ? '[redacted]' : '{env.HOOK}');
      assert.doesNotMatch(JSON.stringify(outcome.log), /secret-of/);
    }
  }));
