// `wf serve` over PostgreSQL under load: with 1, 2 and 4 processes, and compared with a program written for DBOS. Needs a server, whose
// address is in WF_TEST_STORE or WF_TEST_POSTGRES: `node test/with-postgres.mjs npm run bench` starts one.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { adminAddress, createDatabase, dropDatabase } from '../databases.mjs';
import { startServer } from '../node-process.mjs';
import { absolute, against, show } from '../result.mjs';
import { interleave, median } from '../statistics.mjs';
import { here } from '../workspace.mjs';
import { callingProgram, callingRequest, serveText } from './durable-serving.mjs';
import { load } from './serving.mjs';

const CONNECTIONS = 32;
const COUNTS = [1, 2, 4];
const nameOf = (count) =>
  `POST with 1 call on PostgreSQL, ${count} ${count === 1 ? 'process' : 'processes'}, ${CONNECTIONS} connections`;
const BESIDE = `POST with 1 call on PostgreSQL beside a program written for DBOS, 2 processes each`;

export const names = [...COUNTS.map(nameOf), BESIDE];

const WARM_MS = 2_000;
const asked = callingRequest(1);

export async function measure({ place, rounds, quick, wanted }) {
  const admin = adminAddress();
  if (admin === undefined) return [];
  const ms = quick ? 1_000 : 2_000;
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const service = `http://127.0.0.1:${stub.port}`;
  const rows = [];
  try {
    for (const count of COUNTS) {
      if (!wanted(nameOf(count))) continue;
      const figures = await measured(place, admin, rounds, ms, {
        kept: [count, (database) => wfServer(place, service, database)],
      });
      rows.push(
        absolute({ name: nameOf(count), unit: 'perSecond', figures: of(figures.kept, 'perSecond'), note: noteOf(figures.kept) }),
      );
    }
    if (wanted(BESIDE)) {
      const figures = await measured(place, admin, rounds, ms, {
        kept: [2, (database) => wfServer(place, service, database)],
        hand: [2, (database) => startServer([path.join(here, 'dbos-by-hand.mjs'), service, database, randomUUID()], place.env)],
      });
      rows.push(
        against({
          name: BESIDE,
          unit: 'perSecond',
          figures: of(figures.kept, 'perSecond'),
          yardstick: "DBOS's own API by hand",
          of: of(figures.hand, 'perSecond'),
          atLeast: 1,
          note: `${noteOf(figures.kept)}; by hand ${noteOf(figures.hand)}`,
        }),
      );
    }
    return rows;
  } finally {
    await stub.stop();
  }
}

const of = (figures, key) => figures.map((figure) => figure[key]);

const noteOf = (figures) =>
  `half of the answers within ${show(median(of(figures, 'p50')), 'ms')}, 99 % within ${show(median(of(figures, 'p99')), 'ms')}, processor time a request ${show(median(of(figures, 'processor')), 'ms')} without the database`;

const wfServer = (place, service, database) => serveText(place, callingProgram(1), { STOCK_URL: service }, '--store', database);

/** Loads groups of processes in turn, each over a database of its own. */
async function measured(place, admin, rounds, ms, groups) {
  const started = [];
  const databases = [];
  const subjects = {};
  try {
    for (const [name, [count, start]] of Object.entries(groups)) {
      const database = await createDatabase(admin);
      databases.push(database);
      const servers = [];
      // One after the other: the first one creates the tables.
      for (let index = 0; index < count; index++) servers.push(await start(database));
      started.push(...servers);
      subjects[name] = () => loadTogether(place, servers, ms);
      await loadTogether(place, servers, WARM_MS);
    }
    return await interleave(subjects, rounds);
  } finally {
    for (const server of started) await server.stop();
    for (const database of databases) await dropDatabase(admin, database);
  }
}

async function loadTogether(place, servers, ms) {
  const figures = await Promise.all(servers.map((server) => load(place, server, CONNECTIONS / servers.length, ms, asked)));
  const sum = (key) => figures.reduce((total, figure) => total + figure[key], 0);
  const worst = (key) => Math.max(...of(figures, key));
  return { perSecond: sum('perSecond'), p50: worst('p50'), p99: worst('p99'), processor: sum('processor') / servers.length };
}
