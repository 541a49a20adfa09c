// `wf serve` with an embedded store under load, compared with the same server without one: runs of 0, 1, 3 and 20 calls, and what a run
// takes on disk.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServer } from '../node-process.mjs';
import { absolute, against, show } from '../result.mjs';
import { median } from '../statistics.mjs';
import { countRuns, runBytes } from '../store-files.mjs';
import { here, wf } from '../workspace.mjs';
import { takeTurns } from './serving.mjs';

const CALLS = [0, 1, 3, 20];
const nameOf = (calls) => `POST with ${calls} calls and a store, 50 connections`;
const ALONE = 'POST with 1 call and a store, one connection: half of the answers, beyond those without';
const BYTES = 'a run of 3 calls in the store';

export const names = [...CALLS.map(nameOf), ALONE, BYTES];

const LEAST = { 0: 0.7, 1: 0.65, 3: 0.65, 20: 0.65 };

/** A workflow with this many sequential calls. */
export function callingProgram(calls) {
  const one = (number) => `    get item using Stock at "/item/{request.id}-${number}"\n        save the result as item\n`;
  const body = Array.from({ length: calls }, (_, number) => one(number)).join('');
  return `config:
    name: "Calls"
    version: 1

services:
    Stock is an API at "{env.STOCK_URL}"

workflow:
    trigger: when the bench says so

${body}    complete with id request.id and calls ${calls}
`;
}

export const callingRequest = (calls) => ({
  path: '/calls',
  body: '{"id":"A-17"}',
  expected: `{"status":"completed","outputs":{"id":"A-17","calls":${calls}}}`,
});

/** Starts `wf serve` with this text. */
export function serveText(place, text, env, ...options) {
  const folder = place.fresh();
  writeFileSync(path.join(folder, 'calls.wf'), text);
  return startServer([wf, 'serve', folder, '--port', '0', '--host', '127.0.0.1', ...options], { ...place.env, ...env });
}

export async function measure({ place, rounds, quick, wanted }) {
  const rows = [];
  const ms = quick ? 500 : 1500;
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const env = { STOCK_URL: `http://127.0.0.1:${stub.port}` };
  try {
    for (const calls of CALLS) {
      const wantsBytes = calls === 3 && wanted(BYTES);
      if (!wanted(nameOf(calls)) && !wantsBytes) continue;
      const store = path.join(place.fresh(), 'runs');
      rows.push(...(await measureCalls(place, calls, rounds, ms, env, store)).filter(({ name }) => wanted(name)));
    }
    if (wanted(ALONE)) rows.push(await measureAlone(place, rounds, ms, env));
    return rows;
  } finally {
    await stub.stop();
  }
}

async function servers(place, calls, env, store) {
  const text = callingProgram(calls);
  return {
    memory: await serveText(place, text, env),
    kept: await serveText(place, text, env, '--store', store),
  };
}

async function measureCalls(place, calls, rounds, ms, env, store) {
  const figures = await takeTurns(place, await servers(place, calls, env, store), rounds, ms, callingRequest(calls));
  const of = (list, key) => list.map((figure) => figure[key]);
  const runs = countRuns(store);
  const p99 = `99 % of answers within ${show(median(of(figures.kept, 'p99')), 'ms')}, without a store ${show(median(of(figures.memory, 'p99')), 'ms')}`;
  const processor = `processor time a request ${(median(of(figures.kept, 'processor')) / median(of(figures.memory, 'processor'))).toFixed(2)}×`;
  return [
    against({
      name: nameOf(calls),
      unit: 'perSecond',
      figures: of(figures.kept, 'perSecond'),
      yardstick: 'without a store',
      of: of(figures.memory, 'perSecond'),
      atLeast: LEAST[calls],
      note: `${p99}; ${processor}`,
    }),
    ...(calls === 3
      ? [
          absolute({
            name: BYTES,
            unit: 'bytes',
            figures: [runBytes(store) / runs],
            atMost: 1200,
            note: `the files with runs after a checkpoint, divided by ${runs} runs`,
          }),
        ]
      : []),
  ];
}

async function measureAlone(place, rounds, ms, env) {
  const started = await servers(place, 1, env, path.join(place.fresh(), 'runs'));
  const figures = await takeTurns(place, started, rounds, ms, callingRequest(1), 1);
  const of = (name) => figures[name].map(({ p50 }) => p50);
  return absolute({
    name: ALONE,
    unit: 'ms',
    figures: of('kept').map((value, round) => value - of('memory')[round]),
    atMost: 1.2,
    note: `with ${show(median(of('kept')), 'ms')}, without ${show(median(of('memory')), 'ms')}`,
  });
}
