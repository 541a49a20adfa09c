// What must fail before anything is sent, and what no value may change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressOf } from '../../runtime/services/address.js';
import { fillPath } from '../../runtime/services/path.js';
import type { PathPart, ServiceSpec, Value } from '../../runtime/types.js';
import { runs } from '../root.js';
import { api, scene } from './stub.js';

const at = (...parts: (string | [string, Value])[]): PathPart[] =>
  parts.map((part) => (typeof part === 'string' ? part : { name: part[0], value: part[1] }));

test('a value is one segment, or one value of the query', () => {
  const filled = fillPath(
    at(
      '/users/',
      ['request.name', '../../admin?x=1#f'],
      '/repos?sort=',
      ['request.sort', 'a&b=c'],
      '&none=',
      ['n', null],
      '#top',
      ['x', 'y'],
    ),
  );
  assert.deepEqual(filled, { ok: true, path: '/users/..%2F..%2Fadmin%3Fx%3D1%23f/repos', query: 'sort=a%26b%3Dc&none=' });
  assert.deepEqual(fillPath(at('/a/', ['n', 1.5], '-', ['b', true], '/', ['u', 'é\r\n'])), {
    ok: true,
    path: '/a/1.5-true/%C3%A9%0D%0A',
    query: '',
  });
});

const refused: [string, PathPart[], RegExp][] = [
  ['..', at('/a/', ['request.x', '..']), /request\.x is "\.\."/],
  ['half of a character', at('/a/', ['request.x', 'é\ud800']), /request\.x contains half of a character/],
  ['.', at('/a/', ['request.x', '.'], '/b'), /request\.x is "\."/],
  ['dots that join', at('/a/', ['p', 'x'], '/.', ['q.r', '.']), /q\.r/],
  ['a dot in literal percent', at('/%2e', ['q', '.'], '/b'), /q is "\."/],
  ['the rest of a percent sign', at('/%2', ['q', 'e'], '%2e/b'), /q turns part of the path into "\.\."/],
  [
    'dots before a backslash',
    at('/a/%2E', ['q', '%2e'], '\\b')
      .slice(0, 1)
      .concat(at(['q', '..'], '\\b')),
    /q is/,
  ],
  ['empty', at('/a/', ['request.id', null], '/b'), /request\.id is empty/],
  ['never set', at('/a/', ['id', undefined]), /id is empty/],
  ['empty text', at('/a/', ['id', '']), /id is empty/],
  ['a list', at('/a/', ['ids', ['a']]), /ids is a list/],
  ['a record', at('/a/', ['who', { a: 1 }]), /who is a record/],
];
for (const [title, path, pattern] of refused) {
  test(`does not send ${title} in a path`, () =>
    scene({ 'GET *': { json: {} } }, async ({ stub, call }) => {
      const outcome = await call(api, { request: { path, retry: { times: 3, waitMs: 0 } } });
      assert.equal(outcome.error?.code, 'WF653');
      assert.match(outcome.message ?? '', pattern);
      assert.match(outcome.message ?? '', /^Api: GET .* was not sent: /);
      assert.deepEqual(stub.seen, []);
    }));
}

test('no value changes host, port, literal path or the number of segments', () => {
  const tricky = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '/..',
      '\\',
      '//evil.example',
      '@evil',
      '?',
      '#',
      '\t',
      '\n..',
      'a/../../b',
      ':80',
      '%00',
    ),
  );
  fc.assert(
    fc.property(tricky, tricky, tricky, (one, two, three) => {
      const path = fillPath(at('/users/', ['a', one], '/x', ['b', two], 'y/end?q=', ['c', three]));
      if (!path.ok) return;
      const address = addressOf(['https://api.example:8443/v1'], {}, path.path, [path.query]);
      assert.ok(address.ok);
      const url = new URL(address.url);
      assert.equal(url.origin, 'https://api.example:8443');
      const [, v1, users, first, second, end, ...rest] = url.pathname.split('/');
      assert.deepEqual([v1, users, end, rest.length], ['v1', 'users', 'end', 0]);
      assert.equal(decodeURIComponent(first ?? ''), one);
      assert.equal(decodeURIComponent(second ?? ''), `x${two}y`);
      assert.deepEqual([...url.searchParams.keys()], ['q']);
    }),
    { numRuns: runs(2000) },
  );
});

const secret = 'top\r\nX-Evil: secret-value';
const withHeader = (value: string): ServiceSpec => ({
  ...api,
  headers: [
    ['X-A', ['v ', { env: 'API_KEY' }]],
    ['X-B', [value]],
  ],
});
const unsendable: [string, ServiceSpec, Record<string, string>, RegExp, string][] = [
  ['a missing variable of a header', withHeader('b'), {}, /header X-A needs the environment variable API_KEY/, 'WF650'],
  ['an empty variable of a header', withHeader('b'), { API_KEY: '' }, /API_KEY/, 'WF650'],
  [
    'a line break in a header',
    withHeader('b'),
    { API_KEY: secret },
    /header X-A, from the environment variable API_KEY, contains a line break/,
    'WF652',
  ],
  ['NUL in a header', withHeader('b'), { API_KEY: 'secret-value\0' }, /X-A/, 'WF652'],
  ['a character that headers cannot have', withHeader('b'), { API_KEY: 'secret-value名' }, /X-A/, 'WF652'],
  ['a header name that is none', { ...api, headers: [['Größe', ['1']]] }, {}, /Größe/, 'WF652'],
  [
    'a header that belongs to the connection',
    { ...api, headers: [['content-Length', ['5']]] },
    {},
    /the header content-Length is set by wf for each request and can't be declared/,
    'WF652',
  ],
  [
    'a missing variable of the address',
    { ...api, url: ['http://', { env: 'HOST' }, { env: 'PART' }] },
    { PART: 'x' },
    /its address needs the environment variable HOST, which is missing/,
    'WF650',
  ],
  [
    'two missing variables',
    { ...api, url: [{ env: 'HOST' }, { env: 'PART' }] },
    {},
    /variables HOST and PART, which are missing/,
    'WF650',
  ],
  ['another protocol', { ...api, url: [{ env: 'WHERE' }] }, { WHERE: 'ftp://secret-value' }, /WHERE.*http/, 'WF651'],
  ['no address at all', { ...api, url: [{ env: 'WHERE' }] }, { WHERE: 'secret-value' }, /WHERE/, 'WF651'],
  [
    'a line break in the address',
    { ...api, url: [{ env: 'WHERE' }] },
    { WHERE: 'http://secret-value\r\n.example' },
    /WHERE.*line break/,
    'WF651',
  ],
];
for (const [title, service, env, pattern, code] of unsendable) {
  test(`does not send ${title}`, () =>
    scene({ 'GET *': { json: {} } }, async ({ stub, call }) => {
      const outcome = await call(service, { env, request: { retry: { times: 5, waitMs: 60_000 } } });
      assert.equal(outcome.error?.code, code);
      assert.match(outcome.message ?? '', pattern);
      assert.doesNotMatch(JSON.stringify(outcome), /secret-value/);
      assert.deepEqual(stub.seen, []);
    }));
}

test('a handled failure before sending is not an attempt', () =>
  scene({}, async ({ call }) => {
    const outcome = await call(withHeader('b'), { request: { handled: true } });
    assert.deepEqual(outcome.outputs?.failure, {
      message: 'Api: GET was not sent: the header X-A needs the environment variable API_KEY, which is missing or empty.',
      status: null,
      body: null,
      service: 'Api',
      attempts: 0,
      'in-doubt': false,
    });
  }));

test('reads the environment through its own properties only', () =>
  scene({ 'GET *': { json: {} } }, async ({ call, stub }) => {
    const env = Object.assign(Object.create({ API_KEY: 'inherited' }), { STUB_URL: stub.url });
    const { callOnce } = await import('./stub.js');
    const outcome = await callOnce(withHeader('b'), { env });
    assert.equal(outcome.error?.code, 'WF650');
    assert.equal((await call(withHeader('b'), { env: { API_KEY: 'own' } })).status, 'completed');
  }));
