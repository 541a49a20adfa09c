// The console of a complete server over an embedded store: real runs, their pages, changes, live events, and a mock run.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { WfRecord } from '../../runtime/types.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { testFile } from '../root.js';
import { post, startServer, type TestServer } from '../server/test-server.js';
import { until } from '../until.js';
import { lineOf, sampleText } from './sample-runs.js';
import { type WebClient, webClient } from './web-client.js';

interface Whole {
  readonly server: TestServer;
  readonly client: WebClient;
  readonly run: (request: WfRecord, headers?: Record<string, string>) => Promise<string>;
}

/** @param onRequest the status that the service answers with; `undefined` for no answer */
async function wholeServer(
  t: TestContext,
  onRequest: (url: string, body: string) => number | undefined = () => 200,
  text = sampleText,
  headers: Record<string, string> = {},
): Promise<Whole> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-console-'));
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const status = onRequest(request.url ?? '', body);
    if (status === undefined) return;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(
      JSON.stringify(request.url?.startsWith('/payments') ? { id: 'P-1', amount: 900, note: '<b>bold</b>' } : { id: 'R-1' }),
    );
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of this type.
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const env = { PAYMENTS_URL: url, WAREHOUSE_URL: url, TEAM_CHAT_URL: `${url}/chat`, PAYMENTS_TOKEN: 'token-of-payments' };
  writeFileSync(path.join(folder, 'refund.wf'), text);
  writeFileSync(path.join(folder, 'zones.csv'), 'country is,cost\nDE,5\nany,29\n');
  const prepared = await prepare('refund.wf', { cwd: folder, env });
  assert.ok(prepared.ok);
  const store = await openStore('store', { env, cwd: folder });
  await store.serve();
  const server = await startServer(t, { workflows: [prepared.prepared], env, store, console: true, host: '127.0.0.1' });
  t.after(async () => {
    await store.close(0);
    service.closeAllConnections();
    service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run: Whole['run'] = async (request, headers = {}) => {
    const answered = await post(`${server.url}/refund`, request, headers);
    return answered.headers.get('x-run-id') ?? '';
  };
  return { server, client: webClient(server.url), run };
}

const request = {
  payment: 'P-1',
  amount: 120,
  customer: 'Ada <i>Lovelace</i>',
  items: [
    { sku: 'A', quantity: 1 },
    { sku: 'B', digital: true },
    { sku: 'C', quantity: 2 },
  ],
};

/** The text of a line with everything shown next to it. */
function lineText(page: string, line: number): string {
  const item = new RegExp(`<li id="L${line}"[^>]*>(.*?)</li>(?=<li|</ol>)`, 's').exec(page)?.[1] ?? '';
  return item
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim();
}

test('lists a run, and shows what each line of its text did', async (t) => {
  const { client, run, server } = await wholeServer(t, (url) => (url.endsWith('/C') ? 409 : 200));
  const id = await run(request);
  const list = await client.get('/console?q=Lovelace');
  assert.equal(list.status, 200, server.err.join('\n'));
  assert.match(list.text, new RegExp(`href="/console/runs/${id}"`));
  assert.match(list.text, /P-1 · 120 · Ada &lt;i&gt;Lovelace/);
  const { text } = await client.get(`/console/runs/${id}`);
  assert.match(lineText(text, lineOf('get payment')), /GET http:\/\/127\.0\.0\.1:\d+\/payments\/P-1 200/);
  assert.match(lineText(text, lineOf('otherwise if')), /taken$/);
  assert.match(lineText(text, lineOf('for each item')), /3 rounds/);
  assert.match(lineText(text, lineOf('if item.digital')), /taken 1 of 3×$/);
  assert.match(lineText(text, lineOf('update stock')), /409/);
  assert.match(lineText(text, lineOf('otherwise if')), /request\.amount is above 100 : 120 is above 100: yes/);
  assert.match(lineText(text, lineOf('set level to "medium"')), /level = "medium"/);
  assert.match(lineText(text, lineOf('for each item')), /1: {"sku":"A","quantity":1} 2: {"sku":"B","digital":true}/);
  assert.match(lineText(text, lineOf('set returned to returned')), /returned = 1 returned = 2/);
  assert.match(text, new RegExp(`<li id="L${lineOf('set level to "large"')}" class="idle"`));
  assert.match(text, new RegExp(`<li id="L${lineOf('complete with')}" class="ran end"`));
  const second = await client.get(`/console/runs/${id}?r${lineOf('for each item')}=2`);
  assert.match(lineText(second.text, lineOf('if item.digital')), /true: yes taken$/);
  assert.match(second.text, new RegExp(`<li id="L${lineOf('update stock')}" class="idle"`), 'the second item is digital');
});

const manyCalls = `config:
    name: "Many"
    version: 1

services:
    Warehouse is an API at "{env.WAREHOUSE_URL}"

workflow:
    trigger: t

    set total to 0
    for each item in request.items:
        get the stock of item using Warehouse at "/stock/{item.sku}"
            save the result as found
        set total to total plus item.count
    complete with total total
`;

test('the page of a run with 1,000 calls has less than 60 KB, with its files, and shows their values', async (t) => {
  const { client, run } = await wholeServer(t, () => 200, manyCalls);
  const items = Array.from({ length: 1_000 }, (_, index) => ({ sku: `S-${index}`, count: 1, note: 'fragile '.repeat(20) }));
  const id = await run({ items });
  const page = await client.get(`/console/runs/${id}`);
  assert.match(page.text, /1000 rounds/);
  assert.match(page.text, /total = 1</);
  const files = [...page.text.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(([, address = '']) => address);
  assert.equal(files.length, 3);
  let bytes = Buffer.byteLength(page.text);
  for (const file of files) bytes += Buffer.byteLength((await client.get(file)).text);
  assert.ok(bytes < 60_000, `${bytes} bytes`);
});

test('shows what was sent and answered, without secrets and as text', async (t) => {
  const { client, run } = await wholeServer(t);
  const id = await run(request);
  const { text } = await client.get(`/console/runs/${id}`);
  const address =
    new RegExp(`/console/runs/${id}/effects/\\d+`).exec(text.slice(text.indexOf(`id="L${lineOf('get payment')}"`)))?.[0] ?? '';
  const effect = await client.get(address);
  assert.equal(effect.status, 200);
  assert.match(effect.text, /&lt;b&gt;bold&lt;\/b&gt;/);
  assert.doesNotMatch(text + effect.text, /token-of-payments|<b>bold/);
});

test('says why a run ended as it did, when someone asks', async (t) => {
  const { client, run } = await wholeServer(t);
  const id = await run(request);
  const { text } = await client.get(`/console/runs/${id}`);
  assert.match(text, new RegExp(`<details id="why"[^>]* data-part="/console/runs/${id}/why"`));
  const why = await client.get(`/console/runs/${id}/why`);
  assert.equal(why.status, 200);
  assert.match(why.text, new RegExp(`Completed on line ${lineOf('complete with')}`));
  assert.match(why.text, new RegExp(`href="/console/runs/${id}#L\\d+"`));
  assert.doesNotMatch(why.text, /token-of-payments|<i>Lovelace|<b>bold/);
  assert.equal((await client.get('/console/runs/00000000-0000-7000-8000-000000000000/why')).status, 404);
});

test('draws the way of a run and what runs have reached, when someone asks', async (t) => {
  const { client, run } = await wholeServer(t, () => 200);
  const id = await run(request);
  const { text } = await client.get(`/console/runs/${id}`);
  assert.match(text, new RegExp(`<details id="drawing"[^>]* data-part="/console/runs/${id}/drawing"`));
  const drawn = await client.get(`/console/runs/${id}/drawing`);
  assert.match(drawn.text, new RegExp(`<a class="call lit" href="/console/runs/${id}#L${lineOf('get payment')}">`));
  assert.match(drawn.text, new RegExp(`<a class="action faint" href="[^"]*#L${lineOf('set level to "large"')}"`));
  const part = await client.get(`/console/runs/${id}/drawing`, { 'x-wf-part': '1' });
  assert.match(
    part.text,
    new RegExp(`<a class="call lit" href="#L${lineOf('get payment')}">`),
    'short, inside the page of the run',
  );
  assert.doesNotMatch(drawn.text, /<style/, 'the policy of the console would refuse it');
  const sheet = /href="(\/console\/assets\/drawing-\w+\.css)"/.exec(drawn.text)?.[1] ?? '';
  assert.match((await client.get(sheet)).text, /^\.wf-drawing /);
  const all = await client.get('/console/workflows/refund/drawing');
  assert.match(all.text, new RegExp(`<a class="action missed" href="[^"]*#L${lineOf('set level to "large"')}"`));
  assert.equal((await client.get('/console/runs/00000000-0000-7000-8000-000000000000/drawing')).status, 404);
  assert.equal((await client.get('/console/workflows/none/drawing')).status, 404);
});

test('the page of an effect has its own attempts only, also if a loop comes to its line again', async (t) => {
  let isBusy = true;
  const answer = (url: string): number => {
    const status = isBusy && url === '/items/2' ? 503 : 200;
    isBusy &&= status === 200;
    return status;
  };
  const { client, run } = await wholeServer(t, answer, testFile('console/files/retry-in-loop.wf'));
  const id = await run({});
  const attempts = async (position: number): Promise<string[]> => {
    const { text } = await client.get(`/console/runs/${id}/effects/${position}`);
    return text.match(/Attempt \d|Waited/g) ?? [];
  };
  assert.deepEqual(await attempts(0), []);
  assert.deepEqual(await attempts(1), ['Attempt 1', 'Waited', 'Attempt 2']);
});

test('a run that waits to call again says why, first on its page', async (t) => {
  const { client, run, server } = await wholeServer(t, () => 503, testFile('console/files/retry-in-an-hour.wf'));
  const id = await run({}, { prefer: 'respond-async' });
  const head = async (): Promise<string> => {
    const { text } = await client.get(`/console/runs/${id}`);
    return text.slice(text.indexOf('id="head"'), text.indexOf('<dl')).replace(/<[^>]*>/g, '');
  };
  await until(async () => (await head()).includes('Calls Api again'));
  assert.match(await head(), /Calls Api again in .*; the first attempt failed: status 503 \(Service Unavailable\) · Line 11/);
  assert.equal((await post(`${server.url}/runs/${id}/retry`, {})).status, 202);
  await until(async () => /2 attempts failed, the last one: status 503/.test(await head()));
});

test('shows a run in progress live, and cancels it', async (t) => {
  const { client, run, server } = await wholeServer(t, () => undefined);
  const stream = await fetch(`${server.url}/console/live`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.ok(reader);
  t.after(() => reader.cancel());
  const id = await run(request, { prefer: 'respond-async' });
  let heard = '';
  while (!heard.includes(id)) {
    const { value, done } = await reader.read();
    assert.equal(done, false, heard);
    heard += value;
  }
  assert.match(heard, /event: change/);
  await client.get(`/console/runs/${id}/cancel`);
  const cancelled = await client.post(`/console/runs/${id}/cancel`);
  assert.equal(cancelled.status, 303, cancelled.text);
  const { text } = await client.get(`/console/runs/${id}`);
  assert.match(text, /<span class="state cancelled">/);
  assert.doesNotMatch(text, /In progress|data-since|data-due/, 'nothing of an ended run is open');
  assert.match(lineText(text, lineOf('get payment')), /The run was cancelled here\./);
  assert.match(text, /<p class="hint">Cancelled [^<]*(?:by <b><bdi>[^<]+<\/bdi><\/b> )?in the console, <time/);
  const again = await client.post(`/console/runs/${id}/cancel`);
  assert.equal(again.headers.get('location'), `/console/runs/${id}?did=cancel`, 'as the first press of the button');
  const resumed = await client.post(`/console/runs/${id}/resume`);
  assert.match((await client.get(resumed.headers.get('location') ?? '')).text, /role="alert"[^>]*>The run has already ended/);
  assert.match(text, /<button>Rerun from where it was cancelled…<\/button>/);
  const rerun = await client.get(`/console/runs/${id}/rerun?from=failure`);
  assert.match(rerun.text, /<h1>Rerun from where it was cancelled\?<\/h1>\s*<p>[^<]*continues where this run was cancelled\./);
  const { headers } = await client.post(`/console/runs/${id}/rerun`, { from: 'failure', workflow: 'recorded' });
  assert.match(headers.get('location') ?? '', /^\/console\/runs\/[0-9a-f-]{36}$/);
});

test('marks every branch that waits, and lists it on top', async (t) => {
  const { client, run } = await wholeServer(t, undefined, testFile('console/files/waiting-branches.wf'));
  const id = await run({ order: 'O-1' }, { prefer: 'respond-async' });
  let text = '';
  await until(async () => {
    text = (await client.get(`/console/runs/${id}`)).text;
    return /id="L10"[^>]*class="[^"]*waiting/.test(text) && /id="L13"[^>]*class="[^"]*waiting/.test(text);
  });
  assert.match(text, /<dt>Calls and waits<\/dt><dd>2, 2 of them open<\/dd>/);
  const head = text.slice(text.indexOf('id="head"'), text.indexOf('facts-list'));
  assert.match(head, /Waits for the message payment.*#L10.*continues.*#L13/s);
  assert.match(text, /\d of \d branches are done\./);
  await client.post(`/console/runs/${id}/cancel`);
});

test('shows the answer of a failed call with the headers worth knowing, and no cookie', async (t) => {
  const { client, run } = await wholeServer(t, (url) => (url.startsWith('/refunds') ? 422 : 200), undefined, {
    'retry-after': '60',
    'x-request-id': 'R-77',
    'set-cookie': 'session=very-private-1',
  });
  const id = await run(request);
  const { text } = await client.get(`/console/runs/${id}`);
  const words = text.replace(/<[^>]*>/g, ' ');
  assert.match(words, /Answer\s+id\s+R-1\s+Headers\s+retry-after\s+60\s+x-request-id\s+R-77/);
  assert.doesNotMatch(text, /very-private/);
  const effect = /data-part="([^"]+)"/g;
  const opened = await Promise.all([...text.matchAll(effect)].map(([, at]) => client.get(at ?? '', { 'x-wf-part': '1' })));
  assert.ok(opened.some((part) => /Answer of the failed attempt.*R-1.*R-77/s.test(part.text)));
});

test('gives request, outcome and answers as JSON, and links each line', async (t) => {
  const { client, run } = await wholeServer(t);
  const id = await run(request);
  const { text } = await client.get(`/console/runs/${id}`);
  const json = async (at: string): Promise<unknown> => {
    const { headers, text: body } = await client.get(at);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    return JSON.parse(body);
  };
  const links = [...text.matchAll(/href="([^"]+\.json)" download/g)].map(([, at]) => at ?? '');
  assert.deepEqual(links, [`/console/runs/${id}/values/request.json`, `/console/runs/${id}/values/outputs.json`]);
  assert.deepEqual(await json(links[0] ?? ''), request);
  assert.deepEqual(await json(links[1] ?? ''), { refund: 'R-1', level: 'medium', returned: 2 });
  const parts = [...text.matchAll(/data-part="([^"]+effects[^"]+)"/g)].map(([, at]) => at ?? '');
  const opened = (await client.get(parts[0] ?? '', { 'x-wf-part': '1' })).text;
  const answer = /href="([^"]+answer\.json)"/.exec(opened)?.[1] ?? '';
  assert.deepEqual(await json(answer), { id: 'P-1', amount: 900, note: '<b>bold</b>' });
  assert.match(text, /<li id="L8"[^>]*><a class="no" href="#L8"/);
  assert.equal((await client.get(`/console/runs/${id}/values/other.json`)).status, 404);
});

test('reruns a run from its failure, and links back to the first', async (t) => {
  let isBroken = true;
  const { client, run } = await wholeServer(t, (url) => (isBroken && url.startsWith('/refunds') ? 422 : 200));
  const id = await run(request);
  const page = await client.get(`/console/runs/${id}`);
  assert.match(page.text, /Rerun from the failure/);
  assert.match(page.text, new RegExp(`<li id="L${lineOf('create refund')}" class="ran error"`));
  isBroken = false;
  await client.get(`/console/runs/${id}/rerun?from=failure`);
  const { headers } = await client.post(`/console/runs/${id}/rerun`, { from: 'failure', workflow: 'recorded' });
  const next = headers.get('location') ?? '';
  assert.match(next, /^\/console\/runs\/[0-9a-f-]{36}$/);
  assert.match((await client.get(next)).text, new RegExp(`Rerun of.*${id}`, 's'));
  await until(async () => /class="state completed"/.test((await client.get(next)).text));
  const refused = await client.post(`${next}/rerun`, { from: 'failure' });
  assert.equal(refused.status, 303);
  assert.match(
    (await client.get(refused.headers.get('location') ?? '')).text,
    /has not failed; its status is .*completed.*Rerun it from the start\./,
  );
});

test('the page of a workflow counts its lines, and tries it with mock services', async (t) => {
  const asked: string[] = [];
  const { client, run } = await wholeServer(t, (url) => {
    asked.push(url);
    return 200;
  });
  for (let count = 0; count < 3; count++) await run(request);
  let text = '';
  // A busy machine may not get through all three runs at the first request.
  await until(async () => {
    text = (await client.get('/console/workflows/refund')).text;
    return lineText(text, lineOf('get payment')).endsWith('3×');
  });
  assert.match(lineText(text, lineOf('for each item')), /3× · 9 rounds$/);
  assert.match(text, new RegExp(`<li id="L${lineOf('set level to "large"')}" class="idle"`));
  const before = asked.length;
  const tried = await client.post('/console/workflows/refund/try', {
    'field:payment': 'P-2',
    'field:amount': '12',
    'field:customer': '007',
  });
  assert.equal(tried.status, 200);
  assert.match(tried.text, /with mock services/);
  assert.match(tried.text, /name="field:payment" autocomplete="off" value="P-2"/, 'what was typed is still there');
  assert.match(tried.text, new RegExp(`<li id="L${lineOf('get payment')}" class="ran"`));
  assert.match(tried.text, /<span class="state (?:completed|rejected|error)">/);
  assert.equal(asked.length, before, 'nothing leaves the machine');
});

const asking = testFile('console/files/approval.wf');

/** Starts a run that asks, and waits until its person is notified. @returns the run, and the link of the task */
async function askedRun(t: TestContext): Promise<Whole & { readonly id: string; readonly link: string }> {
  let notified: (body: string) => void = () => {};
  const body = new Promise<string>((resolve) => {
    notified = resolve;
  });
  const whole = await wholeServer(
    t,
    (_, text) => {
      notified(text);
      return 200;
    },
    asking,
  );
  const id = await whole.run(request, { prefer: 'respond-async' });
  const { url, run, choices } = JSON.parse(await body);
  assert.deepEqual([run, choices], [id, ['approve', 'decline']]);
  const { pathname, search } = new URL(url);
  return { ...whole, id, link: pathname + search };
}

/** The page of a run once it has ended. */
async function endedPage(client: WebClient, id: string): Promise<string> {
  let text = '';
  await until(async () => {
    text = (await client.get(`/console/runs/${id}`)).text;
    return text.includes('class="state completed"');
  });
  return text;
}

test('an operator answers the question of a run, and the run continues', async (t) => {
  const { client, id } = await askedRun(t);
  // The notification may arrive before the question is listed.
  let text = '';
  await until(async () => {
    text = (await client.get('/console/tasks')).text;
    return text.includes('/console/tasks/');
  });
  assert.match(text, /approve &lt;b&gt;120&lt;\/b&gt; for Ada &lt;i&gt;Lovelace&lt;\/i&gt;/);
  const task = /action="(\/console\/tasks\/[^"]+)"/.exec(text)?.[1] ?? '';
  const none = await client.post(task, { answer: 'perhaps', comment: 'too <late>', by: 'Grace' });
  assert.equal(none.status, 400);
  assert.match(none.text, /Choose one of .*<textarea name="comment"[^>]*>\s*too &lt;late&gt;<.*name="by"[^>]* value="Grace"/s);
  const fields = { answer: 'decline', comment: 'too <late>', by: 'Grace' };
  for (const press of ['first', 'second']) {
    const answered = await client.post(task, fields);
    assert.deepEqual([answered.status, answered.headers.get('location')], [303, '/console/tasks?did=answer'], press);
  }
  const page = await endedPage(client, id);
  for (const shown of ['decline', 'too &lt;late&gt;', 'Grace', 'Question to Finance']) assert.ok(page.includes(shown), shown);
  assert.match((await client.get('/console/tasks')).text, /No open questions.*Grace/s);
  const late = await client.post(task, { answer: 'approve', comment: 'Long <reasons>' });
  assert.equal(late.status, 409);
  assert.match(late.text, /Someone else answered first.*What you wrote.*Long &lt;reasons&gt;/s);
});

test('a person answers by the link of the notification, without the rest of the console', async (t) => {
  const { client, id, link, server } = await askedRun(t);
  const person = webClient(server.url);
  // A program on this machine would be an operator, and get JSON.
  const browser = { accept: 'text/html' };
  assert.equal((await person.get(link.replace(/key=./, 'key='), browser)).status, 404);
  const question = await person.get(link, browser);
  assert.equal(question.status, 200);
  assert.ok(!question.text.includes(id), 'nothing of the run');
  const sent = await person.post(link, { answer: 'approve', by: 'Ada' }, browser);
  const told = sent.headers.get('location') ?? '';
  assert.equal(told, `${link}&did=answer`, 'to reload it sends nothing again');
  assert.match((await person.get(told, browser)).text, /Thank you\. Your answer is recorded\./);
  assert.match(await endedPage(client, id), /approve/);
  assert.match((await person.get(link, browser)).text, /Ada/);
  assert.equal((await person.post(link, { answer: 'decline' }, browser)).status, 409);
});

test('claims of no line that it never ran where a run cannot be retraced', async (t) => {
  const text = testFile('console/files/parcel.wf');
  const { client, run } = await wholeServer(t, undefined, text);
  const id = await run({ country: 'FR' });
  const page = (await client.get(`/console/runs/${id}`)).text;
  assert.match(lineText(page, 12), /It costs 29\./);
  assert.doesNotMatch(page, /<li id="L\d+" class="idle"/);
});

test('compares two runs: where they part, what differs, and the values of both', async (t) => {
  const { client, run } = await wholeServer(t);
  const [one, other] = [await run(request), await run({ ...request, amount: 60 })];
  await client.get('/console');
  const chosen = await client.post('/console/runs', [
    ['do', 'compare'],
    ['run', one],
    ['run', other],
  ]);
  assert.equal(chosen.headers.get('location'), `/console/compare?run=${one}&run=${other}`);
  const { text } = await client.get(`/console/compare?run=${one}&run=${other}`);
  assert.match(text, new RegExp(`only one of them came to is <a href="#L${lineOf('set level to "medium"')}">`));
  assert.match(text, /<bdi>amount<\/bdi><\/th><td><bdi>120<\/bdi><\/td><td><bdi>60<\/bdi>/);
  assert.match(lineText(text, lineOf('otherwise if')), /120 is above 100: yes.*60 is above 100: no/);
  const alone = await client.post('/console/runs', [
    ['do', 'compare'],
    ['run', one],
  ]);
  const refused = await client.get(alone.headers.get('location') ?? '');
  assert.match(refused.headers.get('location') ?? '', /did=two/);
});

test('a comment on a run is on record, as text, and once although its form is sent twice', async (t) => {
  const { client, run } = await wholeServer(t);
  const id = await run(request);
  const since = /name="since" value="(\d+)"/.exec((await client.get(`/console/runs/${id}`)).text)?.[1] ?? '';
  const form = { comment: 'Called <b>Ada</b>', since };
  await Promise.all([form, form].map((one) => client.post(`/console/runs/${id}/comment`, one)));
  await client.post(`/console/runs/${id}/comment`, { comment: '  ' });
  const { text } = await client.get(`/console/runs/${id}`);
  assert.equal(text.split('comment: <bdi>').length, 2);
  assert.match(text, /comment: <bdi>Called &lt;b&gt;Ada&lt;\/b&gt;<\/bdi>/);
});

test('the page of a workflow has the trend of 30 days, its versions, and how long its calls take', async (t) => {
  const { client, run } = await wholeServer(t, (url) => (url.endsWith('/C') ? 409 : 200));
  const id = await run(request);
  await run({ ...request, amount: 2_000 });
  for (const page of ['/console', '/console/workflows/refund'])
    assert.match((await client.get(page)).text, /30 days: <a href="[^"]*since=30d">2 runs<\/a>/, page);
  const calls = (await client.get('/console/workflows/refund/calls')).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  assert.match(calls, new RegExp(`${lineOf('get payment')} Payments: get payment 2 0 `));
  assert.match(calls, new RegExp(`${lineOf('update stock')} Warehouse: update stock 2 1 `));
  const versions = (await client.get('/console/workflows/refund/versions')).text;
  const [, address = ''] = /href="(\/console\/workflows\/refund\/versions\/[0-9a-f]+)">v3/.exec(versions) ?? [];
  assert.match(versions.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '), /UTC 2 0 /);
  assert.match((await client.get(address)).text, new RegExp(`Its newest runs.*/console/runs/${id}`, 's'));
});

test('the page of a run whose data was erased says so, beside its text', async (t) => {
  const { server, client, run } = await wholeServer(t);
  const id = await run(request);
  assert.equal((await post(`${server.url}/runs/${id}/erase`, {})).status, 200);
  const { status, text } = await client.get(`/console/runs/${id}`);
  assert.equal(status, 200);
  assert.match(text, /The data of this run was erased/);
  assert.match(text, /<li id="L18"[^>]*>.*get payment/);
});
