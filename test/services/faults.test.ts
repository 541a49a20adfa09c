// Faults of services during a call, each over a real socket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Outcome, ServiceSpec } from '../../runtime/types.js';
import { api, type CallOptions, entriesOf, type Routes, resultOf, type StubAnswer, scene } from './stub.js';

const quick: ServiceSpec = { ...api, timeoutMs: 400 };

/** One call of `GET /v1`, with the transport of the command line and with that of standalone modules. */
function eachTransport(
  title: string,
  answer: StubAnswer,
  service: ServiceSpec,
  check: (outcome: Awaited<ReturnType<typeof import('./stub.js').callOnce>>, tookMs: number) => void,
  options: CallOptions = {},
): void {
  for (const name of ['undici', 'fetch']) {
    test(`${title} (${name})`, () =>
      scene({ 'GET /v1': answer }, async ({ call }) => {
        const start = performance.now();
        const outcome = await call(service, { ...options, ...(name === 'fetch' ? { fetch } : {}) });
        check(outcome, performance.now() - start);
      }));
  }
}

const isFailure = (code: string, pattern: RegExp) => (outcome: Outcome) => {
  assert.equal(outcome.status, 'error');
  assert.match(outcome.message ?? '', pattern);
  assert.match(outcome.message ?? '', /^Api: GET failed after 1 attempt: /);
  assert.equal(outcome.error?.code, code);
};

const inTime = (outcome: Outcome, tookMs: number): void => {
  isFailure('WF655', /no answer within 0\.4 seconds/)(outcome);
  assert.ok(tookMs >= 395 && tookMs < 20_000, `it took ${tookMs} ms`);
};

eachTransport('a silent service', { raw: () => undefined }, quick, inTime);
eachTransport(
  'a service that stops after its headers',
  { raw: (_socket, response) => response.writeHead(200).flushHeaders() },
  quick,
  inTime,
);
eachTransport(
  'a byte now and then',
  {
    raw: (_socket, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  },
  quick,
  inTime,
);
eachTransport('a dropped connection', { raw: (socket) => socket.destroy() }, api, isFailure('WF654', /the connection broke/));
eachTransport(
  'a wrong content-length',
  { raw: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":1}') },
  api,
  isFailure('WF654', /the connection broke before the answer was complete/),
);
eachTransport(
  'something that is not HTTP',
  { raw: (socket) => socket.end('SSH-2.0-OpenSSH_9.0\r\n') },
  api,
  isFailure('WF654', /not HTTP|broke/),
);
eachTransport(
  '100,000 headers',
  { raw: (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`) },
  api,
  isFailure('WF658', /headers are too large/),
);
eachTransport(
  'JSON that is none',
  { text: '{oops', headers: { 'content-type': 'application/json' } },
  api,
  isFailure('WF658', /claims to be JSON, but is not \(line 1, column 2 of the answer\)/),
);
eachTransport(
  'JSON with bytes that are not UTF-8',
  { text: Buffer.from([0x22, 0xff, 0x22]), headers: { 'content-type': 'application/json' } },
  api,
  isFailure('WF658', /not valid UTF-8/),
);
eachTransport(
  'JSON that is nested too deep',
  { text: '['.repeat(100_000) + ']'.repeat(100_000), headers: { 'content-type': 'application/json' } },
  api,
  isFailure('WF658', /nested more than 200 levels deep/),
);
eachTransport(
  'a failing answer that breaks off is what its status says',
  { raw: (socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nno such user') },
  api,
  (outcome) => {
    isFailure('WF656', /status 404 \(Not Found\)/)(outcome);
    assert.equal(entriesOf(outcome, 'call')[0]?.body, 'no such user');
  },
);
eachTransport(
  'the status of an answer that breaks off is known',
  { raw: (socket) => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n{"a":') },
  api,
  (outcome) => assert.equal(outcome.outputs?.status, 202),
  { request: { handled: true } },
);
eachTransport(
  'a failing answer whose compression is none is what its status says',
  { status: 503, text: 'not gzip', headers: { 'content-encoding': 'gzip' } },
  api,
  isFailure('WF656', /status 503/),
);
eachTransport('11 MiB', { text: 'x'.repeat(11 * 1024 * 1024) }, api, isFailure('WF657', /larger than 10 MiB/));
eachTransport(
  '11 MiB, once inflated',
  { text: gzipSync(Buffer.alloc(11 * 1024 * 1024)), headers: { 'content-encoding': 'gzip' } },
  api,
  isFailure('WF657', /larger than 10 MiB/),
);
eachTransport(
  'compression that is none',
  { text: 'not gzip', headers: { 'content-encoding': 'gzip' } },
  api,
  isFailure('WF658', /compression is broken/),
);
eachTransport('exactly 10 MiB is read', { text: 'x'.repeat(10 * 1024 * 1024) }, api, (outcome) =>
  assert.equal(String(resultOf(outcome)).length, 10 * 1024 * 1024),
);

test('600 MB: fails at the limit, closes the connection, keeps memory low', () => {
  let sent = 0;
  let closed = false;
  const flood: StubAnswer = {
    raw: (_socket, response) => {
      const part = Buffer.alloc(1024 * 1024);
      response.on('close', () => {
        closed = true;
      });
      const more = (): void => {
        while (!closed && sent < 600) {
          sent++;
          if (!response.write(part)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    },
  };
  return scene({ 'GET /v1': flood }, async ({ call }) => {
    const before = process.memoryUsage().rss;
    const outcome = await call(api);
    assert.match(outcome.message ?? '', /10 MiB/);
    assert.ok(sent < 300, `${sent} MB were sent`);
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    // The stub has its own buffers in this process; the point is that the total is nowhere near 600.
    assert.ok(grown < 150, `memory grew by ${grown} MB`);
  });
});

test('fails if nothing listens', () =>
  scene({}, async ({ call }) => {
    const outcome = await call({ name: 'Api', kind: 'api', url: ['http://127.0.0.1:1'] });
    assert.equal(outcome.message, 'Api: GET failed after 1 attempt: connection refused.');
  }));

test('does not name an unknown host, which may be a secret', () =>
  scene({}, async ({ call }) => {
    const outcome = await call({ name: 'Api', kind: 'api', url: ['http://tenant-secret.invalid'] });
    assert.equal(outcome.error?.code, 'WF654');
    assert.doesNotMatch(outcome.message ?? '', /tenant-secret/);
  }));

test('a failure gives service, method, path as written, status and attempts, and never the answer', () =>
  scene({ 'GET *': { status: 503, json: { why: 'the answer itself' } } }, async ({ call }) => {
    const path = ['/users/', { name: 'request.name', value: 'ada' }];
    const outcome = await call(api, { request: { path, retry: { times: 1, waitMs: 0 } } });
    assert.equal(outcome.message, 'Api: GET /users/{request.name} failed after 2 attempts: status 503 (Service Unavailable).');
    assert.deepEqual(outcome.error, { message: outcome.message, line: 12, column: 5, length: 20, code: 'WF656' });
    assert.equal(entriesOf(outcome, 'call')[0]?.body, '{"why":"the answer itself"}');
  }));

test('a handled failure is cut after 1,000 characters, without secrets', () =>
  scene({ 'GET *': { status: 404, text: `key k-123456 is wrong ${'é'.repeat(990)}${'x'.repeat(20)}` } }, async ({ call }) => {
    const outcome = await call(
      { ...api, headers: [['X-Api-Key', [{ env: 'API_KEY' }]]] },
      { env: { API_KEY: 'k-123456' }, request: { handled: true } },
    );
    const failure = outcome.outputs?.failure as Record<string, unknown>;
    assert.deepEqual(
      { ...failure, body: undefined },
      {
        message: 'Api: GET failed after 1 attempt: status 404 (Not Found).',
        status: 404,
        body: undefined,
        service: 'Api',
        attempts: 1,
        'in-doubt': false,
      },
    );
    assert.match(String(failure.body), /^key \[redacted\] is wrong é+$/);
    assert.equal(String(failure.body).length, 1000);
    assert.equal(outcome.outputs?.status, 404);
  }));

const circle: Routes = { 'GET /v1': { status: 302, headers: { location: '/v1' } } };
const redirects: [string, Routes, RegExp][] = [
  ['a circle', circle, /status 302, a redirect after 5 others/],
  ['no address', { 'GET /v1': { status: 301 } }, /a redirect without an address/],
  ['another protocol', { 'GET /v1': { status: 302, headers: { location: 'file:///etc/passwd' } } }, /does not start with http/],
  ['not an address', { 'GET /v1': { status: 302, headers: { location: 'http://[' } } }, /to an invalid address/],
];
for (const [title, routes, pattern] of redirects) {
  test(`a redirect to ${title} is a failure`, () =>
    scene(routes, async ({ call, stub }) => {
      isFailure('WF659', pattern)(await call(api));
      assert.ok(stub.seen.length <= 6);
    }));
}

test('a redirect on the same host keeps the headers', () =>
  scene(
    { 'GET /v1': { status: 302, headers: { location: '/y?z=1' } }, 'GET /y': { json: { ok: true } } },
    async ({ call, stub }) => {
      const outcome = await call({ ...api, headers: [['Authorization', ['Bearer secret-token']]] });
      assert.deepEqual(resultOf(outcome), { ok: true });
      assert.equal(stub.seen[1]?.headers.authorization, 'Bearer secret-token');
    },
  ));

test('a redirect to another host keeps only harmless headers, even on the way back', () =>
  scene({ 'GET /there': { status: 307, headers: { location: 'BACK' } } }, async ({ stub: unused }) => {
    assert.deepEqual(unused.seen, []);
    await scene({ 'GET /end': { json: 1 } }, async (home) => {
      await scene({ 'GET /there': { status: 307, headers: { location: `${home.stub.url}/end` } } }, async (away) => {
        await scene({ 'GET /v1': { status: 302, headers: { location: `${away.stub.url}/there` } } }, async ({ call, stub }) => {
          const headers = [
            ['Authorization', ['Bearer secret-token']],
            ['X-Team', [{ env: 'API_KEY' }]],
            ['X-Auth-Token', ['abc']],
            ['Cookie', ['a=b']],
            ['Accept', ['text/csv']],
          ] as const;
          const withUser = stub.url.replace('//', '//ada:pass-word@');
          const outcome = await call({ ...api, headers }, { env: { API_KEY: 'k-123456', STUB_URL: withUser } });
          assert.equal(outcome.status, 'completed');
          for (const { headers: got, body } of [...away.stub.seen, ...home.stub.seen]) {
            assert.deepEqual(Object.keys(got).sort(), ['accept', 'connection', 'host', 'user-agent']);
            assert.equal(got.accept, 'text/csv');
            assert.equal(body, '');
          }
          assert.equal(home.stub.seen.length, 1);
        });
      });
    });
  }));

for (const verb of ['create', 'update', 'patch', 'delete']) {
  test(`${verb}: never follows a redirect`, () =>
    scene(
      {
        'POST /v1': { status: 307, headers: { location: '/y' } },
        'PUT /v1': { status: 308, headers: { location: '/y' } },
        'PATCH /v1': { status: 302, headers: { location: '/y' } },
        'DELETE /v1': { status: 301, headers: { location: '/y' } },
      },
      async ({ call, stub }) => {
        const outcome = await call(api, { request: { verb, retry: { times: 2, waitMs: 0 } } });
        assert.match(outcome.message ?? '', /a redirect that is not followed for/);
        assert.equal(stub.seen.length, 1);
      },
    ));
}

test('shows no part of a secret that a limit cuts in two', () => {
  const secret = Array.from({ length: 90 }, (_, index) => `part-${index}.`).join('');
  // Each takes ten characters once redacted, which would bring the cut through the last one into view.
  const forms = [secret, encodeURIComponent(secret).replaceAll('.', '%2E'), Buffer.from(`a:${secret}`).toString('base64')];
  return scene({ 'GET /v1': Array.from(forms, (form) => ({ status: 500, text: form.repeat(200) })) }, async ({ call }) => {
    for (const _ of forms) {
      const outcome = await call(api, { env: { API_KEY: secret } });
      const [entry] = entriesOf(outcome, 'call');
      assert.match(String(entry?.body), /^(?:\S{0,10}\[redacted\]){2}/);
      assert.doesNotMatch(String(entry?.body), /part-|cGFydC|\dhcnQt/);
    }
  });
});
