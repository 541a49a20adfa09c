import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor, redactorFor, secretsOf } from '../../runtime/run/redaction.js';
import { isSecretName } from '../../runtime/run/secret-variables.js';
import { escapedHtml } from '../../runtime/texts/escaped-html.js';
import type { Value } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { processorTime, slowness } from '../processor-time.js';
import { runs } from '../root.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Every form that a secret may take on its way through headers, addresses, bodies and logs. */
const forms: [string, (secret: string) => string][] = [
  ['as it is', (secret) => secret],
  ['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
  ['in JSON in JSON', (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['in JSON with escaped slashes', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['in a path', (secret) => encodeURIComponent(secret)],
  ['in a path, lower case', (secret) => encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
  ['in a path, twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['in a form', (secret) => new URLSearchParams([['', secret]]).toString().slice(1)],
  [
    'in an address',
    (secret) => new URL(`http://a.example/?q=${secret.replace(/[&#%+\s]/g, (one) => encodeURIComponent(one))}`).search.slice(3),
  ],
  ['for a terminal', oneLine],
  ['in HTML', escapedHtml],
  ['in HTML, by numbers', (secret) => secret.replace(/[^A-Za-z0-9]/gu, (one) => `&#${one.codePointAt(0)};`)],
  ['in HTML, in hexadecimal', (secret) => secret.replace(/[^A-Za-z0-9]/gu, hexEntity)],
  ['in HTML, twice', (secret) => escapedHtml(escapedHtml(secret))],
  ['in HTML, as XML', (secret) => escapedHtml(secret).replaceAll('&#39;', '&apos;')],
  ['in HTML in JSON that is safe in HTML', (secret) => safeJson(escapedHtml(secret))],
];

/** As the JSON of Go, Java and .NET has it. */
const safeJson = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[&<>'+=/`]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

const hexEntity = (one: string): string => `&#x${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')};`;

test('leaves no form of a planted secret', () => {
  const secret = fc.oneof(
    fc.string({ minLength: 6, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 6, maxLength: 12 }),
    fc.base64String({ minLength: 8 }),
    fc.stringMatching(/^[\\"/%+=&\n\t ]{6,12}$/),
  );
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.string(), (secrets, around) => {
      const redactor = createRedactor(secrets);
      for (const one of secrets) {
        // Neither its surroundings nor the replacement may contain it by chance.
        if (`${around}[redacted]${around}`.includes(one)) continue;
        for (const [form, encode] of forms) {
          const text = `${around}<${encode(one)}>${around}`;
          const clean = redactor.text(text);
          assert.ok(clean.includes('[redacted]'), `${form}: ${JSON.stringify(text)}`);
          assert.ok(!clean.includes(encode(one)), `${form}: ${JSON.stringify(clean)}`);
        }
      }
    }),
    { numRuns: runs(500) },
  );
});

test('leaves no base64 that decodes to a secret', () => {
  const secret = fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 30 });
  fc.assert(
    fc.property(secret, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (one, before, after) => {
      const { text } = createRedactor([one]);
      if (`${before}${after}`.includes(one)) return;
      for (const encoded of [
        base64(`${before}${one}${after}`),
        base64(`${before}${one}${after}`).replaceAll('+', '-').replaceAll('/', '_'),
        encodeURIComponent(base64(`${before}${one}${after}`)),
        safeJson(base64(`${before}${one}${after}`)),
        base64(`${before}${one}${after}`).replace(/[+/=]/g, hexEntity),
      ]) {
        const clean = text(`Basic ${encoded}`);
        assert.ok(clean.includes('[redacted]'), `${encoded} → ${clean}`);
      }
    }),
    { numRuns: runs(500) },
  );
});

test('secrets are data: patterns in them match nothing else', () => {
  const { text } = createRedactor(['a.*+?^$\u007b}()|[]\\d', '......']);
  assert.equal(text('abcdefg 123456'), 'abcdefg 123456');
  assert.equal(text('x a.*+?^$\u007b}()|[]\\d y ...... z'), 'x [redacted] y [redacted] z');
});

test('replaces the longer of two secrets first', () => {
  assert.equal(createRedactor(['secret', 'secret-and-more']).text('secret-and-more secret'), '[redacted] [redacted]');
});

test('redacts values deeply, including keys and numbers; returns a value without secrets itself', () => {
  const redactor = createRedactor(['s3cret-value', '123456']);
  const value: Value = { 's3cret-value': 1, list: ['x', { deep: 'is s3cret-value!' }], number: 1234567, other: 12 };
  assert.deepEqual(redactor.value(value), {
    '[redacted]': 1,
    list: ['x', { deep: 'is [redacted]!' }],
    number: '[redacted]7',
    other: 12,
  });
  const clean: Value = { a: [1, { b: null }], __proto__: { c: 1 } };
  assert.equal(redactor.value(clean), clean);
  const own = JSON.parse('{"__proto__": "s3cret-value"}') as Value;
  assert.deepEqual(Object.entries(redactor.value(own) as object), [['__proto__', '[redacted]']]);
});

test('changes nothing without secrets; the same secrets share a redactor', () => {
  const value = { a: 1 };
  assert.equal(createRedactor([]).value(value), value);
  assert.equal(createRedactor(['']).text('abc'), 'abc');
  assert.equal(redactorFor(['abcdef']), redactorFor(['abcdef']));
});

test('hostile secrets and text take no time', () => {
  const took = processorTime();
  const { text } = createRedactor(['\\'.repeat(50), `${'\\"'.repeat(30)}x`, '%25'.repeat(20), ' '.repeat(40)]);
  for (const one of ['\\', '\\"', '%25', '%', ' ', 'a']) text(one.repeat(50_000));
  assert.ok(took() < 5_000 * slowness());
});

test('recognizes a secret variable by its name', () => {
  for (const name of [
    'TOKEN',
    'API_KEY',
    'shop_secret',
    'DB_PASSWORD',
    'X_PASS',
    'X_PWD',
    'GCP_CREDENTIALS',
    'BASIC_AUTH',
    'SENTRY_DSN',
    '_KEY',
  ])
    assert.ok(isSecretName(name), name);
  for (const name of ['SHOP_URL', 'KEYS', 'TOKEN_URL', 'MONKEY', 'COMPASS', 'AUTHOR', 'KEY_ID', 'PASSWORDS', 'LIMIT', ''])
    assert.ok(!isSecretName(name), name);
});

test('redacts variables by name and by use, credentials in headers and addresses, webhooks, and more', () => {
  const env = {
    LONG_TOKEN: 'long-value',
    SHORT_KEY: 'short',
    OTHER: 'other-value',
    REGION: 'region-of-the-south',
    URL: 'https://adalovelace:pa%24s@a.example',
    SPACED_PASS: ' spaced-value\n',
    BEARER: 'tok',
    TEAM: 'team-of-the-north',
    HOOK: 'https://hooks.example/T0/B0/../path-of-the-hook',
    OPENAI_API_KEY: 'key-of-the-ai',
    CLIENT: 'client-of-the-sign-in',
  };
  const services = [
    {
      name: 'A',
      kind: 'api',
      headers: [
        ['authorization', ['Bearer ', { env: 'BEARER' }]],
        ['X-Api-Key', ['fixed']],
        ['X-Fixed', ['operations']],
        ['X-Team', [{ env: 'TEAM' }]],
        ['Proxy-Authorization', [`Basic ${base64('u:pass')}`]],
      ],
      signIn: { at: ['https://login.example'], id: [{ env: 'CLIENT' }], secret: ['in-the-file'] },
    },
    { name: 'H', kind: 'webhook', url: [{ env: 'HOOK' }] },
    { name: 'F', kind: 'webhook', url: ['https://hooks.example/fixed'] },
    { name: 'W', kind: 'ai', provider: 'openai', model: ['x'] },
  ] as const;
  const named = ['LONG_TOKEN', 'SHORT_KEY', 'URL', 'SPACED_PASS', 'REGION', 'NOT_SET', 'toString'];
  const secrets = secretsOf({ env: named }, env, ['server-token'], services);
  for (const one of [
    'long-value',
    ' spaced-value\n',
    'spaced-value',
    'server-token',
    'adalovelace',
    'pa%24s',
    'pa$s',
    'Bearer tok',
    'tok',
    'fixed',
    'pass',
    'u:pass',
    'team-of-the-north',
    'key-of-the-ai',
    'client-of-the-sign-in',
    'in-the-file',
    env.HOOK,
    'https://hooks.example/T0/path-of-the-hook',
    '/T0/path-of-the-hook',
    'https://hooks.example/fixed',
  ])
    assert.ok(secrets.includes(one), one);
  for (const one of ['short', 'other-value', 'operations', 'region-of-the-south', env.URL, '/fixed', ''])
    assert.ok(!secrets.includes(one), one);
  // If their use is unknown, all of them count.
  assert.ok(secretsOf({ env: ['REGION'] }, env).includes('region-of-the-south'));
});

test('no form of a secret is longer than promised', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', minLength: 3, maxLength: 12 }), fc.constant('?>?>?>?>')),
      fc.nat(2),
      (secret, before) => {
        const { longest, text } = createRedactor([secret]);
        const plain = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
        const percent = Array.from(
          Buffer.from(secret),
          (byte) => `%25252${byte.toString(16).padStart(2, '0').toUpperCase()}`,
        ).join('');
        const json = Array.from(secret, (unit) => `${'\\'.repeat(16)}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(
          '',
        );
        const entities = plain.replace(
          /[+/]/g,
          (one) => `${'\\'.repeat(16)}u0026amp;amp;amp;#x000000${one === '+' ? '2b' : '2f'};`,
        );
        for (const form of [plain, plain.replaceAll('/', `${'\\'.repeat(16)}/`), entities, percent, json]) {
          const clean = text(form);
          if (clean.includes('[redacted]')) assert.ok(form.length <= longest, `${form.length} > ${longest}: ${form}`);
        }
      },
    ),
  );
});

test('notices a changed environment', () => {
  const workflow = { env: ['KEY'] } as const;
  const env: Record<string, string> = { KEY: 'first-value' };
  assert.deepEqual(secretsOf(workflow, env), ['first-value']);
  env.KEY = 'second-value';
  assert.deepEqual(secretsOf(workflow, env), ['second-value']);
});

test('prints one line, with nothing that controls a terminal', () => {
  assert.equal(
    oneLine('a\nb\r\tc\u001b[31mred\u0007\u2028\u009b\u202e\u061c\u200f'),
    'a\\nb\\r\\tc\\u001b[31mred\\u0007\\u2028\\u009b\\u202e\\u061c\\u200f',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(oneLine(text))),
  );
  assert.equal(oneLine('Grüße, 名前 \\n'), 'Grüße, 名前 \\n');
});
