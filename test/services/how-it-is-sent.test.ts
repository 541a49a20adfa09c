// Headers, bodies and methods of one call; call limits; proxies; client certificates.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { CallRequest, ServiceSpec, Value } from '../../runtime/types.js';
import { fencedTransport } from '../../src/durable/engine/live-runs.js';
import { readProxies } from '../../src/engine/transport/proxies.js';
import { createTransport } from '../../src/engine/transport/transport.js';
import { api, callOnce, scene } from './stub.js';

const team: ServiceSpec = {
  ...api,
  headers: [
    ['X-Team', ['ops']],
    ['X-Version', ['1']],
  ],
};

describe('one call', () => {
  test('its own headers override those of the service', () =>
    scene({ 'GET /v1': { json: 1 } }, async ({ stub, call }) => {
      await call(team, {
        request: {
          headers: [
            ['x-version', 2],
            ['X-Shop', 'north'],
            ['X-None', null],
          ],
        },
      });
      await call(team);
      const [first, second] = stub.seen.map(({ headers }) => headers);
      assert.deepEqual(
        [first?.['x-team'], first?.['x-version'], first?.['x-shop'], 'x-none' in (first ?? {})],
        ['ops', '2', 'north', false],
      );
      assert.deepEqual([second?.['x-version'], second?.['x-shop']], ['1', undefined]);
    }));

  test('a value never adds another header', () =>
    scene({}, async ({ stub, call }) => {
      for (const value of ['a\r\nX-Evil: b', 'a\nb', 'a\0', 'ü€', ['a'], { a: 1 }] as Value[]) {
        const outcome = await call(api, { request: { headers: [['X-Shop', value]] } });
        assert.match(outcome.message ?? '', /was not sent: the header X-Shop /);
        assert.doesNotMatch(outcome.message ?? '', /Evil/);
      }
      assert.match((await call(api, { request: { headers: [['Content-Length', '1']] } })).message ?? '', /Content-Length/);
      assert.equal(stub.seen.length, 0);
    }));

  test('redacts a credential in a header of a call', () =>
    scene({ 'GET /v1': { status: 500, text: 'Bearer abc123xyz' } }, async ({ call }) => {
      const outcome = await call(api, { request: { headers: [['Authorization', 'Bearer abc123xyz']] } });
      assert.doesNotMatch(JSON.stringify(outcome), /abc123xyz/);
    }));

  const bodies: [Value, string, RegExp, ServiceSpec?][] = [
    [[{ id: 1 }], '[{"id":1}]', /^application\/json/],
    ['plain text', 'plain text', /^text\/plain/],
    [7, '7', /^application\/json/],
    [{ a: 'b c' }, 'a=b+c', /urlencoded/, { ...api, headers: [['Content-Type', ['application/x-www-form-urlencoded']]] }],
    ['<a/>', '<a/>', /^text\/xml/, { ...api, headers: [['Content-Type', ['text/xml']]] }],
  ];
  test('sends one value as the body', () =>
    scene({ 'POST /v1': { json: 1 }, 'DELETE /v1': { json: 1 } }, async ({ stub, call }) => {
      for (const [value, sent, type, service = api] of bodies) {
        await call(service, { request: { verb: 'upload', body: { value } } });
        const seen = stub.seen.at(-1);
        assert.equal(seen?.body, sent);
        assert.match(seen?.headers['content-type'] ?? '', type);
      }
      await call(api, { request: { verb: 'delete', body: { value: [1] } } });
      assert.deepEqual([stub.seen.at(-1)?.method, stub.seen.at(-1)?.body], ['DELETE', '[1]']);
      for (const request of [
        { verb: 'upload', body: { value: null } },
        { verb: 'get', body: { value: 1 } },
      ] as Partial<CallRequest>[])
        assert.equal((await call(api, { request })).error?.code, 'WF673');
    }));

  test('uses another method than the first word says', () =>
    scene({ 'PUT /v1': { json: 1 }, 'POST /v1': { json: 1 } }, async ({ stub, call }) => {
      await call(api, { request: { verb: 'store', method: 'PUT', parameters: [['a', 1]] } });
      await call(api, { request: { verb: 'find', method: 'POST', parameters: [['q', 'a']] } });
      assert.deepEqual(
        stub.seen.map(({ method, url, body }) => [method, url, body]),
        [
          ['PUT', '/v1', '{"a":1}'],
          ['POST', '/v1', '{"q":"a"}'],
        ],
      );
    }));
});

describe('limits', () => {
  test('limits concurrent calls over all runs', async () => {
    let now = 0;
    let most = 0;
    await scene(
      {
        'GET /v1': {
          raw: (_, response) => {
            most = Math.max(most, ++now);
            setTimeout(() => {
              now--;
              response.end('1');
            }, 30);
          },
        },
      },
      async ({ stub, call }) => {
        const limited = { ...api, limits: { atOnce: 2 } };
        await Promise.all(Array.from({ length: 6 }, () => call(limited)));
        assert.deepEqual([most, stub.seen.length], [2, 6]);
      },
    );
  });

  test('calls a minute: the next one waits, and can be abandoned', () =>
    scene({ 'GET /v1': { json: 1 } }, async ({ stub, call }) => {
      const limited = { ...api, limits: { perMinute: 3 } };
      for (let turn = 0; turn < 3; turn++) assert.equal((await call(limited)).status, 'completed');
      const waiting = await call(limited, { timeoutMs: 100 });
      assert.match(waiting.message ?? '', /exceeded its time limit/);
      const gone = new AbortController();
      const stopped = call(limited, { signal: gone.signal });
      gone.abort();
      assert.equal((await stopped).status, 'error');
      assert.equal(stub.seen.length, 3);
      // Another address has its own count, and mock answers have none.
      assert.equal((await call({ ...limited, url: [{ env: 'STUB_URL' }, '/v1?other'] })).status, 'completed');
      assert.equal((await call(limited, { mock: true })).status, 'completed');
    }));

  test('a failing call frees its place', () =>
    scene({ 'GET /v1': { status: 500 } }, async ({ stub, call }) => {
      const limited = { ...api, limits: { atOnce: 1 }, url: [{ env: 'STUB_URL' }, '/v1?failing'] };
      for (let turn = 0; turn < 3; turn++) await call(limited);
      assert.equal(stub.seen.length, 3);
    }));
});

describe('proxies', () => {
  test('decides which addresses use one', () => {
    const proxies = readProxies({
      HTTP_PROXY: 'http://user:p%40ss@proxy.test:3128',
      https_proxy: 'secure.test',
      NO_PROXY: 'example.com, .internal 10.0.0.0/8,host.test:8080,::1,fd00::/8',
    });
    const through = (address: string): string | undefined => proxies?.of(new URL(address))?.origin;
    assert.equal(through('http://a.test/'), 'http://proxy.test:3128');
    assert.equal(through('https://a.test/'), 'http://secure.test');
    assert.equal(proxies?.of(new URL('http://a.test'))?.authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    for (const past of [
      'http://example.com/',
      'http://sub.example.com/',
      'https://a.internal/',
      'http://10.1.2.3/',
      'http://host.test:8080/',
      'http://[::1]/',
      'http://[fd00::1]/',
    ])
      assert.equal(through(past), undefined, past);
    for (const by of ['http://notexample.com/', 'http://host.test/', 'http://11.1.2.3/', 'http://10.example.org/'])
      assert.ok(through(by), by);
    assert.equal(readProxies({ NO_PROXY: '*' }), undefined);
    assert.equal(readProxies({ HTTP_PROXY: 'http://p', NO_PROXY: '*' })?.of(new URL('http://a')), undefined);
  });

  test('sends nothing past a proxy whose address is invalid', async () => {
    for (const address of ['socks5://127.0.0.1:1080', 'http://', 'http://%zz:secret@127.0.0.1:1080']) {
      const { transport, close } = createTransport({ env: { HTTP_PROXY: address, NO_PROXY: 'past.test' } });
      const { message } = await callOnce({ ...api, url: ['http://service.test/v1'] }, { transport });
      assert.equal(
        message,
        'Api: GET was not sent: the address of its proxy, from HTTP_PROXY, is not one that starts with http:// or https://.',
      );
      await close();
    }
  });

  test('sends a call through it, encrypted ones through a tunnel', () =>
    scene({ 'GET /v1': { json: 1 } }, async ({ stub }) => {
      const { port: target } = new URL(stub.url);
      const seen: string[] = [];
      const proxy = createHttp((incoming, outgoing) => {
        seen.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`);
        const { pathname } = new URL(incoming.url ?? '');
        incoming.pipe(
          httpRequest({ port: target, path: pathname, headers: incoming.headers }, (answer) => answer.pipe(outgoing)),
        );
      });
      proxy.on('connect', (incoming, socket) => {
        seen.push(`CONNECT ${incoming.url}`);
        socket.end('HTTP/1.1 403 No\r\n\r\n');
      });
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      const { port } = proxy.address() as AddressInfo; // a TCP server's address is an object
      const { transport, close } = createTransport({
        env: { HTTP_PROXY: `http://u:p@127.0.0.1:${port}`, HTTPS_PROXY: `http://127.0.0.1:${port}` },
      });
      try {
        const plain = await callOnce({ ...api, url: ['http://service.test/v1'] }, { transport });
        assert.equal(plain.status, 'completed', plain.message);
        assert.equal(stub.seen[0]?.headers.host, 'service.test');
        const refused = await callOnce({ ...api, url: ['https://service.test/v1'] }, { transport });
        assert.match(refused.message ?? '', /the proxy refused the connection/);
        assert.deepEqual(seen, ['GET http://service.test/v1 Basic dTpw', 'CONNECT service.test:443']);
      } finally {
        await close();
        proxy.closeAllConnections?.();
        proxy.close();
      }
    }));
});

test('a request that is refused when its connection is ready is not sent, and the next one is', () =>
  scene({ 'GET /v1': { json: 1 } }, async ({ stub }) => {
    const { transport, close } = createTransport();
    const fence = { isGood: false };
    let refusals = 0;
    const fenced = fencedTransport(transport, fence, () => {
      refusals++;
      fence.isGood = true;
    });
    const service = { ...api, url: [`${stub.url}/v1`] };
    try {
      assert.equal((await callOnce(service, { transport: fenced })).status, 'error');
      assert.equal(stub.seen.length, 0);
      assert.equal((await callOnce(service, { transport: fenced })).status, 'completed');
      assert.deepEqual([refusals, stub.seen.length], [1, 1]);
    } finally {
      await close();
    }
  }));

describe('client certificates', () => {
  const bank: ServiceSpec = { ...api, clientCertificate: { certificate: [{ env: 'CERT' }], key: ['client.key'] } };

  test('reports unusable files', () =>
    scene({}, async ({ stub, call }) => {
      const missing = await call(bank, { env: { CERT: 'nowhere.pem' }, folder: path.join('/tmp', 'wf-none') });
      assert.match(missing.message ?? '', /its client certificate cannot be read: it does not exist/);
      assert.doesNotMatch(JSON.stringify(missing), /wf-none/);
      assert.match((await call(bank)).message ?? '', /its client certificate needs the environment variable CERT/);
      assert.equal(stub.seen.length, 0);
    }));
});
