// A server with a console over a store in a temporary folder.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { startServer, type TestServer } from '../server/test-server.js';

export interface StoredConsole {
  readonly server: TestServer;
  readonly store: DurableEngine;
}

/**
 * @param served the workflows
 * @param fill writes it, and the files that it names, into the folder
 */
export async function storedConsole(
  t: TestContext,
  served: string | readonly string[],
  fill: (folder: string) => void,
): Promise<StoredConsole> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-console-'));
  fill(folder);
  const env = { HOME: folder, WF_CACHE: 'off' };
  const workflows = await Promise.all(
    [served].flat().map(async (file) => {
      const prepared = await prepare(file, { cwd: folder, env });
      assert.ok(prepared.ok, JSON.stringify(prepared));
      return prepared.prepared;
    }),
  );
  const store = await openStore('runs', { env, cwd: folder });
  await store.serve();
  const server = await startServer(t, { workflows, env, store, console: true, host: '127.0.0.1' });
  t.after(async () => {
    await store.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  return { server, store };
}
