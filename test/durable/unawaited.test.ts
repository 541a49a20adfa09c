// Promises that no one may wait for any more: when one fails, the process must not report an error that nobody handled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import type { LiveRun } from '../../src/durable/engine/live-run.js';
import { RunWatchers } from '../../src/durable/engine/live-run.js';
import type { LiveRuns } from '../../src/durable/engine/live-runs.js';
import { RunWaits } from '../../src/durable/engine/run-waits.js';
import type { StoreAccess } from '../../src/durable/store/port.js';
import { StoreHealth } from '../../src/durable/store/shared/availability.js';
import type { RunLookup } from '../../src/durable/views/run-lookup.js';
import type { HttpExchange } from '../../src/server/app/exchange.js';
import { createStoredRun } from '../../src/server/runs-api/start-stored-run.js';
import type { ServerLog } from '../../src/server/server-log.js';
import type { Route } from '../../src/server/workflows/route-table.js';
import { standIn } from '../stand-in.js';

const failure = (): Promise<never> => Promise.reject(new Error('database or disk is full'));

/** Node.js reports unhandled rejections before the next turn, and its test runner fails the test. */
const reported = (): Promise<void> => setImmediate();

test('work that is begun while the store is unavailable', async () => {
  const health = new StoreHealth(() => undefined);
  health.report({ calls: 'the disk is full' });
  assert.equal(await health.whileUsable(failure()), undefined);
  await reported();
});

test('the end of a run whose caller has its answer', async () => {
  const started = async () => ({ kind: 'started' as const, run: 'one', end: failure() });
  const run = createStoredRun({
    store: standIn<DurableEngine>({ start: started }),
    log: {} as ServerLog,
    timeoutMs: undefined,
    received: () => undefined,
  });
  const route = standIn<Route>({ prepared: { workflow: {} } });
  const exchange = standIn<HttpExchange>({ request: { headers: { prefer: 'respond-async' } } });
  assert.equal((await run(exchange, route, {})).status, 202);
  await reported();
});

test('the end of a run whose state cannot be read', async () => {
  const lookup = standIn<RunLookup>({ state: failure });
  const watchers = new RunWatchers();
  const run = { id: '0192a1b2c3d47000800000000000beef', watchers, journal: {} };
  const waits = new RunWaits({} as LiveRuns, lookup, {} as StoreAccess);
  const { end } = waits.started(standIn<LiveRun>(run));
  watchers.tell({ kind: 'parked' });
  await reported();
  await assert.rejects(end, /disk is full/, 'whoever waits for it is told');
});
