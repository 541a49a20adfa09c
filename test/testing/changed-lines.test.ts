// Where runs of two versions can begin to differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { changedLines } from '../../src/testing/changed-lines.js';
import { changedSettings, type Head, headOf } from '../../src/testing/changed-settings.js';

const head = 'config:\n    name: "Case"\n    version: 1\n\nworkflow:\n    trigger: now\n\n';
const body = `    set fee to 0
    if request.total is above 100:
        set fee to 5
        log "large"
    otherwise:
        log "small"
    for each line in request.lines:
        set fee to fee plus line.fee
    complete with fee fee
`;

const changed = (old: string, now: string): number[] | undefined => {
  const lines = changedLines(checkFile(head + old, 'old.wf'), checkFile(head + now, 'now.wf'));
  return lines === undefined ? undefined : [...lines];
};

const cases: readonly (readonly [what: string, before: string | RegExp, after: string, lines: readonly number[]])[] = [
  ['nothing', '', '', []],
  ['a comment above a statement', '    if request', '    # Large.\n    if request', [8]],
  ['a condition', 'above 100', 'above 200', [9]],
  ['the first line of a branch', 'set fee to 5', 'set fee to 6', [10]],
  ['a line that is new at the end of a branch', 'log "large"\n', 'log "large"\n        set fee to 7\n', [11]],
  ['a line that is gone', '        log "large"\n', '', [11]],
  ['a line in a loop', 'fee plus line.fee', 'fee minus line.fee', [15]],
  ['another wording of a log', '"small"', '"tiny"', []],
  ['a log that may fail', '"small"', '"{request.a.b}"', [13]],
  ['a variable with another name', /(?<!\.)fee(?! fee)/g, 'costs', []],
  ['an item with another name', /\bline\b/g, 'row', []],
  ['another variable', 'set fee to 5', 'set costs to 5', [10]],
  ['the end', 'complete with fee fee', 'complete with fee 1', [16]],
];

for (const [what, before, after, lines] of cases)
  test(`finds the lines of ${what}`, () => assert.deepEqual(changed(body, body.replace(before, after)), lines));

test('compares settings as they are written, whatever else changes', () => {
  const text = `config:
    name: "Case"
    version: 1
    once for each: request.number for 90 days

services:
    Bank is an API at "https://bank.example.com/#a"  # The test system.
        with timeout 10 seconds
    Post is a webhook at "https://post.example.com"

workflow:
    trigger: now
    log "once"
`;
  const other = text
    .replace('version: 1', 'version: 2\n    keep for: 30 days')
    .replace('    once for each: request.number for 90 days\n', '')
    .replace('10 seconds', '60 seconds')
    .replace('  # The test system.', '')
    .replace('trigger: now', 'trigger: later');
  const [before, after] = changedSettings(...([text, other].map((one) => headOf(checkFile(one, 'case.wf'))) as [Head, Head]));
  assert.deepEqual(before, ['once for each: request.number for 90 days', 'Bank: with timeout 10 seconds']);
  assert.deepEqual(after, ['keep for: 30 days', 'Bank: with timeout 60 seconds']);
  assert.deepEqual(changedLines(checkFile(text, 'old.wf'), checkFile(other, 'now.wf')), new Set());
});

test('spaces count inside quotes only', () => {
  const headAt = (services: string): Head => headOf(checkFile(`services:\n${services}\n${body}`, 'case.wf'));
  const old = headAt('    Bank is an API at "https://bank.example.com/{env.A B}"');
  assert.deepEqual(changedSettings(old, headAt('    Bank  is an  API at "https://bank.example.com/{env.A B}"')), [[], []]);
  assert.equal(changedSettings(old, headAt('    Bank is an API at "https://bank.example.com/{env.A  B}"'))[1].length, 1);
});

test('takes a run for different everywhere if what stands above the workflow has changed', () => {
  const old = checkFile(head + body, 'old.wf');
  assert.equal(
    changedLines(old, checkFile(head.replace('version: 1', 'version: 1\n    timeout: 2 days') + body, 'now.wf')),
    undefined,
  );
  assert.deepEqual(changedLines(old, checkFile(head.replace('name', '# A name.\n    name') + body, 'now.wf')), new Set());
});
