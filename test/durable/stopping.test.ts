// What a server with a store answers while it stops, and what it records of runs that end meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import type { TaskView } from '../../src/durable/model/run-views.js';
import { closeServer } from '../../src/server/process/run-server.js';
import { post, send, startServer } from '../server/test-server.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';

/** The store, but for these methods. */
const storeWith = (store: DurableEngine, own: Partial<DurableEngine>): DurableEngine =>
  new Proxy(store, {
    get(_, name) {
      const value: unknown = Reflect.get({ ...own }, name) ?? Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });

test('answers a message that arrived before it was told to stop', async (t) => {
  const { open } = await kept(t);
  const store = await open();
  let isAsked = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = storeWith(store, {
    async send(message) {
      isAsked = true;
      await released;
      return store.send(message);
    },
    close: (graceMs, beforeClosing) =>
      store.close(graceMs, async () => {
        setImmediate(release);
        await beforeClosing?.();
      }),
  });
  const { app, server, url, err } = await startServer(t, { workflows: [], store: slow, host: '127.0.0.1' });
  const sent = post(`${url}/messages/payment`, { order: 1 });
  await until(() => isAsked);
  await closeServer(server, app, 0, undefined, slow);
  const { status, text } = await sent;
  assert.deepEqual([status, err], [202, []], text);
});

test('refuses a message that comes when its store is closed, without calling it a fault', async (t) => {
  const { open } = await kept(t);
  const store = await open();
  const { app, url, err } = await startServer(t, { workflows: [], store, host: '127.0.0.1' });
  app.runs.stop();
  await store.close(0);
  const { status, headers } = await post(`${url}/messages/payment`, { order: 1 });
  assert.deepEqual([status, headers.get('retry-after'), err], [503, '5', []]);
});

for (const kind of storeKinds) {
  test(`the log of a run that ends while its process stops is whole (${kind})`, async (t) => {
    const { open, file, ledger } = await kept(t, kind);
    const prepared = await file('called/last-calls/main.wf');
    const first = await open();
    const seen = async (engine: DurableEngine, run: string): Promise<unknown> => {
      const { status, outputs } = (await engine.state(run)) ?? {};
      const log = (await engine.log(run)).map(({ type, line, message }) => `${type} ${line} ${message ?? ''}`);
      return { status, outputs, log: log.sort() };
    };
    const whole = await begun(first, prepared);
    await whole.end;
    const expected = await seen(first, whole.run);
    ledger.delayMs = () => 200;
    const { run } = await begun(first, prepared);
    await until(() => ledger.received.length === 4);
    await first.close(20_000);
    const second = await open();
    assert.deepEqual(await seen(second, run), expected);
    const { runs } = await second.list({ parent: run });
    assert.deepEqual(
      runs.map(({ status }) => status),
      ['completed'],
    );
  });
}

for (const kind of storeKinds) {
  test(`tells those who wait for a run that has left memory where it is when the server stops (${kind})`, async (t) => {
    const { open, file } = await kept(t, kind);
    const store = await open();
    await store.serve();
    let asked = 0;
    const seen = storeWith(store, {
      settled(...how) {
        asked++;
        return store.settled(...how);
      },
    });
    const workflows = [await file('kept/message.wf')];
    const { app, server, url, err } = await startServer(t, { workflows, store: seen, host: '127.0.0.1' });
    const waiting = { prefer: 'wait=60', connection: 'close' };
    const started = post(`${url}/message`, {}, { ...waiting, 'idempotency-key': 'k' });
    await until(() => asked === 1);
    const [run] = (await store.list({})).runs;
    assert.ok(run !== undefined);
    const location = `/runs/${run.run}`;
    const looking = send(`${url}${location}`, { headers: waiting });
    await until(() => asked === 2);
    await closeServer(server, app, 0, undefined, seen);
    const [start, look] = await Promise.all([started, looking]);
    assert.deepEqual([start.status, start.headers.get('location'), err], [202, location, []], start.text);
    assert.deepEqual([look.status, (look.json as { status: string }).status], [200, 'waiting'], look.text);
    const again = await (await open()).start({ prepared: workflows[0] ?? assert.fail(), request: {}, key: 'k' });
    assert.deepEqual([again.kind, again.kind === 'known' && again.acknowledged], ['known', true]);
  });
}

const task: TaskView = {
  ...{ task: 't', run: 'r', workflow: 'refund', service: 'Boss', question: 'decide', pairs: {} },
  ...{ askedAt: '2026-01-01T00:00:00.000Z', status: 'open' },
};

/** What the browser of a person sends. */
const answerForm = (url: string): Promise<Response> =>
  fetch(`${url}/tasks/t?key=k`, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'yes' }),
    headers: { connection: 'close' },
  });

test('answers a form that a person sent before the server was told to stop', async (t) => {
  const { open } = await kept(t);
  const store = await open();
  let isAsked = false;
  let isClosed = false;
  const slow = storeWith(store, {
    task: async () => task,
    async answer() {
      isAsked = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (isClosed) throw new Error('The store is closed.');
      return { kind: 'answered', task: { ...task, status: 'answered' } };
    },
    async close(graceMs, beforeClosing) {
      const closed = await store.close(graceMs, beforeClosing);
      isClosed = true;
      return closed;
    },
  });
  const { app, server, url, err } = await startServer(t, { workflows: [], store: slow, host: '127.0.0.1' });
  const sent = answerForm(url);
  await until(() => isAsked);
  await closeServer(server, app, 0, undefined, slow);
  assert.deepEqual([(await sent).status, err], [200, []]);
});

test('refuses a form that comes when the store is closed with a page, without calling it a fault', async (t) => {
  const { open } = await kept(t);
  const store = await open();
  const { app, url, err } = await startServer(t, { workflows: [], store, host: '127.0.0.1' });
  app.runs.stop();
  await store.close(0);
  const answer = await answerForm(url);
  assert.deepEqual([answer.status, answer.headers.get('retry-after'), err], [503, '5', []]);
  assert.match(await answer.text(), /<h1>Not possible now<\/h1>/);
});
