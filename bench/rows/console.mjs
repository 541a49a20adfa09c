// The console: from a request to the whole page of a run that nobody has looked at yet, retraced with the values beside its lines.
import path from 'node:path';
import { startServer } from '../node-process.mjs';
import { absolute } from '../result.mjs';
import { here } from '../workspace.mjs';
import { serveText } from './durable-serving.mjs';

const PAGE = 'the page of a run of 1,000 calls in the console';

export const names = [PAGE];

const program = `config:
    name: "Many"
    version: 1

services:
    Stock is an API at "{env.STOCK_URL}"

workflow:
    trigger: when it is measured

    set total to 0
    for each item in request.items:
        get the stock of item using Stock at "/item/{item}"
            save the result as found
        set total to total plus found.stock
    complete with total total
`;

export async function measure({ place, rounds, wanted }) {
  if (!wanted(PAGE)) return [];
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const env = { STOCK_URL: `http://127.0.0.1:${stub.port}` };
  const server = await serveText(place, program, env, '--store', path.join(place.fresh(), 'runs'), '--console');
  const at = `http://127.0.0.1:${server.port}`;
  try {
    const figures = [];
    // The first round also compiles the console, as the first page after a start does.
    for (let round = 0; round <= rounds; round++) {
      const started = await fetch(`${at}/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ items: Array.from({ length: 1_000 }, (_, index) => index) }),
      });
      await started.arrayBuffer();
      const asked = performance.now();
      const page = await fetch(`${at}/console/runs/${started.headers.get('x-run-id')}`);
      const text = await page.text();
      if (round > 0) figures.push(performance.now() - asked);
      if (!text.includes('1000 rounds')) throw new Error(`The page shows no rounds:\n${text.slice(0, 500)}`);
    }
    return [absolute({ name: PAGE, unit: 'ms', figures, atMost: 300, note: 'each round another run' })];
  } finally {
    await server.stop();
    await stub.stop();
  }
}
