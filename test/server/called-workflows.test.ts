// `--watch`: a workflow changes when one that it calls does, is refused once while that has errors, and comes back when it is mended.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare.js';
import { WorkflowSet } from '../../src/server/workflow-set.js';

const wf = (services: string, body: string): string =>
  `config:\n    name: "A"\n    version: 1\n${services}\nworkflow:\n    trigger: t\n    ${body}\n`;

test('a change of a called workflow is a change of its caller', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-called-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'parts'));
  const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  put('order.wf', wf('\nservices:\n    Rates is a workflow at "./parts/rates.wf"\n', 'get rate using Rates'));
  put('parts/rates.wf', wf('', 'complete with rate 1'));
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
  put('parts/rates.wf', wf('', 'complet with rate 2'));
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
  rmSync(path.join(folder, 'parts/rates.wf'));
  assert.deepEqual(
    (await set.reload()).diagnostics.map(({ code }) => code),
    ['WF260'],
  );
  put('parts/rates.wf', wf('', 'reject with "rates are not known"'));
  const mended = await set.reload();
  assert.deepEqual(mended.news, ['order.wf changed; now serving its new version.']);
  current = { workflows: mended.workflows ?? [] };
  assert.equal(await rate(), 'Rates: get rate was rejected: rates are not known.');
  // From the cache, a caller is the same only with the same files.
  const again = await prepare('order.wf', { cwd: folder, env });
  assert.equal(again.ok && again.prepared.called?.length, 1);
});
