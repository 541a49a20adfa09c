// A run over a real store, for pictures: beside the lines of its text are the values that only retracing finds.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { createApp } from '../../src/server/app/create-app.js';
import { createHttpServer, listen } from '../../src/server/process/http-server.js';
import { closeServer } from '../../src/server/process/run-server.js';
import { sampleText } from './sample-runs.js';

interface PicturedRun {
  /** Of its page. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** A refund that fails in its last call. */
export async function picturedRun(): Promise<PicturedRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-picture-'));
  writeFileSync(path.join(folder, 'refund.wf'), sampleText);
  const services = await startServices();
  const { port } = services.address() as AddressInfo; // it listens on a port
  const url = `http://localhost:${port}`;
  const env = {
    HOME: folder,
    WF_CACHE: 'off',
    PAYMENTS_URL: url,
    PAYMENTS_TOKEN: 'secret',
    WAREHOUSE_URL: url,
    TEAM_CHAT_URL: 'https://chat.example/hook',
  };
  const prepared = await prepare('refund.wf', { cwd: folder, env });
  assert.ok(prepared.ok, JSON.stringify(prepared));
  const store = await openStore('runs', { env, cwd: folder });
  await store.serve();
  const items = ['SKU-1', 'SKU-2', 'SKU-3'].map((sku, index) => ({ sku, quantity: 1, digital: index === 1 }));
  const request = { payment: 'P-1007', amount: 299, customer: 'Grace Hopper', reason: 'arrived broken', items };
  const started = await store.start({ prepared: prepared.prepared, request });
  assert.equal(started.kind, 'started');
  await store.settled(started.run, 'ended', 60_000);
  const app = await createApp({ workflows: [prepared.prepared], env, store, console: true, host: '127.0.0.1' });
  const server = createHttpServer(app);
  const address = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/console/runs/${started.run}`;
  const close = async (): Promise<void> => {
    await closeServer(server, app, 0);
    await store.close(0);
    services.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, close };
}

/** One item is not in stock, and the account is closed. */
async function startServices(): Promise<Server> {
  const services = createServer((request, response) => {
    const { url = '' } = request;
    const [status, body] = url.endsWith('/SKU-3')
      ? [409, { message: 'Nobody has counted it yet.' }]
      : url === '/refunds'
        ? [422, { error: 'the account is closed' }]
        : [200, url.startsWith('/stock') ? { left: 7 } : { id: 'P-1007', amount: 299 }];
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve));
  return services;
}
