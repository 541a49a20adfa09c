// `--watch`: a workflow changes when one that it calls does, is refused once while that has errors, and comes back when it is mended.
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { WorkflowSet } from '../../src/server/workflow-set.js';
import { fixture } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

test('a change of a called workflow is a change of its caller', async (t) => {
  const folder = temporaryFolder(t);
  cpSync(fixture('server/called'), folder, { recursive: true });
  const rates = path.join(folder, 'parts/rates.wf');
  const env = { WF_CACHE: path.join(folder, 'cache') };
  const set = new WorkflowSet('order.wf', folder, (file) => prepare(file, { cwd: folder, env }));
  const rate = async (): Promise<unknown> => {
    const { outputs, message } = (await current.workflows[0]?.run({}, { requestIsPlain: true })) ?? {};
    return message ?? outputs;
  };
  const loaded = await set.load();
  assert.deepEqual(loaded.errors, []);
  let current: { workflows: (typeof loaded)['workflows'] } = loaded;
  assert.deepEqual((await set.reload()).news, []);
  copyFileSync(path.join(folder, 'parts/broken-rates.wf'), rates);
  const refused = await set.reload();
  assert.deepEqual(refused.news, ['order.wf has errors; still serving its last valid version.']);
  assert.deepEqual(
    refused.diagnostics.map(({ file, code }) => [file, code]),
    [
      ['order.wf', 'WF261'],
      [path.join('parts', 'rates.wf'), 'WF041'],
    ],
  );
  assert.deepEqual((await set.reload()).news, [], 'reported once');
  rmSync(rates);
  assert.deepEqual(
    (await set.reload()).diagnostics.map(({ code }) => code),
    ['WF260'],
  );
  copyFileSync(path.join(folder, 'parts/rejecting-rates.wf'), rates);
  const mended = await set.reload();
  assert.deepEqual(mended.news, ['order.wf changed; now serving its new version.']);
  current = { workflows: mended.workflows ?? [] };
  assert.equal(await rate(), 'Rates: get rate was rejected: rates are not known.');
  // From the cache, a caller is the same only with the same files.
  const again = await prepare('order.wf', { cwd: folder, env });
  assert.equal(again.ok && again.prepared.called?.length, 1);
});
