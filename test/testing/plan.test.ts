// The plan of `--dry-run`: every kind of statement against a golden file, several workflows, and workflows with errors.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { dryRunLines } from '../../src/testing/plan/plan.js';
import { folderWithData, sample, wfTest } from './in-memory-io.js';

const read = (name: string): string => readFileSync(sample(name), 'utf8');

test('prints every kind of statement, in the order of the file', () => {
  const plan = `${dryRunLines(checkFile(read('everything.wf'), 'everything.wf'), 'everything.wf').join('\n')}\n`;
  if (process.env.UPDATE === '1') writeFileSync(sample('everything.plan.txt'), plan);
  assert.equal(plan, read('everything.plan.txt'));
});

test('does not repeat an end that every path reaches', () => {
  const plan = (body: string): string[] => dryRunLines(checkFile(`workflow:\n    trigger: t\n${body}`, 'a.wf'), 'a.wf').slice(2);
  assert.deepEqual(plan('    log "x"\n'), ['    log "x"', '    complete (the end of the file: no outputs)']);
  assert.deepEqual(
    plan('    step A:\n        if 1 is 1:\n            complete\n        otherwise:\n            reject with "no"\n').at(-1),
    '            reject with "no"',
  );
  assert.deepEqual(plan('    if 1 is 1:\n        complete\n').at(-1), '    complete (the end of the file: no outputs)');
});

test('control characters of the file never reach the terminal', () => {
  assert.deepEqual(
    dryRunLines(checkFile('workflow:\n    trigger: t\n    log "a\u001b[31mb"\n    complete\n', 'a.wf'), 'a.wf')[2],
    '    log "a\\u001b[31mb"',
  );
});

test('several workflows; one with errors has no plan, and nothing runs', async (context) => {
  const folder = folderWithData(context, {
    'a.wf': read('plain.wf'),
    'b.wf': read('broken.wf'),
    'c.wf': read('fails.wf'),
    'a.test.json': 'not even read',
  });
  const { exit, out, err } = await wfTest(folder, ['.'], { dryRun: true });
  assert.equal(exit, 1);
  assert.equal(
    out,
    'Plain v1 (a.wf)\n    trigger: always\n    complete\n\nFails v1 (c.wf)\n    trigger: never\n    set a to request.x minus 1\n    complete with a a\n',
  );
  assert.match(err, /Error in b\.wf, line 8/);
});
