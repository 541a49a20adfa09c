// People in a store: how they are asked, reminded and notified, what their answers become, and what silence does.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { bodyOf, entryKinds } from '../../src/durable/model/entries.js';
import type { TaskView } from '../../src/durable/model/run-views.js';
import { createEngine } from '../../src/engine/engine.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { webClient } from '../console/web-client.js';
import { startServer } from '../server/test-server.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

interface Notice {
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly [field: string]: unknown };
}

interface Scene {
  readonly notices: Notice[];
  readonly store: DurableEngine;
  readonly open: () => Promise<DurableEngine>;
  readonly env: Record<string, string>;
  /** The lines below `ask Boss to decide`, and what follows. */
  readonly asks: (lines: readonly string[], boss?: string) => Promise<Prepared>;
  readonly task: (run: string) => Promise<TaskView>;
}

/** @param statuses what the address of notifications answers with, the last one for all later ones */
async function scene(t: TestContext, statuses: readonly number[] = [200]): Promise<Scene> {
  const { folder, env, open } = await testStore(t);
  const notices: Notice[] = [];
  const chat = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += String(part);
    });
    request.on('end', () => {
      notices.push({ headers: request.headers, body: JSON.parse(text) as Notice['body'] }); // sent by wf
      response.writeHead(statuses[Math.min(notices.length, statuses.length) - 1] ?? 200).end('{}');
    });
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  t.after(() => chat.close());
  env.CHAT = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
  const store = await open();
  await store.serve();
  return {
    notices,
    store,
    open,
    env,
    async asks(lines, boss = 'Boss is a person notified at "{env.CHAT}"') {
      const text = `config:\n    name: "Ask"\n    version: 1\n\nservices:\n    ${boss}\n\nworkflow:\n    trigger: t\n\n    ask Boss to decide on {request.n}\n${lines.map((line) => `        ${line}\n`).join('')}        save the result as said\n    complete with said said\n`;
      writeFileSync(path.join(folder, 'ask.wf'), text);
      const prepared = await prepare('ask.wf', { cwd: folder, env });
      assert.ok(prepared.ok, JSON.stringify(prepared));
      return prepared.prepared;
    },
    async task(run) {
      let found: TaskView | undefined;
      await until(async () => {
        found = (await store.tasks()).tasks.find((task) => task.run === run);
        return found !== undefined;
      });
      return found ?? assert.fail('nobody is asked');
    },
  };
}

test('a person is notified once, and the answer is the result; comment and person are saved', async (t) => {
  const { notices, store, asks, task } = await scene(t);
  const prepared = await asks(['choose from "yes", "no"', 'save the comment as comment', 'save the person as who']);
  const { run } = await begun(store, prepared, { n: 5 });
  const { task: id, choices, question, service, workflow } = await task(run);
  assert.deepEqual([question, choices, service], ['decide on 5', ['yes', 'no'], 'Boss']);
  await until(() => notices.length === 1);
  const [notice] = notices;
  assert.deepEqual(Object.keys(notice?.body ?? {}).sort(), ['choices', 'question', 'run', 'task', 'text', 'url', 'workflow']);
  assert.deepEqual([notice?.body.run, notice?.body.task, notice?.body.choices], [run, id, ['yes', 'no']]);
  assert.equal(notice?.body.workflow, workflow, 'its name in the address');
  assert.match(String(notice?.body.text), /decide on 5/);
  assert.match(String(notice?.body.url), new RegExp(`/tasks/${id}\\?key=[\\w-]{22,}$`));
  assert.ok(String(notice?.headers['idempotency-key']).startsWith('wf-'));
  assert.equal((await store.answer(id, { answer: 'maybe' })).kind, 'no choice');
  assert.equal((await store.answer(id, { answer: 'no', comment: 'too dear', by: 'Ada' })).kind, 'answered');
  assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { said: 'no' });
  assert.equal((await store.answer(id, { answer: 'yes' })).kind, 'answered before');
  assert.equal(notices.length, 1);
  const entry = (await store.journal(run))?.entries.find(({ kind, answer }) => kind === 'person' && answer !== undefined);
  assert.deepEqual(entry?.answer, { answer: 'no', comment: 'too dear', by: 'Ada' });
});

test('without choices any text is the result; a team is a person; nobody is notified without an address', async (t) => {
  const { notices, store, asks, task } = await scene(t);
  const { run } = await begun(store, await asks([], 'Boss is a team'), { n: 1 });
  const { task: id, choices } = await task(run);
  assert.equal(choices, undefined);
  await store.answer(id, { answer: 'whatever you like' });
  assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { said: 'whatever you like' });
  assert.equal(notices.length, 0);
});

test('a reminder is sent each time, as a notification of its own, until somebody answers', async (t) => {
  const { notices, store, asks, task } = await scene(t);
  const { run } = await begun(store, await asks(['remind every 1 seconds']), { n: 1 });
  const { task: id } = await task(run);
  await until(() => notices.length >= 2);
  assert.equal(new Set(notices.map(({ headers }) => headers['idempotency-key'])).size, notices.length);
  assert.equal(new Set(notices.map(({ body }) => body.url)).size, 1);
  await store.answer(id, { answer: 'ok' });
  assert.equal((await store.settled(run, 'ended', 60_000))?.status, 'completed');
});

test('of the reminders that were missed while no process ran, only the latest is sent', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { notices, store, open, asks } = await scene(t);
  const { run, end } = await begun(store, await asks(['remind every 1 hours']), { n: 1 });
  assert.equal((await end).kind, 'paused');
  await store.close(0);
  fakeClock.offset = 10.5 * 3_600_000;
  const later = await open();
  await later.serve();
  await until(async () => notices.length > 1 && (await later.state(run))?.status === 'waiting');
  assert.equal(notices.length, 2);
  await later.answer((await later.tasks()).tasks[0]?.task ?? '', { answer: 'ok' });
  assert.equal((await later.settled(run, 'ended', 60_000))?.status, 'completed');
});

test('a notification that fails is in the log, and keeps nobody from answering', async (t) => {
  const { notices, store, asks, task } = await scene(t, [400]);
  const { run } = await begun(store, await asks(['choose from "yes", "no"']), { n: 1 });
  const { task: id } = await task(run);
  await until(async () => (await store.state(run))?.status === 'waiting' && notices.length > 0);
  await store.answer(id, { answer: 'yes' });
  assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { said: 'yes' });
  const failed = (await store.log(run)).filter(({ ok }) => ok === false);
  assert.deepEqual(
    failed.map(({ type, service, status }) => [type, service, status]),
    [['call', 'Boss', 400]],
  );
});

test('an address of notifications that does not answer does not extend the time in which somebody must', async (t) => {
  const { store, env, asks } = await scene(t);
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close().closeAllConnections());
  env.CHAT = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
  const { run } = await begun(store, await asks(['within 2 seconds']), { n: 1 });
  const state = await store.settled(run, 'ended', 60_000);
  assert.deepEqual([state?.status, state?.error?.code], ['error', 'WF633']);
});

for (const [title, status] of [
  ['does not answer', undefined],
  ['is to be tried again', 503],
] as const) {
  test(`an answer counts at once, although the address of notifications ${title}`, async (t) => {
    const { store, env, asks, task } = await scene(t);
    let received = 0;
    const silent = createServer((_, response) => {
      received++;
      if (status !== undefined) response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    t.after(() => silent.close().closeAllConnections());
    env.CHAT = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
    const { run } = await begun(store, await asks([]), { n: 1 });
    const { task: id } = await task(run);
    const isRetried = async () => (await store.state(run))?.waitingFor?.kind === 'retry';
    await until(() => (status === undefined ? received > 0 : isRetried()));
    await store.answer(id, { answer: 'yes' });
    assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { said: 'yes' });
    assert.equal(received, 1, 'it was not tried again');
    const kinds = (await store.log(run)).map(({ type, ok }) => `${type}${ok === undefined ? '' : ` ${ok}`}`);
    assert.deepEqual(kinds, status === undefined ? ['call false', 'call true'] : ['call false', 'retry', 'call true']);
    const traced = await store.retrace(run);
    assert.ok(traced);
    assert.equal(traced.doubt, undefined);
  });
}

test('with "at most once", a notification that may have arrived is not sent again', async (t) => {
  const { notices, store, asks, task } = await scene(t, [503]);
  const { run } = await begun(store, await asks(['at most once', 'choose from "yes", "no"']), { n: 1 });
  const { task: id } = await task(run);
  await until(async () => (await store.state(run))?.status === 'waiting' && notices.length > 0);
  await store.answer(id, { answer: 'yes' });
  assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { said: 'yes' });
  assert.equal(notices.length, 1);
  assert.equal((await store.log(run)).filter(({ ok }) => ok === false).length, 1);
});

test('nobody in time: the failure of the question, or the end of the run (WF633), with a store and without one', async (t) => {
  const { store, env, asks, task } = await scene(t);
  const silent = await asks(['within 1 seconds'], 'Boss is a person');
  const { run } = await begun(store, silent, { n: 1 });
  const { task: id } = await task(run);
  const state = await store.settled(run, 'ended', 60_000);
  assert.deepEqual([state?.status, state?.error?.code, state?.error?.line], ['error', 'WF633', 11]);
  assert.match(state?.message ?? '', /Boss/);
  assert.equal((await store.answer(id, { answer: 'yes' })).kind, 'over');
  const engine = createEngine({ env });
  const { outcome } = await engine.run(silent, { n: 1 });
  assert.deepEqual([outcome.error?.code, outcome.message], ['WF633', state?.message]);
  const handled = await asks(
    ['within 1 seconds', 'on failure:', '    reject with "Nobody: {failure.message}"'],
    'Boss is a person',
  );
  const second = await begun(store, handled, { n: 1 });
  const rejected = await store.settled(second.run, 'ended', 60_000);
  assert.equal(rejected?.status, 'rejected');
  assert.match(rejected?.message ?? '', /^Nobody: .*Boss/);
  await engine.close();
});

// The link that a person is sent has a key, with which anyone could answer. Nobody else gets to see it: not on the command line, not over
// HTTP, not in the console.

after(dropTemplate);

for (const kind of storeKinds) {
  test(`nobody but the person is shown the key of the link (${kind})`, async (t) => {
    const { file, open, env, folder, database = 'runs' } = await testStore(t, kind);
    const keys: string[] = [];
    // Both a failing answer and a good one quote the request.
    const chat = createServer(async (asked, response) => {
      let text = '';
      for await (const part of asked.setEncoding('utf8')) text += part;
      const { url } = JSON.parse(text) as { url: string }; // sent by wf
      keys.push(new URL(url).searchParams.get('key') ?? '');
      response.writeHead(keys.length === 2 ? 400 : 200, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
    t.after(() => chat.close());
    env.CHAT = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
    const prepared = await file('single/two-questions.wf');
    const told: LogEntry[] = [];
    const engine = await open({ onLog: (_, entry) => void told.push(entry) });
    await engine.serve();
    const { run } = await begun(engine, prepared);
    for (const count of [1, 2]) {
      await until(() => keys.length === count);
      const { tasks } = await engine.tasks();
      await engine.answer(tasks[0]?.task ?? '', { answer: 'yes' });
    }
    assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.equal(new Set(keys).size, 2, keys.join());
    const server = await startServer(t, { workflows: [prepared], env, store: engine, console: true, host: '127.0.0.1' });
    const client = webClient(server.url);
    const shown = new Map<string, string>([['the live log', JSON.stringify(told)]]);
    for (const address of [`/runs/${run}`, `/console/runs/${run}`]) {
      const { status, text } = await client.get(address);
      assert.equal(status, 200, text);
      shown.set(address, text);
    }
    const { entries = [] } = (await engine.journal(run)) ?? {};
    assert.equal(entries.filter(({ kind: of }) => of === 'call').length, 2, 'each notification is in the journal');
    for (const { position } of entries) {
      for (const part of ['', '/sent', '/answer']) {
        const address = `/console/runs/${run}/effects/${position}${part}`;
        shown.set(address, (await client.get(address)).text);
      }
    }
    for (const json of [false, true]) {
      const io = inMemoryIo(folder, { ...env, WF_CACHE: 'off' });
      assert.equal(await runsCommand(['show', run], { store: database, ...(json ? { json } : {}) }, io), 0);
      shown.set(`wf runs show${json ? ' --json' : ''}`, io.written.out + io.written.err);
    }
    for (const [where, text] of shown) for (const key of keys) assert.ok(!text.includes(key), `${where} shows a key`);
    assert.ok([...shown.values()].join().includes('[redacted]'));
  });
}

test('journals of older versions are shown without their keys', () => {
  const url = 'http://localhost:3000/tasks/0192a1b2-0000-7000-8000-000000000000?key=a-b_c123456789012345678';
  const shown = { pairs: { text: `Decide.\n${url}`, url } };
  const row = { pos: 0, branch: '', seq: 0, part: 2, kind: entryKinds.call, site: 0, at: 0, ms: 0 };
  const body = bodyOf({ ...row, body: JSON.stringify({ r: { ok: true, value: { url } }, shown }) });
  assert.doesNotMatch(JSON.stringify(body), /a-b_c/);
  assert.match(JSON.stringify(body), /\/tasks\/0192a1b2-0000-7000-8000-000000000000\?key=\[redacted\]"/);
});
