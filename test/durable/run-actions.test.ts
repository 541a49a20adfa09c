// A run is cancelled by the process that has it, which may be suspended, or be quicker than the request.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../src/durable/durable-engine.js';
import type { ChangeNews } from '../../src/durable/engine/change-news.js';
import type { LiveRuns } from '../../src/durable/engine/live-runs.js';
import type { RecoveryLoop } from '../../src/durable/engine/recovery-loop.js';
import { RunActions } from '../../src/durable/engine/run-actions.js';
import { type InboxKind, inboxKinds } from '../../src/durable/model/messages.js';
import type { DurableStatus } from '../../src/durable/model/run-views.js';
import type { Store } from '../../src/durable/store/port.js';
import type { RunLookup } from '../../src/durable/views/run-lookup.js';
import { standIn } from '../stand-in.js';
import { fakeClock } from './fake-clock.js';

const run = '01a2056c-b4d2-76bf-a6bf-61fa527e084e';

interface Asked {
  readonly change: Change;
  readonly asked: unknown[];
}

/** Changes a run of another process. @param next its state whenever the request looks again */
async function changed(t: TestContext, what: 'cancel' | 'resume', first: DurableStatus, next: DurableStatus): Promise<Asked> {
  const asked: unknown[] = [];
  let status = first;
  const lookup = { state: async () => ({ run, status }), changeable: async () => ({ state: { run, status } }) };
  const addToInbox = async (_: string, kind: InboxKind): Promise<number> => {
    asked.push(kind);
    status = next;
    return 1;
  };
  const custody = { patienceMs: 5_000, take: async () => 'elsewhere' as const, cancelFree: async () => ({ done: [], over: [] }) };
  const store = {
    custody,
    health: { ok: true },
    whileUsable: (work: Promise<unknown>) => work,
    client: { shared: { addToInbox, isInInbox: async () => true } },
  };
  const runs = { get: () => undefined, find: async () => undefined, holds: () => false };
  const recovery = standIn<RecoveryLoop>({ hurry: async () => undefined });
  const actions = new RunActions({
    store: standIn<Store>(store),
    lookup: standIn<RunLookup>(lookup),
    runs: standIn<LiveRuns>(runs),
    news: {} as ChangeNews,
    recovery: async () => recovery,
    continues: () => false,
  });
  // Its patience of five seconds.
  fakeClock.hurry(0);
  t.after(() => fakeClock.hurry(1));
  return { change: await actions[what](run), asked };
}

/** Cancels a waiting run of another process. */
const cancelled = (t: TestContext, next: DurableStatus): Promise<Asked> => changed(t, 'cancel', 'waiting', next);

test('a run whose process does not move is cancelled when it moves again, and the request is accepted', async (t) => {
  const { change, asked } = await cancelled(t, 'waiting');
  assert.deepEqual([change.kind, asked], ['done', [inboxKinds.cancel]]);
});

test('a run that ended before it was cancelled was not cancelled', async (t) => {
  const { change } = await cancelled(t, 'completed');
  assert.equal(change.kind, 'not possible');
});

test('a stuck run whose process does not move is tried again when it moves, and the request is accepted', async (t) => {
  const { change, asked } = await changed(t, 'resume', 'stuck', 'stuck');
  assert.deepEqual([change.kind, asked], ['asked', [inboxKinds.resume]]);
});
