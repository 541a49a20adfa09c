// `wf run` without a store: says that it waits for what only a store can receive, and with `--no-wait` leaves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folderWith, workflow } from './wf.js';

const person = workflow(
  '    ask Boss to decide\n        within 1 second\n        on failure:\n            reject with "late"\n    complete',
).replace('workflow:', 'services:\n    Boss is a person\n\nworkflow:');
const message = workflow('    wait for payment with order request.order\n    complete');

test('says what it waits for, and goes on when the time is up', (context) => {
  const { wf } = folderWith(context, { 'person.wf': person });
  const { status, stdout, stderr } = wf(['run', 'person.wf']);
  assert.equal(
    stderr.match(/^Line 11 waits for an answer from Boss, which only a store can receive\. Ctrl\+C ends the run\./gm)?.length,
    1,
  );
  assert.match(stdout, /Workflow rejected: late/);
  assert.equal(status, 3);
});

test('--no-wait: exits with 4, with the log so far; mock answers come all the same', (context) => {
  const { wf, path: folder } = folderWith(context, { 'message.wf': message });
  const input = ['--input', '{"order": "A"}'];
  const { status, stdout, stderr } = wf(['run', 'message.wf', '--no-wait', ...input, '--output-log', 'log.json']);
  assert.deepEqual([status, stdout], [4, '']);
  assert.equal(
    stderr,
    'Line 8 waits for the message "payment", which only a store can receive. Use --store ./runs, or try it with --mock.\n',
  );
  assert.equal(JSON.parse(readFileSync(path.join(folder, 'log.json'), 'utf8')).status, 'waiting');
  assert.equal(wf(['run', 'message.wf', '--no-wait', '--mock', ...input]).status, 0);
  assert.match(wf(['run', 'message.wf', '--no-wait=x']).stderr, /--no-wait takes no value/);
});

test('a long wait is said as well; a short one is only waited', (context) => {
  const { wf } = folderWith(context, {
    'long.wf': workflow('    wait 3 days\n    complete'),
    'short.wf': workflow('    wait 0.01 seconds\n    complete'),
  });
  const { status, stdout, stderr } = wf(['run', 'long.wf', '--no-wait', '--json']);
  assert.equal(status, 4);
  const said = /^Line 8 waits until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./;
  assert.match(stderr, new RegExp(`${said.source} Use --store`));
  const { message, ...rest } = JSON.parse(stdout);
  assert.match(message, said);
  assert.deepEqual(rest, { status: 'waiting' });
  for (const args of [
    ['short.wf', '--no-wait'],
    ['long.wf', '--mock'],
  ])
    assert.deepEqual([wf(['run', ...args]).status, wf(['run', ...args, '--quiet']).stderr], [0, '']);
});

test('says that nothing knows earlier runs, if the workflow asks for it', (context) => {
  const once = workflow('    complete').replace('version: 1', 'version: 1\n    once for each: request.number');
  const { wf } = folderWith(context, { 'once.wf': once });
  const said =
    'Warning: once.wf says "once for each", but there is no store: only a store knows the values of earlier runs. Add --store <folder>.\n';
  assert.equal(wf(['run', 'once.wf']).stderr, said);
  for (const option of ['--quiet', '--mock']) assert.equal(wf(['run', 'once.wf', option]).stderr, '');
});
