// `npm run screenshots [folder]`: pictures of every page of the console, light and dark, on a tablet and a phone, full and empty.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { root } from '../root.js';
import { startChromium } from './chromium.js';
import { startConsole } from './console-server.js';
import { createFakeStore } from './fake-store.js';
import { picturedRun } from './pictured-run.js';
import { sampleId, sampleText } from './sample-runs.js';
import { addTasks, fullStore, servedSample } from './sample-store.js';

const out = path.resolve(process.argv[2] ?? path.join(root, 'screenshots'));
mkdirSync(out, { recursive: true });

const VIEWS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' }],
  ['tablet', { viewport: { width: 768, height: 1024 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2 }],
];

const store = fullStore(1_000);
addTasks(store);
const workflows = [servedSample(sampleText.replace('"medium"', '"middle"'))];
const [run, full, empty, locked] = await Promise.all([
  picturedRun(),
  startConsole({ store, workflows }),
  startConsole({ store: createFakeStore(), workflows }),
  startConsole({ store, workflows, access: { token: 'secret-token' } }),
]);
const pages: readonly (readonly [string, string])[] = [
  ['runs', `${full.url}/console`],
  ['runs-filtered', `${full.url}/console?status=error`],
  ['runs-empty', `${empty.url}/console`],
  ['run-completed', `${full.url}/console/runs/${sampleId(3)}`],
  ['run-failed', `${full.url}/console/runs/${sampleId(7)}`],
  ['run-waiting', `${full.url}/console/runs/${sampleId(2)}`],
  ['run-running', `${full.url}/console/runs/${sampleId(0)}`],
  ['run-10000', `${full.url}/console/runs/${sampleId(9_000)}`],
  ['run-round', `${full.url}/console/runs/${sampleId(9_000)}?r39=10`],
  ['run-drawing', `${full.url}/console/runs/${sampleId(3)}/drawing`],
  ['run-10000-drawing', `${full.url}/console/runs/${sampleId(9_000)}?r39=10#drawing`],
  ['run-rerun', `${full.url}/console/runs/${sampleId(7)}/rerun?from=failure`],
  ['run-line', `${full.url}/console/runs/${sampleId(9_000)}/lines/42`],
  ['tasks', `${full.url}/console/tasks`],
  ['tasks-empty', `${empty.url}/console/tasks`],
  ['task-link', `${full.url}/tasks/t-1?key=key-of-t-1`],
  ['workflows', `${full.url}/console/workflows`],
  ['workflow', `${full.url}/console/workflows/refund`],
  ['workflow-drawing', `${full.url}/console/workflows/refund/drawing`],
  ['workflow-start', `${full.url}/console/workflows/refund/start`],
  ['sign-in', `${locked.url}/console`],
];

const browser = await startChromium();
try {
  // Those in the README: the list, and the text of a run with its notes.
  const page = await browser.newPage({ viewport: { width: 1080, height: 640 }, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  await page.goto(`${full.url}/console`);
  await page.locator('#live.on').waitFor();
  await page.screenshot({ path: path.join(out, 'console-runs.png') });
  await page.goto(run.address);
  await page.locator('#live.on').waitFor();
  const [code, start] = [await page.locator('#code').boundingBox(), await page.locator('#L14').boundingBox()];
  if (code !== null && start !== null) {
    const clip = { x: code.x - 16, y: start.y - 8, width: code.width + 32, height: code.y + code.height - start.y + 24 };
    await page.screenshot({ path: path.join(out, 'console-run.png'), fullPage: true, clip });
  }
  await page.close();
  for (const [view, options] of VIEWS) {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
    const page = await context.newPage();
    for (const [name, address] of pages) {
      await page.goto(address);
      await page.locator('h1').first().waitFor();
      if (address.endsWith('#drawing')) {
        await page.locator('#drawing > summary').click();
        await page.locator('#drawing svg').waitFor();
      }
      await page.screenshot({ path: path.join(out, `${name}-${view}.png`), fullPage: name.startsWith('run-') });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await Promise.all([run, full, empty, locked].map((server) => server.close()));
}
