// `--watch`: whatever changes while files are being read, or while a worker is starting, is served in the end.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Preparation } from '../../src/engine/prepare/prepared.js';
import { runWorker } from '../../src/server/process/worker.js';
import { readSettings } from '../../src/server/settings.js';
import { WorkflowSet } from '../../src/server/workflow-set.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { completed, fakeWorkflow } from './fake-workflow.js';
import { collect } from './test-server.js';

const saying = (word: string): Preparation => ({ ok: true, prepared: fakeWorkflow('flow', async () => completed({ word })) });

test('two looks at the same time come to the newest files', async (t) => {
  const folder = temporaryFolder(t);
  const write = (text: string): void => writeFileSync(path.join(folder, 'flow.wf'), text);
  write('zero');
  const going: ((preparation: Preparation) => void)[] = [];
  const set = new WorkflowSet('flow.wf', folder, () => new Promise((resolve) => going.push(resolve)));
  const loaded = set.load();
  await until(() => going.length === 1);
  going[0]?.(saying('zero'));
  await loaded;
  write('one');
  const first = set.reload();
  await until(() => going.length === 2);
  write('two');
  const second = set.reload();
  // A look that began would have asked by the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  going[2]?.(saying('two'));
  going[1]?.(saying('one'));
  await first;
  await until(() => going.length === 3);
  going[2]?.(saying('two'));
  const { workflows } = await second;
  assert.deepEqual((await workflows?.[0]?.run({}))?.outputs, { word: 'two' });
  assert.equal((await set.reload()).workflows, undefined, 'nothing is left to serve');
});

test('a worker serves what changed while it was starting', async () => {
  const folder = { single: true, folder: '/', warnings: [], errors: [] };
  const [old, changed] = [saying('old'), saying('changed')];
  assert.ok(old.ok && changed.ok);
  const out: string[] = [];
  let reloaded = false;
  let end: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    end = resolve;
  });
  const set = {
    async load() {
      process.emit('message', { type: 'wf:reload' }, undefined);
      await until(() => reloaded);
      return { ...folder, workflows: [old.prepared] };
    },
    async reload() {
      reloaded = true;
      return { workflows: [changed.prepared], news: [], diagnostics: [] };
    },
  };
  const settings = { ...readSettings({ port: '0', grace: '0' }, {}), verbose: true };
  let port: number | undefined;
  const { Server } = await import('node:http');
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: InstanceType<typeof Server>, ...args: Parameters<typeof listen>) {
    this.once('listening', () => {
      const address = this.address();
      port = typeof address === 'object' ? address?.port : undefined;
    });
    return listen.apply(this, args);
  } as typeof listen; // one of its overloads
  try {
    const worker = runWorker({
      ...{ set: set as unknown as WorkflowSet, settings, env: {}, cwd: '/', mock: false, stopped },
      ...{ startSchedules: () => assert.fail(), out: collect(out), err: collect(out) },
    });
    await until(() => port !== undefined);
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      ...{ method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } },
    });
    end();
    await worker;
    assert.deepEqual(await answer.json(), { status: 'completed', outputs: { word: 'changed' } });
  } finally {
    Server.prototype.listen = listen;
  }
});
