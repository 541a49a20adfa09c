// The files of `--tokens` and `--oidc-roles`: what they say, when it counts, and that one that cannot be read changes nothing.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readOidcRoles } from '../../src/access/oidc.js';
import { openTokenFile, readTokens, tokenDigest } from '../../src/access/token-file.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';

const sha256 = tokenDigest('secret-1');
const entry = { name: 'the-shop', sha256, role: 'caller' };
const listOf = (...entries: object[]): string => JSON.stringify(entries);

test('refuses what it does not know, with the place and without the digest', () => {
  const cases: [unknown, RegExp][] = [
    ['[{"name": "half', /^tokens\.json is not valid JSON: line 1/],
    [{}, /must be a JSON list/],
    [['x'], /token 1: it must be an object/],
    [[entry, { ...entry, sha256: tokenDigest('2'), expire: '2027-01-01' }], /token 2: the field "expire" is unknown/],
    [[{ ...entry, name: ' ' }], /name must be/],
    [[{ ...entry, name: 'a\nb' }], /name must be/],
    [[{ ...entry, sha256: 'secret-1' }], /sha256 must be/],
    [[{ name: 'x', sha256 }], /role must be caller, viewer or operator/],
    [[{ ...entry, expires: '2027-01-01T00:00' }], /expires must be a date or a time with its zone/],
    [[{ ...entry, expires: '2027-13-01' }], /expires must be/],
    [[{ ...entry, workflows: 'order' }], /workflows must be a list/],
    [[{ ...entry, role: 'operator', workflows: ['order'] }], /workflows limits callers only/],
    [[entry, { ...entry, name: 'other', sha256: sha256.toUpperCase() }], /token 2: another entry has the same sha256/],
  ];
  for (const [given, message] of cases) {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    assert.throws(
      () => readTokens(text, 'tokens.json'),
      (error: Error) => message.test(error.message) && !error.message.includes(sha256),
      text,
    );
  }
});

test('a token counts until it expires, and two of one name side by side', (t) => {
  let now = Date.parse('2026-12-31T23:59:59Z');
  const second = { ...entry, sha256: tokenDigest('secret-2'), expires: '2027-01-01' };
  const folder = temporaryFolder(t, { 'tokens.json': listOf(entry, second) });
  const tokens = openTokenFile({
    file: path.join(folder, 'tokens.json'),
    shown: 'tokens.json',
    onNews: () => undefined,
    now: () => now,
  });
  t.after(() => tokens.close());
  assert.deepEqual([tokens.find('secret-1')?.name, tokens.find('secret-2')?.name], ['the-shop', 'the-shop']);
  assert.equal(tokens.find(sha256), undefined, 'the digest is no token');
  now += 1_000;
  assert.deepEqual([tokens.find('secret-1')?.name, tokens.find('secret-2')?.name], ['the-shop', undefined]);
  assert.equal(tokens.all().length, 1);
});

test('says which workflows of a token are not served, at the start and after a change', async (t) => {
  const limited = (workflows: string[]): string => listOf({ ...entry, workflows });
  const folder = temporaryFolder(t, { 'tokens.json': limited(['order', 'ordr']) });
  const news: string[] = [];
  const tokens = openTokenFile({
    file: path.join(folder, 'tokens.json'),
    shown: 'tokens.json',
    onNews: (sentence) => news.push(sentence),
    served: () => ['order', 'refund'],
  });
  t.after(() => tokens.close());
  const warning = (name: string): string =>
    `Warning: in tokens.json, the-shop may start "${name}", which is not served. Served are: order, refund.`;
  assert.deepEqual(news.splice(0), [warning('ordr')]);
  writeFileSync(path.join(folder, 'tokens.json'), limited(['refnd']));
  await until(() => news.length === 2);
  assert.equal(news[1], warning('refnd'));
});

test('takes a changed file in; one that cannot be read leaves the last good one in force, and is named once', async (t) => {
  const folder = temporaryFolder(t, { 'tokens.json': listOf(entry) });
  const file = path.join(folder, 'tokens.json');
  const news: string[] = [];
  const changes: string[] = [];
  const tokens = openTokenFile({
    file,
    shown: 'tokens.json',
    onNews: (sentence) => news.push(sentence),
    onChange: (change) => changes.push(change),
  });
  t.after(() => tokens.close());
  writeFileSync(file, '[{"name": "half');
  await until(async () => news.length === 1);
  assert.match(news[0] ?? '', /not valid JSON.*The tokens that it had before stay valid/);
  assert.equal(tokens.find('secret-1')?.name, 'the-shop');
  rmSync(file);
  await until(async () => news.length === 2);
  assert.match(news[1] ?? '', /^tokens\.json cannot be read: it does not exist\. The tokens/);
  assert.equal(tokens.find('secret-1')?.name, 'the-shop');
  writeFileSync(file, listOf({ ...entry, sha256: tokenDigest('secret-2') }));
  await until(async () => tokens.find('secret-2') !== undefined);
  assert.equal(tokens.find('secret-1'), undefined);
  assert.equal(news.length, 3);
  assert.deepEqual(changes, ['the-shop (caller) added, the-shop (caller) removed']);
  writeFileSync(file, listOf({ ...entry, sha256: tokenDigest('secret-2'), role: 'operator' }));
  await until(async () => changes.length === 2);
  assert.equal(changes[1], 'the-shop (operator) changed');
  assert.doesNotMatch([...news, ...changes].join(), /[\da-f]{64}/);
});

// The file of `--oidc-roles`: what it says, and what it can't.

test('roles.json says which groups have which roles, where the claims are, and refuses what it does not know', () => {
  const cases: [unknown, RegExp][] = [
    ['{"operator"', /roles\.json is not valid JSON: line 1/],
    [[], /must be a JSON object/],
    [{ operators: ['x'] }, /the field "operators" is unknown; it takes claim, name, scope, operator, viewer, caller/],
    [{ operator: 'x' }, /operator must be a list of groups/],
    [{ operator: [] }, /gives no group a role, so nobody could sign in/],
    [{ operator: ['x'], claim: '' }, /claim must be a text/],
  ];
  for (const [given, message] of cases) {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    assert.throws(() => readOidcRoles(text, 'roles.json'), message, text);
  }
  const { roleOf, nameOf } = readOidcRoles(
    JSON.stringify({ claim: 'realm_access.roles', name: 'login', operator: ['ops'], caller: ['*'] }),
    'roles.json',
  );
  assert.equal(roleOf({ realm_access: { roles: ['a', 'ops'] } }), 'operator');
  assert.equal(roleOf({ 'realm_access.roles': 'ops', realm_access: { roles: [] } }), 'operator', 'a name may have dots');
  for (const claims of [{}, { realm_access: null }, { realm_access: { roles: [{ ops: 1 }, 7] } }])
    assert.equal(roleOf(claims), 'caller', 'everyone');
  assert.equal(nameOf({ login: ' ada ', email: 'ben@example.com' }), 'ada');
  for (const login of ['', 'a\nb', '\u202eada', 'x'.repeat(101), 7]) assert.equal(nameOf({ login, sub: '1' }), undefined);
  const usual = readOidcRoles('{"viewer": ["x"]}', 'roles.json');
  assert.equal(usual.nameOf({ email: 'ada@example.com', email_verified: false, preferred_username: 'eve' }), 'eve');
  assert.equal(usual.nameOf({ email: 'ada@example.com', sub: '1' }), 'ada@example.com');
  assert.equal(usual.roleOf({ groups: ['y'] }), undefined);
});
