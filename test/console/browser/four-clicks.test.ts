// What people come to the console for, with some three hundred runs in a store of each kind: each task takes at most four clicks.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { prepare } from '../../../src/engine/prepare/prepare.js';
import { kept, type StoreKind, storeKinds } from '../../durable/kept.js';
import { root, skipUnlessSlow } from '../../root.js';
import { startServer } from '../../server/test-server.js';
import { until } from '../../until.js';
import { pagesOfChromium } from '../chromium.js';

const openPage = pagesOfChromium();

const DAY_MS = 86_400_000;

interface Scene {
  readonly url: string;
  /** How many requests Payments has received. */
  readonly refunds: () => number;
}

/** Completed, failed, cancelled and waiting refunds; two of them have waited for four days. */
async function scene(t: TestContext, kind: StoreKind): Promise<Scene | undefined> {
  const { folder, env, open, database } = await kept(t, kind);
  if (kind === 'PostgreSQL' && database === undefined) return undefined;
  let [isDown, refunds] = [false, 0];
  const payments = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    refunds++;
    const expired = body.includes('Ada Lovelace');
    response.writeHead(isDown ? 503 : expired ? 402 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(expired ? { message: 'The card has expired.' } : { id: refunds }));
  });
  await new Promise<void>((resolve) => payments.listen(0, '127.0.0.1', resolve));
  t.after(() => payments.close());
  env.PAYMENTS_URL = `http://127.0.0.1:${(payments.address() as AddressInfo).port}`; // it listens on a port
  writeFileSync(path.join(folder, 'refund.wf'), readFileSync(path.join(root, 'test/console/files/refunds.wf')));
  const prepared = await prepare('refund.wf', { cwd: folder, env });
  assert.ok(prepared.ok, JSON.stringify(prepared));
  const store = await open();
  await store.serve();
  const start = async (customer: string, amount: number, until: 'ended' | 'paused' = 'ended'): Promise<string> => {
    const started = await store.start({ prepared: prepared.prepared, request: { customer, amount }, respondAsync: true });
    assert.equal(started.kind, 'started');
    await store.settled(started.run, until, 60_000);
    return started.run;
  };
  const { now } = Date;
  Date.now = () => now() - 4 * DAY_MS;
  const waiting = [await start('Edith Clarke', 900, 'paused'), await start('Mary Jackson', 901, 'paused')];
  Date.now = now;
  for (const run of waiting) assert.equal((await store.state(run))?.status, 'waiting');
  for (let batch = 0; batch < 26; batch++)
    await Promise.all(Array.from({ length: 10 }, (_, index) => start(`Customer ${batch}-${index}`, 10 + index)));
  isDown = true;
  await Promise.all(Array.from({ length: 22 }, (_, index) => start(`Unlucky ${index}`, 20)));
  isDown = false;
  await start('Ada Lovelace', 120);
  for (let index = 0; index < 8; index++) await start(`Large ${index}`, 700 + index, 'paused');
  const cancelled = await start('Grace Hopper', 800, 'paused');
  await store.cancel(cancelled, { name: 'Katherine', role: 'operator', way: 'http' });
  await until(async () => (await store.state(cancelled))?.status === 'cancelled');
  const server = await startServer(t, { workflows: [prepared.prepared], env, store, console: true, host: '127.0.0.1' });
  return { url: server.url, refunds: () => refunds };
}

/** Counts what a person does besides typing and reading. */
class Clicks {
  count = 0;

  async on(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }

  async choose(target: Locator, label: string): Promise<void> {
    this.count++;
    await target.selectOption({ label });
  }

  async enter(page: Page): Promise<void> {
    this.count++;
    await page.keyboard.press('Enter');
  }
}

for (const kind of storeKinds)
  test(`${kind}: each of five tasks takes at most four clicks`, { skip: skipUnlessSlow }, async (t) => {
    const found = await scene(t, kind);
    if (found === undefined) return;
    const { url, refunds } = found;
    const { page, problems } = await openPage(t);
    const tile = (state: string): Locator => page.locator('#numbers').getByRole('link', { name: state });
    const task = async (title: string, work: (clicks: Clicks) => Promise<void>): Promise<void> => {
      await t.test(title, async () => {
        await page.goto(`${url}/console`);
        const clicks = new Clicks();
        await work(clicks);
        assert.ok(clicks.count <= 4, `${clicks.count} clicks`);
      });
    };

    await task('why did the refund of Ada Lovelace fail?', async (clicks) => {
      await page.keyboard.press('/');
      await page.keyboard.type('Ada Lovelace');
      await clicks.enter(page);
      await clicks.on(page.locator('#rows').getByRole('link', { name: 'Refund' }).first());
      await page.locator('.said.error').getByText('The card has expired.').waitFor();
      await page.locator('li.error').getByText('send a refund').waitFor();
    });

    await task('who cancelled the refund of Grace Hopper, and when?', async (clicks) => {
      await clicks.on(tile('Cancelled'));
      await clicks.on(page.locator('#rows').getByRole('link', { name: 'Refund' }).first());
      await page.locator('#head').getByText('Cancelled by Katherine').locator('time').waitFor();
    });

    await task('what has waited for longer than three days?', async (clicks) => {
      await clicks.on(page.locator('.filter summary'));
      await clicks.choose(page.getByLabel('Waiting for longer than'), '3 days');
      await clicks.on(page.getByRole('button', { name: 'Filter' }));
      await page.waitForURL(/waiting=3d/);
      assert.deepEqual((await page.locator('#rows .about > bdi').allTextContents()).sort(), [
        'Edith Clarke · 900',
        'Mary Jackson · 901',
      ]);
    });

    await task('start a refund for Dorothy Vaughan', async (clicks) => {
      await clicks.on(page.getByRole('link', { name: 'Workflows', exact: true }));
      await clicks.on(page.locator('main').getByRole('link', { name: 'Refund' }).first());
      await clicks.on(page.getByRole('link', { name: 'Start a run…' }));
      await page.getByLabel('customer').fill('Dorothy Vaughan');
      await page.getByLabel('amount').fill('55');
      await clicks.on(page.getByRole('button', { name: 'Start' }));
      await page.locator('#state').getByText('Completed').waitFor();
    });

    await task('make good everything that failed because Payments was down', async (clicks) => {
      const before = refunds();
      await clicks.on(tile('Failed'));
      await page.locator('#causes').getByText('22 × Payments: 503').waitFor();
      await clicks.on(page.getByRole('button', { name: 'Rerun all 22 of this cause' }));
      await page.getByRole('heading', { name: 'Rerun 22 runs?' }).waitFor();
      await clicks.on(page.getByRole('button', { name: 'Rerun them' }));
      await page.getByText('22 of 22 runs started again.').waitFor();
      await until(() => refunds() === before + 22);
      // The failures are made good, so the only cause that is left is that of Ada Lovelace.
      await until(async () => {
        await page.goto(`${url}/console?status=error`);
        return (await page.locator('#causes li').count()) === 1;
      });
      assert.match((await page.locator('#causes li').textContent()) ?? '', /^1 × Payments: 402/);
    });
    assert.deepEqual(problems, []);
  });
