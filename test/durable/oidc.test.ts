// `--oidc`: people sign in to the console and to questions with a real OpenID provider, and their groups say what they may do.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createOidc, type Oidc, readOidcRoles } from '../../src/access/oidc.js';
import type { ChangeView } from '../../src/durable/model/changes.js';
import { until } from '../until.js';
import { type Browser, browser, CLIENT, type TestProvider, testProvider, type Visited } from './oidc-provider.js';
import { type Api, apiServer } from './runs-server.js';
import { testStore } from './test-store.js';

const roles = JSON.stringify({ operator: ['platform'], viewer: ['staff'], caller: ['customers'] });
const accounts = [
  { sub: '1', email: 'ada@example.com', email_verified: true, groups: ['platform', 'staff'] },
  { sub: '2', email: 'ben@example.com', email_verified: true, groups: ['staff'] },
  { sub: '3', email: 'carl@example.com', email_verified: true, groups: ['customers'] },
  { sub: '4', email: 'dora@example.com', email_verified: true, groups: ['others'] },
  { sub: '5', email: 'ada@example.com', email_verified: false, preferred_username: 'eve', groups: ['customers'] },
  { sub: '6', groups: ['staff'] },
];

interface Scene {
  readonly api: Api;
  readonly provider: TestProvider;
  readonly news: string[];
  /** Links of questions. */
  readonly links: string[];
  /** Someone signs in and arrives at this address of the server. */
  readonly as: (sub: string, address?: string) => Promise<Visited & { readonly browser: Browser }>;
}

/** Signs people in with this provider. */
const oidcOf = (issuer: string, news: string[]): Oidc =>
  createOidc({
    issuer,
    ...CLIENT,
    roles: 'roles.json',
    rolesOf: readOidcRoles(roles, 'roles.json'),
    onNews: (sentence) => void news.push(sentence),
  });

async function scene(t: TestContext, inToken = true): Promise<Scene> {
  const links: string[] = [];
  const chat = createServer((request, response) => {
    let sent = '';
    request.on('data', (part) => {
      sent += String(part);
    });
    request.on('end', () => {
      const { pathname, search } = new URL((JSON.parse(sent) as { url: string }).url); // sent by wf
      links.push(pathname + search);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  t.after(() => chat.close());
  const { env, open } = await testStore(t);
  env.CHAT = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
  const store = await open();
  await store.serve();
  const news: string[] = [];
  const provider = await testProvider(t, { accounts, inToken });
  const api = await apiServer(t, { console: true, oidc: oidcOf(provider.issuer, news), env }, store);
  provider.start(`${api.url}/console/oidc/callback`);
  const as: Scene['as'] = async (sub, address = '/console/workflows') => {
    provider.user = sub;
    const person = browser();
    const page = await person.open(`${api.url}/console/oidc?to=${encodeURIComponent(address)}`);
    return { ...page, browser: person };
  };
  return { api, provider, news, links, as };
}

const formToken = ({ text }: Visited): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('an operator signs in, and what they change is on record under their name', async (t) => {
  const { api, as } = await scene(t);
  const anonymous = await browser().open(`${api.url}/console/runs`);
  assert.equal(anonymous.status, 401);
  assert.match(anonymous.text, /href="\/console\/oidc\?to=%2Fconsole%2Fruns">Sign in with 127\.0\.0\.1:/);
  assert.doesNotMatch(anonymous.text, /Operator token/);

  const page = await as('1');
  assert.equal(page.url, `${api.url}/console/workflows`);
  assert.equal(page.status, 200);
  assert.match(page.text, /ada@example\.com/);
  const session = page.browser.set.find((line) => line.startsWith('wf-console='));
  assert.match(session ?? '', /; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  const trip = page.browser.set.find((line) => line.startsWith('wf-oidc-'));
  assert.match(trip ?? '', /; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.deepEqual([...page.browser.cookies(api.url).keys()], ['wf-console'], 'the way there is forgotten');

  const { json } = await api.post('/addressed', { order: 1, manager: 'ben@example.com' }, { prefer: 'respond-async' });
  const { run } = json as { run: string }; // the answer to such a request
  await until(async () => (await api.store.state(run))?.status === 'waiting');
  const shown = await page.browser.open(`${api.url}/console/runs/${run}`);
  const cancelled = await page.browser.step(
    `${api.url}/console/runs/${run}/cancel`,
    new URLSearchParams({ token: formToken(shown), sure: 'yes' }),
  );
  assert.ok(cancelled.status < 400, cancelled.text);
  const changes: ChangeView[] = [];
  for await (const change of api.store.changes.list({ run })) changes.push(change);
  assert.deepEqual(
    changes.map(({ action, name, role, way }) => ({ action, name, role, way })),
    [{ action: 'cancel', name: 'ada@example.com', role: 'operator', way: 'console' }],
  );

  const out = await page.browser.step(`${api.url}/console/sign-out`, new URLSearchParams({ token: formToken(shown) }));
  assert.equal(out.status, 303);
  assert.equal((await page.browser.open(`${api.url}/console/runs`)).status, 401);
});

test('viewers change nothing, callers and strangers see nothing', async (t) => {
  const { api, as } = await scene(t, false);
  const viewer = await as('2', '/console');
  assert.equal(viewer.status, 200);
  const refused = await viewer.browser.step(
    `${api.url}/console/runs/none/cancel`,
    new URLSearchParams({ token: formToken(viewer) }),
  );
  assert.equal(refused.status, 403);
  const caller = await as('3');
  assert.equal(caller.status, 403);
  assert.match(caller.text, /You are signed in as carl@example\.com\. You can answer questions/);
  const stranger = await as('4');
  assert.equal(stranger.status, 403);
  assert.match(stranger.text, /signed you in as dora@example\.com, but none of your groups has a role/);
  assert.deepEqual([...stranger.browser.cookies(api.url).keys()], [], 'and has no session');
  const nameless = await as('6');
  assert.equal(nameless.status, 200, 'without an address, the id of the provider is the name');
});

test('a question is answered by whoever it is addressed to, under their own name', async (t) => {
  const { api, provider, as, links } = await scene(t);
  const runs: string[] = [];
  for (const order of [1, 2, 3]) {
    const { json } = await api.post('/addressed', { order, manager: 'carl@example.com' }, { prefer: 'respond-async' });
    runs.push((json as { run: string }).run); // the answer to such a request
    await until(() => links.length === order);
  }
  const [first = '', second = '', third = ''] = links;
  // Not by a program with the link, which says who it is without proof.
  const forged = await api.post(first, { answer: 'approve', by: 'carl@example.com' });
  assert.equal(forged.status, 403);
  assert.match(forged.text, /People sign in to answer questions/);
  // Whoever opens the link is led to the provider, and back to the question.
  const person = browser();
  provider.user = '3';
  assert.ok((await person.open(`${api.url}${first}`)).url.startsWith(`${api.url}/tasks/`));
  const answered = await person.step(`${api.url}${first}`, new URLSearchParams({ answer: 'approve' }));
  assert.equal(answered.headers.get('location'), `${first}&did=answer`);
  assert.match((await person.open(`${api.url}${first}&did=answer`)).text, /Your answer is recorded/);

  for (const other of ['2', '5']) {
    const wrong = await as(other, second);
    assert.equal(wrong.status, 200, 'they may read it');
    const answer = await wrong.browser.step(`${api.url}${second}`, new URLSearchParams({ answer: 'approve' }));
    assert.equal(answer.status, 403);
    assert.match(answer.text, /addressed to someone else/);
  }
  const operator = await as('1', second);
  const byOperator = await operator.browser.step(`${api.url}${second}`, new URLSearchParams({ answer: 'decline' }));
  assert.equal(byOperator.headers.get('location'), `${second}&did=answer`);
  // A form without a session is kept.
  const late = await browser().step(`${api.url}${third}`, new URLSearchParams({ answer: 'decline', comment: 'long thought' }));
  assert.equal(late.status, 401);
  assert.match(late.text, /long\+thought/);
  for (const [index, decision, who] of [
    [0, 'approve', 'carl@example.com'],
    [1, 'decline', 'ada@example.com'],
  ] as const)
    assert.deepEqual((await api.store.settled(runs[index] ?? '', 'ended', 60_000))?.outputs, { decision, who });
});

test('a form that was sent after the session had ended waits for the sign-in in another tab', async (t) => {
  const { api, as } = await scene(t);
  const { browser: person } = await as('1');
  person.cookies(api.url).clear();
  const kept = await person.step(
    `${api.url}/console/runs/x/comment`,
    new URLSearchParams({ token: 'old', comment: 'So it was' }),
  );
  assert.equal(kept.status, 401);
  assert.match(kept.text, /target="_blank"/);
  const field = (name: string): string =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(kept.text)?.[1] ?? '').replaceAll('&amp;', '&');
  const waiting = new URLSearchParams({ again: field('again'), fields: field('fields'), own: field('own') });
  const early = await person.step(`${api.url}/console/sign-in`, waiting);
  assert.equal(early.status, 401);
  assert.match(early.text, /You are not signed in with 127\.0\.0\.1:\d+ yet/);
  await person.open(`${api.url}/console/oidc?to=%2Fconsole`);
  const ready = await person.step(`${api.url}/console/sign-in`, waiting);
  assert.equal(ready.status, 200);
  assert.match(ready.text, /action="\/console\/runs\/x\/comment"/);
  assert.match(ready.text, /So it was/);
});

test('a way back that did not begin in this browser signs no one in', async (t) => {
  const { api, provider, news } = await scene(t);
  const [mine, other] = [browser(), browser()];
  const begun = await mine.step(`${api.url}/console/oidc?to=%2Fconsole`);
  const authorization = new URL(begun.headers.get('location') ?? '');
  assert.equal(authorization.origin, provider.issuer);
  const { searchParams } = authorization;
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((searchParams.get(name) ?? '').length >= 43, name);
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.equal(searchParams.get('scope'), 'openid profile email groups');
  // The browser goes to the provider, and stops before it comes back.
  let page = await mine.step(authorization.href);
  for (;;) {
    const next = new URL(page.headers.get('location') ?? '', page.url);
    if (next.origin === api.url) {
      const foreign = await other.open(next.href);
      assert.equal(foreign.status, 400);
      assert.match(foreign.text, /too old, or it began in another browser/);
      const altered = new URL(next);
      altered.searchParams.set('iss', 'https://elsewhere.example');
      assert.equal((await mine.step(altered.href)).status, 403, 'another provider answers');
      break;
    }
    page = await mine.step(next.href);
  }
  assert.deepEqual([...other.cookies(api.url).keys()], []);
  assert.ok(!mine.cookies(api.url).has('wf-console'));
  assert.match(news.join('\n'), /A sign-in with http:\/\/127\.0\.0\.1:\d+ failed: /);
  for (const query of ['', '?state=x', `?code=x&state=${'a'.repeat(43)}`, '?error=access_denied'])
    assert.equal((await other.open(`${api.url}/console/oidc/callback${query}`)).status, 400, query);
  // Never to another site.
  for (const to of ['https://evil.example', '//evil.example', '/tasks/../../x', '/runs']) {
    const { url } = await browser().open(`${api.url}/console/oidc?to=${encodeURIComponent(to)}`);
    assert.equal(url, `${api.url}/console`, to);
  }
});

test('whoever the provider turns away reads why', async (t) => {
  const { as } = await scene(t);
  const page = await as('');
  assert.equal(page.status, 403);
  assert.match(page.text, /did not sign you in: access_denied \(Not today\)/);
});

test('after the provider has changed its keys, the second sign-in works', async (t) => {
  const { api, as, provider } = await scene(t);
  assert.equal((await as('1')).status, 200);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  provider.start(`${api.url}/console/oidc/callback`, [privateKey.export({ format: 'jwk' })]);
  assert.equal((await as('1')).status, 403);
  assert.equal((await as('1')).status, 200);
});

test('without the provider the server works, and says so to those who sign in; tokens work beside it', async (t) => {
  const { env, open } = await testStore(t);
  const store = await open();
  await store.serve();
  const news: string[] = [];
  const provider = await testProvider(t, { accounts });
  const oidc = oidcOf(provider.issuer, news);
  const api = await apiServer(t, { console: true, oidc, env, operatorToken: 'operator-token' }, store);
  await oidc.check();
  assert.match(news[0] ?? '', /^Nobody can sign in with http:\/\/127\.0\.0\.1:\d+ now: fetch failed: .+\. It is asked again/);
  const page = await browser().open(`${api.url}/console/oidc?to=%2Fconsole`);
  assert.equal(page.status, 503);
  assert.match(page.text, /cannot be used now\. Try again in a moment/);
  const offer = await browser().open(`${api.url}/console`);
  assert.match(offer.text, /Sign in with 127\.0\.0\.1/);
  assert.match(offer.text, /Operator token/);
  const operator = { authorization: 'Bearer operator-token' };
  assert.equal((await fetch(`${api.url}/console`, { headers: operator })).status, 200);
  // Requests from the same machine are no operator's: operators sign in.
  assert.equal((await api.get('/runs')).status, 401);
  // It comes up later.
  provider.start(`${api.url}/console/oidc/callback`);
  assert.equal((await browser().open(`${api.url}/console/oidc?to=%2Fconsole`)).status, 200);
});
