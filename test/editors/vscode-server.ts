// VS Code for the web on a free port of 127.0.0.1, with the extension as it was built.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';

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

/** @param editor the folder of VS Code @param extension the folder of the extension @returns the address */
export async function serveVsCode(context: TestContext, editor: string, extension: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const send = (content: string | Buffer, type: string): void => {
      response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' });
      response.end(content);
    };
    if (pathname === '/') return send(page, 'text/html');
    if (pathname === '/product.json') return send(JSON.stringify(product(request.headers.host ?? '')), 'application/json');
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
const product = (authority: string): object => ({
  productConfiguration: { nameShort: 'Code', nameLong: 'Code', applicationName: 'code', version: '1.91.1' },
  additionalBuiltinExtensions: [{ scheme: 'http', authority, path: '/extension' }],
  configurationDefaults: {
    ...{ 'files.defaultLanguage': 'wf', 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off' },
    ...{ 'workbench.enableExperiments': false, 'editor.autoIndent': 'none', 'editor.autoClosingBrackets': 'never' },
    ...{ 'editor.autoClosingQuotes': 'never', 'security.workspace.trust.enabled': false, 'window.menuBarVisibility': 'hidden' },
  },
});
