// `wf run --output-log` and a signal: the log so far is written, with a store and without one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cli, testFile } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';

interface Case {
  readonly store: readonly string[];
  readonly exit: number;
  readonly status: RegExp;
  readonly said: RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'without a store': { store: [], exit: 1, status: /^error$/, said: /interrupted/ },
  // It may be released before it begins to wait.
  'with a store': {
    ...{ store: ['--store', 'runs'], exit: 130, status: /^(?:running|waiting)$/ },
    said: /^Interrupted\. Go on with: wf runs resume [0-9a-f-]{36} --store runs$/m,
  },
};

for (const [where, { store, exit, status, said }] of Object.entries(cases))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`${signal} ${where}: the log so far, and exit code ${exit}`, async (t) => {
      const folder = temporaryFolder(t, { 'slow.wf': testFile('durable/files/interrupted.wf') });
      const words = ['run', 'slow.wf', '--output-log', 'logs/run.json', ...store];
      const env = { PATH: process.env.PATH ?? '', HOME: folder };
      const run = spawn(process.execPath, [cli, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const exited = once(run, 'exit');
      let [out, err] = ['', ''];
      run.stdout.on('data', (data) => {
        out += data;
      });
      run.stderr.on('data', (data) => {
        err += data;
      });
      await until(() => out.includes('begun'));
      run.kill(signal);
      assert.deepEqual(await exited, [exit, null], err);
      assert.match(err, said);
      const log = JSON.parse(readFileSync(path.join(folder, 'logs', 'run.json'), 'utf8')) as Record<string, unknown>;
      assert.match(String(log.status), status);
      const [first] = log.entries as { readonly message?: string }[]; // the form of a log
      assert.equal(first?.message, 'begun');
    });
