// Permissions in the console, and the security headers of its pages. Without a browser: checks each response as sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServedWorkflow } from '../../src/console/console-options.js';
import { consoleFor } from './console-server.js';
import { addSample, sampleId } from './sample-runs.js';
import { addTasks, fullStore, servedSample } from './sample-store.js';
import { webClient } from './web-client.js';

const TOKEN = 'operator-token-1';

test('shows nothing before signing in', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()], access: { token: TOKEN } });
  const client = webClient(url);
  for (const path of [
    '/console',
    `/console/runs/${sampleId(1)}`,
    '/console/tasks',
    '/console/workflows',
    '/console/live',
    '/console/nothing',
  ]) {
    const { status, text } = await client.get(path);
    assert.equal(status, 401, path);
    assert.match(text, /Sign in/, path);
    assert.doesNotMatch(text.replace(/<input type="hidden" name="to"[^>]*>/, ''), /Lovelace|runs\/0199|Refund/, path);
  }
});

test('the token opens a session for 12 hours that scripts and other sites cannot use', async (t) => {
  const { url } = await consoleFor(t, { store: fullStore(3), access: { token: TOKEN } });
  const client = webClient(url);
  const { status, headers } = await client.post('/console/sign-in', { token: TOKEN, to: '/console/tasks' });
  assert.equal(status, 303);
  assert.equal(headers.get('location'), '/console/tasks');
  assert.match(headers.get('set-cookie') ?? '', /^wf-console=\S+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.equal((await client.get('/console')).status, 200);
  assert.equal((await client.post('/console/sign-out')).status, 303);
  assert.equal((await client.get('/console')).status, 401, 'signed out');
});

test('redirects into the console only', async (t) => {
  const { url } = await consoleFor(t, { access: { token: TOKEN } });
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/console/..//evil.example',
    '/order',
    'javascript:alert(1)',
  ]) {
    const { headers } = await webClient(url).post('/console/sign-in', { token: TOKEN, to });
    assert.equal(headers.get('location'), '/console', to);
  }
});

test('a form that came after the end of its session is sent after signing in', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, access: { token: TOKEN } });
  const client = webClient(url);
  const typed = { answer: 'approve', comment: 'typed for "long" <i>' };
  const own = { 'sec-fetch-site': 'same-origin' };
  const ended = await client.post('/console/tasks/t-1', typed, own);
  assert.equal(ended.status, 401);
  assert.match(ended.text, /What you typed is kept/);
  assert.deepEqual(store.calls, []);
  const field = (page: string, name: string): string => {
    const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
    return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  };
  const signIn = (token: string, page: string) =>
    client.post('/console/sign-in', {
      token,
      again: field(page, 'again'),
      fields: field(page, 'fields'),
      own: field(page, 'own'),
    });
  const wrong = await signIn('a guess', ended.text);
  assert.equal(wrong.status, 401, 'kept after a wrong token');
  const signedIn = await signIn(TOKEN, wrong.text);
  assert.match(signedIn.text, /action="\/console\/tasks\/t-1" class="sure" data-send>/);
  assert.equal(field(signedIn.text, 'comment'), typed.comment);
  assert.deepEqual(store.calls, []);
  assert.equal((await client.post('/console/tasks/t-1', { ...typed, token: field(signedIn.text, 'token') }, own)).status, 303);
  assert.deepEqual(store.calls, ['answer t-1 approve']);
});

test('a form of another site is not kept for after signing in', async (t) => {
  const { url } = await consoleFor(t, { access: { token: TOKEN } });
  for (const [site, path] of [
    ['cross-site', '/console/tasks/t-1'],
    ['same-site', '/console/tasks/t-1'],
    ['same-origin', '/console/sign-out'],
  ] as const) {
    const { status, text } = await webClient(url).post(path, { answer: 'approve' }, { 'sec-fetch-site': site });
    assert.equal(status, 401);
    assert.doesNotMatch(text, /name="again"|approve/, `${site} ${path}`);
  }
  const old = await webClient(url).post('/console/tasks/t-1', { answer: 'approve' });
  assert.match(old.text, /name="own" value=""/, 'a browser that says nothing asks first');
});

test('changing the token ends all sessions', async (t) => {
  const first = await consoleFor(t, { access: { token: TOKEN } });
  const client = webClient(first.url);
  await client.post('/console/sign-in', { token: TOKEN });
  const second = await consoleFor(t, { access: { token: 'operator-token-2' } });
  assert.equal((await webClient(second.url).get('/console', { cookie: client.cookie() })).status, 401);
});

test('programs send the token with each request, and need no form token', async (t) => {
  const store = fullStore(3);
  const { url } = await consoleFor(t, { store, access: { token: TOKEN } });
  const authorization = `Bearer ${TOKEN}`;
  assert.equal((await webClient(url).get('/console', { authorization })).status, 200);
  const { status } = await webClient(url).post(`/console/runs/${sampleId(2)}/cancel`, {}, { authorization });
  assert.equal(status, 303);
  assert.deepEqual(store.calls, [`cancel ${sampleId(2)}`]);
});

test('delays the answer to a wrong token, and reports an error', async (t) => {
  const { url } = await consoleFor(t, { access: { token: TOKEN } });
  const { setTimeout: start } = globalThis;
  const waits: unknown[] = [];
  t.mock.method(globalThis, 'setTimeout', (done: () => void, ms?: number) => {
    waits.push(ms);
    return start(done, ms === 250 ? 0 : ms);
  });
  const { status, text } = await webClient(url).post('/console/sign-in', { token: 'operator-token-2' });
  assert.equal(status, 401);
  assert.match(text, /This is not a token for the console/);
  assert.doesNotMatch(text, /operator-token-\d/);
  assert.ok(waits.includes(250), waits.join());
});

test('a forged request changes nothing', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()], access: { token: TOKEN } });
  const client = webClient(url);
  await client.post('/console/sign-in', { token: TOKEN });
  await client.get(`/console/runs/${sampleId(2)}/cancel`);
  const paths = [
    `/console/runs/${sampleId(2)}/cancel`,
    `/console/runs/${sampleId(2)}/resume`,
    `/console/runs/${sampleId(1)}/rerun`,
    '/console/runs',
    '/console/tasks/t-1',
    '/console/workflows/refund/try',
    '/console/sign-out',
  ];
  for (const path of paths) {
    const fields = { do: 'cancel', run: sampleId(2), sure: '1', answer: 'approve' };
    assert.equal((await client.post(path, { ...fields, token: '' })).status, 403, `${path} without a form token`);
    assert.equal((await client.post(path, { ...fields, token: 'x'.repeat(43) })).status, 403, `${path} with a wrong one`);
    assert.equal(
      (await client.post(path, fields, { origin: 'https://evil.example' })).status,
      403,
      `${path} from another origin`,
    );
    assert.equal((await client.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status, 403, `${path} from another site`);
    assert.equal((await client.post(path, fields, { 'content-type': 'text/plain' })).status, 415, `${path} as no form`);
  }
  assert.deepEqual(store.calls, []);
  const other = webClient(url);
  await other.post('/console/sign-in', { token: TOKEN });
  await other.get(`/console/runs/${sampleId(2)}/cancel`);
  assert.equal(
    (await client.post(`/console/runs/${sampleId(2)}/cancel`, { token: other.formToken() })).status,
    403,
    "with somebody else's form token",
  );
  assert.deepEqual(store.calls, []);
});

test('reading changes nothing', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()] });
  for (const path of [
    `/console/runs/${sampleId(2)}/resume`,
    `/console/runs/${sampleId(2)}/cancel`,
    `/console/runs/${sampleId(1)}/rerun`,
    '/console/tasks/t-1?answer=approve',
    '/tasks/t-1?key=key-of-t-1&answer=approve',
  ]) {
    for (const method of ['GET', 'HEAD']) await fetch(`${url}${path}`, { method });
  }
  assert.deepEqual(store.calls, []);
});

test('without a token, only a browser on the same machine gets in', async (t) => {
  const local = await consoleFor(t, { store: fullStore(2) });
  assert.equal((await webClient(local.url).get('/console')).status, 200);
  for (const headers of [
    { 'x-forwarded-for': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
    { origin: 'https://evil.example' },
  ]) {
    const { status, text } = await webClient(local.url).get('/console', headers as Record<string, string>);
    assert.equal(status, 403, JSON.stringify(headers));
    assert.match(text, /--operator-token/);
  }
  const open = await consoleFor(t, { store: fullStore(2), access: { isLoopback: false } });
  assert.equal((await webClient(open.url).get('/console')).status, 403);
});

test('every response restricts the browser to the code and styles of the console', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()] });
  const client = webClient(url);
  const page = await client.get('/console');
  const assets = [...page.text.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
  assert.equal(assets.length, 3);
  const paths = [
    '/console',
    `/console/runs/${sampleId(1)}`,
    '/console/tasks',
    '/console/workflows/refund',
    '/tasks/t-1?key=key-of-t-1',
    '/tasks/none?key=x',
    '/console/none',
    ...assets,
  ];
  for (const path of paths) {
    const { headers, text } = await client.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; /, path);
    assert.doesNotMatch(policy, /unsafe|\*|http/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('referrer-policy'), 'same-origin', path);
    if (!(headers.get('content-type') ?? '').startsWith('text/html')) continue;
    assert.equal(headers.get('cache-control'), 'no-store', path);
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|(?:src|href)="(?:https?:)?\/\//i, path);
  }
});

test('the link of a task shows its question, takes one answer, and reveals nothing else', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, access: { token: TOKEN } });
  const client = webClient(url);
  for (const path of ['/tasks/t-1', '/tasks/t-1?key=', '/tasks/t-1?key=key-of-t-2', '/tasks/none?key=key-of-t-1']) {
    const { status, text } = await client.get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(text, /Lovelace|refund/i, path);
  }
  const { status, text } = await client.get('/tasks/t-1?key=key-of-t-1');
  assert.equal(status, 200);
  assert.match(text, /Approve a refund of 1240\.50/);
  assert.doesNotMatch(text, new RegExp(`${sampleId(2)}|\\/console(?!\\/assets)|Hopper`), 'neither the run nor other questions');
  assert.equal((await client.post('/tasks/t-1?key=wrong', { answer: 'approve' })).status, 404);
  assert.equal((await client.post('/tasks/t-1?key=key-of-t-1', { answer: 'perhaps' })).status, 400);
  const answered = await client.post('/tasks/t-1?key=key-of-t-1', { answer: 'approve', by: 'Grace', comment: 'secret reasons' });
  assert.equal(answered.status, 303);
  const later = await client.get('/tasks/t-1?key=key-of-t-1');
  assert.match(later.text, /<b><bdi>[^<]+<\/bdi><\/b>, answered by <bdi>Grace<\/bdi>/);
  assert.match(later.text, /<h1>Refund<\/h1>.*Approve a refund of 1240\.50.*<b><bdi>approve<\/bdi>/s);
  assert.doesNotMatch(later.text, /secret reasons|arrived broken|Hopper/, 'what was asked and answered, nothing else');
  assert.equal((await client.post('/tasks/t-1?key=key-of-t-1', { answer: 'decline' })).status, 409);
});

test('a timetable that another server runs says so; one of this server says when it is due, in its zone', async (t) => {
  const sample = servedSample();
  const words = 'every day at 03:00, Europe/Berlin';
  const other: ServedWorkflow = { ...sample, timetable: { words, isRunning: false } };
  const next = { at: '2026-11-25T02:00:00.000Z', words: '2026-11-25 03:00' };
  const own: ServedWorkflow = { ...sample, name: 'own', timetable: { words, next, isRunning: true } };
  const { url } = await consoleFor(t, { workflows: [other, own] });
  const client = webClient(url);
  for (const page of ['/console/workflows', '/console/workflows/refund'])
    assert.match((await client.get(page)).text, /every day at 03:00, Europe\/Berlin\. <strong>Not running on this server</);
  assert.match(
    (await client.get('/console/workflows/own')).text,
    /Europe\/Berlin; next <time datetime="2026-11-25T02:00:00.000Z" title="[^"]+">2026-11-25 03:00</,
  );
});

test('a trusted proxy says who acts', async (t) => {
  const store = fullStore(3);
  addTasks(store);
  const { url } = await consoleFor(t, { store, access: { token: TOKEN, userHeader: 'X-Forwarded-User' } });
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-user': 'ada@example.com' };
  assert.match((await webClient(url).get('/console/tasks', headers)).text, /You answer as ada@example\.com/);
  await webClient(url).post('/console/tasks/t-1', { answer: 'approve', by: 'somebody else' }, headers);
  assert.equal(store.openTasks.get('t-1')?.by, 'ada@example.com');
  await webClient(url).post(`/console/runs/${sampleId(2)}/cancel`, {}, headers);
  assert.equal(store.calls.at(-1), `cancel ${sampleId(2)} by ada@example.com`);
});

test('shows hostile text as text on every page', async (t) => {
  const store = fullStore(1);
  const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"'\u202e`;
  const run = addSample(store, {
    status: 'error',
    number: 77,
    change: {
      about: hostile,
      message: hostile,
      title: hostile,
      request: { [hostile]: hostile, list: [hostile] },
      outputs: { [hostile]: hostile },
      error: { message: hostile, line: 48, code: 'WF610' },
    },
  });
  const journal = store.runs.get(run)?.journal ?? [];
  for (const [index, entry] of journal.entries())
    journal[index] = {
      ...entry,
      url: `https://x.example/${hostile}`,
      error: hostile,
      phrase: hostile,
      service: hostile,
      message: hostile,
      sent: { [hostile]: hostile },
      answer: { [hostile]: hostile },
    };
  addTasks(store);
  const task = store.openTasks.get('t-1');
  if (task !== undefined)
    store.openTasks.set('t-1', {
      ...task,
      question: hostile,
      choices: [hostile],
      pairs: { [hostile]: hostile },
      service: hostile,
      workflow: hostile,
      assignee: hostile,
    });
  store.texts.set('hostile', {
    workflow: 'refund',
    title: hostile,
    version: 1,
    file: hostile,
    text: `workflow:\n    trigger: ${hostile}\n    log "${hostile}"\n`,
    content: 'hostile',
  });
  const { url } = await consoleFor(t, {
    store,
    workflows: [servedSample(`workflow:\n    trigger: x\n\n    log "${hostile.replaceAll('"', '')}"\n    # ${hostile}\n`)],
  });
  const client = webClient(url);
  const encoded = encodeURIComponent(hostile);
  const paths = [
    '/console',
    `/console?q=${encoded}&workflow=${encoded}&since=${encoded}&cursor=${encoded}&did=${encoded}`,
    `/console/runs/${run}`,
    `/console/runs/${run}/effects/0`,
    `/console/runs/${run}/lines/18`,
    `/console/runs/${run}/values/request?at=/list`,
    `/console/runs/${run}/rerun`,
    `/console/runs/${encoded}`,
    '/console/tasks',
    '/tasks/t-1?key=key-of-t-1',
    '/console/workflows',
    '/console/workflows/refund',
    '/console/workflows/refund/versions/hostile',
    `/console/${encoded}`,
  ];
  for (const path of paths) {
    const { text } = await client.get(path);
    assert.doesNotMatch(text, /<script>|<img|alert\(2\)>/, path);
    assert.doesNotMatch(text.replace(/="[^"]*"/g, ''), /\u202e/, path);
  }
});
