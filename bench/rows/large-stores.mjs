// A store of a million runs: the speed of listing, reading and pruning if they have ended, and how soon a server is ready if they wait.
import { once } from 'node:events';
import { request } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../node-process.mjs';
import { absolute, show } from '../result.mjs';
import { quantile } from '../statistics.mjs';
import { countRuns, multiplyRuns, watchLock } from '../store-files.mjs';
import { here, wf } from '../workspace.mjs';
import { callingProgram, serveText } from './durable-serving.mjs';

const LIST = '1,000,000 finished runs: first page of the list';
const ONE = '1,000,000 finished runs: one run';
const PRUNE = '1,000,000 finished runs: deleted a second';
const HELD = '1,000,000 finished runs: longest that their deletion holds up a write';
const PAUSE = '1,000,000 finished runs: longest answer while they are deleted';
const READY = '1,000,000 waiting runs: server ready';
const MEMORY = '1,000,000 waiting runs: resident memory';
const BULK = '100,000 waiting runs: cancelled a second';
const BULK_PAUSE = '100,000 waiting runs: longest answer while they are cancelled';

export const names = [LIST, ONE, PRUNE, HELD, PAUSE, READY, MEMORY, BULK, BULK_PAUSE];

const SETTLED_MS = 1_200;
const REQUESTS = 30;

export async function measure({ place, quick, wanted }) {
  const count = quick ? 50_000 : 1_000_000;
  return [
    ...([LIST, ONE, PRUNE, HELD, PAUSE].some(wanted) ? await measureFinished(place, count) : []),
    ...([READY, MEMORY].some(wanted) ? await measureWaiting(place, count) : []),
    ...([BULK, BULK_PAUSE].some(wanted) ? await measureBulk(place, Math.min(count, 100_000)) : []),
  ].filter(({ name }) => wanted(name));
}

/** A store with one run of 3 calls, and a stub for more of them. */
async function seeded(place) {
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const env = { STOCK_URL: `http://127.0.0.1:${stub.port}` };
  const store = path.join(place.fresh(), 'runs');
  const server = await serveText(place, callingProgram(3), env, '--store', store);
  await post(server);
  await server.stop();
  return { stub, env, store };
}

const post = async ({ port }) => {
  const answer = await fetch(`http://127.0.0.1:${port}/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"A-17"}',
  });
  await answer.arrayBuffer();
};

/** Milliseconds of each of these requests. */
async function timed(ask) {
  const times = [];
  for (let request = 0; request < REQUESTS; request++) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  return times.slice(5);
}

async function measureFinished(place, count) {
  const { stub, env, store } = await seeded(place);
  multiplyRuns(store, count, false);
  const server = await serveText(place, callingProgram(3), env, '--store', store);
  try {
    const get = async (route) => (await fetch(`http://127.0.0.1:${server.port}${route}`)).json();
    const { runs } = await get('/runs?limit=50');
    const rows = [
      absolute({ name: LIST, unit: 'ms', figures: await timed(() => get('/runs?limit=50')), atMost: 5 }),
      absolute({ name: ONE, unit: 'ms', figures: await timed(() => get(`/runs/${runs[20].run}`)), atMost: 5 }),
    ];
    return [...rows, ...(await measurePruning(place, server, store))];
  } finally {
    await server.stop();
    await stub.stop();
  }
}

async function measurePruning(place, server, store) {
  const before = countRuns(store);
  const quiet = await timed(() => post(server));
  const longestHeld = watchLock(store);
  const prune = () => startCommand(['runs', 'prune', '--older-than', '30d', '--store', store], place.env);
  const { took, answers } = await beside(server, prune);
  const held = longestHeld();
  const gone = before - countRuns(store);
  return [
    absolute({
      name: PRUNE,
      unit: 'perSecond',
      figures: [(gone * 1000) / took],
      atLeast: 20_000,
      note: `${gone} runs in ${show(took, 'ms')}, by a command beside the server`,
    }),
    absolute({ name: HELD, unit: 'ms', figures: [held], atMost: 20 }),
    absolute({
      name: PAUSE,
      unit: 'ms',
      figures: [Math.max(...answers)],
      note: `99 % within ${show(quantile(answers, 0.99), 'ms')}; before, 99 % within ${show(quantile(quiet, 0.99), 'ms')}`,
    }),
  ];
}

/** How long work takes beside requests to a server, and how long its answers take meanwhile; milliseconds. */
async function beside(server, work) {
  const started = performance.now();
  let isOver = false;
  const done = work().then(() => {
    isOver = true;
    return performance.now() - started;
  });
  const answers = [];
  while (!isOver) {
    const sent = performance.now();
    await post(server);
    answers.push(performance.now() - sent);
    await sleep(5);
  }
  return { took: await done, answers };
}

async function measureBulk(place, count) {
  const { stub, env, store } = await seeded(place);
  multiplyRuns(store, count, true);
  const server = await serveText(place, callingProgram(3), env, '--store', store);
  try {
    let changed = 0;
    const cancel = async () => {
      // Unlike `fetch`, waits for its answer as long as it takes.
      const asked = request({
        port: server.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/runs/bulk',
        headers: { 'content-type': 'application/json' },
      }).end('{"action":"cancel","where":"status=waiting"}');
      const [answer] = await once(asked, 'response');
      ({ changed } = await json(answer));
    };
    const { took, answers } = await beside(server, cancel);
    return [
      absolute({
        name: BULK,
        unit: 'perSecond',
        figures: [(changed * 1000) / took],
        atLeast: 2_000,
        note: `${changed} of ${count} runs in ${show(took, 'ms')}, by the server itself`,
      }),
      absolute({
        name: BULK_PAUSE,
        unit: 'ms',
        figures: [Math.max(...answers)],
        atMost: 50,
        note: `99 % within ${show(quantile(answers, 0.99), 'ms')}`,
      }),
    ];
  } finally {
    await server.stop();
    await stub.stop();
  }
}

/** Runs a wf command without blocking the requests of this process. */
async function startCommand(args, env) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [wf, ...args], { env, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`wf ${args.join(' ')} ended with ${code}.`);
}

async function measureWaiting(place, count) {
  const { stub, env, store } = await seeded(place);
  multiplyRuns(store, count, true);
  try {
    const ready = [];
    const memory = [];
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      const server = await serveText(place, callingProgram(3), env, '--store', store);
      ready.push(performance.now() - started);
      await sleep(SETTLED_MS);
      memory.push(server.memory());
      await server.stop();
    }
    return [
      absolute({ name: READY, unit: 'ms', figures: ready, atMost: 2_000, note: 'the whole process, from its start' }),
      absolute({ name: MEMORY, unit: 'bytes', figures: memory, atMost: 150 * 2 ** 20 }),
    ];
  } finally {
    await stub.stop();
  }
}
