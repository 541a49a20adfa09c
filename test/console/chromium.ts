// A real browser for tests and screenshots, if one is installed.
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const CANDIDATES = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath: string | undefined = CANDIDATES.find((file) => file !== '' && existsSync(file));

/** Why browser tests are skipped, for `skip`. With WF_TEST_SLOW=1 none is: without a browser, they fail. */
export const skipWithoutBrowser: string | false =
  process.env.WF_TEST_SLOW === '1' ? false : 'slow: WF_TEST_SLOW=1 runs it, in Chromium';

export async function startChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No Chromium is installed. Debian: apt-get install chromium');
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

/** A page in a fresh browser profile. Collects whatever goes wrong in `problems`. */
export async function openPage(
  t: TestContext,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  return { page, problems };
}
