// The recovery loop wakes each waiting run of a folder, also one that begins to wait while it looks for others.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LiveRuns } from '../../src/durable/engine/live-runs.js';
import { RecoveryLoop } from '../../src/durable/engine/recovery-loop.js';
import { FolderCustody } from '../../src/durable/store/sqlite/folder-custody.js';
import type { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';
import { standIn } from '../stand-in.js';
import { until } from '../until.js';
import { testStore } from './test-store.js';

const problems = { report: (): void => undefined };

interface LoopParts {
  /** What the custody of a folder asks of its store. */
  readonly store: object;
  readonly runs?: object;
  readonly adopts: boolean;
}

/** A loop over a folder whose shard is number 0. A process that adopts has just taken it. */
async function loopOver({
  store,
  runs = { size: 0, get: () => undefined, all: () => [] },
  adopts,
}: LoopParts): Promise<RecoveryLoop> {
  const folder = standIn<SqliteStore>(Object.assign(store, { problems, own: (shard: object) => shard }));
  const custody = new FolderCustody(folder);
  if (adopts) await custody.serve();
  return new RecoveryLoop({
    store: Object.assign(folder, { custody }),
    runs: runs as LiveRuns,
    adopts,
    attended: new Set(),
    onArrival: async () => [],
    onStuck: () => undefined,
    onFault: () => undefined,
  });
}

test('a run that begins to wait while the loop waits for a commit is woken', async () => {
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
  const loop = await loopOver({ store, adopts: false });
  const query = async (): Promise<void> => {
    const made = once(seen, 'query');
    commits.shift()?.();
    await made;
  };
  loop.adopt();
  await once(seen, 'wants a commit');
  await query();
  loop.noteDue(Date.now());
  await once(seen, 'wants a commit');
  // That commit does not hold the wait of this run, and so the query that follows can't find it.
  loop.noteDue(Date.now() + 20);
  await query();
  await once(seen, 'wants a commit', { signal: AbortSignal.timeout(60_000) });
  await query();
  await loop.stop();
  assert.equal(commits.length, 0);
});

test('a shard that cannot be adopted does not hold up what arrives for other runs', async () => {
  const seen = new EventEmitter();
  const shard = { shard: 0 };
  const writer = {
    takeShard: async () => shard,
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
  };
  const loop = await loopOver({ store, adopts: true });
  const delivered = once(seen, 'inbox', { signal: AbortSignal.timeout(60_000) });
  await assert.rejects(loop.start(), /damaged/);
  await delivered;
  await loop.stop();
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
    takeShard: async () => ({ shard: 0 }),
    takeAbandoned: async () => ({ taken: [] }),
    adoptRunning: async () => ({ runs: [], stuck: [] }),
    dueRuns,
    earliestDue,
  };
  const takeUp = async ({ id }: { readonly id: string }): Promise<undefined> => void woken.emit('run', id);
  const runs = { size: 0, get: () => undefined, all: () => [], load: async () => undefined, takeUp };
  const whileUsable = (work: Promise<unknown>): Promise<unknown> => work;
  const client = { writer, shared: { inboxAfter: async () => [] } };
  const queue = { settled: async () => undefined };
  const store = { shards: new Map([[0, { shard: 0 }]]), client, queue, health: { ok: true }, whileUsable };
  const loop = await loopOver({ store, runs, adopts: true });
  await loop.start();
  failures = 3;
  const wakes = once(woken, 'run', { signal: AbortSignal.timeout(60_000) });
  loop.noteDue(Date.now());
  assert.deepEqual([await wakes, failures], [['a'], 0]);
  await loop.stop();
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
  const loop = await loopOver({ store: { client, health: { ok: true }, whileUsable }, adopts: false });
  t.after(() => loop.stop());
  await loop.start();
  while (results.length < 5) await once(polled, 'poll');
  // A WeakRef keeps its target until the end of the turn that made it.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  assert.deepEqual(
    results.map((result) => result.deref()).filter((result) => result !== undefined),
    [],
  );
});

test('wishes to cancel come before the runs of dead processes continue', async (t) => {
  const steps: string[] = [];
  const custody = {
    pollMs: 10,
    looksForDue: false,
    stop: () => undefined,
    deliver: async () => void steps.push('deliver'),
    adopt: async () => {
      steps.push('adopt');
      return { runs: steps.includes('continue') ? [] : [{ id: 'a', n: 1, writer: {} }], stuck: [], isNew: true };
    },
    takeDue: async () => ({ runs: [] }),
  };
  const takeUp = async (): Promise<undefined> => {
    steps.push('continue');
    return undefined;
  };
  const runs = { size: 0, get: () => undefined, all: () => [], load: async () => undefined, takeUp };
  const loop = new RecoveryLoop({
    store: standIn<SqliteStore>({ custody, health: { ok: true }, whileUsable: (work: Promise<unknown>) => work }),
    runs: standIn<LiveRuns>(runs),
    adopts: true,
    attended: new Set<string>(),
    onArrival: async () => [],
    onStuck: () => undefined,
    onFault: () => undefined,
  });
  t.after(() => loop.stop());
  await loop.start();
  assert.deepEqual(steps.slice(0, 4), ['deliver', 'adopt', 'deliver', 'continue']);
});

test('a failure that every poll meets is reported once', async (t) => {
  const { open } = await testStore(t, 'folder');
  const said: string[] = [];
  const engine = await open({ onProblem: (sentence) => void said.push(sentence) });
  await engine.serve();
  const { mock } = t.mock.method(FolderCustody.prototype, 'deliver', async () => {
    throw new Error('no such column: colour');
  });
  await until(() => mock.callCount() > 2);
  assert.deepEqual(said, ['Runs cannot be recovered at the moment: no such column: colour']);
});
