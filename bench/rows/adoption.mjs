// How soon another server over the same store continues the run of a killed one.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminAddress, createDatabase, dropDatabase } from '../databases.mjs';
import { startServer } from '../node-process.mjs';
import { absolute, show } from '../result.mjs';
import { here } from '../workspace.mjs';
import { callingProgram, serveText } from './durable-serving.mjs';

const ADOPTION = 'kill -9 until another server goes on with the run';

const ON_POSTGRES = 'kill -9 until another server goes on with the run, on PostgreSQL';

export const names = [ADOPTION, ON_POSTGRES];

/** Milliseconds between polls of the service. */
const LOOK_MS = 2;

export async function measure({ place, rounds, wanted }) {
  const rows = [];
  if (wanted(ADOPTION)) {
    const figures = await adopted(place, path.join(place.fresh(), 'runs'), Math.max(rounds, 15));
    rows.push(absolute({ name: ADOPTION, unit: 'ms', figures, atMost: 300, note: `${noteOf(figures)}; all within 5 s` }));
  }
  const admin = wanted(ON_POSTGRES) ? adminAddress() : undefined;
  if (admin === undefined) return rows;
  const database = await createDatabase(admin);
  try {
    const figures = await adopted(place, database, rounds);
    rows.push(absolute({ name: ON_POSTGRES, unit: 'ms', figures, atMost: 5_000, note: `${noteOf(figures)}; all within 10 s` }));
  } finally {
    await dropDatabase(admin, database);
  }
  return rows;
}

const noteOf = (figures) => `at most ${show(Math.max(...figures), 'ms')}, of ${figures.length}`;

/** Milliseconds of each adoption. */
async function adopted(place, store, rounds) {
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const address = `http://127.0.0.1:${stub.port}`;
  const text = callingProgram(1).replace('/item/', '/hold/');
  const start = () => serveText(place, text, { STOCK_URL: address }, '--store', store);
  const held = async () => Number(await (await fetch(`${address}/held`)).text());
  const until = async (count) => {
    while ((await held()) < count) await sleep(LOOK_MS);
  };
  let [first, second] = [await start(), await start()];
  const figures = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await fetch(`${address}/release`);
      await fetch(`${address}/restart`);
      await fetch(`http://127.0.0.1:${first.port}/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'respond-async' },
        body: '{"id":"A-17"}',
      });
      await until(1);
      const started = performance.now();
      await first.stop();
      await until(2);
      figures.push(performance.now() - started);
      // The remaining server is the first one now.
      first = second;
      second = await start();
    }
  } finally {
    for (const server of [first, second]) await server.stop();
    await stub.stop();
  }
  return figures;
}
