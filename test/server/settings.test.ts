// Options and environment of `wf serve`: defaults, precedence, and each message literally.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { readSettings, type ServeOptions } from '../../src/server/settings.js';
import { startWarnings } from '../../src/server/start-lines.js';
import { fixture } from '../root.js';
import { echo } from './fake-workflow.js';

const messageOf = (options: ServeOptions, env: Record<string, string> = {}): string => {
  try {
    readSettings(options, env);
  } catch (error) {
    assert.ok(error instanceof Error && error.name === 'UsageError');
    return error.message;
  }
  return 'accepted';
};

test('defaults', () => {
  assert.deepEqual(readSettings({}, {}), {
    port: 3000,
    host: '127.0.0.1',
    verbose: false,
    logFormat: 'text',
    mock: false,
    mocks: undefined,
    token: undefined,
    tokens: undefined,
    corsOrigin: undefined,
    allowedOrigins: [],
    maxRunMemory: undefined,
    limits: { maxBody: 1_048_576, maxConcurrent: 1000, timeoutMs: undefined },
    rateLimit: undefined,
    trustProxy: 0,
    otel: false,
    outputLog: undefined,
    alert: undefined,
    graceMs: 30_000,
    drainMs: 0,
    strictEnv: false,
    workers: 1,
    watch: false,
    metrics: false,
    schedules: false,
    catchUp: false,
    store: undefined,
    operatorToken: undefined,
    console: false,
    publicUrl: undefined,
    userHeader: undefined,
    oidc: undefined,
    keepMs: 90 * 86_400_000,
    keepMessagesMs: undefined,
  });
});

test('uses what is given', () => {
  const settings = readSettings(
    { port: '0', maxBody: '64kb', timeout: '0', grace: '5', maxConcurrent: '2', workers: '4', host: '::1', mocks: 'm.json' },
    {},
  );
  assert.deepEqual(settings.limits, { maxBody: 65_536, maxConcurrent: 2, timeoutMs: 0 });
  assert.deepEqual([settings.port, settings.graceMs, settings.workers, settings.host, settings.mock], [0, 5000, 4, '::1', true]);
  assert.equal(readSettings({ host: '[::1]' }, {}).host, '::1');
  for (const [text, bytes] of [
    ['512', 512],
    ['1B', 1],
    ['1.5KB', 1536],
    ['2 mb', 2_097_152],
    ['256MB', 268_435_456],
  ] as const) {
    assert.equal(readSettings({ maxBody: text }, {}).limits.maxBody, bytes);
  }
});

test('decides where to listen', () => {
  const hostOf = (host: string | undefined, env: Record<string, string>): string =>
    readSettings(host === undefined ? {} : { host }, env).host;
  assert.equal(hostOf(undefined, { WF_HOST: '0.0.0.0' }), '0.0.0.0');
  assert.equal(hostOf('127.0.0.1', { WF_HOST: '0.0.0.0' }), '127.0.0.1');
  assert.equal(hostOf(undefined, { WF_HOST: '[::]' }), '::');
  assert.equal(hostOf(undefined, { WF_HOST: ' ' }), '127.0.0.1');
});

test('an address that other machines reach needs a token, or prints a warning', () => {
  const warned = (host: string, authToken?: string): number =>
    startWarnings(readSettings(authToken === undefined ? { host } : { host, authToken }, {}), [], {}).length;
  for (const host of ['127.0.0.1', '127.0.0.2', '::1', '[::1]', 'localhost', 'LOCALHOST']) assert.equal(warned(host), 0, host);
  for (const host of ['0.0.0.0', '::', '10.0.0.7', '1270.0.0.1', 'localhost.example', 'example.org']) {
    assert.equal(warned(host), 1, host);
    assert.equal(warned(host, 'a-token'), 0, host);
  }
});

test('one token for callers and operators prints a warning', () => {
  const warned = (operatorToken: string): string[] =>
    startWarnings(readSettings({ authToken: 'a-token', operatorToken, store: 'runs' }, {}), [], {});
  assert.match(warned('a-token').join('\n'), /^Warning: callers and operators have the same token/);
  assert.deepEqual(warned('another-token'), []);
});

test('without a store, the start names the lines that wait for long', () => {
  const pauses = [
    { line: 9, reason: 'Finance to answer' },
    { line: 12, reason: 'the message payment' },
  ];
  const told = (options: ServeOptions): string =>
    startWarnings(readSettings(options, {}), [echo('case', { pauses })], {}).join('\n');
  assert.match(
    told({}),
    /case\.wf: line 9 waits for Finance to answer, line 12 waits for the message payment, but there is no store/,
  );
  assert.equal(told({ store: 'runs' }), '');
});

test('without a store, the start says that "answer: accepted" answers late', () => {
  const told = (options: ServeOptions): string[] =>
    startWarnings(readSettings(options, {}), [echo('hook', { serving: { isAccepted: true } })], {});
  assert.match(told({})[0] ?? '', /hook\.wf says "answer: accepted", but there is no store/);
  assert.deepEqual([told({ store: 'runs' }), told({ mock: true })], [[], []]);
});

test('waits until a date, for days, and of called workflows are long', async () => {
  const prepared = await prepare('order.wf', { cwd: fixture('server/long-waits'), env: { WF_CACHE: 'off' } });
  assert.ok(prepared.ok);
  assert.deepEqual(prepared.prepared.workflow.pauses, [
    { line: 13, reason: 'a date' },
    { line: 14, reason: 'the workflow Approval' },
    { line: 15, reason: 'a long time' },
  ]);
});

test('warns of webhooks whose secret is not set', () => {
  const hook = echo('hook', { serving: { signature: 'github', secrets: ['HUB_SECRET'] } });
  const told = (env: Record<string, string>): string[] => startWarnings(readSettings({ store: 'runs' }, {}), [hook], env);
  assert.match(told({})[0] ?? '', /hook\.wf refuses all webhooks, because HUB_SECRET is not set/);
  assert.equal(told({ HUB_SECRET: ' ' }).length, 1);
  assert.deepEqual(told({ HUB_SECRET: 'one two' }), []);
});

test('reports contradicting time limits at the start', () => {
  const told = (info: { timeoutMs?: number; longestWaitMs?: number }, options: ServeOptions = {}): string[] =>
    startWarnings(readSettings(options, {}), [echo('case', info)], {});
  const [hour, minute] = [3_600_000, 60_000];
  assert.deepEqual(told({}), []);
  assert.deepEqual(told({ longestWaitMs: 5 * minute }), []);
  assert.match(
    told({ longestWaitMs: hour })[0] ?? '',
    /case\.wf waits 1 hour, but its runs end after 5 minutes\. Give the file a "timeout:"/,
  );
  assert.deepEqual(told({ longestWaitMs: hour, timeoutMs: 2 * hour }), []);
  assert.deepEqual(told({ longestWaitMs: hour }, { timeout: '0' }), []);
  assert.match(
    told({ longestWaitMs: hour }, { timeout: '60' })[0] ?? '',
    /waits 1 hour, but its runs end after 1 minute\. Set a longer --timeout\./,
  );
  assert.match(
    told({ timeoutMs: hour }, { timeout: '60' })[0] ?? '',
    /the timeout of .*case\.wf is 1 hour, but --timeout ends its runs after 1 minute\./,
  );
  assert.deepEqual(told({ timeoutMs: minute }, { timeout: '3600' }), []);
});

test('refuses a number that is invalid, or out of range', () => {
  assert.equal(messageOf({ port: 'abc' }), '--port must be a whole number from 0 to 65535, not "abc".');
  for (const port of ['70000', '-1', '3.5', '', ' 80', '0x50', '1e3', '３'])
    assert.match(messageOf({ port }), /^--port must be a whole number/);
  for (const timeout of ['-1', 'x', '604801'])
    assert.match(messageOf({ timeout }), /^--timeout must be a whole number from 0 to 604800, not /);
  for (const maxConcurrent of ['0', 'x', '1.5'])
    assert.match(messageOf({ maxConcurrent }), /^--max-concurrent must be a whole number from 1 /);
  for (const workers of ['0', '129']) assert.match(messageOf({ workers }), /^--workers must be a whole number from 1 to 128/);
  assert.match(messageOf({ grace: '5m' }), /^--grace must be a whole number from 0 to 86400, not "5m"\.$/);
  for (const maxBody of ['0', '1tb', 'x', '-1mb', '257mb', '1gb', '']) {
    assert.match(messageOf({ maxBody }), /^--max-body must be a size from 1b to 256mb, such as 64kb or 1mb, not ".*"\.$/);
  }
  assert.equal(messageOf({ host: ' ' }), '--host is empty.');
});

test('people sign in with a provider over https, whose groups have roles', () => {
  const env = { WF_OIDC_CLIENT_ID: 'wf', WF_OIDC_CLIENT_SECRET: 'the-secret' };
  const right = { console: true, store: 'runs', oidc: 'https://login.example.com/realms/acme', oidcRoles: 'roles.json' };
  assert.deepEqual(readSettings(right, env).oidc, {
    issuer: right.oidc,
    clientId: 'wf',
    clientSecret: 'the-secret',
    roles: 'roles.json',
  });
  assert.equal(readSettings({ ...right, oidc: 'http://localhost:8080/realms/acme' }, env).oidc?.issuer.slice(0, 7), 'http://');
  assert.equal(readSettings(right, { WF_OIDC_CLIENT_ID: 'wf' }).oidc?.clientSecret, undefined);
  const { oidc, oidcRoles, ...rest } = right;
  assert.deepEqual(readSettings(rest, { ...env, WF_OIDC: oidc, WF_OIDC_ROLES: oidcRoles }).oidc, readSettings(right, env).oidc);
  const cases: [object, object, RegExp][] = [
    [{ oidc: 'http://login.example.com' }, {}, /must be the https address of an OpenID provider/],
    [{ oidc: 'login.example.com' }, {}, /must be the https address/],
    [{ oidc: ' ' }, {}, /--oidc is empty/],
    [{ oidc: undefined }, {}, /--oidc-roles needs --oidc/],
    [{ console: false }, {}, /--oidc needs --console/],
    [{ oidcRoles: undefined }, {}, /--oidc needs --oidc-roles/],
    [{ userHeader: 'X-User' }, {}, /both say who someone is/],
    [{}, { WF_OIDC_CLIENT_ID: '' }, /--oidc needs WF_OIDC_CLIENT_ID/],
  ];
  for (const [options, more, message] of cases)
    assert.throws(() => readSettings({ ...right, ...options }, { ...env, ...more }), message);
});

test('a console needs runs that are kept', () => {
  assert.match(messageOf({ console: true }), /^--console needs a store/);
  for (const mocked of [{ mock: true }, { mocks: 'm.json' }])
    assert.match(messageOf({ console: true, store: 'runs', ...mocked }), /^--console has nothing to show with mock services/);
  assert.equal(messageOf({ store: 'runs', mock: true }), 'accepted');
});

test('validates tokens', () => {
  assert.equal(readSettings({ authToken: 'a' }, { WF_AUTH_TOKEN: 'b' }).token, 'a');
  assert.equal(readSettings({}, { WF_AUTH_TOKEN: 'b' }).token, 'b');
  assert.equal(messageOf({ authToken: '' }, { WF_AUTH_TOKEN: 'b' }), 'The token in --auth-token is empty.');
  assert.equal(messageOf({ authToken: '  ' }), 'The token in --auth-token is empty.');
  assert.equal(messageOf({}, { WF_AUTH_TOKEN: '' }), 'The token in WF_AUTH_TOKEN is empty.');
  for (const authToken of ['two words', 'line\n', 'ü']) {
    const message = messageOf({ authToken });
    assert.match(message, /^The token in --auth-token contains a space, a line break or another character/);
    assert.ok(!message.includes(authToken));
  }
});

test('validates origins', () => {
  const originOf = (options: ServeOptions, env: Record<string, string> = {}): string | undefined =>
    readSettings(options, env).corsOrigin;
  const env = { WF_CORS_ORIGIN: 'https://env.example' };
  assert.equal(originOf({ corsOrigin: 'https://app.example', cors: true }, env), 'https://app.example');
  assert.equal(originOf({ cors: true }, env), '*');
  assert.equal(originOf({}, env), 'https://env.example');
  assert.equal(originOf({}, { WF_CORS_ORIGIN: '' }), undefined);
  assert.equal(originOf({ corsOrigin: '*' }), '*');
  assert.equal(originOf({ corsOrigin: 'http://localhost:5173' }), 'http://localhost:5173');
  assert.equal(
    messageOf({ corsOrigin: 'https://app.example/' }),
    '--cors-origin must be an origin such as https://app.example, not "https://app.example/".',
  );
  assert.equal(
    messageOf({ corsOrigin: 'https://a.example, https://b.example' }),
    '--cors-origin takes one origin, not "https://a.example, https://b.example".',
  );
  assert.deepEqual(readSettings({ allowOrigin: 'https://a.example, https://b.example' }, {}).allowedOrigins, [
    'https://a.example',
    'https://b.example',
  ]);
  assert.match(messageOf({ allowOrigin: 'a.example' }), /^--allow-origin must be an origin/);
  for (const corsOrigin of ['', 'app.example', 'null', 'https://', 'https://APP.example', 'file:///x']) {
    assert.match(messageOf({ corsOrigin }), /^--cors-origin (?:must be an origin|takes one origin)/, corsOrigin);
  }
  assert.match(messageOf({}, { WF_CORS_ORIGIN: 'x' }), /^WF_CORS_ORIGIN must be an origin/);
});

test('a rate limit names its unit', () => {
  const { rateLimit, trustProxy } = readSettings({ rateLimit: '100/minute', trustProxy: '2' }, {});
  assert.deepEqual([rateLimit, trustProxy], [{ requests: 100, windowMs: 60_000 }, 2]);
  for (const wrong of ['100', '0/minute', '5/week', '-1/hour', '1.5/second', ''])
    assert.match(messageOf({ rateLimit: wrong }), /^--rate-limit must be a number of requests per second, minute, hour or day, /);
  for (const wrong of ['x', '5m', '-1', ''])
    assert.match(messageOf({ drain: wrong }), /^--drain must be a number of seconds, such as 5s, not /);
  assert.match(messageOf({ drain: '99999s' }), /^--drain must be a whole number from 0 to 86400/);
  assert.match(messageOf({ trustProxy: 'yes' }), /^--trust-proxy must be a whole number/);
});
