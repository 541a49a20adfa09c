// Some three hundred runs of an ordinary week in a real store: what the tests of the console's second look, in real browsers, begin with.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { WfRecord } from '../../../runtime/types.js';
import type { DurableEngine } from '../../../src/durable/durable-engine.js';
import { prepare } from '../../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../../src/engine/prepare/prepared.js';
import { type StoreKind, storeKinds, testStore } from '../../durable/test-store.js';
import { root } from '../../root.js';
import { startServer } from '../../server/test-server.js';
import { endWithTest } from '../../temporary-folder.js';
import { until } from '../../until.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SecondLook {
  readonly kind: StoreKind;
  readonly url: string;
  /** The same store, served by a server that asks for a token. */
  readonly locked: string;
  readonly store: DurableEngine;
  readonly runs: Readonly<
    Record<'expired' | 'cancelled' | 'large' | 'skipped' | 'order' | 'retrying' | 'small' | 'long' | 'huge' | 'thousand', string>
  >;
  readonly start: (workflow: WorkflowName, request: WfRecord, until?: 'begun' | 'ended' | 'paused') => Promise<string>;
  /** How many refunds Payments has been asked for. */
  readonly refunds: () => number;
  /** From now on, the answers of stocks whose order begins with SLOW are held back; the function lets them go. */
  readonly letGo: () => void;
  /** Ends the first server and its connections. The function starts it again at the same address. */
  readonly restart: () => Promise<() => Promise<void>>;
}

type WorkflowName = 'refund' | 'order' | 'parcels';

/** A store with what is in it from earlier days, and the means to add more. */
interface Begun extends Pick<SecondLook, 'kind' | 'store' | 'start' | 'refunds' | 'letGo'> {
  readonly env: Record<string, string>;
  readonly workflows: readonly Prepared[];
  readonly setDown: (isDown: boolean) => void;
}

/** Stores of both kinds, as far as there are servers for them. */
export async function secondLooks(t: TestContext): Promise<readonly SecondLook[]> {
  const begun: Begun[] = [];
  // Ids of runs in one process never go back in time, so what is old comes first.
  const { now } = Date;
  for (const kind of storeKinds) {
    const one = await begin(t, kind);
    if (one === undefined) continue;
    begun.push(one);
  }
  Date.now = () => now() - 4 * DAY_MS;
  for (const { start } of begun)
    for (const [customer, amount] of [
      ['Edith Clarke', 900],
      ['Mary Jackson', 901],
    ] as const)
      await start('refund', { customer, amount }, 'paused');
  Date.now = () => now() - 3 * HOUR_MS;
  for (const { start, setDown } of begun) {
    setDown(true);
    await start('refund', { customer: 'Before nine', amount: 20 });
    setDown(false);
  }
  Date.now = now;
  return Promise.all(begun.map((one) => filled(t, one)));
}

async function begin(t: TestContext, kind: StoreKind): Promise<Begun | undefined> {
  const { folder, env, open, database } = await testStore(t, kind);
  if (kind === 'PostgreSQL' && database === undefined) return undefined;
  let [isDown, refunds, tries] = [false, 0, 0];
  const held = new Set<() => void>();
  const service = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { url = '' } = request;
    const answer = (status: number, value: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    if (url.startsWith('/chat')) return answer(200, {});
    if (url.startsWith('/stock/SLOW')) return void held.add(() => answer(200, { left: 7 }));
    if (url.startsWith('/stock/RETRY')) return answer(503, { message: `Closed for stocktaking, try ${++tries}.` });
    if (url.startsWith('/stock/')) return answer(200, { left: 7 });
    refunds++;
    if (body.includes('Ada Lovelace'))
      answer(402, { message: 'The card has expired.', code: 'expired_card' }, { 'X-Request-Id': 'req-77' });
    else if (isDown) answer(503, { message: 'Payments is down for maintenance.' }, { 'Retry-After': '120' });
    else answer(200, { id: `R-${refunds}` });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  endWithTest(t, async () => {
    service.closeAllConnections();
    service.close();
  });
  // It listens on a port.
  Object.assign(env, {
    PAYMENTS_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    PAYMENTS_TOKEN: 'token-of-payments',
  });
  cpSync(path.join(root, 'test/console/files/second-look'), folder, { recursive: true });
  const compiled = async (name: string): Promise<Prepared> => {
    const prepared = await prepare(name, { cwd: folder, env });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return prepared.prepared;
  };
  const named = {
    refund: await compiled('refund.wf'),
    order: await compiled('order.wf'),
    parcels: await compiled('parcels.wf'),
    nightly: await compiled('nightly.wf'),
  };
  const store = await open();
  await store.serve();
  return {
    kind,
    store,
    env,
    workflows: Object.values(named),
    async start(workflow, request, end = 'ended') {
      const started = await store.start({ prepared: named[workflow], request, respondAsync: true });
      assert.equal(started.kind, 'started');
      if (end !== 'begun') await store.settled(started.run, end, 60_000);
      return started.run;
    },
    refunds: () => refunds,
    letGo() {
      for (const go of held) go();
      held.clear();
    },
    setDown(value) {
      isDown = value;
    },
  };
}

/** Adds what happened today, and servers. */
async function filled(t: TestContext, { env, workflows, setDown, ...look }: Begun): Promise<SecondLook> {
  const { store, start } = look;
  const thousand = await start('parcels', { parcels: Array.from({ length: 1_000 }, (_, index) => index + 1) }, 'begun');
  for (let batch = 0; batch < 13; batch++)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => start('refund', { customer: `Customer ${batch}-${index}`, amount: 10 + index })),
    );
  setDown(true);
  await Promise.all(
    Array.from({ length: 22 }, (_, index) =>
      start('refund', { customer: `Unlucky ${index}`, amount: 20, items: ['shoes', 'gift card'] }),
    ),
  );
  setDown(false);
  const expired = await start('refund', { customer: 'Ada Lovelace', amount: 120 });
  const small = await start('refund', { customer: 'Hedy Lamarr', amount: 84.5, items: ['radio', 'gift card', 'torpedo'] });
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => start('refund', { customer: `Large ${index}`, amount: 700 + index }, 'paused')),
  );
  const large = await start('refund', { customer: 'Large 8', amount: 708 }, 'paused');
  const skipped = await start('refund', { customer: 'Large 9', amount: 709 }, 'paused');
  const cancelled = await start('refund', { customer: 'Grace Hopper', amount: 800 }, 'paused');
  await store.cancel(cancelled, { name: 'Katherine', role: 'operator', way: 'http' });
  await until(async () => (await store.state(cancelled))?.status === 'cancelled');
  const runs = {
    expired,
    small,
    large,
    skipped,
    cancelled,
    thousand,
    long: await start('refund', { customer: 'Dorothy Vaughan', amount: -1 }),
    // 200 KB.
    huge: await start('refund', {
      customer: 'Annie Easley',
      amount: 30,
      items: Array.from(
        { length: 2_000 },
        (_, index) => `A parcel with the number ${index}, which nobody has collected yet, and which is large`,
      ),
    }),
    order: await start('order', { order: 'O-1' }, 'paused'),
    retrying: await start('order', { order: 'RETRY-1' }, 'paused'),
  };
  const options = { workflows, env, store, console: true, host: '127.0.0.1', userHeader: 'X-Forwarded-User' };
  let server = await startServer(t, options);
  const { port, url } = server;
  const { url: locked } = await startServer(t, { ...options, operatorToken: 'secret-token' });
  return {
    ...look,
    url,
    locked,
    runs,
    async restart() {
      const closed = new Promise((resolve) => server.server.close(resolve));
      server.server.closeAllConnections();
      await closed;
      return async () => {
        server = await startServer(t, options, undefined, port);
      };
    },
  };
}
