// A real browser for tests and screenshots, if one is installed.
import { existsSync } from 'node:fs';
import { after, before, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { isSlow } from '../root.js';
import { endWithTest } from '../temporary-folder.js';

const CANDIDATES = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const chromiumPath: string | undefined = CANDIDATES.find((file) => file !== '' && existsSync(file));

export async function startChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No Chromium is installed. Debian: apt-get install chromium');
  // Takes most of a second to load, also where browser tests are skipped.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
      '--no-first-run',
    ],
  });
}

/** Milliseconds after which a test fails instead of waiting longer: as with `until`, more than a busy machine takes. */
const LONGEST = 120_000;

type OpenPage = (
  t: TestContext,
  options?: BrowserContextOptions,
) => Promise<{ readonly page: Page; readonly problems: string[] }>;

/** For the top of a test file: a browser for its tests. The function opens a page in it. */
export function pagesOfChromium(): OpenPage {
  let browser: Browser | undefined;
  before(async () => {
    if (isSlow) browser = await startChromium();
  });
  after(() => browser?.close());
  return (t, options = {}) => {
    if (browser === undefined) throw new Error('The browser is started before the tests, with WF_TEST_SLOW=1.');
    return openPage(t, browser, options);
  };
}

/** A page in a fresh browser profile. Collects whatever goes wrong in `problems`. */
async function openPage(t: TestContext, browser: Browser, options: BrowserContextOptions): ReturnType<OpenPage> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  // Before what it talks to. A request that is held back may be in flight.
  endWithTest(t, async () => {
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  page.setDefaultTimeout(LONGEST);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  return { page, problems };
}
