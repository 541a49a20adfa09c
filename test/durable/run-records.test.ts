// The rows of a journal, as a run that continues finds them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunRecords } from '../../src/durable/journal/run-records.js';
import { type EntryKind, entryKinds } from '../../src/durable/model/entries.js';

function recordsOf(...rows: readonly (readonly [branch: string, seq: number, part: number, kind: EntryKind])[]): RunRecords {
  const records = new RunRecords();
  for (const [pos, [branch, seq, part, kind]] of rows.entries())
    records.add({ pos, branch, seq, part, kind, site: 1, at: 0, ms: null, body: null });
  return records;
}

test('a branch is over with any block around it', () => {
  const { fork, call } = entryKinds;
  const records = recordsOf(
    ['', 2, 0, fork],
    ['2.1', 0, 0, fork],
    ['2.1/0.3', 0, 2, call],
    ['2.1', 0, 1, fork],
    ['', 12, 0, fork],
  );
  const over = ['', '2.0', '2.1', '2.1/0.3', '2.1/0.3/4.0', '12.0', '3.0'].filter((path) => records.isOver(path));
  assert.deepEqual(over, ['2.1/0.3', '2.1/0.3/4.0']);
});

test('a run that has waited for a message or a person is known to have, so that its end ends what is left of that', () => {
  const { message, person, wait } = entryKinds;
  const awaited = [recordsOf(['', 0, 0, wait]), recordsOf(['', 0, 0, message]), recordsOf(['', 0, 0, person])];
  assert.deepEqual(
    awaited.map(({ isAwaited }) => isAwaited),
    [false, true, true],
  );
});
