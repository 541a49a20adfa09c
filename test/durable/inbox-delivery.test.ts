// What arrives for the runs of a folder is delivered once, whatever fails or happens while it is being delivered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InboxDelivery } from '../../src/durable/engine/inbox-delivery.js';
import type { LiveRun } from '../../src/durable/engine/live-run.js';
import type { LiveRuns } from '../../src/durable/engine/live-runs.js';
import { type InboxKind, inboxKinds } from '../../src/durable/model/messages.js';
import { type ShardWrite, type StoredState, storedStates } from '../../src/durable/model/run-rows.js';
import type { SqliteStore } from '../../src/durable/store/sqlite/sqlite-store.js';

interface Row {
  readonly id: number;
  readonly run: string;
  readonly kind: InboxKind;
}

/** A store with these rows, whose runs are in one shard of this process; nothing is in memory unless a test puts it there. */
function scene(rows: Row[], states: Record<string, StoredState> = {}) {
  const did: string[] = [];
  const writes: ShardWrite[] = [];
  const shard = { shard: 0, write: (write: ShardWrite) => writes.push(write) };
  const loading = new Map<string, Promise<LiveRun | undefined>>();
  const parts = {
    ...{ rows, states, did, writes, loading, isReady: true },
    /** Called with each question to the store, before it is answered. */
    onAsked: async (_what: 'inbox' | 'runs'): Promise<void> => undefined,
    onCancelled: async (id: string): Promise<void> => void did.push(`cancel ${id}`),
  };
  const writer = {
    async ownRuns(ids: string[]) {
      await parts.onAsked('runs');
      return ids.map((id, n) => ({ id, shard: 0, n, state: states[id] ?? storedStates.waiting }));
    },
  };
  const shared = {
    async inboxAfter(last: number) {
      const found = rows.filter(({ id }) => id > last);
      await parts.onAsked('inbox');
      return found;
    },
    async removeFromInbox(ids: number[]) {
      for (const id of ids) rows.splice(rows.findIndex((row) => row.id === id) >>> 0, 1);
    },
  };
  const queue = { settled: async () => undefined, flush: () => undefined };
  const runs = { get: () => undefined, find: (id: string) => loading.get(id), holds: (id: string) => loading.has(id) };
  const delivery = new InboxDelivery({
    store: { shards: new Map([[0, shard]]), queue, client: { writer, shared } } as unknown as SqliteStore,
    runs: runs as unknown as LiveRuns,
    isReady: () => parts.isReady,
    continues: () => true,
    wake: ({ id }) => void did.push(`wake ${id}`),
    onCancelled: ({ id }) => parts.onCancelled(id),
  });
  return Object.assign(parts, { delivery });
}

test('what the store could not look up is delivered the next time', async () => {
  const parts = scene([{ id: 1, run: 'a', kind: inboxKinds.message }]);
  parts.onAsked = async (what) => {
    if (what === 'runs') throw new Error('The file is busy.');
  };
  await assert.rejects(parts.delivery.deliver(), /busy/);
  parts.onAsked = async () => undefined;
  await parts.delivery.deliver();
  assert.deepEqual(parts.did, ['wake a']);
});

test('a row that fails is delivered the next time, those before it are not, and those behind it wait', async () => {
  const parts = scene([
    { id: 1, run: 'a', kind: inboxKinds.cancel },
    { id: 2, run: 'b', kind: inboxKinds.cancel },
    { id: 3, run: 'c', kind: inboxKinds.answer },
  ]);
  const { onCancelled } = parts;
  parts.onCancelled = async (id) => (id === 'b' ? assert.fail('The disk is full.') : onCancelled(id));
  await assert.rejects(parts.delivery.deliver(), /disk is full/);
  parts.onCancelled = onCancelled;
  await parts.delivery.deliver();
  await parts.delivery.deliver();
  assert.deepEqual(parts.did, ['cancel a', 'cancel b', 'wake c']);
  assert.deepEqual(parts.rows, [{ id: 3, run: 'c', kind: inboxKinds.answer }], 'an answer stays until it is in the journal');
});

test('two deliveries at the same time handle a row once', async () => {
  const parts = scene([{ id: 1, run: 'a', kind: inboxKinds.message }]);
  await Promise.all([parts.delivery.deliver(), parts.delivery.deliver()]);
  assert.deepEqual(parts.did, ['wake a']);
});

test('what was skipped is delivered after an adoption, also if that happens during a delivery', async () => {
  const parts = scene([{ id: 1, run: 'a', kind: inboxKinds.message }]);
  parts.isReady = false;
  parts.onAsked = async (what) => {
    if (what === 'runs') parts.delivery.forget();
  };
  await parts.delivery.deliver();
  assert.deepEqual(parts.did, []);
  parts.isReady = true;
  await parts.delivery.deliver();
  assert.deepEqual(parts.did, ['wake a']);
});

test('a run that is being read from the store is cancelled as soon as it is in memory', async () => {
  const parts = scene([{ id: 1, run: 'a', kind: inboxKinds.cancel }]);
  const live = { stop: (why: string) => void parts.did.push(`stop a: ${why}`) };
  parts.loading.set('a', Promise.resolve(live as unknown as LiveRun));
  await parts.delivery.deliver();
  assert.deepEqual(parts.did, ['stop a: cancelled']);
});

test('a run that ended, or tries again, while another one was being cancelled stays as it is', async () => {
  const parts = scene(
    [
      { id: 1, run: 'slow', kind: inboxKinds.cancel },
      { id: 2, run: 'ended', kind: inboxKinds.cancel },
      { id: 3, run: 'stuck', kind: inboxKinds.resume },
    ],
    { ended: storedStates.waiting, stuck: storedStates.stuck },
  );
  const { onCancelled } = parts;
  parts.onCancelled = async (id) => {
    Object.assign(parts.states, { ended: storedStates.completed, stuck: storedStates.waiting });
    return onCancelled(id);
  };
  await parts.delivery.deliver();
  assert.deepEqual([parts.did, parts.writes], [['cancel slow', 'wake stuck'], []]);
});
