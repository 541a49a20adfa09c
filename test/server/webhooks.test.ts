// Signatures of webhooks: the examples that the makers document, and everything that must not pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makers } from '../../src/compiler/vocabulary/webhook-makers.js';
import { makersTable, signedHeaders } from '../../src/server/webhooks/makers.js';
import { echo } from './fake-workflow.js';
import { send, startServer } from './test-server.js';

const now = Math.floor(Date.now() / 1000);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('GitHub and Twilio: the documented examples', () => {
  const hub = {
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    ...{ body: Buffer.from('Hello, World!'), url: '', now },
  };
  assert.equal(makersTable.github.isSigned("It's a Secret to Everybody", hub), true);
  assert.equal(makersTable.github.isSigned("It's a secret to Everybody", hub), false);
  const call = {
    headers: {
      'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: Buffer.from('Digits=1234&To=%2B18005551212&From=%2B14158675309&Caller=%2B14158675309&CallSid=CA1234567890ABCDE'),
    ...{ url: 'https://mycompany.com/myapp.php?foo=1&bar=2', now },
  };
  assert.equal(makersTable.twilio.isSigned('12345', call), true);
  assert.equal(makersTable.twilio.isSigned('12345', { ...call, url: `${call.url}x` }), false);
});

for (const maker of makers) {
  test(`${maker}: only what its secret has signed passes`, async (t) => {
    const body = '{"id":7}';
    const headers = signedHeaders(maker, secret, body, 'msg_1', now);
    if (headers === undefined) return t.skip('wf send does not sign as this maker does');
    const serving = { signature: maker, secrets: ['HOOK'] };
    const { url } = await startServer(t, {
      workflows: [echo('hook', { serving })],
      token: 'caller-1',
      env: { HOOK: `other ${secret}` },
    });
    const ask = (more: Record<string, string>, text = body): Promise<{ status: number }> =>
      send(`${url}/hook`, { method: 'POST', headers: { 'content-type': 'application/json', ...more }, body: text });
    assert.equal((await ask(headers)).status, 200);
    const wrong: [Record<string, string>, string?][] = [
      [{}],
      [{ authorization: 'Bearer caller-1' }],
      [headers, '{"id": 7}'],
      [signedHeaders(maker, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', body, 'msg_1', now) ?? {}],
      [Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value.slice(0, -2)}AA`]))],
    ];
    if (['standard-webhooks', 'stripe', 'slack'].includes(maker))
      wrong.push([signedHeaders(maker, secret, body, 'msg_1', now - 400) ?? {}]);
    for (const [more, text] of wrong) assert.equal((await ask(more, text)).status, 401, JSON.stringify(more));
    assert.equal((await ask({}, '{')).status, 401, 'before the body is parsed');
  });
}

test('a form becomes texts, a list becomes rows, and a form of another site is refused', async (t) => {
  const inputs = [
    { name: 'count', kind: { is: 'whole number' } as const },
    { name: 'rows', kind: { is: 'anything' } as const },
  ];
  const { url } = await startServer(t, { workflows: [echo(), echo('typed', { inputs })] });
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
