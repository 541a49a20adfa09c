// Requests a second and 99th percentile of `wf serve` beside servers written by hand that do the same work (see performance of serving in docs): all in one run,
// rounds interleaved, medians. `node bench/serve.mjs [--rounds N] [--seconds N] [--connections N]`. Needs `npm run build` first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const text = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({ options: { rounds: text('5'), seconds: text('3'), connections: text('50') } });
const wf = path.resolve(here, '../dist/wf.cjs');
const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;

const WORKFLOW = `config:
    name: "Review"
    version: 1

workflow:
    trigger: when an order comes in

    set total to request.price times request.quantity
    if total is above 1000:
        reject with "too large: {total}"
    complete with id request.id and total total
`;
const body = JSON.stringify({ id: 'A-17', price: 12.5, quantity: 4 });
const expected = '{"status":"completed","outputs":{"id":"A-17","total":50}}';

const folder = mkdtempSync(path.join(tmpdir(), 'wf-bench-'));
mkdirSync(path.join(folder, 'flows'));
writeFileSync(path.join(folder, 'flows/review.wf'), WORKFLOW);

const byHand = (kind, ...args) => [path.join(here, 'servers.mjs'), kind, ...args];
const served = (...args) => [wf, 'serve', path.join(folder, 'flows'), '--port', '0', '--host', '127.0.0.1', ...args];
const candidates = {
  'node:http by hand': byHand('http'),
  'Express 5 by hand': byHand('express'),
  'Fastify by hand': byHand('fastify'),
  'wf serve': served(),
  "wf, Express's routing": byHand('wf-express', folder),
  'wf serve --workers 2': served('--workers', '2'),
};

async function start(args) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      said += data;
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.once('exit', () => resolve(undefined));
  });
  const port = await url;
  return { child, port, said: () => said };
}

async function load(port, seconds) {
  const args = [path.join(here, 'load-client.mjs'), port, values.connections, String(seconds * 1000), '/review', body, expected];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  await once(child, 'close');
  return JSON.parse(out);
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const results = new Map(Object.keys(candidates).map((name) => [name, []]));
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, args] of Object.entries(candidates)) {
      const { child, port, said } = await start(args);
      if (port === undefined) {
        if (round === 0)
          console.log(
            `${name}: left out (${
              said()
                .trim()
                .split('\n')
                .find((line) => /rror/.test(line)) ?? 'it did not start'
            })`,
          );
        results.delete(name);
        delete candidates[name];
        continue;
      }
      await load(port, 1);
      results.get(name).push(await load(port, Number(values.seconds)));
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }
  const base = median(results.get('node:http by hand').map(({ perSecond }) => perSecond));
  console.log(
    `${values.connections} connections, ${values.rounds} rounds of ${values.seconds} s, medians; Node ${process.version}\n`,
  );
  console.log(
    `${''.padEnd(26)}${'requests/s'.padStart(12)}${'× node:http'.padStart(13)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
  );
  for (const [name, rounds] of results) {
    const of = (key) => median(rounds.map((round) => round[key]));
    const wrong = rounds.reduce((sum, round) => sum + round.wrong, 0);
    const ratio = (of('perSecond') / base).toFixed(2);
    const cells = [
      Math.round(of('perSecond')).toString().padStart(12),
      ratio.padStart(13),
      of('p50').toFixed(1).padStart(9),
      of('p99').toFixed(1).padStart(9),
    ];
    console.log(`${name.padEnd(26)}${cells.join('')}${wrong === 0 ? '' : `   ${wrong} WRONG ANSWERS`}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
