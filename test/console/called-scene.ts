// A server with a console over a folder, in which one run has called another one, which has called a third.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { root } from '../root.js';
import { post, startServer, type TestServer } from '../server/test-server.js';

export interface CalledScene {
  readonly server: TestServer;
  /** Id of the run that someone started. */
  readonly run: string;
}

export async function calledScene(t: TestContext): Promise<CalledScene> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-called-'));
  cpSync(path.join(root, 'test/console/files/called'), folder, { recursive: true });
  const env = { HOME: folder, WF_CACHE: 'off' };
  const prepared = await prepare('main.wf', { cwd: folder, env });
  assert.ok(prepared.ok, JSON.stringify(prepared));
  const store = await openStore('runs', { env, cwd: folder });
  await store.serve();
  const server = await startServer(t, { workflows: [prepared.prepared], env, store, console: true, host: '127.0.0.1' });
  t.after(async () => {
    await store.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  const answered = await post(`${server.url}/main`, { n: 7 });
  assert.equal(answered.status, 200, answered.text);
  return { server, run: answered.headers.get('x-run-id') ?? '' };
}
