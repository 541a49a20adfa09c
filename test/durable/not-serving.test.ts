// Engines that do not serve, or not yet: they leave the runs of others alone until they do, and attend only to their own.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { silent } from '../../src/engine/records/printer.js';
import { holdRequests, runServer } from '../../src/server/process/run-server.js';
import { readSettings } from '../../src/server/settings.js';
import { until } from '../until.js';
import { begun, storeKinds, testStore } from './test-store.js';

/** The store has one thread, which answers in order: after some questions the keeper has read the inbox. */
async function inboxRead(engine: DurableEngine): Promise<void> {
  for (let n = 0; n < 20; n++) await engine.tasks();
}

test('a message that was sent before serving reaches a run that another process left', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const first = await open();
  const { run, end } = await begun(first, await file('single/message.wf'));
  assert.equal((await end).kind, 'paused');
  await first.close(0);
  const second = await open();
  const sent = await second.send({ name: 'go', body: {}, run });
  assert.equal(sent.kind === 'sent' && sent.delivered, 1);
  await inboxRead(second);
  await second.serve();
  assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
});

test('a message that was sent before serving reaches a run of the same process', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const engine = await open();
  const { run, end } = await begun(engine, await file('single/message.wf'));
  assert.equal((await end).kind, 'paused');
  await engine.send({ name: 'go', body: {}, run });
  await inboxRead(engine);
  await engine.serve();
  assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
});

test('a run that was interrupted continues, although a message was sent before serving', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const first = await open();
  const waiting = await begun(first, await file('single/message.wf'));
  assert.equal((await waiting.end).kind, 'paused');
  ledger.delayMs = () => 60_000;
  const { run } = await begun(first, await file('single/two-calls.wf'));
  await until(() => ledger.received.length === 1);
  await first.close(0);
  ledger.delayMs = () => 0;
  const second = await open();
  await second.send({ name: 'go', body: {}, run: waiting.run });
  await inboxRead(second);
  await second.serve();
  for (const id of [waiting.run, run]) assert.equal((await second.settled(id, 'ended', 60_000))?.status, 'completed');
});

// A server takes up runs only once it knows that its port is free, and holds earlier requests.

test('holds requests until the server is ready, and forwards them in order', () => {
  const seen: unknown[] = [];
  const note = (request: IncomingMessage, _response: ServerResponse): void => void seen.push(request);
  const { gated, ready } = holdRequests({ listener: note, onContinue: note, onExpectation: note });
  const pass = (listener: typeof note, value: number): void => Reflect.apply(listener, undefined, [value, undefined]);
  pass(gated.listener, 1);
  pass(gated.onContinue, 2);
  pass(gated.onExpectation, 3);
  assert.deepEqual(seen, []);
  ready();
  assert.deepEqual(seen, [1, 2, 3]);
  pass(gated.listener, 4);
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test('a server whose port is taken does not touch the runs of the store', async (t) => {
  const { file, open, folder, env } = await testStore(t);
  const prepared = await file('single/shorter-wait.wf');
  const first = await open();
  await first.serve();
  const started = await first.start({ prepared, request: {} });
  assert.equal(started.kind, 'started');
  await first.close(0);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo; // a server that listens on TCP has such an address
  const settings = readSettings({ port: String(port), store: 'runs' }, {});
  const loaded = { single: true, folder, workflows: [prepared], warnings: [], errors: [] };
  await assert.rejects(
    runServer({
      loaded,
      settings,
      env,
      cwd: folder,
      mock: false,
      metrics: undefined,
      out: silent,
      err: silent,
      onListening: () => assert.fail('it does not listen'),
      stopped: new Promise(() => undefined),
      onDrained() {},
    }),
    { name: 'UsageError', message: new RegExp(String(port)) },
  );
  const last = await open();
  const run = started.kind === 'started' ? started.run : '';
  assert.deepEqual(
    (await last.log(run)).map(({ type }) => type).filter((type) => type === 'resumed'),
    [],
  );
});

// Runs that a command stays for continue after their pauses, although its process takes care of no others.

for (const kind of storeKinds)
  test(`an attended run continues when its time has come or a message is there; others stay as they are (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const prepared = await file('single/message-or-silence.wf');
    const [engine, sender] = [await open(), await open()];
    const ids: string[] = [];
    for (const seconds of [2, 3_600, 3_600]) {
      const { run, end } = await begun(engine, prepared, { seconds });
      assert.equal((await end).kind, 'paused');
      ids.push(run);
    }
    const [silent = '', called = '', other = ''] = ids;
    await sender.send({ name: 'go', body: {}, run: called });
    for (const id of [silent, called]) engine.attend(id);
    const ended = await Promise.all([silent, called].map((id) => engine.settled(id, 'ended', 60_000)));
    assert.deepEqual(
      ended.map((state) => [state?.status, state?.outputs]),
      [
        ['completed', { came: false }],
        ['completed', { came: true }],
      ],
    );
    assert.equal((await engine.state(other))?.status, 'waiting');
  });
