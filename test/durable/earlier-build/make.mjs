// Makes a store as a build of wf leaves it, for `earlier-build.test.ts`: node make.mjs <wf.cjs> <folder or postgres://…>
// A folder: `gzip -9` its databases into `folder/`. A database: `pg_dump --inserts --no-owner --no-privileges`, without the lines with SET and
// those that begin with a backslash, as `database.sql.gz`.
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const [program, store] = process.argv.slice(2);
/** Stores contain the folder of their workflows. This one does not exist where they are opened. */
const folder = '/tmp/orders';
cpSync(fileURLToPath(new URL('workflows', import.meta.url)), folder, { recursive: true });

/** Fails the first attempt at call 2, so that the stores contain a retry. */
const failed = new Set();
const ledger = createServer((request, response) => {
  const [, run, step] = (request.url ?? '').split('/').map(Number);
  request.resume().on('end', () => {
    if (step === 2 && !failed.has(run)) {
      failed.add(run);
      response.statusCode = 503;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ v: run * 1_000 + step }));
  });
});
await new Promise((resolve) => ledger.listen(0, '127.0.0.1', resolve));
const env = { ...process.env, LEDGER_URL: `http://127.0.0.1:${ledger.address().port}`, WF_CACHE: 'off' };
const server = spawn(process.execPath, [path.resolve(program), 'serve', folder, '--store', store, '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((resolve) => {
  let text = '';
  server.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /http:\/\/\S+:\d+/.exec(text);
    if (found !== null) resolve(found[0]);
  });
});

const post = async (place, body, headers = {}) => {
  const answer = await fetch(`${address}${place}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answer.json();
};

/** Each waits for a payment and for the boss. */
const runs = [];
for (const n of [1, 2, 3]) runs.push((await post('/order', { n }, { prefer: 'respond-async' })).run);
let tasks = [];
for (; tasks.length < runs.length; await sleep(100)) ({ tasks } = await (await fetch(`${address}/tasks`)).json());
// The second one has its answer, and still waits for its payment.
await post(`/tasks/${tasks.find(({ run }) => run === runs[1]).task}`, { answer: 'yes', by: 'Ada' });
await sleep(2_000);
// The third one can be repeated from there.
await post(`/runs/${runs[2]}/cancel`, {});
await post('/done', {}, { 'idempotency-key': 'once' });
await post('/messages/payment', { order: 99, amount: 1 });
await sleep(500);
server.kill('SIGTERM');
await new Promise((resolve) => server.on('exit', resolve));
ledger.close();
console.log(JSON.stringify(runs));
