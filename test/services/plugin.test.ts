import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallRequest, ServiceSpec } from '../../runtime/types.js';
import { defineConnector } from '../../src/connector.js';
import { callOnce, entriesOf } from './stub.js';

const ledger: ServiceSpec = { name: 'Ledger', kind: 'plugin', module: './ledger.mjs', timeoutMs: 200 };
const record: Partial<CallRequest> = {
  verb: 'record',
  description: 'entry',
  parameters: [
    ['amount', 5],
    ['lines', [{ a: 1 }]],
    ['__proto__', 'x'],
  ],
};
const withPlugin = (module: unknown, more: Partial<CallRequest> = {}) =>
  callOnce(ledger, { request: { ...record, ...more }, loadPlugin: async () => module });

test('passes copies of everything, and returns a plain value', async () => {
  let got: Record<string, unknown> = {};
  const connector = defineConnector({
    async call(call) {
      got = { ...call };
      (call.parameters.lines as unknown as { a: number }[])[0] = { a: 2 };
      return { value: { at: new Date(0), big: 10n, no: undefined, run: () => 1 }, status: 201, headers: { 'x-a': '1' } };
    },
  });
  const lines = [{ a: 1 }];
  const outcome = await withPlugin(connector, {
    path: ['/b/', { name: 'x', value: 'a b' }],
    parameters: [
      ['lines', lines],
      ['__proto__', 'x'],
    ],
  });
  assert.deepEqual(outcome.outputs, {
    value: { at: '1970-01-01T00:00:00.000Z', big: 10, no: null, run: null },
    status: 201,
    headers: { 'x-a': '1' },
  });
  assert.deepEqual(lines, [{ a: 1 }]);
  assert.deepEqual([got.verb, got.description, got.path], ['record', 'entry', '/b/a%20b']);
  assert.deepEqual(Object.keys(got.parameters as object), ['lines', '__proto__']);
  assert.ok(got.signal instanceof AbortSignal);
});

test('call may be the default export, and may return nothing', async () => {
  assert.equal((await withPlugin({ default: { call: () => ({ value: 1 }) } })).outputs?.value, 1);
  assert.deepEqual((await withPlugin({ call: () => undefined })).outputs, { value: null });
});

test('a bundled plugin takes precedence over the host', async () => {
  const outcome = await callOnce(
    { ...ledger, load: async () => ({ call: () => ({ value: 'bundled' }) }) },
    { loadPlugin: () => assert.fail('not asked') },
  );
  assert.equal(outcome.outputs?.value, 'bundled');
});

const failures: [string, unknown, RegExp, number][] = [
  [
    'throws',
    {
      call: () => {
        throw new Error('ledger is closed.\nat /home/somebody/ledger.mjs');
      },
    },
    /^Ledger: record entry failed after 3 attempts: ledger is closed\.$/,
    3,
  ],
  ['throws a text', { call: () => Promise.reject('closed') }, /attempts: closed\.$/, 3],
  ['throws nothing', { call: () => Promise.reject(null) }, /without a message/, 3],
  [
    'throws with a status that is final',
    { call: () => Promise.reject(Object.assign(new Error('no such entry'), { status: 404 })) },
    /1 attempt: no such entry/,
    1,
  ],
  [
    'throws a path of the machine',
    {
      call: () =>
        Promise.reject(Object.assign(new Error(`ENOENT: no such file, open '/etc/ledger/key'`), { path: '/etc/ledger/key' })),
    },
    /open '\[path\]'/,
    3,
  ],
  ['answers with a failing status', { call: () => ({ status: 503, value: 'busy' }) }, /status 503/, 3],
  ['answers with a final status', { call: () => ({ status: 422 }) }, /status 422/, 1],
  ['answers with no object', { call: () => 'ok' }, /must return an object/, 1],
  ['answers with the result itself', { call: () => ({ rate: 19 }) }, /must return an object with a value/, 1],
  [
    'answers with a circle',
    {
      call: () => {
        const value: Record<string, unknown> = {};
        value.self = value;
        return { value };
      },
    },
    /contains itself/,
    1,
  ],
  [
    'throws what nobody can read',
    {
      call() {
        throw Object.defineProperty(new Error(), 'message', {
          get() {
            throw new Error('not readable');
          },
        });
      },
    },
    /it threw something without a message/,
    3,
  ],
  [
    'throws a message that takes forever',
    {
      call() {
        throw new Error(`${' '.repeat(300_000)}x`);
      },
    },
    /Ledger: .* failed after 3 attempts/,
    3,
  ],
  ['hangs', { call: () => new Promise(() => undefined) }, /no answer within 0\.2 seconds/, 3],
  ['exports nothing', {}, /the plugin "\.\/ledger\.mjs" exports no function named call/, 1],
];
for (const [title, module, pattern, attempts] of failures) {
  test(`a plugin that ${title}`, async () => {
    const outcome = await withPlugin(module, { retry: { times: 2, waitMs: 0 } });
    assert.equal(outcome.status, 'error');
    assert.match(outcome.message ?? '', pattern);
    assert.doesNotMatch(outcome.message ?? '', /\/home|\/etc|\n/);
    if (outcome.error?.code === 'WF661') assert.match(outcome.error.publicMessage ?? '', /: the plugin reported an error\.$/);
    assert.equal(entriesOf(outcome, 'call').length, attempts);
  });
}

test('reports a plugin that cannot be loaded', async () => {
  const missing = await callOnce(ledger, {
    loadPlugin: () =>
      Promise.reject(Object.assign(new Error(`Cannot find module '/srv/x/ledger.mjs'`), { code: 'ERR_MODULE_NOT_FOUND' })),
  });
  assert.match(missing.message ?? '', /the plugin "\.\/ledger\.mjs" or something it imports was not found/);
  const broken = await callOnce(ledger, {
    loadPlugin: () => Promise.reject(new SyntaxError(`Unexpected token in file:///srv/x/ledger.mjs`)),
  });
  assert.match(broken.message ?? '', /can't be loaded \(Unexpected token in \[path\]\)/);
  assert.match((await callOnce(ledger)).message ?? '', /can't be loaded here/);
});

test('the signal aborts when time is up', async () => {
  let aborted = false;
  await withPlugin({
    call: ({ signal }: { signal: AbortSignal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          aborted = true;
        }),
      ),
  });
  assert.ok(aborted);
});
