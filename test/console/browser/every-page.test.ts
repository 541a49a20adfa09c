// What holds for every page: accessible (axe), light and dark, on a phone, at 200 %, without errors, and small.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { isSlow, skipUnlessSlow } from '../../root.js';
import { findings } from '../axe-findings.js';
import { startChromium } from '../chromium.js';
import { type ConsoleServer, startConsole } from '../console-server.js';
import { createFakeStore } from '../fake-store.js';
import { addSample, sampleId } from '../sample-runs.js';
import { addTasks, fullStore, servedSample } from '../sample-store.js';

// The addresses of all pages of the console, over one full store. Tests of what holds for every page use this list.

interface EveryPage {
  readonly servers: readonly ConsoleServer[];
  /** Name, then address. */
  readonly pages: readonly (readonly [name: string, address: string])[];
}

async function everyPage(): Promise<EveryPage> {
  const store = fullStore(60);
  addTasks(store);
  const changed = servedSample((store.texts.values().next().value?.text ?? '').replace('"medium"', '"middle"'));
  const workflows = [changed];
  const full = await startConsole({ store, workflows });
  const empty = await startConsole({ store: createFakeStore(), workflows });
  const bare = await startConsole();
  const locked = await startConsole({ store, access: { token: 'secret-token' } });
  addSample(store, { status: 'completed', number: 500, items: 30 });
  return {
    servers: [full, empty, bare, locked],
    pages: [
      ['runs', `${full.url}/console`],
      ['runs, filtered', `${full.url}/console?status=error&q=Ada&since=24h`],
      ['runs, none that match', `${full.url}/console?q=nothing-at-all`],
      ['runs, none at all', `${empty.url}/console`],
      ['runs, nothing served', `${bare.url}/console`],
      ...(['running', 'completed', 'waiting', 'rejected', 'error', 'stuck', 'cancelled'] as const).map(
        (state): [string, string] => [
          `a run: ${state}`,
          `${full.url}/console/runs/${[...store.runs.values()].find(({ detail }) => detail.status === state)?.detail.run}`,
        ],
      ),
      ['a run of 10,000 effects', `${full.url}/console/runs/${sampleId(9_000)}`],
      ['one round', `${full.url}/console/runs/${sampleId(9_000)}?r39=10`],
      ['the drawing of a run', `${full.url}/console/runs/${sampleId(9_000)}/drawing`],
      ['an effect', `${full.url}/console/runs/${sampleId(7)}/effects/0`],
      ['the effects of a line', `${full.url}/console/runs/${sampleId(9_000)}/lines/42`],
      ['a value', `${full.url}/console/runs/${sampleId(9_000)}/values/request?at=/items`],
      ['cancel', `${full.url}/console/runs/${sampleId(2)}/cancel`],
      ['rerun', `${full.url}/console/runs/${sampleId(7)}/rerun?from=failure`],
      ['two runs', `${full.url}/console/compare?run=${sampleId(3)}&run=${sampleId(7)}`],
      ['tasks', `${full.url}/console/tasks`],
      ['tasks, none', `${empty.url}/console/tasks`],
      ['a task by link', `${full.url}/tasks/t-3?key=key-of-t-3`],
      ['an answered task by link', `${full.url}/tasks/t-4?key=key-of-t-4`],
      ['an unknown task', `${full.url}/tasks/t-4?key=wrong`],
      ['workflows', `${full.url}/console/workflows`],
      ['the calls of a workflow', `${full.url}/console/workflows/refund/calls`],
      ['the versions of a workflow', `${full.url}/console/workflows/refund/versions`],
      ['workflows, none', `${bare.url}/console/workflows`],
      ['a workflow', `${full.url}/console/workflows/refund`],
      ['the drawing of a workflow', `${full.url}/console/workflows/refund/drawing`],
      ['the start of a run', `${full.url}/console/workflows/refund/start`],
      ['runs by reason, sorted', `${full.url}/console?by=reason&sort=longest&waiting=1h`],
      ['a version', `${full.url}/console/workflows/refund/versions/${[...store.texts.keys()][0]}`],
      ['nothing here', `${full.url}/console/none`],
      ['sign in', `${locked.url}/console`],
    ],
  };
}

let browser: Browser;
let all: EveryPage;
before(async () => {
  if (!isSlow) return;
  [browser, all] = await Promise.all([startChromium(), everyPage()]);
});
after(async () => {
  await browser?.close();
  await Promise.all((all?.servers ?? []).map((server) => server.close()));
});

async function visitAll(options: BrowserContextOptions, look: (page: Page, name: string) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser reports a page with status 401 or 404 as an error.
    if (message.type() === 'error' && !/status of 40[14]/.test(message.text())) problems.push(message.text());
  });
  for (const [name, address] of all.pages) {
    await page.goto(address, { waitUntil: 'load' });
    await look(page, name);
    assert.deepEqual(problems, [], name);
  }
  await context.close();
}

const isWithin = (page: Page): Promise<boolean> => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');

for (const width of [1280, 768, 360])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`every page is accessible and fits ${width} pixels, ${colorScheme}`, { skip: skipUnlessSlow }, async () => {
      const device = width < 1000 && { hasTouch: true, isMobile: true };
      const options = {
        viewport: { width, height: 740 },
        ...device,
        colorScheme,
        reducedMotion: 'reduce',
        bypassCSP: true,
      } as const;
      await visitAll(options, async (page, name) => {
        assert.ok(await isWithin(page), name);
        assert.deepEqual(await findings(page, colorScheme), [], name);
      });
    });

test('keeps everything at 200 %', { skip: skipUnlessSlow }, async () => {
  await visitAll({ viewport: { width: 640, height: 480 }, deviceScaleFactor: 2 }, async (page, name) => {
    assert.ok(await isWithin(page), name);
    assert.ok(await page.locator('h1').first().isVisible(), name);
  });
});

test('every page with all its files has less than 60 KB', { skip: skipUnlessSlow }, async () => {
  // What the browser has loaded, each address once: a page that follows something fetches itself again, at any time.
  const script = `[...new Map(performance.getEntries().filter((entry) => 'decodedBodySize' in entry && !entry.name.endsWith('/live'))
    .map((entry) => [entry.name, entry.decodedBodySize]).reverse())]`;
  await visitAll({}, async (page, name) => {
    const loaded = await page.evaluate<[name: string, bytes: number][]>(script);
    const total = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
    const { origin } = new URL(page.url());
    assert.ok(
      loaded.every(([one]) => new URL(one).origin === origin),
      `${name}: something comes from another host`,
    );
    assert.ok(total > 15_000 && total < 60_000, `${name}: ${total} bytes`);
  });
});
