// `sign in at …`: one token for all runs, renewed once, never shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceSpec } from '../../runtime/types.js';
import { api, type Routes, type Scene, scene } from './stub.js';

let clients = 0;

/** A different client for each test, because tokens are stored by client. */
const signedIn = (): ServiceSpec => ({
  ...api,
  signIn: {
    at: [{ env: 'STUB_URL' }, '/token'],
    id: [`client ${clients++}`],
    secret: [{ env: 'CLIENT_SECRET' }],
    scope: ['orders.read'],
  },
});
const env = { CLIENT_SECRET: 'very:secret/1' };
const token = (name: unknown, more: object = { expires_in: 3600 }) => ({
  json: { access_token: name, token_type: 'Bearer', ...more },
});
const ok = { 'GET /v1': { json: { ok: true } } };

const play = (routes: Routes, use: (scene: Scene, call: () => ReturnType<Scene['call']>) => Promise<void>): Promise<void> => {
  const service = signedIn();
  return scene(routes, (stage) => use(stage, () => stage.call(service, { env })));
};

const calls = ({ stub }: Scene): string[] =>
  stub.seen.map(({ method, url, headers }) => `${method} ${url} ${headers.authorization?.split(' ')[1] ?? ''}`);

test('fetches one token for runs that start together', () =>
  play({ 'POST /token': token('tok-1'), ...ok }, async (stage, call) => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, call));
    assert.ok(outcomes.every(({ status }) => status === 'completed'));
    assert.equal(stage.stub.seen.filter(({ url }) => url === '/token').length, 1);
    const [first] = stage.stub.seen;
    assert.match(first?.headers.authorization ?? '', /^Basic /);
    const [id, secret] = Buffer.from(first?.headers.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(':');
    assert.deepEqual([id?.startsWith('client+'), secret], [true, 'very%3Asecret%2F1']);
    assert.equal(first?.body, 'grant_type=client_credentials&scope=orders.read');
    assert.doesNotMatch(JSON.stringify(outcomes), /tok-1|very/);
  }));

test('renews a refused token once', () =>
  play(
    { 'POST /token': [token('tok-1'), token('tok-2')], 'GET /v1': [{ status: 401 }, { json: 1 }, { status: 401 }] },
    async (stage, call) => {
      assert.equal((await call()).status, 'completed');
      assert.deepEqual(
        calls(stage)
          .slice(1)
          .filter((line) => line.startsWith('GET')),
        ['GET /v1 tok-1', 'GET /v1 tok-2'],
      );
      const failed = await call();
      assert.match(failed.message ?? '', /failed after 1 attempt: status 401/);
    },
  ));

test('never uses a token past its end', () =>
  play({ 'POST /token': [token('tok-1', { expires_in: 1e-6 }), token('tok-2', {})], ...ok }, async (stage, call) => {
    await call();
    await call();
    await call();
    assert.deepEqual(
      calls(stage).filter((line) => line.startsWith('GET')),
      ['GET /v1 tok-1', 'GET /v1 tok-2', 'GET /v1 tok-2'],
    );
  }));

test('sends the client in the form if the server requires it', () =>
  play({ 'POST /token': [{ status: 401 }, token('tok-1')], ...ok }, async (stage, call) => {
    assert.equal((await call()).status, 'completed');
    assert.match(stage.stub.seen[1]?.body ?? '', /client_id=client\+\d+&client_secret=very%3Asecret%2F1$/);
  }));

test('a failed sign-in sends no call, and gives the reason', async () => {
  const answers: [Routes[string], RegExp][] = [
    [{ status: 401, text: 'very:secret/1' }, /the sign-in failed: status 401/],
    [{ status: 503 }, /the sign-in failed: status 503/],
    [{ json: { access_token: '' } }, /returned no usable token/],
    [{ json: ['tok'] }, /returned no usable token/],
    [token('tok\r\nX-Evil: 1'), /returned no usable token/],
    [token(7), /returned no usable token/],
    [token('tok', { token_type: 'mac' }), /not a Bearer token/],
  ];
  for (const [answer, cause] of answers)
    await play({ 'POST /token': answer, ...ok }, async (stage, call) => {
      const outcome = await call();
      assert.match(outcome.message ?? '', cause);
      assert.equal(outcome.error?.code, 'WF671');
      assert.ok(!stage.stub.seen.some(({ url }) => url === '/v1'));
      assert.doesNotMatch(JSON.stringify(outcome), /very:secret/);
    });
});

test('an unset variable fails before anything is sent', () =>
  scene({}, async ({ stub, call }) => {
    const outcome = await call(signedIn(), {});
    assert.match(outcome.message ?? '', /its sign-in needs the environment variable CLIENT_SECRET/);
    assert.equal(stub.seen.length, 0);
  }));
