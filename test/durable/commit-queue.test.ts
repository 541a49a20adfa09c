// The queue that batches the writes of a folder: nothing stays in it, however long a commit takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoreWrite } from '../../src/durable/model/run-rows.js';
import { CommitQueue } from '../../src/durable/store/sqlite/commit-queue.js';
import { until } from '../until.js';

/** Longest time that the queue keeps writes nobody waits for. */
const LAZY_MS = 100;

interface Commit {
  readonly writes: readonly StoreWrite[];
  readonly finish: () => void;
}

/** A queue whose commits the test finishes. */
function queueOf(commits: Commit[]): CommitQueue {
  return new CommitQueue({
    commit: (_shard, writes) => new Promise((resolve) => commits.push({ writes, finish: resolve })),
    problemOf: () => undefined,
    onHealth: () => undefined,
    onLost: (error) => assert.fail(String(error)),
  });
}

test('a commit begins before those who waited for the last one continue', async () => {
  const commits: Commit[] = [];
  const queue = queueOf(commits);
  const first = queue.durable(queue.add(0, ['progress', 1]));
  await until(() => commits.length === 1);
  const second = queue.durable(queue.add(0, ['progress', 2]));
  const begun = first?.then(() => commits.length);
  commits[0]?.finish();
  assert.equal(await begun, 2);
  commits[1]?.finish();
  await second;
});

test('a write that nobody waits for follows, even if a commit takes longer than it may stay in memory', async () => {
  const commits: Commit[] = [];
  const queue = queueOf(commits);
  queue.add(0, ['progress', 1]);
  queue.flush();
  await until(() => commits.length === 1);
  queue.add(0, ['progress', 2]);
  queue.flushLazily();
  // Timers of one length fire in the order in which they were set.
  await pause(LAZY_MS);
  commits[0]?.finish();
  await until(() => commits.length === 2);
  assert.deepEqual(commits[1]?.writes, [['progress', 2]]);
  commits[1]?.finish();
  await queue.settled();
});
