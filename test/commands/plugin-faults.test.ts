// What a plugin leaves unhandled: one line without a stack, and a log that is written all the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folderWith } from './wf.js';

const workflow = `config:
    name: "P"
    version: 1

services:
    Ledger is a plugin "./ledger.mjs"

workflow:
    trigger: t
    record it using Ledger with key env.LEDGER_KEY
    wait {seconds} seconds
    complete
`;
const filesWith = (body: string, seconds: string) => ({
  'p.wf': workflow.replace('{seconds}', seconds),
  'ledger.mjs': `export const call = ({ parameters: { key } }) => { ${body}; return { value: 1 }; };\n`,
});
const env = { LEDGER_KEY: 'k-123456' };

test('a promise that nobody waits for is told, and the run goes on', (context) => {
  const { wf } = folderWith(context, filesWith('Promise.reject(new Error("no " + key + "\\n"))', '0.2'));
  const { status, stdout, stderr } = wf(['run', 'p.wf'], env);
  assert.deepEqual([status, stdout], [0, 'Workflow completed.\n']);
  assert.equal(stderr, 'A plugin left an error unhandled: no [redacted]\\n\n');
});

test('an exception out of a timer ends the run, with its log and without a stack', (context) => {
  const folder = folderWith(context, filesWith('setTimeout(() => { throw new Error("late " + key); })', '600'));
  const { status, stderr } = folder.wf(['run', 'p.wf', '--output-log', 'log.json'], env);
  assert.equal(status, 1);
  assert.equal(stderr, 'Error in p.wf (WF691):\n\n    A plugin failed outside of its call: late [redacted]\n');
  const log = JSON.parse(readFileSync(path.join(folder.path, 'log.json'), 'utf8'));
  assert.deepEqual([log.status, log.message], ['error', 'A plugin failed outside of its call: late [redacted]']);
});
