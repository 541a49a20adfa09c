// `wf serve` under load, compared with handwritten servers that do the same work: without calls, through Express's router, and with one
// call of a service in a separate process. The servers of a row stay up through all rounds and take turns.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { askProcess, startServer } from '../node-process.mjs';
import { against, show } from '../result.mjs';
import { interleave, median } from '../statistics.mjs';
import { here, program, wf } from '../workspace.mjs';

const DIRECT = 'POST without calls, 50 connections';
const EXPRESS = "POST through Express's routing, 50 connections";
const CALLING = 'POST with one outbound call, 50 connections';

const TRACED = 'POST with one outbound call, traced with OpenTelemetry';

export const names = [DIRECT, EXPRESS, CALLING, TRACED];

const WARM_MS = 1000;
const script = (name, ...args) => [path.join(here, name), ...args];

/** The request to send and the expected answer. */
export const review = {
  path: '/review',
  body: '{"id":"A-17","price":12.5,"quantity":4}',
  expected: '{"status":"completed","outputs":{"id":"A-17","total":50}}',
};
const calling = {
  path: '/call',
  body: '{"id":"A-17","kind":"item"}',
  expected: '{"status":"completed","outputs":{"id":"A-17","price":12.5}}',
};

/** Starts `wf serve` on a folder that contains only this program. */
export function serveProgram(place, name, env = {}, ...options) {
  const folder = place.fresh();
  copyFileSync(program(name), path.join(folder, name));
  return startServer([wf, 'serve', folder, '--port', '0', '--host', '127.0.0.1', ...options], { ...place.env, ...env });
}

/** Requests per second, and CPU milliseconds per request. */
export async function load(place, server, connections, ms, { path: route, body, expected }) {
  const before = server.processorTime();
  const args = script('load-client.mjs', String(server.port), String(connections), String(ms), route, body, expected);
  const started = performance.now();
  const { perSecond, p50, p99, wrong } = await askProcess(args, place.env);
  if (wrong > 0) throw new Error(`${wrong} answers to ${route} were wrong.`);
  const requests = (perSecond * (performance.now() - started)) / 1000;
  return { perSecond, p50, p99, processor: before === undefined ? undefined : (server.processorTime() - before) / requests };
}

export async function measure({ place, rounds, quick, wanted }) {
  const rows = [];
  const ms = quick ? 500 : 1500;
  if (wanted(DIRECT) || wanted(EXPRESS)) rows.push(...(await measureReview(place, rounds, ms, wanted)));
  if (wanted(CALLING)) rows.push(await measureCalling(place, rounds, ms));
  if (wanted(TRACED)) rows.push(await measureTraced(place, rounds, ms));
  return rows;
}

async function measureReview(place, rounds, ms, wanted) {
  const folder = place.fresh();
  mkdirSync(path.join(folder, 'flows'));
  copyFileSync(program('review.wf'), path.join(folder, 'flows', 'review.wf'));
  const servers = {
    hand: await startServer(script('servers.mjs', 'http'), place.env),
    ...(wanted(DIRECT) ? { [DIRECT]: await serveProgram(place, 'review.wf') } : {}),
    ...(wanted(EXPRESS) ? { [EXPRESS]: await startServer(script('servers.mjs', 'wf-express', folder), place.env) } : {}),
  };
  const { hand, ...figures } = await takeTurns(place, servers, rounds, ms, review);
  const bounds = { [DIRECT]: 0.85, [EXPRESS]: 0.4 };
  return Object.keys(figures).map((name) => rowOf(name, figures[name], 'node:http by hand', hand, bounds[name]));
}

async function measureCalling(place, rounds, ms) {
  const stub = await startServer(script('stub.mjs'), place.env);
  try {
    const address = `http://127.0.0.1:${stub.port}`;
    const servers = {
      hand: await startServer(script('calling-by-hand.mjs', address), place.env),
      [CALLING]: await serveProgram(place, 'call.wf', { STOCK_URL: address }),
    };
    const figures = await takeTurns(place, servers, rounds, ms, calling);
    return rowOf(CALLING, figures[CALLING], 'node:http + undici by hand', figures.hand, 0.8);
  } finally {
    await stub.stop();
  }
}

/** The stub is the collector as well: it takes whatever is posted. */
async function measureTraced(place, rounds, ms) {
  const stub = await startServer(script('stub.mjs'), place.env);
  const collector = await startServer(script('stub.mjs'), place.env);
  try {
    const env = { STOCK_URL: `http://127.0.0.1:${stub.port}` };
    const servers = {
      off: await serveProgram(place, 'call.wf', env),
      on: await serveProgram(place, 'call.wf', { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` }),
    };
    const { on, off } = await takeTurns(place, servers, rounds, ms, calling);
    return rowOf(TRACED, on, 'the same untraced', off, 0.85);
  } finally {
    await collector.stop();
    await stub.stop();
  }
}

/** Stops the servers. */
export async function takeTurns(place, servers, rounds, ms, asked, connections = 50) {
  try {
    for (const server of Object.values(servers)) await load(place, server, connections, WARM_MS, asked);
    return await interleave(
      Object.fromEntries(
        Object.entries(servers).map(([name, server]) => [name, () => load(place, server, connections, ms, asked)]),
      ),
      rounds,
    );
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

function rowOf(name, figures, yardstick, hand, atLeast) {
  const of = (list, key) => list.map((figure) => figure[key]);
  const processor =
    figures[0].processor === undefined
      ? []
      : [
          `processor time a request ${(median(of(figures, 'processor')) / median(of(hand, 'processor'))).toFixed(2)}× ${yardstick}`,
        ];
  const p99 = `99 % of answers within ${show(median(of(figures, 'p99')), 'ms')}, ${yardstick} ${show(median(of(hand, 'p99')), 'ms')}`;
  return against({
    name,
    unit: 'perSecond',
    figures: of(figures, 'perSecond'),
    yardstick,
    of: of(hand, 'perSecond'),
    atLeast,
    note: [...processor, p99].join('; '),
  });
}
