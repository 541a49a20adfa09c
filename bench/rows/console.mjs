// The console: the page of a run of 1,000 calls that nobody has looked at yet, retraced with the values beside its lines. From a request to
// the whole page, and in Chromium, if it is installed, from the first byte to what is painted.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { adminAddress, createDatabase, dropDatabase } from '../databases.mjs';
import { startServer } from '../node-process.mjs';
import { absolute, show } from '../result.mjs';
import { median } from '../statistics.mjs';
import { here } from '../workspace.mjs';
import { serveText } from './durable-serving.mjs';

const OF = 'the page of a run of 1,000 calls';
const PAGE = `${OF} in the console`;
const STORES = ['folder', 'PostgreSQL'];
const paintedIn = (store) => `${OF} in Chromium, first byte to painted, ${store}`;
const bytesIn = (store) => `${OF} with all its files, ${store}`;

export const names = [PAGE, ...STORES.flatMap((store) => [paintedIn(store), bytesIn(store)])];

const MOST_BYTES = 60 * 1024;

const program = `config:
    name: "Many"
    version: 1

services:
    Stock is an API at "{env.STOCK_URL}"

workflow:
    trigger: when it is measured

    set total to 0
    for each item in request.items:
        get the stock of item using Stock at "/item/{item}"
            save the result as found
        set total to total plus found.stock
    complete with total total
`;

export async function measure({ place, rounds, wanted }) {
  const rows = [];
  const isWanted = (store) => wanted(paintedIn(store)) || wanted(bytesIn(store));
  const chromium = STORES.some(isWanted) ? await startChromium() : undefined;
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const env = { STOCK_URL: `http://127.0.0.1:${stub.port}` };
  try {
    for (const store of STORES) {
      const isSeen = chromium !== undefined && isWanted(store);
      if (!isSeen && !(store === 'folder' && wanted(PAGE))) continue;
      const admin = store === 'folder' ? undefined : adminAddress();
      if (store !== 'folder' && admin === undefined) continue;
      const at = admin === undefined ? path.join(place.fresh(), 'runs') : await createDatabase(admin);
      const server = await serveText(place, program, env, '--store', at, '--console');
      try {
        const url = `http://127.0.0.1:${server.port}`;
        if (store === 'folder' && wanted(PAGE)) rows.push(await measureAnswer(url, rounds, server));
        if (isSeen) rows.push(...(await measurePage(chromium, url, store, rounds)));
      } finally {
        await server.stop();
        if (admin !== undefined) await dropDatabase(admin, at);
      }
    }
    return rows.filter(({ name }) => wanted(name));
  } finally {
    await chromium?.close();
    await stub.stop();
  }
}

async function measureAnswer(url, rounds, server) {
  const [figures, worked] = [[], []];
  // The first round also compiles the console, as the first page after a start does.
  for (let round = 0; round <= rounds; round++) {
    const run = await newRun(url);
    const before = server.processorTime();
    const asked = performance.now();
    const page = await fetch(`${url}/console/runs/${run}`);
    const text = await page.text();
    if (round > 0) {
      figures.push(performance.now() - asked);
      if (before !== undefined) worked.push(server.processorTime() - before);
    }
    if (!text.includes('1000 rounds')) throw new Error(`The page shows no rounds:\n${text.slice(0, 500)}`);
  }
  const processor = worked.length === 0 ? '' : `; processor time of the server ${show(median(worked), 'ms')}`;
  return absolute({ name: PAGE, unit: 'ms', figures, atMost: 300, note: `each round another run${processor}` });
}

async function newRun(url) {
  const started = await fetch(`${url}/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: Array.from({ length: 1_000 }, (_, index) => index) }),
  });
  await started.arrayBuffer();
  return started.headers.get('x-run-id');
}

/** Each round in a fresh profile, so that every file of the page is loaded. */
async function measurePage(chromium, url, store, rounds) {
  const seen = [];
  for (let round = 0; round <= rounds; round++) {
    const run = await newRun(url);
    const context = await chromium.newContext();
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(`${url}/console/runs/${run}`, { waitUntil: 'load' });
    await page.getByText('1000 rounds').waitFor();
    const figures = await page.evaluate(`(async () => {
      const painted = () => performance.getEntriesByName('first-contentful-paint')[0];
      while (painted() === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
      const [navigation] = performance.getEntriesByType('navigation');
      const files = performance.getEntriesByType('resource').filter(({ initiatorType }) => ['link', 'script'].includes(initiatorType));
      return {
        painted: painted().startTime - navigation.responseStart,
        fromClick: painted().startTime,
        bytes: [navigation, ...files].reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
      };
    })()`);
    const { metrics } = await devTools.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
    if (round > 0) seen.push({ ...figures, processor: seconds * 1000 });
    await context.close();
  }
  const all = (field) => seen.map((one) => one[field]);
  const note = `from the click ${show(median(all('fromClick')), 'ms')}; processor time of the page ${show(median(all('processor')), 'ms')}; each round another run`;
  return [
    absolute({ name: paintedIn(store), unit: 'ms', figures: all('painted'), atMost: 300, note }),
    absolute({ name: bytesIn(store), unit: 'bytes', figures: all('bytes'), atMost: MOST_BYTES, note: 'without compression' }),
  ];
}

async function startChromium() {
  const executablePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
  if (executablePath === undefined) {
    console.log('Skipped the rows in Chromium: it is not installed.');
    return undefined;
  }
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}
