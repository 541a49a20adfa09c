// Runs as a separate process. Starts many runs that all wait for the stub, prints the memory per run in bytes, then lets them end and
// checks every answer.
//
// node --expose-gc in-flight-process.mjs wf|hand MODULE PORT RUNS
import { readFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from './workspace.mjs';

const [kind, module, port, count] = process.argv.slice(2);
const runs = Number(count);
const service = `http://127.0.0.1:${port}`;
/** The maximum connections of `wf` to one service. */
const CONNECTIONS = 2048;

/** Runs the workflow as the server would. */
async function byWf() {
  const { createEngine } = await import(pathToFileURL(path.join(root, 'dist/index.cjs')).href);
  const { run, workflow } = await import(pathToFileURL(module).href);
  const prepared = { file: 'call.wf', basename: 'call', workflow, run, warnings: [], loadPlugin: () => undefined };
  const engine = createEngine({ env: { STOCK_URL: service } });
  const { signal } = new AbortController();
  const onLog = () => undefined;
  return async (request) => {
    const { outcome } = await engine.run(prepared, request, { signal, mock: false, timeoutMs: 300_000, onLog, keepLog: false });
    return outcome.outputs?.price;
  };
}

async function byHand() {
  const { Pool } = await import('undici');
  const pool = new Pool(service, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  return async ({ kind: folder, id }) => {
    const { body } = await pool.request({ method: 'GET', path: `/${folder}/${id}`, headers: { Accept: 'application/json' } });
    return (await body.json()).price;
  };
}

const tell = (path) =>
  new Promise((resolve, reject) => {
    const request = ask(`${service}${path}`, { agent: false }, (response) => {
      let text = '';
      response.on('data', (data) => {
        text += data;
      });
      response.on('end', () => resolve(text));
    });
    request.on('error', reject).end();
  });

async function memory() {
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc();
    await sleep(20);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: peakless() ?? rss };
}

/** Resident memory without file-backed pages, which belong to code rather than to runs. */
function peakless() {
  try {
    return Number(/^RssAnon:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  } catch {
    return undefined;
  }
}

const requests = (folder, many) => Array.from({ length: many }, (_, id) => JSON.parse(`{"id":"A-${id}","kind":"${folder}"}`));

await tell('/restart');
const start = await (kind === 'wf' ? byWf() : byHand());
// Load and compile all code before measuring.
for (let turn = 0; turn < 20; turn++) await Promise.all(requests('item', 20).map(start));

const before = await memory();
const flying = requests('hold', runs).map(start);
while (Number(await tell('/held')) < Math.min(runs, CONNECTIONS) - 20) await sleep(50);
const during = await memory();
await tell('/release');
const answers = await Promise.all(flying);
const wrong = answers.filter((price) => price !== 12.5).length;
if (wrong > 0) throw new Error(`${wrong} of ${runs} runs ended wrong.`);
console.log(JSON.stringify({ heap: (during.heap - before.heap) / runs, resident: (during.resident - before.resident) / runs }));
process.exit();
