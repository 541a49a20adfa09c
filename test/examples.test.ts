// The workflows of fixtures/examples, as a user runs them: valid without a warning, all cases pass and reach every line and branch, and
// they work with the files next to them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Mocks } from '../runtime/types.js';
import { createEngine } from '../src/engine/engine.js';
import { prepare } from '../src/engine/prepare/prepare.js';
import { readCases } from '../src/testing/read-cases.js';
import { cli, root } from './root.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = 'fixtures/examples';
const workflows = readdirSync(`${root}/${folder}`).filter((name) => name.endsWith('.wf'));

function wf(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: root, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

test('there are ten realistic workflows, and the one of the README', () => {
  assert.ok(workflows.includes('hello.wf'));
  assert.ok(workflows.length >= 11, workflows.join(' '));
});

test('every example is valid, without a warning', () => {
  const { code, stdout, stderr } = wf('check', folder, '--strict');
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.equal(stdout.match(/is valid, no errors found\.$/gm)?.length, workflows.length);
});

test('every example declares its inputs', () => {
  for (const name of workflows) assert.match(readFileSync(path.join(root, folder, name), 'utf8'), /^inputs:$/m, name);
});

test('the cases of every example pass, and reach every line and branch', () => {
  const { code, stdout, stderr } = wf('test', folder);
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stderr, '');
  for (const name of workflows) {
    assert.ok(
      stdout.includes(`The cases cover every line and branch of ${folder}/${name}.`),
      `${name} is not covered:\n${stdout}`,
    );
  }
});

test('the report reads the sheet next to it', () => {
  const { code, stdout, stderr } = wf(
    'run',
    `${folder}/daily-sales-report.wf`,
    '--input-file',
    `${folder}/sales.xlsx`,
    '--mock',
    '--json',
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    status: 'completed',
    outputs: { revenue: 869.2, refunds: 129, average: 144.87, regions: ['North: 389.85', 'South: 39.95', 'West: 439.4'] },
  });
});

test('the reconciliation reads the bank statement next to it', () => {
  const { code, stdout, stderr } = wf(
    'run',
    `${folder}/reconciliation.wf`,
    '--input-file',
    `${folder}/bank-statement.csv`,
    '--mock',
    '--json',
  );
  assert.equal(code, 0, stderr);
  const { outputs } = JSON.parse(stdout);
  assert.equal(outputs.received, 445.49);
  assert.equal(outputs.open.length, 4);
});

test('the examples can be built, including plugins, and the modules run alone', (t) => {
  const out = temporaryFolder(t);
  const { code, stderr } = wf('build', folder, '--out', out);
  assert.equal(code, 0, stderr);
  const manifest = JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8'));
  assert.equal(manifest.workflows.length, workflows.length);
  const input = ['--input-file', `${folder}/bank-statement.csv`, '--mock', '--json'];
  assert.equal(
    wf('run', path.join(out, 'reconciliation.mjs'), ...input).stdout,
    wf('run', `${folder}/reconciliation.wf`, ...input).stdout,
  );
  assert.match(
    readFileSync(path.join(out, 'reconciliation.mjs'), 'utf8'),
    /the name of a ledger consists of/,
    'the plugin is inside',
  );
});

test('no example mishandles a service that does not answer', async (t) => {
  const engine = createEngine({ env: {}, mock: true });
  t.after(() => engine.close());
  for (const name of workflows) {
    const file = path.join(root, folder, name);
    const preparation = await prepare(file, { cwd: root, env: { WF_CACHE: 'off' } });
    assert.ok(preparation.ok);
    const { prepared } = preparation;
    for (const { input, env, mocks, name: title } of readCases(file, root)?.cases ?? []) {
      for (const service of prepared.workflow.services) {
        const given = mocks();
        const answer: Mocks['answer'] = (call) =>
          call.service.name === service.name ? { ok: false, message: 'connection refused', retryable: true } : given.answer(call);
        const { outcome } = await engine.execute(prepared, input, { env, mock: { answer } });
        // The call or the question may end the run; the code after it must not.
        if (outcome.status === 'error')
          assert.match(outcome.error?.code ?? '', /^WF(?:65|633)/, `${name}, ${title}: ${outcome.message}`);
      }
    }
  }
});
