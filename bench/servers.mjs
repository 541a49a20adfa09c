// Handwritten yardsticks for `wf serve` that do the same work: `node servers.mjs http` prints its port.
// `node servers.mjs wf-express DIR` is `wf` without its fast path: everything goes through Express.
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { consoleAssetsOfTests } from '../build/console-assets.mjs';
import { grammarModulesOfTests } from '../build/grammar-modules.mjs';

const [kind, folder] = process.argv.slice(2);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

function review({ id, price, quantity }) {
  const total = price * quantity;
  if (total > 1000) return [400, { status: 'rejected', message: `too large: ${total}` }];
  return [200, { status: 'completed', outputs: { id, total } }];
}

const listening = (server) => server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

const kinds = {
  http() {
    listening(
      createServer((request, response) => {
        if (request.method !== 'POST' || request.url !== '/review') {
          response.writeHead(404).end();
          return;
        }
        const parts = [];
        request.on('data', (part) => parts.push(part));
        request.on('end', () => {
          const [status, body] = review(JSON.parse(Buffer.concat(parts).toString()));
          const text = JSON.stringify(body);
          response.writeHead(status, {
            'Content-Type': 'application/json; charset=utf-8',
            'Content-Length': Buffer.byteLength(text),
          });
          response.end(text);
        });
      }),
    );
  },
  async 'wf-express'() {
    const esbuild = await import('esbuild');
    const file = path.join(folder, 'parts.mjs');
    await esbuild.build({
      stdin: {
        contents:
          "export { createApp } from './src/server/app/create-app.ts'; export { createHttpServer, listen } from './src/server/process/http-server.ts';",
        resolveDir: root,
      },
      bundle: true,
      platform: 'node',
      target: 'node18',
      format: 'esm',
      outfile: file,
      define: { WF_VERSION: '"bench"', WF_BUILD: '"bench"', WF_DIST: JSON.stringify(path.join(root, 'dist')) },
      plugins: [grammarModulesOfTests, consoleAssetsOfTests],
      banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
    });
    const { createApp, createHttpServer, listen } = await import(pathToFileURL(file));
    const { prepare } = await import(pathToFileURL(path.join(root, 'dist/index.cjs')));
    const { prepared } = await prepare('review.wf', { cwd: path.join(folder, 'flows'), env: process.env });
    const port = await listen(createHttpServer(await createApp({ workflows: [prepared], direct: false })), 0, '127.0.0.1');
    console.log(`http://127.0.0.1:${port}`);
  },
};

await kinds[kind]();
