// Rows of the second look that hold under whatever conditions: two tabs, a keyboard, no script, a slow or restarted server, much data, any width.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../until.js';
import { findings } from '../axe-findings.js';
import type { pagesOfChromium } from '../chromium.js';
import { has, pageTools, wordsIn } from './page-tools.js';
import type { SecondLook } from './second-look.js';

/** Cells of the first rows of tables that lie on each other. */
const OVERLAPS = `[...document.querySelectorAll('main tbody tr')].slice(0, 3).flatMap((row) => {
  const cells = [...row.cells].filter((cell) => cell.innerText.trim() !== '').map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return [cell.innerText, range.getBoundingClientRect()];
  });
  return cells.flatMap(([words, one], index) => cells.slice(index + 1).flatMap(([other, two]) =>
    one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1
      ? [words + ' | ' + other] : []));
})`;

export interface Stage {
  readonly t: TestContext;
  readonly look: SecondLook;
  /** Signed in as `ada@example.com`. */
  readonly page: Page;
  readonly openPage: ReturnType<typeof pagesOfChromium>;
}

export async function conditionRows({ t, look, page, openPage }: Stage): Promise<void> {
  const { runs, store } = look;
  const { go, goRun, line, row, button, about } = pageTools(t, look, page);

  await row('of two tabs, one shows what the other does, and going back sends nothing again', async () => {
    const run = await look.start('refund', { customer: 'Two tabs', amount: 999 }, 'paused');
    await goRun(run);
    await page.locator('#live.on').waitFor();
    const [one, other] = [await page.context().newPage(), await page.context().newPage()];
    for (const tab of [one, other]) await tab.goto(`${look.locked}/console/runs/${run}/cancel`);
    await one.getByRole('button', { name: 'Cancel the run' }).click();
    await one.locator('#state', { hasText: 'Cancelled' }).waitFor();
    await page.locator('#state', { hasText: 'Cancelled' }).waitFor();
    await other.getByRole('button', { name: 'Cancel the run' }).click();
    await has(other, 'The run is cancelled.');
    await other.reload();
    await other.goBack();
    await has(other, 'This run is over');
    await other.goto(`${look.locked}/console/workflows/refund`);
    await other.locator('#try > summary').click();
    const form = other.locator('#try form').first();
    await form.getByLabel(/^customer/).fill('Ada');
    await form.getByLabel(/^amount/).fill('20');
    await form.getByRole('button', { name: 'Run with mock services' }).click();
    await has(other, 'with mock services');
    await other.locator('.crumbs a').last().click();
    await other.waitForURL(/refund$/);
    await other.goBack();
    await other.locator('#code').waitFor();
    assert.match(await wordsIn(other.locator('main')), /Completed with mock services/);
    await Promise.all([one.close(), other.close()]);
  });

  await row('by keyboard alone, a run is found and opened, and a question answered', async () => {
    await go('/console');
    await page.keyboard.press('/');
    await page.keyboard.type('Hedy');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=Hedy/);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`runs/${runs.small}`));
    await go('/console/tasks?workflow=refund');
    await page.keyboard.press('j');
    const asked = await wordsIn(page.locator('.task').first().locator('h2'));
    const isOnButton = (): Promise<boolean> => page.evaluate<boolean>("document.activeElement.value === 'decline'");
    for (let tabs = 0; tabs < 20 && !(await isOnButton()); tabs++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await has(page, 'Your answer is recorded.');
    assert.match(page.url(), /tasks\?workflow=refund/, 'the next question of the filter follows');
    assert.match(await wordsIn(page.locator('#answered li', { hasText: asked })), /decline, answered by ada@example\.com/);
  });

  await row('where a system forces its own colours, the way of a run can be told', async () => {
    const { page: forced } = await openPage(t, { forcedColors: 'active' });
    await forced.goto(`${look.url}/console/runs/${runs.expired}`);
    const styleOf = (words: string, property: string): Promise<string> =>
      forced.evaluate<string>(`(() => {
        const line = [...document.querySelectorAll('.code li[data-v]')].find(({ innerText }) => innerText.includes('${words}'));
        return getComputedStyle('${property}' === 'color' ? line.querySelector('code') : line).getPropertyValue('${property}');
      })()`);
    assert.equal(await styleOf('send a refund', 'border-left-style'), 'double');
    assert.equal(await styleOf('set total', 'border-left-style'), 'solid');
    for (const property of ['border-left-color', 'color'])
      assert.notEqual(await styleOf('set total', property), await styleOf('complete with', property), property);
    await forced.context().close();
  });

  await row('without a script, runs are found, changed and answered', async () => {
    const { page: plain } = await openPage(t, { javaScriptEnabled: false });
    await plain.goto(`${look.url}/console`);
    await plain.locator('[name=at]').fill('00:00');
    await plain.getByLabel('Search').fill('Hedy');
    await plain.getByRole('button', { name: 'Filter' }).click();
    await plain.waitForURL(/since=\d{4}-\d\d-\d\dT00%3A00%3A00/);
    await plain.getByLabel(/^Select Refund: Hedy/).check();
    await plain.locator('.bulk').getByRole('button', { name: 'Rerun' }).click();
    await has(plain, 'Rerun 1 run?');
    await plain.locator('[name=from][value=start]').check();
    await plain.getByRole('button', { name: 'Rerun them' }).click();
    await has(plain, '1 of 1 run started again.');
    await plain.goto(`${look.url}/console/runs/${runs.small}`);
    assert.match(await wordsIn(plain.locator('#head')), /UTC/);
    await plain.locator('.code li', { hasText: 'send a refund' }).locator('summary').first().click();
    await plain.getByRole('link', { name: 'Show what was sent and received' }).first().click();
    assert.match(await wordsIn(plain.locator('main')), /Sent .*customer Hedy Lamarr/);
    await plain.goto(`${look.url}/console/tasks?workflow=refund`);
    await plain.locator('.task[open]').getByRole('button', { name: 'decline' }).click();
    await has(plain, 'Your answer is recorded.');
    await plain.context().close();
  });

  await row('while the server is slow, a form that is sent twice starts one run', async () => {
    await go('/console/workflows/refund/start');
    await page.getByLabel(/^customer/).fill('Slow server');
    await page.getByLabel(/^amount/).fill('55');
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let sent = 0;
    await page.route('**/start', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent++;
      await held;
      await route.continue().catch(() => undefined); // the first one is given up by the browser
    });
    await button('Start the run').first().dblclick({ noWaitAfter: true });
    await until(() => sent > 0);
    letGo();
    await has(page, 'The run has started.');
    await page.unroute('**/start');
    assert.equal((await store.list({ q: 'Slow server' })).runs.length, 1);
  });

  await row('a page stays open while its server starts again, and misses nothing', async () => {
    const run = await look.start('refund', { customer: 'Restart', amount: 999 }, 'paused');
    const { page: open } = await openPage(t);
    await open.goto(`${look.url}/console/runs/${run}`);
    await open.locator('#live.on').waitFor();
    const again = await look.restart();
    await has(open, 'Not connected, trying again');
    const { tasks } = await store.tasks();
    await store.answer(tasks.find((one) => one.run === run)?.task ?? '', { answer: 'approve' });
    await store.settled(run, 'ended', 60_000);
    await again();
    await open.locator('#state', { hasText: 'Completed' }).waitFor();
    await open.locator('#live.on').waitFor();
    await open.context().close();
  });

  await row('a request of 200 KB and a run of 1,000 effects are small pages', async () => {
    const bytes = (): Promise<number> =>
      page.evaluate<number>(`[...new Map(performance.getEntries().filter((one) => 'decodedBodySize' in one && !one.name.endsWith('/live'))
          .map((one) => [one.name, one.decodedBodySize])).values()].reduce((sum, one) => sum + one, 0)`);
    await store.settled(runs.thousand, 'ended', 60_000);
    await go('/console?q=the+number+1999');
    assert.deepEqual(await about(), ['Annie Easley · 30']);
    for (const [run, words] of [
      [runs.huge, /Annie Easley/],
      [runs.thousand, /All 1000 of this line/],
    ] as const) {
      await goRun(run);
      await has(page, words);
      const size = await bytes();
      assert.ok(size > 15_000 && size < 60_000, `${size}`);
    }
    await page.getByLabel('Round').fill('1000');
    await button('Show').click();
    assert.match(await wordsIn(line('get stock using')), /P-1000/);
  });

  await row('every page is accessible, and fits windows of 768 and 360 pixels', async () => {
    const { page: seen } = await openPage(t, { bypassCSP: true, reducedMotion: 'reduce' });
    // Of the other pages, the fake store has all that there is to find.
    const checked = [
      '?status=error',
      `/change?do=rerun&all=1&back=${encodeURIComponent('status=error')}`,
      `/runs/${runs.expired}`,
      '/tasks',
    ];
    const others = ['?status=waiting', `/runs/${runs.order}`, `/runs/${runs.thousand}`, '/workflows', '/workflows/refund'];
    for (const address of [...checked, ...others])
      for (const width of [768, 360]) {
        await seen.setViewportSize({ width, height: 900 });
        await seen.goto(`${look.url}/console${address}`);
        assert.ok(await seen.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${address} ${width}`);
        assert.deepEqual(await seen.evaluate<string[]>(OVERLAPS), [], `${address} ${width}`);
        if (width === 768 && checked.includes(address)) assert.deepEqual(await findings(seen, 'light'), [], address);
      }
    await seen.context().close();
  });
}
