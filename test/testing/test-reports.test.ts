// `wf test --format`: JUnit XML, JSON and TAP of the same results, whatever is in the names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/engine/usage-error.js';
import { workflow } from '../commands/wf.js';
import { folderWithData, wfTest } from './in-memory-io.js';

const files = {
  'sum.wf': workflow('    complete with n request.n plus 1'),
  'sum.test.json': [
    { name: 'fine', input: { n: 1 }, expect: { status: 'completed', outputs: { n: 2 } } },
    { name: 'wrong', input: { n: 1 }, expect: { status: 'completed', outputs: { n: 3 } } },
    { name: 'a < b & "c" # SKIP \u0001', input: { n: 2 }, expect: { status: 'completed' } },
  ],
  'broken.wf': workflow('    log "{nobody}"'),
};

test('JUnit: a suite for each workflow, with escaped names', async (context) => {
  const { exit, out } = await wfTest(folderWithData(context, files), ['sum.wf', 'broken.wf'], { format: 'junit' });
  assert.equal(exit, 1);
  assert.match(
    out,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="wf test" tests="4" failures="2" errors="0">\n/,
  );
  assert.match(out, /<testsuite name="sum\.wf" tests="3" failures="1" errors="0">/);
  assert.match(out, /<testcase classname="sum\.wf" name="fine"\/>/);
  assert.match(
    out,
    /name="wrong">\n {6}<failure message="outputs\.n: expected 3, got 2">outputs\.n: expected 3, got 2<\/failure>/,
  );
  assert.match(out, /name="a &lt; b &amp; &quot;c&quot; # SKIP [^"<&]+"\/>/);
  assert.match(out, /classname="broken\.wf" name="not run: the file has errors">\n {6}<failure message="failed">/);
  assert.equal(out.includes('\u0001'), false);
});

test('TAP 14: directives in names are escaped, and failures have their reasons', async (context) => {
  const { exit, out } = await wfTest(folderWithData(context, files), ['sum.wf'], { format: 'tap' });
  assert.equal(exit, 1);
  const lines = out.split('\n');
  assert.deepEqual(lines.slice(0, 3), ['TAP version 14', '1..3', 'ok 1 - sum.wf: fine']);
  assert.deepEqual(lines.slice(3, 7), [
    'not ok 2 - sum.wf: wrong',
    '  ---',
    '  details: ["outputs.n: expected 3, got 2"]',
    '  ...',
  ]);
  assert.match(lines[7] ?? '', /^ok 3 - sum\.wf: a < b & "c" \\# SKIP /);
});

test('JSON: the numbers, and every test with its details', async (context) => {
  const { exit, out } = await wfTest(folderWithData(context, files), ['sum.wf'], { format: 'json' });
  assert.equal(exit, 1);
  const { passed, failed, tests } = JSON.parse(out);
  assert.deepEqual([passed, failed, tests.length], [2, 1, 3]);
  assert.deepEqual(tests[1], {
    file: 'sum.wf',
    name: 'wrong',
    status: 'failed',
    details: ['outputs.n: expected 3, got 2'],
  });
});

test('a run that ends as error says why; all passed is 0', async (context) => {
  const folder = folderWithData(context, {
    'bad.wf': workflow('    complete with n 1 divided by request.n'),
    'good.wf': workflow('    complete with n 1'),
  });
  const values = { format: 'json', input: '{"n": 0}' };
  const bad = await wfTest(folder, ['bad.wf'], values);
  assert.equal(bad.exit, 1);
  assert.match(JSON.parse(bad.out).tests[0].details.join('\n'), /WF603[\s\S]*divide/);
  assert.equal((await wfTest(folder, ['good.wf'], values)).exit, 0);
});

test('other formats, and formats without results, are refused', async (context) => {
  const folder = folderWithData(context, files);
  await assert.rejects(wfTest(folder, ['sum.wf'], { format: 'xml' }), UsageError);
  await assert.rejects(wfTest(folder, ['sum.wf'], { format: 'tap', dryRun: true }), UsageError);
});
