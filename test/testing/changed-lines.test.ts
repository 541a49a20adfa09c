// Where runs of two versions can begin to differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { changedLines } from '../../src/testing/changed-lines.js';

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

const cases: readonly (readonly [what: string, before: string, after: string, lines: readonly number[]])[] = [
  ['nothing', '', '', []],
  ['a comment above a statement', '    if request', '    # Large.\n    if request', [8]],
  ['a condition', 'above 100', 'above 200', [9]],
  ['the first line of a branch', 'set fee to 5', 'set fee to 6', [10]],
  ['a line that is new at the end of a branch', 'log "large"\n', 'log "large"\n        set fee to 7\n', [11]],
  ['a line that is gone', '        log "large"\n', '', [11]],
  ['a line in a loop', 'fee plus line.fee', 'fee minus line.fee', [15]],
  ['two places', '"small"', '"tiny"', [13]],
  ['the end', 'complete with fee fee', 'complete with fee 1', [16]],
];

for (const [what, before, after, lines] of cases)
  test(`finds the lines of ${what}`, () => assert.deepEqual(changed(body, body.replace(before, after)), lines));

test('takes a run for different everywhere if what stands above the workflow has changed', () => {
  const old = checkFile(head + body, 'old.wf');
  assert.equal(
    changedLines(old, checkFile(head.replace('version: 1', 'version: 1\n    timeout: 2 days') + body, 'now.wf')),
    undefined,
  );
  assert.deepEqual(changedLines(old, checkFile(head.replace('name', '# A name.\n    name') + body, 'now.wf')), new Set());
});
