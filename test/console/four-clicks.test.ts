// What people come to the console for, with some three hundred runs in a store of each kind: each task takes at most four clicks, on links and
// buttons that the pages have. Nothing needs a script.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { type StoreKind, storeKinds, testStore } from '../durable/test-store.js';
import { root } from '../root.js';
import { startServer } from '../server/test-server.js';
import { until } from '../until.js';
import { type Reply, webClient } from './web-client.js';

const DAY_MS = 86_400_000;

interface Scene {
  readonly url: string;
  /** How many requests Payments has received. */
  readonly refunds: () => number;
}

/** Completed, failed, cancelled and waiting refunds; two of them have waited for four days. */
async function scene(t: TestContext, kind: StoreKind): Promise<Scene | undefined> {
  const { folder, env, open, database } = await testStore(t, kind);
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

/** Follows links and sends forms that are on the page, and counts them. */
class Clicks {
  readonly #client: ReturnType<typeof webClient>;
  page = '';
  count = 0;

  constructor(url: string) {
    this.#client = webClient(url);
  }

  async open(address: string): Promise<void> {
    this.page = (await this.#client.get(address)).text;
    this.count = 0;
  }

  /** Follows the first link whose markup fits. */
  async link(words: RegExp): Promise<void> {
    const [, address = ''] =
      [...this.page.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>[\s\S]*?<\/a>/g)].find(([link]) => words.test(link)) ?? [];
    assert.notEqual(address, '', `a link ${words}`);
    await this.#follow(await this.#client.get(unescaped(address)));
  }

  /** Sends the form that has this button, with what is typed into it. */
  async button(words: RegExp, typed: Readonly<Record<string, string>> = {}): Promise<void> {
    const form =
      [...this.page.matchAll(/<form[\s\S]*?<\/form>/g)].map(([whole]) => whole).find((whole) => words.test(whole)) ?? '';
    assert.notEqual(form, '', `a form with ${words}`);
    const [button = ''] = [...form.matchAll(/<button[^>]*>[^<]*/g)].map(([one]) => one).filter((one) => words.test(one));
    const fields = new Map<string, string>();
    for (const [input] of form.matchAll(/<input[^>]*>/g))
      if (/type="hidden"|type="search"/.test(input) || / checked/.test(input))
        fields.set(attribute(input, 'name'), attribute(input, 'value'));
    if (attribute(button, 'name') !== '') fields.set(attribute(button, 'name'), attribute(button, 'value'));
    for (const [name, value] of Object.entries(typed)) {
      assert.match(form, new RegExp(`name="${name}"`));
      fields.set(name, value);
    }
    const address = attribute(form, 'action');
    const isPost = form.startsWith('<form method="post"');
    await this.#follow(
      isPost
        ? await this.#client.post(address, [...fields])
        : await this.#client.get(`${address}?${new URLSearchParams([...fields]).toString()}`),
    );
  }

  async #follow({ status, headers, text }: Reply): Promise<void> {
    this.count++;
    this.page = status === 303 ? (await this.#client.get(headers.get('location') ?? '')).text : text;
  }
}

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

const attribute = (tag: string, name: string): string => unescaped(new RegExp(`[ ]${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

for (const kind of storeKinds)
  test(`${kind}: each of five tasks takes at most four clicks`, async (t) => {
    const found = await scene(t, kind);
    if (found === undefined) return;
    const { url, refunds } = found;
    const clicks = new Clicks(url);
    const task = async (title: string, work: () => Promise<void>): Promise<void> => {
      await clicks.open('/console');
      await work();
      assert.ok(clicks.count <= 4, `${title}: ${clicks.count} clicks`);
    };
    await task('why did the refund of Ada Lovelace fail?', async () => {
      await clicks.button(/>Filter/, { q: 'Ada Lovelace' });
      await clicks.link(/\/console\/runs\/.*>Refund</);
      assert.match(clicks.page, /class="said error">.*The card has expired\..*Line 23/);
    });
    await task('who cancelled the refund of Grace Hopper, and when?', async () => {
      await clicks.link(/number cancelled/);
      await clicks.link(/\/console\/runs\/.*>Refund</);
      assert.match(clicks.page, /Cancelled by <b><bdi>Katherine<\/bdi><\/b> over HTTP, <time/);
    });
    await task('what has waited for longer than three days?', async () => {
      assert.match(clicks.page, /<option value="3d">3 days/);
      // Opening "More" and choosing are clicks, too.
      await clicks.button(/>Filter/, { waiting: '3d' });
      clicks.count += 2;
      const about = [...clicks.page.matchAll(/<td class="about"><bdi>([^<]+)/g)].map(([, words]) => words);
      assert.deepEqual(about.sort(), ['Edith Clarke · 900', 'Mary Jackson · 901']);
    });
    await task('start a refund for Dorothy Vaughan', async () => {
      await clicks.link(/>Workflows/);
      await clicks.link(/\/console\/workflows\/refund"/);
      await clicks.link(/Start a run…/);
      await clicks.button(/>Start/, { 'field:customer': 'Dorothy Vaughan', 'field:amount': '55' });
      assert.match(clicks.page, /Dorothy Vaughan/);
    });
    await task('make good everything that failed because Payments was down', async () => {
      const before = refunds();
      await clicks.link(/number error/);
      assert.match(clicks.page, /22 × <bdi>Payments: 503/);
      await clicks.button(/Rerun all 22 of this cause/);
      assert.match(clicks.page, /<h1>Rerun 22 runs\?/);
      await clicks.button(/>Rerun them/);
      assert.match(clicks.page, /22 of 22 runs started again\./);
      await until(() => refunds() === before + 22);
      await until(async () => {
        await clicks.open('/console?status=error');
        return !clicks.page.includes('Payments: 503</bdi></a>');
      });
      assert.match(clicks.page, /1 × <bdi>Payments: 402/);
    });
  });
