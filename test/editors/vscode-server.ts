// VS Code for the web on a free port of 127.0.0.1, with the extension as it was built. With a folder, it shows that, and the extension talks to
// the `wf lsp` of this machine in place of its worker, as on a desktop.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { cli, root } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';

const types: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' },
  ...{ '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.ttf': 'font/ttf' },
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
  ...{ name: 'disk', publisher: 'wf-lang', version: '0.0.1', engines: { vscode: '^1.91.0' }, browser: './extension.js' },
  activationEvents: ['*', 'onFileSystem:disk'],
};

/** @param editor the folder of VS Code @param extension the folder of the extension @returns the address */
export async function serveVsCode(context: TestContext, editor: string, extension: string, folder?: string): Promise<string> {
  const disk = folder === undefined ? undefined : createDisk(context, folder);
  const server = createServer(async (request, response) => {
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
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
}

/** No gallery, no telemetry, no welcome; new files are workflows. */
const product = (authority: string, hasFolder: boolean): object => ({
  productConfiguration: { nameShort: 'Code', nameLong: 'Code', applicationName: 'code', version: '1.91.1' },
  ...(hasFolder ? { folderUri: { scheme: 'disk', authority: 'here', path: '/' } } : {}),
  additionalBuiltinExtensions: ['/extension', ...(hasFolder ? ['/disk'] : [])].map((from) => ({
    scheme: 'http',
    authority,
    path: from,
  })),
  configurationDefaults: {
    ...{ 'files.defaultLanguage': 'wf', 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off' },
    ...{ 'workbench.enableExperiments': false, 'editor.autoIndent': 'none', 'editor.autoClosingBrackets': 'never' },
    ...{ 'editor.autoClosingQuotes': 'never', 'security.workspace.trust.enabled': false, 'window.menuBarVisibility': 'hidden' },
  },
});
