// Who may see what on a server with a store: tokens for callers and operators, links of tasks, local requests, and a store that fails.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { type TokenEntry, tokenDigest } from '../../src/access/token-file.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { testFile } from '../root.js';
import { post, send, startServer } from '../server/test-server.js';
import { until } from '../until.js';
import { apiServer, type Body, body, checkDocument, runOf } from './runs-server.js';

test('permissions of the tokens of a file: by role, and for callers by workflow', async (t) => {
  const entries: TokenEntry[] = [
    { name: 'shop', sha256: tokenDigest('shop-1'), role: 'caller', workflows: ['person'] },
    { name: 'ben', sha256: tokenDigest('view-1'), role: 'viewer' },
    { name: 'ada', sha256: tokenDigest('oper-1'), role: 'operator' },
  ];
  const tokens = {
    all: () => entries,
    find: (token: string) => entries.find(({ sha256 }) => sha256 === tokenDigest(token)),
    close: () => undefined,
  };
  const one = await apiServer(t, { tokens });
  const [shop, ben, ada] = ['shop-1', 'view-1', 'oper-1'].map((token) => ({ authorization: `Bearer ${token}` }));
  const run = runOf(await one.post('/person', { n: 1 }, shop));
  const other = runOf(await one.post('/echo', { n: 1 }, ada));
  await until(async () => (await one.store.tasks()).tasks.length === 1);
  const { task = '' } = (await one.store.tasks()).tasks[0] ?? {};
  const statuses = async (headers: Record<string, string> = {}): Promise<number[]> => {
    const answers = [
      await one.post('/echo', { n: 1 }, headers),
      await one.get(`/runs/${run}`, headers),
      await one.get(`/runs/${other}`, headers),
      await one.get('/runs', headers),
      await one.get(`/tasks/${task}`, headers),
      await one.post(`/messages/go?run=${other}`, {}, headers),
      await one.post(`/tasks/${task}`, { answer: 'no such choice' }, headers),
      await one.post(`/tasks/${task}?key=guessed`, { answer: 'yes' }, headers),
      await one.post(`/runs/${other}/rerun`, {}, headers),
    ];
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(shop), [403, 200, 403, 403, 403, 403, 403, 404, 403]);
  assert.deepEqual(await statuses(ben), [403, 200, 200, 200, 200, 403, 403, 404, 403]);
  assert.deepEqual((await statuses(ada)).slice(0, 5), [200, 200, 200, 200, 200]);
  assert.deepEqual((await statuses({})).slice(0, 5), [401, 401, 401, 401, 401]);
  // Only what changed something is on record, under the name of its token.
  const names: unknown[] = [];
  for await (const { name, role, way, action } of one.store.changes.list()) names.push([name, role, way, action]);
  assert.ok(
    names.length >= 1 && names.every((of) => Array.isArray(of) && of[0] === 'ada' && of[1] === 'operator'),
    String(names),
  );
});

test('permissions with a token for callers and one for operators', async (t) => {
  const tokens = { token: 'caller-token-1', operatorToken: 'operator-token-1', corsOrigin: '*' };
  const one = await apiServer(t, tokens);
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
  const forCaller = await one.get(`/runs/${run}`, { ...caller, ...origin });
  assert.equal(forCaller.headers.get('access-control-allow-origin'), '*');
  assert.match(forCaller.headers.get('access-control-expose-headers') ?? '', /Location,X-Run-Id/);
  const asked = { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'prefer' };
  const preflight = await send(`${one.url}/echo`, { method: 'OPTIONS', headers: asked });
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Idempotency-Key,Prefer/);
});

test('outputs are redacted for operators, but not for callers', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-outputs-'));
  const store = await openStore('runs', { env: {}, cwd: folder, secrets: ['hidden-words-1'] });
  await store.serve();
  const one = await apiServer(t, { token: 'caller-token-1', operatorToken: 'operator-token-1' }, store);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [caller, operator] = ['caller-token-1', 'operator-token-1'].map((token) => ({ authorization: `Bearer ${token}` }));
  const done = await one.post('/echo', { n: 'hidden-words-1' }, caller);
  const outputs = async (headers: Record<string, string> = {}): Promise<unknown> =>
    body(await one.get(`/runs/${runOf(done)}`, headers)).outputs;
  assert.deepEqual(await outputs(caller), { n: 'hidden-words-1' });
  assert.deepEqual(await outputs(operator), { n: '[redacted]' });
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
  assert.deepEqual([question, choices, workflow, run], ['decide on 5', ['yes', 'no'], 'ask', runOf(started)]);
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
  const one = await apiServer(t, { token: 'caller-token-1' });
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
  const elsewhere = await apiServer(t, { host: '0.0.0.0', token: 'caller-token-1' }, one.store);
  assert.equal((await elsewhere.get('/runs', own)).status, 403);
});

test('a request that fails because too many files are open gets 503, and one line says how to raise the limit', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-files-'));
  const store = await openStore('runs', { env: {}, cwd: folder });
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error("EMFILE: too many open files, open '/opt/wf/runtime.mjs'"), { code: 'EMFILE' });
  };
  const short = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'start' || name === 'list') return fail;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const logged: string[] = [];
  const one = await apiServer(t, { err: { line: (text) => void logged.push(text), flush: async () => undefined } }, short);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const { status, headers } of [await one.post('/echo', { n: 1 }), await one.get('/runs')]) {
    assert.deepEqual([status, headers.has('retry-after')], [503, true]);
  }
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', / too many files are open: .* Raise the limit \(ulimit -n/);
});

test('a line about a run names the request and the run, and so does the line of its answer', async (t) => {
  const lines: object[] = [];
  const printer = {
    line: (_text: string, fields?: () => object) => void lines.push(fields?.() ?? {}),
    flush: async () => undefined,
  };
  const one = await apiServer(t, { out: printer, err: printer, verbose: true });
  const { headers } = await one.post('/fail', {});
  const [request, run] = [headers.get('x-request-id'), headers.get('x-run-id')];
  assert.ok(request !== null && run !== null);
  assert.deepEqual(
    lines.map((line) => ({ request: Reflect.get(line, 'request'), run: Reflect.get(line, 'run') })),
    [
      { request, run },
      { request, run },
    ],
  );
});

test('while the store cannot be written, new runs wait for the client, and the health check says so', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-ill-'));
  const store = await openStore('runs', { env: { HOME: folder }, cwd: folder });
  let isIll = false;
  let isLost = false;
  const ill = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (isIll && name === 'health') return () => ({ ok: false, problem: 'the disk is full', since: '' });
      if (name === 'send')
        return async () => {
          isIll = true;
          throw new Error('database or disk is full');
        };
      if (name === 'settled' && isLost)
        return async () => {
          isIll = true;
          throw new Error('the thread has ended');
        };
      if (isIll && name === 'start') return async () => ({ kind: 'unavailable', problem: 'the disk is full' });
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const logged: string[] = [];
  const one = await apiServer(t, { err: { line: (text) => void logged.push(text), flush: async () => undefined } }, ill);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  assert.deepEqual(body(await one.get('/health')), { status: 'ok' });
  isIll = true;
  const health = await one.get('/health');
  assert.deepEqual([health.status, body(health)], [503, { status: 'store unavailable' }]);
  const refused = await one.post('/echo', { n: 1 });
  assert.deepEqual([refused.status, refused.headers.has('retry-after')], [503, true]);
  assert.equal((await one.get('/runs')).status, 503);
  isIll = false;
  assert.equal((await one.post('/messages/payment', { order: 1 })).status, 503);
  isIll = false;
  isLost = true;
  const waiting = await one.post('/named', {}, { prefer: 'wait=60' });
  assert.deepEqual([waiting.status, waiting.headers.get('location')], [202, `/runs/${runOf(waiting)}`], waiting.text);
  assert.deepEqual(logged, [], 'the server has said what is wrong with the store');
  isIll = false;
  assert.equal((await one.post('/echo', { n: 1 })).status, 200);
});
