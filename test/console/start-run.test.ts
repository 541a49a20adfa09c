// An operator starts a real run by a form, again with changes from another run, and sends a message that a run waits for.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { until } from '../until.js';
import { storedConsole } from './stored-console.js';
import { type WebClient, webClient } from './web-client.js';

const text = `config:
    name: "Order"
    version: 1

inputs:
    customer is a text
    amount is a number
    express is yes or no, otherwise no

workflow:
    trigger: t

    if request.express:
        wait for go
            save the message as go
        complete with by go.by
    complete with amount request.amount
`;

async function ordering(t: TestContext): Promise<{ readonly client: WebClient; readonly store: DurableEngine }> {
  const { server, store } = await storedConsole(t, 'order.wf', (folder) => writeFileSync(path.join(folder, 'order.wf'), text));
  return { client: webClient(server.url), store };
}

const form = '/console/workflows/order/start';
const onceIn = (page: string): string => /name="once" value="([^"]+)"/.exec(page)?.[1] ?? '';
const runIn = (location: string | null): string => /runs\/([0-9a-f-]{36})\?did=start$/.exec(location ?? '')?.[1] ?? '';

test('a form starts a real run, once however often it is sent, and again with changes', async (t) => {
  const { client, store } = await ordering(t);
  assert.match((await client.get('/console/workflows/order')).text, /href="\/console\/workflows\/order\/start"/);
  const once = onceIn((await client.get(form)).text);
  const unfit = await client.post(form, { once, 'field:customer': 'Ada <i>', 'field:amount': 'much' });
  assert.equal(unfit.status, 400);
  assert.match(unfit.text, /<b>amount<\/b>.*value="Ada &lt;i&gt;"/s, 'what was typed is still there');
  assert.equal(onceIn(unfit.text), once);
  const fields = { once, 'field:customer': 'Ada <i>', 'field:amount': '12.5' };
  const started = await client.post(form, fields);
  const run = runIn(started.headers.get('location'));
  assert.equal((await store.settled(run, 'ended', 60_000))?.status, 'completed');
  assert.equal(runIn((await client.post(form, fields)).headers.get('location')), run, 'a form sent twice starts one run');
  const changed = await client.post(form, { ...fields, 'field:amount': '13' });
  assert.equal(changed.status, 409);
  assert.match((await client.get(`/console/runs/${run}`)).text, /Again with changes/);
  const again = (await client.get(`${form}?from=${run}`)).text;
  assert.match(again, /name="field:customer"[^>]* value="Ada &lt;i&gt;".*name="field:amount"[^>]* value="12\.5".*"no" selected/s);
  const next = await client.post(form, { once: onceIn(again), json: '{"customer": "Eve", "amount": 7}' });
  const state = await store.settled(runIn(next.headers.get('location')), 'ended', 60_000);
  assert.deepEqual(state?.outputs, { amount: 7 });
  assert.equal((await store.list({})).runs.length, 2);
});

test('a run gets the message that it waits for from its page', async (t) => {
  const { client, store } = await ordering(t);
  const once = onceIn((await client.get(form)).text);
  const request = { once, 'field:customer': 'Ada', 'field:amount': '1', 'field:express': 'yes' };
  const run = runIn((await client.post(form, request)).headers.get('location'));
  let page = '';
  await until(async () => {
    page = (await client.get(`/console/runs/${run}`)).text;
    return page.includes('Send the message go');
  });
  assert.match(page, new RegExp(`action="/console/runs/${run}/message"`));
  const wrong = await client.post(`/console/runs/${run}/message`, { name: 'go', json: '[1]' });
  assert.equal(wrong.status, 400);
  assert.match(
    wrong.text,
    /The message must be a record of fields.*<textarea name="json"[^>]*>\s*\[1\]</s,
    'what was typed is still there',
  );
  const sent = await client.post(`/console/runs/${run}/message`, { name: 'go', json: '{"by": "Grace"}' });
  assert.equal(sent.headers.get('location'), `/console/runs/${run}?did=message`);
  assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { by: 'Grace' });
  const late = await client.post(`/console/runs/${run}/message`, { name: 'go', json: '{}' });
  assert.match((await client.get(late.headers.get('location') ?? '')).text, /role="alert"[^>]*>The run has ended/);
  for (const path of [`runs/${run}/message`, 'workflows/order/try']) {
    const again = await client.get(`/console/${path}`);
    assert.equal(again.headers.get('location'), `/console/${path.slice(0, path.lastIndexOf('/'))}`, 'from the history');
  }
});
