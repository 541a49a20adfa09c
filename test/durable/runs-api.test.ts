// The addresses of a server with a store: runs, messages and tasks, the headers of a POST, and permissions. All tests share one server and
// one store; each uses its own workflows and runs.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { openStore } from '../../src/durable/open-store.js';
import type { TaskView } from '../../src/durable/run-views.js';
import { prepare } from '../../src/engine/prepare.js';
import type { Prepared } from '../../src/engine/prepared.js';
import type { AppOptions } from '../../src/server/create-app.js';
import { root, testFile } from '../root.js';
import { redocly } from '../server/redocly.js';
import { type Answered, post, send, startServer } from '../server/test-server.js';
import { fits } from '../testing/json-schema.js';
import { until } from '../until.js';

interface Api {
  readonly store: DurableEngine;
  readonly url: string;
  /** A POST to a workflow, or to any other address of the server. */
  readonly post: (address: string, body?: object, headers?: Record<string, string>) => Promise<Answered>;
  readonly get: (address: string, headers?: Record<string, string>) => Promise<Answered>;
  /** Every answer so far. */
  readonly seen: readonly Seen[];
}

interface Seen {
  readonly method: 'get' | 'post';
  readonly address: string;
  readonly answer: Answered;
}

interface Body {
  readonly [name: string]: unknown;
}
const body = ({ json }: Answered): Body => json as Body; // every answer is a record
const runOf = ({ headers }: Answered): string => headers.get('x-run-id') ?? '';

const files = path.join(root, 'test/durable/files/served');

async function workflowsIn(folder: string): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const name of readdirSync(files)) {
    cpSync(path.join(files, name), path.join(folder, name));
    const one = await prepare(name, { cwd: folder, env: { WF_CACHE: 'off', HOME: folder } });
    assert.ok(one.ok, JSON.stringify(one));
    prepared.push(one.prepared);
  }
  return prepared;
}

async function api(t: TestContext, options: Partial<AppOptions> = {}, given?: DurableEngine): Promise<Api> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-api-'));
  const env = { HOME: folder };
  const store = given ?? (await openStore('runs', { env, cwd: folder }));
  if (given === undefined) await store.serve();
  const server = await startServer(t, { workflows: await workflowsIn(folder), env, store, host: '127.0.0.1', ...options });
  t.after(async () => {
    await store.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  const seen: Seen[] = [];
  const note = (method: Seen['method'], address: string, answer: Answered): Answered => {
    seen.push({ method, address, answer });
    return answer;
  };
  return {
    ...{ store, seen, url: server.url },
    post: async (address, given = {}, headers = {}) =>
      note('post', address, await post(`${server.url}${address}`, given, headers)),
    get: async (address, headers = {}) => note('get', address, await send(`${server.url}${address}`, { headers })),
  };
}

interface Operation {
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: Record<string, unknown> }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

/** The document of the server is valid, and every answer is one that it describes. */
async function checkDocument({ url, seen }: Api, headers: Record<string, string> = {}): Promise<void> {
  const { json } = await send(`${url}/openapi.json`, { headers });
  const { valid, errors } = await new Validator().validate(structuredClone(json) as Record<string, unknown>);
  assert.ok(valid, JSON.stringify(errors));
  assert.deepEqual(await redocly(JSON.stringify(json)), []);
  const document = json as Document & Record<string, unknown>; // the validator has looked at it
  let checked = 0;
  for (const { method, address, answer } of seen) {
    const [bare = ''] = address.split('?');
    const found = Object.entries(document.paths).find(([template]) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    );
    const operation = found?.[1][method];
    // A method that an address does not take, or one that is no part of the API.
    if (operation === undefined || answer.status === 405) continue;
    const schema = operation.responses[answer.status]?.content['application/json']?.schema;
    assert.ok(schema !== undefined, `${method} ${address}: ${answer.status} is not described`);
    if (!/^\/(?:runs|messages|tasks)\b/.test(bare)) continue;
    const named = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
    assert.ok(fits({ document, answer: named }, 'answer', answer.json), `${method} ${address} ${answer.status}: ${answer.text}`);
    checked += 1;
  }
  assert.ok(checked > 3, `${checked}`);
}

test('runs, messages and tasks over HTTP', async (t) => {
  const one = await api(t, { userHeader: 'X-User' });

  await t.test('a run that ends: its outcome and its id; every outcome has its status', async () => {
    const done = await one.post('/echo', { n: 1 });
    assert.deepEqual([done.status, body(done), runOf(done).length], [200, { status: 'completed', outputs: { n: 1 } }, 36]);
    const rejected = await one.post('/reject', { n: 2 });
    assert.deepEqual([rejected.status, body(rejected)], [400, { status: 'rejected', message: 'no 2' }]);
    const failed = await one.post('/fail', { zero: 0 });
    assert.equal(failed.status, 500);
    assert.match(String(body(failed).message), /^fail\.wf, line 8: /);
    for (const answer of [rejected, failed]) assert.equal(runOf(answer).length, 36);
  });

  await t.test('answers a run that pauses for long with 202 and its address', async () => {
    const waiting = await one.post('/message', { order: 'long' });
    const run = runOf(waiting);
    assert.deepEqual([waiting.status, body(waiting)], [202, { status: 'waiting', run }]);
    assert.equal(waiting.headers.get('location'), `/runs/${run}`);
    assert.equal(waiting.headers.get('preference-applied'), null);
  });

  await t.test('Prefer: respond-async and wait', async () => {
    const accepted = await one.post('/echo', { n: 3 }, { prefer: 'respond-async' });
    const run = runOf(accepted);
    assert.deepEqual([accepted.status, body(accepted)], [202, { status: 'accepted', run }]);
    assert.deepEqual(
      ['location', 'preference-applied'].map((name) => accepted.headers.get(name)),
      [`/runs/${run}`, 'respond-async'],
    );
    const outcome = await one.get(`/runs/${run}`, { prefer: 'wait=20' });
    assert.deepEqual([body(outcome).status, outcome.headers.get('preference-applied')], ['completed', 'wait=20']);
    const none = await one.post('/held', {}, { prefer: 'wait=0' });
    assert.deepEqual([none.status, body(none).status, none.headers.get('preference-applied')], [202, 'waiting', 'wait=0']);
    // It waits out its time, although the run waits for a message.
    const began = performance.now();
    const waited = await one.post('/named', {}, { prefer: 'wait=1' });
    assert.deepEqual([waited.status, performance.now() - began >= 950], [202, true]);
    const capped = await one.post('/echo', {}, { prefer: 'wait=100' });
    assert.equal(capped.headers.get('preference-applied'), 'wait=60');
    assert.equal((await one.post('/echo', {}, { prefer: 'wait=soon' })).headers.get('preference-applied'), null);
  });

  await t.test('Idempotency-Key: the same request is one run, and its outcome is replayed', async () => {
    const key = { 'idempotency-key': 'K-1' };
    const first = await one.post('/reject', { n: 1, m: [{ a: 1, b: 2 }] }, key);
    const again = await one.post('/reject', { m: [{ b: 2, a: 1 }], n: 1.0 }, key);
    assert.deepEqual([again.status, again.text, runOf(again)], [400, first.text, runOf(first)]);
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('idempotency-replayed')),
      [null, 'true'],
    );
    const other = await one.post('/reject', { n: 2 }, key);
    assert.deepEqual([other.status, runOf(other)], [422, runOf(first)]);
    assert.equal((await one.post('/echo', { n: 2 }, key)).status, 200, 'a key belongs to a workflow');
    for (const malformed of ['', 'two words', '\u00e9', 'x'.repeat(256)])
      assert.equal((await one.post('/echo', {}, { 'idempotency-key': malformed })).status, 400, JSON.stringify(malformed));
    assert.equal((await one.post('/echo', {}, { 'idempotency-key': 'x'.repeat(255) })).status, 200);
  });

  await t.test('Idempotency-Key: while the run is in progress', async () => {
    const key = { 'idempotency-key': 'K-2' };
    const held = one.post('/held', {}, key);
    let busy: Answered | undefined;
    await until(async () => {
      busy = await one.post('/held', {}, key);
      return busy.status === 409;
    });
    assert.ok(busy !== undefined);
    const run = runOf(busy);
    assert.deepEqual([busy.headers.get('location'), busy.headers.get('retry-after')], [`/runs/${run}`, '1']);
    assert.equal((await one.post(`/runs/${run}/cancel`)).status, 202);
    const cancelled = await held;
    assert.deepEqual([cancelled.status, body(cancelled).status], [500, 'cancelled']);
    assert.equal(typeof body(cancelled).message, 'string');
    // One that was answered with 202 replays its 202.
    const waiting = await one.post('/message', { order: 'K-3' }, { 'idempotency-key': 'K-3' });
    const replayed = await one.post('/message', { order: 'K-3' }, { 'idempotency-key': 'K-3' });
    assert.deepEqual([replayed.status, replayed.text, runOf(replayed)], [202, waiting.text, runOf(waiting)]);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
    const asynchronous = { 'idempotency-key': 'K-5', prefer: 'respond-async' };
    const accepted = await one.post('/named', {}, asynchronous);
    const twice = await one.post('/named', {}, asynchronous);
    assert.deepEqual([twice.status, runOf(twice)], [202, runOf(accepted)]);
  });

  await t.test('a refusal that started no run stores no key', async () => {
    const key = { 'idempotency-key': 'K-4' };
    assert.equal((await one.post('/echo', {}, { ...key, 'content-type': 'text/plain' })).status, 415);
    const done = await one.post('/echo', { n: 5 }, key);
    assert.deepEqual([done.status, done.headers.get('idempotency-replayed')], [200, null]);
  });

  await t.test('a stuck run is a 500, and resume retries it', async () => {
    const stuck = await one.post('/stuck');
    const run = runOf(stuck);
    assert.deepEqual([stuck.status, body(stuck).status], [500, 'stuck']);
    assert.match(String(body(stuck).message), /gone\.mjs/);
    assert.equal(body(await one.get(`/runs/${run}`)).status, 'stuck');
    assert.equal((await one.post(`/runs/${run}/resume`)).status, 202);
  });

  await t.test('one run: what operators see, and unknown ids', async () => {
    const run = runOf(await one.post('/echo', { n: 7 }));
    const seen = await one.get(`/runs/${run}`);
    const { workflow, version, status, outputs, request, log, finishedAt } = body(seen);
    assert.deepEqual([seen.status, workflow, version, status, outputs], [200, 'echo', 1, 'completed', { n: 7 }]);
    assert.deepEqual([request, Array.isArray(log), typeof finishedAt], [{ n: 7 }, true, 'string']);
    const waiting = body(await one.get(`/runs/${runOf(await one.post('/message', { order: 'seen' }))}`));
    assert.deepEqual(waiting.waitingFor, { kind: 'message', name: 'payment', line: 8 });
    for (const id of ['01900000-0000-7000-8000-000000000000', 'nonsense']) {
      assert.equal((await one.get(`/runs/${id}`)).status, 404);
      for (const change of ['cancel', 'resume', 'rerun']) assert.equal((await one.post(`/runs/${id}/${change}`)).status, 404);
    }
  });

  await t.test('the list: newest first, by page, workflow, state and time; wrong queries are refused', async () => {
    const runs: string[] = [];
    for (let n = 0; n < 5; n++) runs.unshift(runOf(await one.post('/fail', { zero: 0, n })));
    const list = async (query: string): Promise<{ runs: { run: string; workflow: string; status: string }[]; next?: string }> => {
      const answer = await one.get(`/runs?${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json as Awaited<ReturnType<typeof list>>; // the shape of the answer
    };
    const first = await list('workflow=fail&limit=2');
    assert.deepEqual(
      first.runs.map(({ run }) => run),
      runs.slice(0, 2),
    );
    // New runs in between move nothing.
    await one.post('/fail', { zero: 0 });
    const second = await list(`workflow=fail&limit=2&cursor=${first.next}`);
    assert.deepEqual(
      second.runs.map(({ run }) => run),
      runs.slice(2, 4),
    );
    assert.ok((await list('status=waiting')).runs.every(({ status }) => status === 'waiting'));
    assert.deepEqual((await list('since=2999-01-01')).runs, []);
    assert.deepEqual((await list('since=1h')).runs.length, (await list('')).runs.length);
    assert.deepEqual((await list('until=2000-01-01T00:00:00Z')).runs, []);
    assert.deepEqual(
      (await list(`q=${runs[0]}`)).runs.map(({ run }) => run),
      [runs[0]],
    );
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'status=done',
      'since=yesterday',
      'cursor=abc',
      'colour=red',
      'limit=1&limit=2',
    ])
      assert.equal((await one.get(`/runs?${query}`)).status, 400, query);
  });

  await t.test('cancel, resume and rerun: 202, or 409 if the state forbids it', async () => {
    const done = runOf(await one.post('/echo', { n: 8 }));
    for (const change of ['cancel', 'resume']) assert.equal((await one.post(`/runs/${done}/${change}`)).status, 409, change);
    const again = await one.post(`/runs/${done}/rerun`, { from: 'start', workflow: 'recorded' });
    assert.deepEqual([again.status, body(again).rerunOf], [202, done]);
    assert.equal(again.headers.get('location'), `/runs/${runOf(again)}`);
    await until(async () => body(await one.get(`/runs/${runOf(again)}`)).status === 'completed');
    assert.equal(body(await one.get(`/runs/${runOf(again)}`)).rerunOf, done);
    assert.equal((await one.post(`/runs/${done}/rerun`, { from: 'failure' })).status, 409, 'it has not failed');
    for (const wrong of [{ from: 'middle' }, { workflow: 'newest' }, { speed: 1 }])
      assert.equal((await one.post(`/runs/${done}/rerun`, wrong)).status, 400);
    const waiting = runOf(await one.post('/message', { order: 'cancelled' }));
    assert.equal((await one.post(`/runs/${waiting}/rerun`)).status, 409, 'it is not over');
    const cancelled = await one.post(`/runs/${waiting}/cancel`);
    assert.deepEqual([cancelled.status, body(cancelled).status], [202, 'cancelled']);
    assert.equal(body(await one.get(`/runs/${waiting}`)).status, 'cancelled');
  });

  await t.test('messages: stored, delivered once, to one run; refused if they cannot be', async () => {
    const early = await one.post('/messages/payment', { order: 'A-1', amount: 5 });
    assert.deepEqual([early.status, body(early).delivered, typeof body(early).keptUntil], [202, 0, 'string']);
    const found = await one.post('/message', { order: 'A-1' });
    assert.deepEqual(body(found), { status: 'completed', outputs: { paid: 5 } });
    const [first, second] = [await one.post('/message', { order: 'A-2' }), await one.post('/message', { order: 'A-2' })].map(
      runOf,
    );
    for (const id of ['idempotency-key', 'webhook-id']) {
      const sent = await one.post('/messages/payment', { order: 'A-2', amount: 6 }, { [id]: `M-${id}` });
      const twice = await one.post('/messages/payment', { order: 'A-2', amount: 6 }, { [id]: `M-${id}` });
      assert.deepEqual([sent.status, body(sent).delivered, twice.text], [202, 1, sent.text]);
      assert.equal((await one.post('/messages/payment', { order: 'A-2' }, { [id]: `M-${id}` })).status, 422);
    }
    for (const run of [first, second]) await until(async () => body(await one.get(`/runs/${run}`)).status === 'completed');
    const named = runOf(await one.post('/named'));
    assert.equal(body(await one.post('/messages/go')).delivered, 0, 'a wait without pairs is only reached by the id of its run');
    assert.equal(body(await one.post(`/messages/go?run=${named}`)).delivered, 1);
    await until(async () => body(await one.get(`/runs/${named}`)).status === 'completed');
    assert.equal((await one.post(`/messages/go?run=${named}`)).status, 409);
    assert.equal((await one.post('/messages/go?run=01900000-0000-7000-8000-000000000000')).status, 404);
    assert.equal((await one.post('/messages/go?to=1')).status, 400);
    assert.equal((await one.post('/messages/no%20name')).status, 400);
    assert.equal((await one.post('/messages/go', {}, { 'idempotency-key': 'a b' })).status, 400);
    assert.deepEqual(
      [(await one.get('/messages/go')).status, (await one.get('/messages/go')).headers.get('allow')],
      [405, 'POST, OPTIONS'],
    );
  });

  await t.test('tasks: listed, answered once, with the name of the person; closed stays closed', async () => {
    const run = runOf(await one.post('/person', { n: 9 }));
    const tasks = body(await one.get('/tasks')).tasks as readonly TaskView[]; // the shape of the answer
    const task = tasks.find((open) => open.run === run);
    assert.ok(task !== undefined);
    const { workflow, service, question, choices, askedAt } = task;
    assert.deepEqual(
      [workflow, service, question, choices, typeof askedAt],
      ['person', 'Boss', 'approve 9', ['yes', 'no'], 'string'],
    );
    const address = `/tasks/${task.task}`;
    assert.equal((await one.get(address)).status, 200);
    assert.equal((await one.post(address, { answer: 'perhaps' })).status, 400);
    for (const wrong of [{}, { answer: 1 }, { answer: ' ' }, { answer: 'yes', comment: 5 }, { answer: 'yes', by: {} }])
      assert.equal((await one.post(address, wrong)).status, 400, JSON.stringify(wrong));
    const answered = await one.post(address, { answer: 'yes', by: 'Ada' }, { 'x-user': 'Grace' });
    assert.deepEqual([answered.status, body(answered).by], [200, 'Grace'], 'the trusted header wins');
    const twice = await one.post(address, { answer: 'no' });
    assert.deepEqual([twice.status, body(twice).by, typeof body(twice).answeredAt], [409, 'Grace', 'string']);
    await until(async () => body(await one.get(`/runs/${run}`)).status === 'completed');
    const quick = runOf(await one.post('/quick', {}, { prefer: 'wait=0' }));
    let late: string | undefined;
    await until(async () => {
      const open = body(await one.get('/tasks')).tasks as readonly TaskView[]; // as above
      late = open.find((other) => other.run === quick)?.task;
      return late !== undefined;
    });
    await until(async () => body(await one.get(`/runs/${quick}`)).status === 'rejected');
    assert.equal((await one.post(`/tasks/${late}`, { answer: 'here' })).status, 410);
    assert.equal((await one.post('/tasks/none', { answer: 'x' })).status, 404);
    for (const query of ['limit=0', 'colour=red']) assert.equal((await one.get(`/tasks?${query}`)).status, 400);
  });

  await t.test('the OpenAPI document describes every one of these answers', () => checkDocument(one));
});

test('permissions with a token for callers and one for operators', async (t) => {
  const tokens = { token: 'caller-token-1', operatorToken: 'operator-token-1', corsOrigin: '*' };
  const one = await api(t, tokens);
  const [caller, operator] = ['caller-token-1', 'operator-token-1'].map((token) => ({ authorization: `Bearer ${token}` }));
  const run = runOf(await one.post('/person', { n: 1 }, caller));
  const statuses = async (headers: Record<string, string>): Promise<number[]> => {
    const answers = [
      await one.post('/echo', { n: 1 }, headers),
      await one.get(`/runs/${run}`, headers),
      await one.post('/messages/other', {}, headers),
      await one.get('/runs', headers),
      await one.get('/tasks', headers),
      await one.post(`/runs/${run}/rerun`, {}, headers),
    ];
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(caller ?? {}), [200, 200, 202, 403, 403, 403]);
  assert.deepEqual(await statuses(operator ?? {}), [200, 200, 202, 200, 200, 409]);
  assert.deepEqual(await statuses({ authorization: 'Bearer wrong' }), [401, 401, 401, 401, 401, 401]);
  assert.deepEqual(await statuses({}), [401, 401, 401, 401, 401, 401]);
  const seen = body(await one.get(`/runs/${run}`, caller));
  assert.deepEqual([seen.request, seen.log, seen.waitingFor], [undefined, undefined, { kind: 'person' }]);
  const failed = await one.post('/value', { word: 'private words' }, caller);
  assert.equal(failed.status, 500);
  const asCaller = await one.get(`/runs/${runOf(failed)}`, caller);
  for (const { text } of [failed, asCaller]) {
    assert.match(text, /request\.word/);
    assert.doesNotMatch(text, /private words/);
  }
  const { error } = body(await one.get(`/runs/${runOf(failed)}`, operator)) as { error: Body };
  assert.deepEqual(
    [Object.keys(error), /private words/.test(String(error.message))],
    [['message', 'line', 'column', 'code'], true],
  );
  await checkDocument(one, operator);
  // Pages on other hosts may start runs, but never see what operators see.
  const origin = { origin: 'https://elsewhere.example' };
  const cors = async (address: string): Promise<string | null> =>
    (await one.get(address, { ...operator, ...origin })).headers.get('access-control-allow-origin');
  assert.deepEqual([await cors('/runs'), await cors('/tasks'), await cors(`/runs/${run}`)], [null, null, null]);
  assert.equal((await one.get(`/runs/${run}`, { ...caller, ...origin })).headers.get('access-control-allow-origin'), '*');
});

test('the link of a task needs no token, and shows nothing but its task', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-link-'));
  const notices: Body[] = [];
  const { createServer } = await import('node:http');
  const chat = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      notices.push(JSON.parse(text) as Body); // sent by wf
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  const address = chat.address();
  const env = { CHAT: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, HOME: folder, WF_CACHE: 'off' };
  writeFileSync(path.join(folder, 'ask.wf'), testFile('durable/files/ask-boss.wf'));
  const ask = await prepare('ask.wf', { cwd: folder, env });
  assert.ok(ask.ok, JSON.stringify(ask));
  const store = await openStore('runs', { env, cwd: folder, publicUrl: 'https://wf.example.com' });
  await store.serve();
  const tokens = { token: 'caller-token-1', operatorToken: 'operator-token-1' };
  const server = await startServer(t, { workflows: [ask.prepared], env, store, host: '127.0.0.1', ...tokens });
  t.after(async () => {
    await store.close(0);
    chat.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const headers = { authorization: 'Bearer operator-token-1' };
  const started = await post(`${server.url}/ask`, { n: 5 }, headers);
  assert.equal(started.status, 202);
  await until(() => notices.length > 0);
  const { url, text, question, choices, workflow, run } = notices[0] ?? {};
  assert.deepEqual([question, choices, workflow, run], ['decide on 5', ['yes', 'no'], 'Ask', runOf(started)]);
  assert.match(String(text), /decide on 5/);
  assert.match(String(url), /^https:\/\/wf\.example\.com\/tasks\/[^?]+\?key=[\w-]{22,}$/);
  const link = String(url).replace('https://wf.example.com', server.url);
  const shown = body(await send(link));
  assert.deepEqual([shown.question, shown.run, shown.pairs], ['decide on 5', undefined, undefined]);
  assert.equal((await send(`${link.slice(0, -1)}!`)).status, 404, 'a wrong key is as good as none');
  assert.equal((await send(link.split('?')[0] ?? '')).status, 401);
  assert.equal((await send(`${server.url}/tasks?key=x`)).status, 401);
  const answered = await post(link, { answer: 'yes', by: 'Ada' });
  assert.equal(answered.status, 200);
  await until(async () => body(await send(`${server.url}/runs/${runOf(started)}`, { headers })).status === 'completed');
  const { outputs } = body(await send(`${server.url}/runs/${runOf(started)}`, { headers }));
  assert.deepEqual(outputs, { said: 'yes', who: 'Ada' });
  const after = body(await send(link));
  assert.deepEqual(Object.keys(after).sort(), ['answeredAt', 'by', 'status', 'task']);
  assert.equal((await post(link, { answer: 'no' })).status, 409);
});

test('without an operator token, only local requests see what operators see', async (t) => {
  const one = await api(t, { token: 'caller-token-1' });
  const own = { authorization: 'Bearer caller-token-1' };
  assert.equal((await one.get('/runs', own)).status, 200);
  for (const foreign of [
    { 'x-forwarded-for': '10.0.0.1' },
    { forwarded: 'for=10.0.0.1' },
    { origin: 'https://elsewhere.example' },
  ]) {
    const refused = await one.get('/runs', { ...own, ...foreign });
    assert.equal(refused.status, 403, JSON.stringify(foreign));
    assert.match(String(body(refused).hint), /--operator-token/);
  }
  const elsewhere = await api(t, { host: '0.0.0.0', token: 'caller-token-1' }, one.store);
  assert.equal((await elsewhere.get('/runs', own)).status, 403);
});

test('while the store cannot be written, new runs wait for the client, and the health check says so', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-ill-'));
  const store = await openStore('runs', { env: { HOME: folder }, cwd: folder });
  let isIll = false;
  const ill = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (isIll && name === 'health') return () => ({ ok: false, problem: 'the disk is full', since: '' });
      if (isIll && name === 'start') return async () => ({ kind: 'unavailable', problem: 'the disk is full' });
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const one = await api(t, {}, ill);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  assert.deepEqual(body(await one.get('/health')), { status: 'ok' });
  isIll = true;
  const health = await one.get('/health');
  assert.deepEqual([health.status, body(health)], [503, { status: 'store unavailable' }]);
  const refused = await one.post('/echo', { n: 1 });
  assert.deepEqual([refused.status, refused.headers.has('retry-after')], [503, true]);
  assert.equal((await one.get('/runs')).status, 503);
  isIll = false;
  assert.equal((await one.post('/echo', { n: 1 })).status, 200);
});
