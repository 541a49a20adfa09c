// A server takes up runs only once it knows that its port is free, and holds earlier requests.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { silent } from '../../src/engine/records/printer.js';
import { holdRequests, runServer } from '../../src/server/process/run-server.js';
import { readSettings } from '../../src/server/settings.js';
import { kept } from '../durable/kept.js';

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
  const { file, open, folder, env } = await kept(t);
  const prepared = await file('kept/shorter-wait.wf');
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
      ...{ loaded, settings, env, cwd: folder, mock: false, metrics: undefined, out: silent, err: silent },
      ...{ onListening: () => assert.fail('it does not listen'), stopped: new Promise(() => undefined), onDrained() {} },
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
