// A run ends with the runtime of wf that it began with, which may be older than this program.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LightAbort } from '../../src/durable/engine/live-run.js';
import type { VersionInfo } from '../../src/durable/model/versions.js';
import { RunnableVersions } from '../../src/durable/store/shared/versions.js';

/** As emitted and bundled by a version that knew only `AbortSignal`. */
const texts: Readonly<Record<string, string>> = {
  module: `const { run } = require('wf-runtime'); exports.workflow = { compiler: '0.0.9', name: 'Old' }; exports.run = run;`,
  runtime: `export const run = (request, { signal }) => new Promise((resolve) => {
    const end = () => resolve(signal.reason.message);
    if (signal.aborted) end(); else signal.addEventListener('abort', end);
  });`,
};

for (const when of ['before it starts', 'while it runs']) {
  test(`a run with an older runtime is cancelled ${when}`, async () => {
    const info: VersionInfo = {
      ...{ title: 'Old', version: 1, file: 'old.wf', trigger: 't', kind: 'linked', module: 'module', text: 'text' },
      ...{ runtime: 'runtime', folder: '/', env: [], sites: [] },
    };
    const hash = createHash('sha256').update(JSON.stringify(info)).digest('hex');
    const { run } = await new RunnableVersions(async (name) => texts[name]).get({ v: 1, workflow: 'old', hash, info });
    const signal = new LightAbort();
    if (when === 'before it starts') signal.abort(new Error('cancelled'));
    const ended = run({}, { signal });
    signal.abort(new Error('cancelled'));
    assert.equal(await ended, 'cancelled');
  });
}
