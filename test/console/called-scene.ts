// A server with a console over a folder, in which one run has called another one, which has called a third.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { root } from '../root.js';
import { post, type TestServer } from '../server/test-server.js';
import { storedConsole } from './stored-console.js';

export interface CalledScene {
  readonly server: TestServer;
  /** Id of the run that someone started. */
  readonly run: string;
}

export async function calledScene(t: TestContext): Promise<CalledScene> {
  const files = path.join(root, 'test/console/files/called');
  const { server } = await storedConsole(t, ['main.wf', 'price.wf'], (folder) => cpSync(files, folder, { recursive: true }));
  const answered = await post(`${server.url}/main`, { n: 7 });
  assert.equal(answered.status, 200, answered.text);
  return { server, run: answered.headers.get('x-run-id') ?? '' };
}
