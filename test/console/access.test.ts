// Access to the console: sessions, form tokens, local requests, and slowed guesses.
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { isLocalRequest } from '../../src/access/foreign-pages.js';
import type { WrongTokens } from '../../src/access/rate-limit.js';
import { type TokenEntry, tokenDigest } from '../../src/access/token-file.js';
import { createOperatorGate, isSameSite, SESSION_COOKIE } from '../../src/console/access/operator-gate.js';
import { createSessions, type SessionStore, setCookie } from '../../src/console/access/sessions.js';

function request(headers: Record<string, string>, remoteAddress = '192.0.2.1'): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const made = new IncomingMessage(socket);
  made.headers = headers;
  made.rawHeaders = Object.entries(headers).flat();
  return made;
}

const ended = new Set<string>();
const store: SessionStore = {
  secret: async () => 'the secret of the store',
  isEnded: async ({ nonce }) => ended.has(nonce),
  end: async ({ nonce }) => void ended.add(nonce),
};
const wrongTokens: WrongTokens = { slow: async () => 'slowed', release: () => undefined };

test('accepts a session until it expires, and not with another token', async () => {
  let now = 1_000_000;
  const sessions = createSessions('operator-token', store, () => now);
  const session = sessions.create();
  const cookie = await sessions.sign(session);
  assert.deepEqual(await sessions.read(cookie), session);
  assert.equal(await createSessions('another-token', store, () => now).read(cookie), undefined, 'void when the token changes');
  assert.deepEqual(
    await createSessions('operator-token', store, () => now).read(cookie),
    session,
    'any process of the server reads it',
  );
  now += 12 * 3600 * 1000 - 1;
  assert.deepEqual(await sessions.read(cookie), session);
  const other = sessions.create();
  await createSessions('operator-token', store, () => now).end(other);
  assert.equal(await sessions.read(await sessions.sign(other)), undefined, 'ended in another process');
  now += 1;
  assert.equal(await sessions.read(cookie), undefined, 'over after 12 hours');
});

test('rejects an altered cookie', async () => {
  const sessions = createSessions('operator-token', store);
  const cookie = await sessions.sign(sessions.create());
  const [expires = '', nonce = '', mac = ''] = cookie.split('.');
  const later = (Number.parseInt(expires, 36) + 1).toString(36);
  for (const altered of [
    '',
    'x',
    `${later}.${nonce}.${mac}`,
    `${expires}.${nonce}.${mac.slice(1)}`,
    `${cookie}.`,
    `${expires}.${nonce}.`,
  ]) {
    assert.equal(await sessions.read(altered), undefined, altered);
  }
});

test('a form token belongs to one session', async () => {
  const sessions = createSessions('operator-token', store);
  const [one, other] = [sessions.create(), sessions.create()];
  const token = await sessions.formToken(one);
  assert.equal(await sessions.isFormToken(one, token), true);
  assert.equal(await sessions.isFormToken(other, token), false);
  assert.equal(await sessions.isFormToken(one, ''), false);
});

test('protects the cookie from scripts, other sites and, with TLS, eavesdroppers', () => {
  assert.equal(setCookie(request({}), 'a', 'b', 60), 'a=b; Max-Age=60; Path=/; HttpOnly; SameSite=Strict');
  assert.match(setCookie(request({ 'x-forwarded-proto': 'https' }), 'a', 'b', 60), /; Secure$/);
});

test('a request is local unless a proxy forwarded it or another page sent it', () => {
  const local = { host: 'localhost:3000' };
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'wf.localhost', '127.1.2.3']) {
    assert.equal(isLocalRequest(request({ host })), true, host);
  }
  for (const host of ['example.com', '10.0.0.1:3000', 'localhost.example.com', '127.0.0.1.nip.io', '', 'a b']) {
    assert.equal(isLocalRequest(request({ host })), false, host);
  }
  assert.equal(isLocalRequest(request({ ...local, origin: 'http://localhost:3000' })), true);
  for (const origin of ['http://localhost:8080', 'https://evil.example', 'null']) {
    assert.equal(isLocalRequest(request({ ...local, origin })), false, origin);
  }
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']) {
    assert.equal(isLocalRequest(request({ ...local, [name]: 'for=192.0.2.1' })), false, name);
  }
});

test('trusts the browser on where a form was sent from', () => {
  const host = 'console.example';
  assert.equal(isSameSite(request({ host, 'sec-fetch-site': 'same-origin', origin: 'https://console.example' })), true);
  assert.equal(isSameSite(request({ host, 'sec-fetch-site': 'cross-site' })), false);
  assert.equal(isSameSite(request({ host, 'sec-fetch-site': 'same-site' })), false);
  assert.equal(isSameSite(request({ host, origin: 'https://console.example' })), true);
  assert.equal(isSameSite(request({ host, origin: 'https://evil.example' })), false);
  assert.equal(isSameSite(request({ host, origin: 'null' })), false);
  assert.equal(isSameSite(request({ host: 'internal:3000', 'x-forwarded-host': host, origin: 'https://console.example' })), true);
});

test('without a token, lets local requests in, on a loopback address only', async () => {
  const local = request({ host: '127.0.0.1:3000' });
  const gate = createOperatorGate({ token: undefined, isLoopback: true, wrongTokens, store });
  const admission = await gate.admit(local);
  assert.equal(admission.kind, 'admitted');
  assert.equal((await gate.admit(request({ host: 'example.com' }))).kind, 'closed');
  assert.equal(
    (await createOperatorGate({ token: undefined, isLoopback: false, wrongTokens, store }).admit(local)).kind,
    'closed',
  );
});

test('with a token, requires a session or the token itself', async () => {
  const gate = createOperatorGate({
    token: 'secret-token',
    isLoopback: true,
    wrongTokens,
    store,
  });
  const host = 'localhost:3000';
  assert.equal((await gate.admit(request({ host }))).kind, 'sign in', 'also on a loopback address');
  assert.equal((await gate.admit(request({ host, authorization: 'Bearer secret-token' }))).kind, 'admitted');
  assert.equal((await gate.admit(request({ host, authorization: 'Bearer secret-toke' }))).kind, 'wrong token');
  assert.equal(await gate.signIn(request({ host }), 'secret'), 'wrong token');
  const session = await gate.signIn(request({ host }), 'secret-token');
  assert.ok(typeof session === 'object');
  const cookie = `other=1; ${SESSION_COOKIE}=${await gate.sessions.sign(session)}`;
  assert.deepEqual(await gate.admit(request({ host, cookie })), { kind: 'admitted', who: { role: 'operator' }, session });
});

test('tokens of a file sign operators and viewers in by name, until they are taken away; those of callers never', async () => {
  const entries: TokenEntry[] = (['operator', 'viewer', 'caller'] as const).map((role) => ({
    name: `the ${role}`,
    role,
    sha256: tokenDigest(`${role}-token`),
  }));
  const tokens = { all: () => entries, find: (token: string) => entries.find(({ sha256 }) => sha256 === tokenDigest(token)) };
  const gate = createOperatorGate({ token: undefined, tokens, isLoopback: true, wrongTokens, store });
  const host = 'localhost:3000';
  assert.equal((await gate.admit(request({ host }))).kind, 'sign in', 'also from this machine');
  assert.equal(await gate.signIn(request({ host }), 'caller-token'), 'of a caller');
  assert.equal((await gate.admit(request({ host, authorization: 'Bearer caller-token' }))).kind, 'of a caller');
  const viewer = await gate.admit(request({ host, authorization: 'Bearer viewer-token' }));
  assert.deepEqual(viewer, { kind: 'admitted', who: { role: 'viewer', name: 'the viewer' }, session: undefined });
  const session = await gate.signIn(request({ host }), 'operator-token');
  assert.ok(typeof session === 'object');
  const cookie = `${SESSION_COOKIE}=${await gate.sessions.sign(session)}`;
  const who = { role: 'operator', name: 'the operator' };
  assert.deepEqual(await gate.admit(request({ host, cookie })), { kind: 'admitted', who, session });
  // Nobody can make themselves someone else: the mark is signed, too.
  const mark = await gate.sessions.markOf(tokenDigest('viewer-token'));
  assert.equal((await gate.admit(request({ host, cookie: cookie.replace(session.who, mark) }))).kind, 'sign in');
  entries.shift();
  assert.equal((await gate.admit(request({ host, cookie }))).kind, 'sign in');
});
