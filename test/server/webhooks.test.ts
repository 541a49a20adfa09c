// Signatures of webhooks: the examples that the providers document, and everything that must not pass.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express from 'express';
import { webhookProviders } from '../../src/compiler/vocabulary/webhook-providers.js';
import { createApp } from '../../src/server/app/create-app.js';
import { signedRequest, signings } from '../../src/server/webhooks/signatures.js';
import { processorTime, slowness } from '../processor-time.js';
import { echo } from './fake-workflow.js';
import { send, startServer } from './test-server.js';

const now = Math.floor(Date.now() / 1000);
const hmacOf = (key: string, text: string): string => createHmac('sha1', key).update(text).digest('base64');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('GitHub and Twilio: the documented examples', () => {
  const hub = {
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    body: Buffer.from('Hello, World!'),
    url: '',
    now,
  };
  assert.equal(signings.github.isSigned("It's a Secret to Everybody", hub), true);
  assert.equal(signings.github.isSigned("It's a secret to Everybody", hub), false);
  const call = {
    headers: {
      'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: Buffer.from('Digits=1234&To=%2B18005551212&From=%2B14158675309&Caller=%2B14158675309&CallSid=CA1234567890ABCDE'),
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    now,
  };
  assert.equal(signings.twilio.isSigned('12345', call), true);
  assert.equal(signings.twilio.isSigned('12345', { ...call, url: `${call.url}x` }), false);
});

test('Slack and Standard Webhooks: the documented examples, and no secret without a key', () => {
  const slack = {
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: Buffer.from(
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    ),
    url: '',
    now: 1531420618,
  };
  const slackSecret = '8f742231b10e8888abcd99yyyzzz85a5';
  for (const [skew, passes] of [
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ] as const)
    assert.equal(signings.slack.isSigned(slackSecret, { ...slack, now: slack.now + skew }), passes, `${skew}`);
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const standard = { headers, body: Buffer.from('{"test": 2432232314}'), url: '', now: 1614265330 };
  assert.equal(signings['standard-webhooks'].isSigned(secret, standard), true);
  // A template that puts an unset variable behind `whsec_`: anyone could sign with a key of no bytes.
  const sent = { url: '', body: '{}', id: 'msg_1', now };
  const empty = signedRequest('standard-webhooks', 'whsec_', sent);
  const lower = Object.fromEntries(Object.entries(empty.headers).map(([name, value]) => [name.toLowerCase(), value]));
  assert.equal(
    signings['standard-webhooks'].isSigned('whsec_', { headers: lower, body: Buffer.from('{}'), url: '', now }),
    false,
  );
});

test('Twilio signs the hash of a body that is not a form', () => {
  const body = Buffer.from('{"property": "value", "boolean": true}');
  const hash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620';
  const url = `https://mycompany.com/myapp.php?foo=1&bar=2&bodySHA256=${hash}`;
  const call = { headers: { 'x-twilio-signature': 'a9nBmqA0ju/hNViExpshrM61xv4=' }, body, url, now };
  assert.equal(signings.twilio.isSigned('12345', call), true);
  assert.equal(signings.twilio.isSigned('12345', { ...call, body: Buffer.from('{"property":"other"}') }), false);
  const unnamed = { ...call, headers: { 'x-twilio-signature': hmacOf('12345', 'https://mycompany.com/') } };
  assert.equal(signings.twilio.isSigned('12345', { ...unnamed, url: 'https://mycompany.com/' }), false);
});

test('Mailgun: the fields of the form with which it forwards mail', () => {
  const fields = { timestamp: String(now), token: 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e', subject: 'hello' };
  const signature = createHmac('sha256', 'key')
    .update(fields.timestamp + fields.token)
    .digest('hex');
  const body = (more: object): Buffer => Buffer.from(new URLSearchParams({ ...fields, signature, ...more }).toString());
  const delivery = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: body({}), url: '', now };
  assert.equal(signings.mailgun.isSigned('key', delivery), true);
  assert.equal(signings.mailgun.isSigned('key', { ...delivery, body: body({ token: 'another' }) }), false);
  assert.equal(signings.mailgun.deliveryId({}, { ...fields, signature }), fields.token);
});

for (const provider of webhookProviders) {
  test(`${provider}: only what its secret has signed passes`, async (t) => {
    const serving = { signature: provider, secrets: ['HOOK'] };
    const { url } = await startServer(t, {
      workflows: [echo('hook', { serving })],
      token: 'caller-1',
      env: { HOOK: `other ${secret}` },
    });
    const sent = { url: `${url}/hook`, body: '{"id":"7"}', id: 'msg_1', now };
    const right = signedRequest(provider, secret, sent);
    const ask = async ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }): Promise<number> =>
      (await send(sent.url, { method: 'POST', headers, body })).status;
    assert.equal(await ask(right), 200);
    const { 'Content-Type': type = '', ...signature } = right.headers;
    const cut = Object.entries(signature).map(([name, value]) => [name, `${value.slice(0, -2)}AA`]);
    const wrong = [
      { ...right, headers: { 'Content-Type': type, ...Object.fromEntries(cut) } },
      signedRequest(provider, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', sent),
      { headers: { 'Content-Type': type }, body: sent.body },
      { headers: { 'Content-Type': type, authorization: 'Bearer caller-1' }, body: sent.body },
      { headers: { 'Content-Type': type }, body: '{' },
    ];
    // The body holds Mailgun's signature, which covers nothing else of it.
    if (provider === 'mailgun') wrong[0] = { ...right, body: right.body.replace(/"signature":"../, '"signature":"zz') };
    else wrong.push({ ...right, body: right.body.replace('7', '8') });
    if (['standard-webhooks', 'stripe', 'slack', 'mailgun'].includes(provider))
      wrong.push(signedRequest(provider, secret, { ...sent, now: now - 400 }));
    for (const request of wrong) assert.equal(await ask(request), 401, JSON.stringify(request));
  });
}

test('JSON in the payload of a form is the request itself, and broken JSON is refused', async (t) => {
  const serving = { signature: 'slack', secrets: ['HOOK'] };
  const inputs = [{ name: 'count', kind: { is: 'whole number' } as const }];
  const workflows = [echo('hook', { serving }), echo('typed', { serving, inputs })];
  const { url } = await startServer(t, { workflows, env: { HOOK: secret } });
  const post = (path: string, payload: string) => {
    const body = `payload=${encodeURIComponent(payload)}`;
    const { headers } = signedRequest('slack', secret, { url: `${url}${path}`, body, id: '7', now });
    return send(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
  };
  assert.deepEqual((await post('/hook', '{"count":5}')).json, { status: 'completed', outputs: { request: { count: 5 } } });
  assert.equal((await post('/typed', '{"count":5}')).status, 200);
  assert.equal((await post('/typed', '{"count":"5"}')).status, 400, 'it is typed, unlike a form');
  const broken = await post('/hook', '{"count":');
  assert.equal(broken.status, 400);
  assert.match(broken.text, /The field \\"payload\\" is not valid JSON\..*Line 1, column 10/);
  assert.match((await post('/hook', '[5]')).text, /The field \\"payload\\" is not a JSON object\./);
});

test('a form becomes texts, a list becomes rows, and a form of another site is refused', async (t) => {
  const inputs = [
    { name: 'count', kind: { is: 'whole number' } as const },
    { name: 'rows', kind: { is: 'anything' } as const },
  ];
  const choices = [{ name: 'sizes', kind: { is: 'list', of: { is: 'whole number' } } as const }];
  const { url } = await startServer(t, { workflows: [echo(), echo('typed', { inputs }), echo('boxes', { inputs: choices })] });
  const form = (headers: Record<string, string>): Promise<{ status: number; json: unknown }> =>
    send(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: 'a=05&b=x+y&b=z&__proto__=p',
    });
  const own = await form({ origin: url });
  assert.deepEqual(
    (own.json as { outputs: { request: object } }).outputs.request,
    JSON.parse('{"a":"05","b":["x y","z"],"__proto__":"p"}'),
  );
  assert.equal((await form({ origin: 'https://elsewhere.example' })).status, 403);
  const list = await send(`${url}/typed`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[1,2]' });
  assert.deepEqual((list.json as { outputs: unknown }).outputs, { request: { count: 2, rows: [1, 2] } });
  // Of several boxes, one is ticked.
  const boxes = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'sizes=38' };
  assert.deepEqual((await send(`${url}/boxes`, boxes)).json, { status: 'completed', outputs: { request: { sizes: [38] } } });
});

test('a form of many fields takes time in proportion', async (t) => {
  const { url } = await startServer(t, { workflows: [echo('plain')] });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const took = processorTime();
  assert.equal((await send(`${url}/plain`, { method: 'POST', headers, body: 'a&'.repeat(20_000) })).status, 200);
  const body = Buffer.from(Array.from({ length: 40_000 }, (_, index) => `a${index}=b`).join('&'));
  assert.equal(signings.twilio.isSigned('12345', { headers, body, url, now }), false);
  assert.ok(took() < 3_000 * slowness(), `${took()} ms`);
});

test('what Amazon SNS sends is JSON, whatever its type says; other plain text is not', async (t) => {
  const { url } = await startServer(t, { workflows: [echo('topic')], host: '127.0.0.1' });
  const post = (headers: Record<string, string>, type = 'text/plain; charset=UTF-8') =>
    send(`${url}/topic`, { method: 'POST', headers: { 'content-type': type, ...headers }, body: '{"Type":"Notification"}' });
  const taken = await post({ 'x-amz-sns-message-type': 'Notification' });
  assert.deepEqual([taken.status, taken.text.includes('"Type":"Notification"')], [200, true]);
  assert.equal((await post({})).status, 403);
  assert.equal((await post({ 'x-amz-sns-message-type': 'Notification' }, 'text/html')).status, 415);
});

test('in an application of Express, a body that another part has read counts as it was sent, or is refused', async (t) => {
  const workflows = [echo('plain'), echo('hook', { serving: { signature: 'github', secrets: ['HOOK'] } })];
  const { listener } = await createApp({ workflows, env: { HOOK: secret } });
  const body = '{"name": "Zoë",  "n": 1}';
  const { headers } = signedRequest('github', secret, { url: '', body, id: 'd-1', now });
  const every = { type: '*/*' };
  for (const [parser, signed] of [
    [express.raw(every), 200],
    [express.text(every), 200],
    [express.json(every), 400],
  ] as const) {
    const server = createServer(express().use(parser).use(listener)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
    const ask = (route: string, more: Record<string, string>) => send(`${url}${route}`, { method: 'POST', headers: more, body });
    const plain = await ask('/plain', { 'Content-Type': 'application/json' });
    assert.deepEqual((plain.json as { outputs: unknown }).outputs, { request: { name: 'Zoë', n: 1 } });
    const hook = await ask('/hook', headers);
    assert.equal(hook.status, signed);
    if (signed === 400) assert.match(hook.text, /parsed before wf saw it.*Mount wf in front/);
    else assert.equal((await ask('/hook', { 'Content-Type': 'application/json' })).status, 401);
  }
});
