// The playground in a real browser: typing, fixing, running and sharing, by keyboard alone and on a phone, without a request to any other host.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { folderWith, workflow } from '../../commands/wf.js';
import { findings } from '../../console/axe-findings.js';
import { pagesOfChromium } from '../../console/chromium.js';
import { skipUnlessSlow } from '../../root.js';
import { until } from '../../until.js';
import { startPlayground } from '../start-playground.js';

const openPage = pagesOfChromium();

interface Opened {
  readonly page: Page;
  readonly folder: string;
  readonly address: string;
}

const misspelt = workflow(
  '    if request.total is above 100:\n        reject with "too much"\n    compleet with total request.total',
);

/** Tests in a page, after a script `before` has run in it, and that it stays without errors and asks no other host. */
function use(
  title: string,
  task: (opened: Opened, t: TestContext) => Promise<void>,
  options: BrowserContextOptions & { readonly file?: string; readonly before?: string } = {},
): void {
  test(title, { skip: skipUnlessSlow }, async (t) => {
    const { file = misspelt, before, ...others } = options;
    const { path: folder } = folderWith(t, { 'order.wf': file });
    const port = await startPlayground(t, folder, '.', '--write');
    const address = `http://127.0.0.1:${port}/`;
    const { page, problems } = await openPage(t, { ...others });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) elsewhere.push(request.url());
      assert.ok(!request.url().includes('#') || request.url().startsWith(address));
    });
    if (before !== undefined) await page.addInitScript(before);
    await page.goto(address);
    await page.locator('#drawing svg').waitFor();
    await task({ page, folder, address }, t);
    assert.deepEqual(problems, []);
    assert.deepEqual(elsewhere, []);
  });
}

const text = async (page: Page): Promise<string> => (await page.locator('.cm-content').innerText()).replace(/\n\n/g, '\n');

use(
  'what is typed stays in view above its problems, and the result says that it is older than the text',
  async ({ page }) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('#result:not(.old) .lead').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('    lgo "x"\n'.repeat(3));
    await page.getByRole('button', { name: 'Error, line' }).first().waitFor();
    await page.locator('#result.old').waitFor();
    const [line, frame] = [await page.locator('.cm-line').last().boundingBox(), await page.locator('.cm-scroller').boundingBox()];
    assert.ok(
      line !== null && frame !== null && line.y + line.height <= frame.y + frame.height + 1,
      JSON.stringify([line, frame]),
    );
  },
  { file: workflow(`${'    log "a"\n'.repeat(60)}    log "b"`) },
);

use('a mistake is underlined, fixed by a button, and the run lights its lines', async ({ page, folder }) => {
  await page.locator('.wf-error').first().waitFor();
  await page.getByRole('button', { name: 'Error, line' }).waitFor();
  await page.getByRole('button', { name: 'Write "complete"' }).click();
  await page.getByText('No problems').waitFor();
  await page.locator('.wf-error').first().waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'total' }).fill('250');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('#result .rejected').first().waitFor();
  await page.locator('.wf-ran').nth(1).waitFor();
  assert.deepEqual(await page.locator('.wf-ran').allInnerTexts(), [
    '    if request.total is above 100:',
    '        reject with "too much"',
  ]);
  await page.locator('#drawing .way.lit').first().waitFor({ state: 'attached' });
  await page.getByRole('tab', { name: 'Rules' }).click();
  await page.locator('#rules td').filter({ hasText: 'above 100' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved order.wf.').waitFor();
  assert.match(readFileSync(path.join(folder, 'order.wf'), 'utf8'), /complete with total/);
});

/** While `holds` is true, drawings of the text that the worker sends wait in `held`. */
const holdDrawings = `
  Object.assign(window, { holds: false, held: [] });
  window.Worker = class extends Worker {
    set onmessage(task) {
      super.onmessage = (event) =>
        window.holds && event.data.answer?.rules !== undefined ? window.held.push(() => task(event)) : task(event);
    }
  };`;

use(
  'a drawing of the text that arrives after the run keeps its light, and an edit takes it away',
  async ({ page }) => {
    const release = (): Promise<number> => page.evaluate<number>('(holds = false, held.splice(0).map((task) => task()).length)');
    const lit = page.locator('#drawing .way.lit');
    await page.evaluate('holds = true');
    await page.getByRole('button', { name: 'Write "complete"' }).click();
    await page.getByText('No problems').waitFor();
    await until(() => page.evaluate<boolean>('held.length > 0'));
    await page.getByRole('textbox', { name: 'total' }).fill('250');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await lit.first().waitFor({ state: 'attached' });
    const count = await lit.count();
    assert.equal(await release(), 1);
    assert.equal(await lit.count(), count);
    await page.locator('.cm-content').press('Control+z');
    await lit.first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('.wf-ran').count(), 0);
  },
  { before: holdDrawings },
);

use('an address holds the whole workflow, its request and what services answer', async ({ page, address }, t) => {
  await page.getByLabel('Workflow', { exact: true }).first().waitFor();
  await page.locator('#files').selectOption({ label: 'Discount' });
  await page.locator('.cm-line').filter({ hasText: 'name: "Discount"' }).waitFor();
  await page.locator('[name="field:customer-since"]').waitFor();
  await page.getByRole('textbox', { name: 'total' }).fill('1234.5');
  await page.getByText('What services answer').click();
  await page.getByLabel(/JSON, as in a test case/).fill('{"env": {"A": "1"}}');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText(/The link is/).waitFor();
  const link = await page.evaluate<string>('location.href');
  assert.ok(link.startsWith(`${address}#w=`) && link.length < 3_000, String(link.length));
  const shown = await text(page);
  const other = await openPage(t);
  await other.page.goto(link);
  await other.page.locator('.cm-line').filter({ hasText: 'name: "Discount"' }).waitFor();
  await other.page.locator('#fields input').first().waitFor();
  assert.equal(await text(other.page), shown);
  assert.equal(await other.page.getByRole('textbox', { name: 'total' }).inputValue(), '1234.5');
  assert.equal(await other.page.locator('#around').inputValue(), '{"env": {"A": "1"}}');
  // A page that is open may still write the address of its own workflow.
  await other.page.goto('about:blank');
  await other.page.goto(`${address}#w=broken`);
  await other.page.getByText('The address holds no workflow that can be read').waitFor();
  assert.deepEqual(other.problems, []);
});

use('everything works by keyboard alone', async ({ page }) => {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.locator('#files').focus();
  await press('Tab', 'Tab', 'Tab', 'Tab');
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'editor');
  await press('Tab');
  await page.getByText('Escape, then Tab, leaves the text.').waitFor();
  await press('Control+a', 'Delete');
  await page.keyboard.type('config:\nname: "Keys"');
  await press('Enter');
  await page.keyboard.type('version: 1');
  await press('Enter', 'Shift+Tab', 'Enter');
  await page.keyboard.type('workflow:\ntrigger: when keys are pressed');
  await press('Enter');
  await page.keyboard.type('comp');
  await page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)').waitFor();
  // A list that has just opened takes no keys, so no one chooses by accident.
  await page.locator('.cm-tooltip-autocomplete [aria-selected]').waitFor();
  await page.waitForTimeout(100);
  await press('Enter');
  await page.getByText('No problems').waitFor();
  assert.match(await text(page), /\n {4}trigger: when keys are pressed\n {4}complete/);
  await press('Control+Enter');
  await page.locator('#result .completed').first().waitFor();
  await press('Control+z', 'Control+z');
  // Escape, then Tab within two seconds, leaves the editor.
  await until(async () => {
    await press('Escape', 'Tab');
    return (await page.evaluate<string>('document.activeElement.id')) !== 'editor';
  });
  await page.locator('#tab-drawing').focus();
  await press('ArrowRight');
  await page.locator('#rules').waitFor({ state: 'visible' });
});

const endless = workflow(
  '    set n to 0\n    repeat at most 100000 times:\n        repeat at most 100000 times:\n            set n to n plus 1\n    complete',
);

use(
  'a run that never ends is stopped, and the next one runs',
  async ({ page }) => {
    await page.getByText('No problems').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('It took too long, and was stopped.').waitFor({ timeout: 60_000 });
    await page.locator('#files').selectOption({ label: 'Discount' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('#result .completed').first().waitFor();
  },
  { file: endless },
);

for (const scheme of ['light', 'dark'] as const)
  use(
    `it is accessible, in ${scheme} colours`,
    async ({ page }) => {
      await page.locator('.wf-error').first().waitFor();
      assert.deepEqual(await findings(page, scheme), []);
      await page.locator('#files').selectOption({ label: 'Order review' });
      await page.locator('.cm-line').filter({ hasText: 'name: "Order review"' }).waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('#result .completed').first().waitFor();
      assert.deepEqual(await findings(page, scheme), []);
      await page.getByRole('tab', { name: 'Rules' }).click();
      assert.deepEqual(await findings(page, scheme), []);
    },
    { colorScheme: scheme },
  );

use(
  'a phone shows it without scrolling sideways',
  async ({ page }) => {
    await page.locator('#files').selectOption({ label: 'Order review' });
    await page.locator('.cm-line').filter({ hasText: 'name: "Order review"' }).waitFor();
    const sideways = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    assert.ok((await sideways()) <= 0);
    await page.getByRole('button', { name: 'Run', exact: true }).tap();
    await page.locator('#result .completed').first().waitFor();
    assert.ok((await sideways()) <= 0);
  },
  { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
);
