// What holds for every page: accessible (axe), light and dark, on a phone, at 200 %, without errors, and small.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { isSlow, skipUnlessSlow } from '../../root.js';
import { findings } from '../axe-findings.js';
import { startChromium } from '../chromium.js';
import { type EveryPage, everyPage } from './every-page.js';

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

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page is accessible, ${colorScheme}`, { skip: skipUnlessSlow }, async () => {
    await visitAll({ colorScheme, reducedMotion: 'reduce', bypassCSP: true }, async (page, name) => {
      assert.deepEqual(await findings(page, colorScheme), [], name);
    });
  });
}

const isWithin = (page: Page): Promise<boolean> => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');

for (const [device, width] of [
  ['a phone', 360],
  ['a tablet', 768],
] as const)
  test(`fits ${device} of ${width} pixels, and is accessible there`, { skip: skipUnlessSlow }, async () => {
    const options = { viewport: { width, height: 740 }, hasTouch: true, isMobile: true };
    await visitAll({ ...options, colorScheme: 'light', reducedMotion: 'reduce', bypassCSP: true }, async (page, name) => {
      assert.ok(await isWithin(page), name);
      assert.deepEqual(await findings(page, 'light'), [], name);
    });
  });

test('keeps everything at 200 %', { skip: skipUnlessSlow }, async () => {
  await visitAll({ viewport: { width: 640, height: 480 }, deviceScaleFactor: 2 }, async (page, name) => {
    assert.ok(await isWithin(page), name);
    assert.ok(await page.locator('h1').first().isVisible(), name);
  });
});

test('every page with all its files has less than 57 KB', { skip: skipUnlessSlow }, async () => {
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
    assert.ok(total > 15_000 && total < 57_000, `${name}: ${total} bytes`);
  });
});
