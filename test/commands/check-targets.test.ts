// `wf check` with several targets.
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { folderWith } from './wf.js';

const valid = readFileSync(path.join(root, 'test/commands/files/valid.wf'), 'utf8');

test('checks a file once, even if it is named twice or its folder is also named', (context) => {
  const { wf } = folderWith(context, { 'a.wf': valid, 'b/c.wf': valid });
  assert.equal(
    wf(['check', 'a.wf', '.', './a.wf', 'b', '-']).stdout.replace(/^standard input.*\n/m, ''),
    'a.wf is valid, no errors found.\nb/c.wf is valid, no errors found.\n',
  );
});

test('ignores files that editors create next to a workflow', (context) => {
  const { wf, path: folder } = folderWith(context, { 'a.wf': valid, '.a.wf': 'unfinished' });
  symlinkSync('somebody@somewhere.1', `${folder}/.#a.wf`);
  assert.deepEqual(wf(['check', '.']), { status: 0, stdout: 'a.wf is valid, no errors found.\n', stderr: '' });
});

test('an error in a built workflow names the file whose line it shows', (context) => {
  const { wf } = folderWith(context, { 'a.wf': valid.replace('complete', 'log request.a times 2') });
  assert.equal(wf(['build', 'a.wf', '--out', 'out']).status, 0);
  assert.match(wf(['run', 'out/a.mjs']).stderr, /^Error in a\.wf, line 7 \(WF601\):\n\n {4}log request\.a times 2\n/);
});

test('every format shows the first errors, and says how many more there are', (context) => {
  const { wf } = folderWith(context, {
    'a.wf': `${valid}${Array.from({ length: 150 }, (_, index) => `    log unset${index}x\n`).join('')}`,
  });
  for (const format of ['json', 'github', 'sarif']) {
    const { stdout, status } = wf(['check', 'a.wf', '--format', format]);
    assert.equal(status, 1);
    assert.match(stdout, /50 more errors[^"]* not shown\./);
    assert.equal(stdout.match(/unset99x/g) === null, false);
    assert.doesNotMatch(stdout, /unset101x/);
  }
});
