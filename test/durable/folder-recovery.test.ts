// The keeper of a folder wakes each waiting run, also one that begins to wait while it looks for others.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RecoveryLoop } from '../../src/durable/engine/folder-recovery.js';
import type { LiveRuns } from '../../src/durable/engine/live-runs.js';
import type { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';

const problems = { report: (): void => undefined };

test('a run that begins to wait while the keeper waits for a commit is woken', async () => {
  const seen = new EventEmitter();
  const commits: (() => void)[] = [];
  const settled = (): Promise<void> => {
    setImmediate(() => seen.emit('wants a commit'));
    return new Promise((resolve) => commits.push(resolve));
  };
  const dueRuns = async (): Promise<readonly unknown[]> => {
    seen.emit('query');
    return [];
  };
  const writer = { dueRuns, earliestDue: async () => undefined };
  const store = { shards: new Map([[0, { shard: 0 }]]), queue: { settled }, client: { writer } };
  const keeper = new RecoveryLoop({
    ...{ store: store as unknown as SqliteStore, runs: {} as LiveRuns, adopts: false, attended: new Set() },
    ...{ onCancelled: async () => undefined, onStuck: () => undefined },
  });
  const query = async (): Promise<void> => {
    const made = once(seen, 'query');
    commits.shift()?.();
    await made;
  };
  keeper.adopt();
  await once(seen, 'wants a commit');
  await query();
  keeper.noteDue(Date.now());
  await once(seen, 'wants a commit');
  // That commit does not hold the wait of this run, and so the query that follows can't find it.
  keeper.noteDue(Date.now() + 20);
  await query();
  await once(seen, 'wants a commit', { signal: AbortSignal.timeout(5_000) });
  await query();
  await keeper.stop();
  assert.equal(commits.length, 0);
});

test('a shard that cannot be adopted does not hold up what arrives for other runs', async () => {
  const seen = new EventEmitter();
  const shard = { shard: 0 };
  const writer = {
    takeAbandoned: async () => ({ taken: [] }),
    adoptRunning: async () => assert.fail('The file is damaged.'),
  };
  const inboxAfter = async (): Promise<readonly unknown[]> => {
    seen.emit('inbox');
    return [];
  };
  const client = { writer, shared: { inboxAfter } };
  const store = {
    shards: new Map([[0, shard]]),
    client,
    health: { ok: true },
    whileUsable: (work: Promise<unknown>) => work,
    problems,
  };
  const keeper = new RecoveryLoop({
    ...{ store: store as unknown as SqliteStore, runs: {} as LiveRuns, adopts: true, attended: new Set() },
    ...{ onCancelled: async () => undefined, onStuck: () => undefined },
  });
  const delivered = once(seen, 'inbox', { signal: AbortSignal.timeout(5_000) });
  await assert.rejects(keeper.start(), /damaged/);
  await delivered;
  await keeper.stop();
});

test('a run whose due time could not be read is woken when it can be read again', async () => {
  const woken = new EventEmitter();
  let failures = 0;
  const dueRuns = async (): Promise<readonly unknown[]> => {
    if (failures === 0) return [{ n: 1, id: 'a' }];
    failures--;
    throw new Error('disk I/O error');
  };
  const earliestDue = async (): Promise<undefined> => undefined;
  const writer = {
    takeAbandoned: async () => ({ taken: [] }),
    adoptRunning: async () => ({ runs: [], stuck: [] }),
    dueRuns,
    earliestDue,
  };
  const takeUp = async ({ id }: { readonly id: string }): Promise<undefined> => void woken.emit('run', id);
  const runs = { size: 0, get: () => undefined, takeUp };
  const whileUsable = (work: Promise<unknown>): Promise<unknown> => work;
  const client = { writer, shared: { inboxAfter: async () => [] } };
  const queue = { settled: async () => undefined };
  const store = { shards: new Map([[0, { shard: 0 }]]), client, queue, health: { ok: true }, whileUsable, problems };
  const keeper = new RecoveryLoop({
    ...{ store: store as unknown as SqliteStore, runs: runs as unknown as LiveRuns, adopts: true, attended: new Set() },
    ...{ onCancelled: async () => undefined, onStuck: () => undefined },
  });
  await keeper.start();
  failures = 3;
  const wakes = once(woken, 'run', { signal: AbortSignal.timeout(5_000) });
  keeper.noteDue(Date.now());
  assert.deepEqual([await wakes, failures], [['a'], 0]);
  await keeper.stop();
});

test('a poll leaves nothing in memory', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const results: WeakRef<object>[] = [];
  const polled = new EventEmitter();
  const whileUsable = async (work: Promise<unknown>): Promise<object> => {
    await work;
    const result = {};
    results.push(new WeakRef(result));
    polled.emit('poll');
    return result;
  };
  const client = { writer: {}, shared: { inboxAfter: async () => [] } };
  const keeper = new RecoveryLoop({
    ...{ store: { client, health: { ok: true }, whileUsable } as unknown as SqliteStore, runs: {} as LiveRuns },
    ...{ adopts: false, attended: new Set(), onCancelled: async () => undefined, onStuck: () => undefined },
  });
  t.after(() => keeper.stop());
  await keeper.start();
  while (results.length < 5) await once(polled, 'poll');
  // A WeakRef keeps its target until the end of the turn that made it.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  assert.deepEqual(
    results.map((result) => result.deref()).filter((result) => result !== undefined),
    [],
  );
});
