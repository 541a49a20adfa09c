// What arrives for the runs of a folder is delivered once, whatever fails or happens while it is being delivered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeNews } from '../../src/durable/engine/change-news.js';
import type { LiveRun } from '../../src/durable/engine/live-run.js';
import type { LiveRuns } from '../../src/durable/engine/live-runs.js';
import { RecoveryLoop } from '../../src/durable/engine/recovery-loop.js';
import { RunActions } from '../../src/durable/engine/run-actions.js';
import { type InboxKind, inboxKinds } from '../../src/durable/model/messages.js';
import { type StoredState, type StoreWrite, storedStates } from '../../src/durable/model/run-rows.js';
import { FolderCustody } from '../../src/durable/store/sqlite/folder-custody.js';
import type { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';
import type { RunLookup } from '../../src/durable/views/run-lookup.js';
import { standIn } from '../stand-in.js';

interface Row {
  readonly id: number;
  readonly run: string;
  readonly kind: InboxKind;
}

/** A store with these rows, whose runs are in one shard of this process; nothing is in memory unless a test puts it there. */
async function scene(rows: Row[], states: Record<string, StoredState> = {}) {
  const did: string[] = [];
  const writes: StoreWrite[] = [];
  const loading = new Map<string, Promise<LiveRun | undefined>>();
  const parts = {
    rows,
    states,
    did,
    writes,
    loading,
    /** Called with each question to the store, before it is answered. */
    onAsked: async (_what: 'inbox' | 'runs'): Promise<void> => undefined,
    /** Called before a run that is not in memory is cancelled. */
    onCancel: async (_id: string): Promise<void> => undefined,
  };
  const shard = {
    shard: 0,
    write(write: StoreWrite): number {
      writes.push(write);
      if (write[0] === 'end') {
        did.push(`cancel ${idOf(write[1])}`);
        states[idOf(write[1])] = write[2];
      }
      return 0;
    },
  };
  const ids = [...new Set(rows.map(({ run }) => run))];
  const idOf = (n: number): string => ids[n] ?? '';
  const writer = {
    async ownRuns(wanted: string[]) {
      await parts.onAsked('runs');
      return wanted.map((id) => ({ id, shard: 0, n: ids.indexOf(id), state: states[id] ?? storedStates.waiting, due: null }));
    },
    takeShard: async () => shard,
    takeAbandoned: async () => ({ taken: [] }),
    adoptRunning: async () => ({ runs: [], stuck: [] }),
  };
  const shared = {
    async inboxAfter(last: number) {
      const found = rows.filter(({ id }) => id > last);
      await parts.onAsked('inbox');
      return found;
    },
    async removeFromInbox(done: number[]) {
      for (const id of done) rows.splice(rows.findIndex((row) => row.id === id) >>> 0, 1);
    },
    async endShared(ended: readonly string[]) {
      for (const id of ended) await parts.onCancel(id);
    },
  };
  const queue = { settled: async () => undefined, flush: () => undefined, isLost: false };
  const folder = {
    shards: new Map([[0, shard]]),
    queue,
    client: { writer, shared },
    own: () => shard,
    problems: { report() {} },
  };
  const custody = new FolderCustody(standIn<SqliteStore>(folder));
  const store = Object.assign(folder, { custody, health: { ok: true }, whileUsable: <T>(work: Promise<T>) => work });
  const runs = {
    size: 0,
    get: () => undefined,
    all: () => [],
    load: async () => undefined,
    find: (id: string) => loading.get(id) ?? Promise.resolve(undefined),
    holds: (id: string) => loading.has(id),
    takeUp: async ({ id }: { id: string }) => void did.push(`wake ${id}`),
  };
  const actions = new RunActions({
    store: standIn<SqliteStore>(store),
    runs: standIn<LiveRuns>(runs),
    lookup: {} as RunLookup,
    news: standIn<ChangeNews>({ run: () => undefined, tasks: () => undefined }),
    recovery: async () => loop,
    continues: () => true,
  });
  const loop = new RecoveryLoop({
    store: standIn<SqliteStore>(store),
    runs: standIn<LiveRuns>(runs),
    adopts: true,
    attended: new Set<string>(),
    onArrival: (arrivals, own) => actions.handle(arrivals, own),
    onStuck: () => undefined,
    onFault: () => undefined,
  });
  return Object.assign(parts, { custody, deliver: () => loop.hurry() });
}

test('what the store could not look up is delivered the next time', async () => {
  const parts = await scene([{ id: 1, run: 'a', kind: inboxKinds.message }]);
  parts.onAsked = async (what) => {
    if (what === 'runs') throw new Error('The file is busy.');
  };
  await assert.rejects(parts.deliver(), /busy/);
  parts.onAsked = async () => undefined;
  await parts.deliver();
  assert.deepEqual(parts.did, ['wake a']);
});

test('a row that fails is delivered the next time, those before it are not, and those behind it wait', async () => {
  const parts = await scene([
    { id: 1, run: 'a', kind: inboxKinds.cancel },
    { id: 2, run: 'b', kind: inboxKinds.cancel },
    { id: 3, run: 'c', kind: inboxKinds.answer },
  ]);
  const { onCancel } = parts;
  parts.onCancel = async (id) => (id === 'b' ? assert.fail('The disk is full.') : onCancel(id));
  await assert.rejects(parts.deliver(), /disk is full/);
  parts.onCancel = onCancel;
  await parts.deliver();
  await parts.deliver();
  assert.deepEqual(parts.did, ['cancel a', 'cancel b', 'wake c']);
  assert.deepEqual(parts.rows, [{ id: 3, run: 'c', kind: inboxKinds.answer }], 'an answer stays until it is in the journal');
});

test('two deliveries at the same time handle a row once', async () => {
  const parts = await scene([{ id: 1, run: 'a', kind: inboxKinds.message }]);
  await Promise.all([parts.deliver(), parts.deliver()]);
  assert.deepEqual(parts.did, ['wake a']);
});

test('what was skipped is delivered after an adoption, also if that happens during a delivery', async () => {
  const parts = await scene([{ id: 1, run: 'a', kind: inboxKinds.message }]);
  await parts.custody.serve();
  parts.onAsked = async (what) => {
    if (what === 'runs') parts.custody.deliverAgain();
  };
  await parts.deliver();
  assert.deepEqual(parts.did, []);
  parts.onAsked = async () => undefined;
  await parts.custody.adopt();
  await parts.deliver();
  assert.deepEqual(parts.did, ['wake a']);
});

test('a run that is being read from the store is cancelled as soon as it is in memory', async () => {
  const parts = await scene([{ id: 1, run: 'a', kind: inboxKinds.cancel }]);
  const live = { stop: (why: string) => void parts.did.push(`stop a: ${why}`) };
  parts.loading.set('a', Promise.resolve(standIn<LiveRun>(live)));
  await parts.deliver();
  assert.deepEqual(parts.did, ['stop a: cancelled']);
});

test('a run that ended, or tries again, while another one was being cancelled stays as it is', async () => {
  const parts = await scene(
    [
      { id: 1, run: 'slow', kind: inboxKinds.cancel },
      { id: 2, run: 'stuck', kind: inboxKinds.resume },
      // Cancelled together with the first one, it would not have ended by then.
      { id: 3, run: 'ended', kind: inboxKinds.cancel },
    ],
    { ended: storedStates.waiting, stuck: storedStates.stuck },
  );
  parts.onCancel = async () => void Object.assign(parts.states, { ended: storedStates.completed, stuck: storedStates.waiting });
  await parts.deliver();
  assert.deepEqual([parts.did, parts.writes.map(([kind, n]) => [kind, n])], [['cancel slow'], [['end', 0]]]);
});
