// `npm run chaos -- --seconds N [--servers N] [--seed S]`: servers that are killed and stopped for the given time. With `--store postgres`,
// their database is restarted as well and connections are cut; `--store postgres://…` names a server, which is not restarted. With
// `--calm`, only the database has faults; with `--runs N`, it lasts until so many runs were accepted; with `--skew S`, the clocks of the
// servers are off by S seconds, either way, and waits that one begins and another ends last up to twice as long; with `--disk`, their disk is full, fails or hangs now and then, which needs a C compiler; with `--everything`, random workflows run
// while people answer and commands interfere; with `--beside /path/to/wf.cjs`, every other server runs that build. With `--kill-points`
// instead: a run with effects of every kind, cut at each write. With `--power-cuts N`: the power of a server fails N times. With
// `--restarts N`: a run of N calls whose process dies after each. Exits with 1 if anything was lost or done twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chaosDatabase } from './chaos-database.js';
import { everything } from './chaos-everything.js';
import { runChaos } from './chaos-run.js';
import { killPoints } from './kill-points.js';
import { powerCuts } from './power-cuts.js';
import { randomFrom } from './random-from.js';
import { restarted } from './restarts.js';
import { buildTracer } from './write-trace.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    servers: { type: 'string', default: '3' },
    runs: { type: 'string', default: '0' },
    calm: { type: 'boolean', default: false },
    skew: { type: 'string', default: '0' },
    beside: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    'kill-points': { type: 'boolean', default: false },
    'power-cuts': { type: 'string' },
    restarts: { type: 'string' },
    store: { type: 'string' },
    disk: { type: 'boolean', default: false },
    everything: { type: 'boolean', default: false },
  },
});

/** How much of a cut write is on disk. */
const TORN = [0.05, 0.35, 0.65, 0.95];

async function chaos(): Promise<readonly string[]> {
  const database = values.store === undefined ? undefined : await chaosDatabase(values.store, values.calm);
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-disk-'));
  const disk = values.disk ? buildTracer(folder) : undefined;
  if (values.disk && disk === undefined) console.log('No C compiler on this machine: the disk has no faults.');
  const random = randomFrom(Number(values.seed));
  const report = await runChaos({
    ...(values.everything ? { scene: everything(random) } : {}),
    disk,
    ...(database === undefined ? {} : { database }),
    atLeast: { runs: Number(values.runs), faults: 0 },
    isCalm: values.calm,
    skewMs: 1_000 * Number(values.skew),
    beside: values.beside,
    seconds: Number(values.seconds),
    servers: Number(values.servers),
    random,
    say: (line) => console.log(line),
  });
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
  const { kills, stops, ends, strikes, runs, calls, repeated, settledMs, violations } = report;
  const struck = strikes === 0 ? '' : `, ${strikes} faults of the ${values.disk ? 'disk' : 'database'}`;
  console.log(
    `seed ${values.seed}: ${kills} kills, ${stops} stops, ${ends} ends${struck}; ${runs} runs, ${calls} calls; all ended ${(settledMs / 1_000).toFixed(1)} s later`,
  );
  const of = (words: string): number => violations.filter((violation) => violation.includes(words)).length;
  console.log(
    `lost: ${of('was lost') + of('ended as')}; sent again after their record: ${of('after its record')}; in doubt and sent again: ${repeated}`,
  );
  return violations;
}

async function everyKillPoint(): Promise<readonly string[]> {
  const points = await killPoints();
  const violations: string[] = [];
  let cuts = 0;
  try {
    for (const [index, whole] of points.states.entries()) {
      for (const state of [whole, ...TORN.map((part) => points.torn(index, part))]) {
        if (state === undefined) continue;
        cuts++;
        for (const wrong of await points.resume(state)) violations.push(`after write ${state.after}: ${wrong}`);
      }
    }
  } finally {
    points.close();
  }
  console.log(
    `${points.states.length} writes of a run with ${points.whole.calls.size} calls; cut ${cuts} times, ${violations.length} violations`,
  );
  return violations;
}

async function manyPowerCuts(most: number): Promise<readonly string[]> {
  const random = randomFrom(Number(values.seed));
  const scene = await powerCuts();
  if (scene === undefined) {
    console.log('No C compiler on this machine: power cuts are not simulated.');
    return [];
  }
  const violations: string[] = [];
  try {
    for (let cut = 0; cut < most; cut++) {
      const index = Math.floor(random() * scene.events.length);
      for (const wrong of await scene.cut(index, random)) violations.push(`after event ${index}: ${wrong}`);
    }
  } finally {
    scene.close();
  }
  console.log(
    `seed ${values.seed}: ${scene.events.length} writes and flushes; ${most} power cuts, ${violations.length} violations`,
  );
  return violations;
}

async function manyRestarts(times: number): Promise<readonly string[]> {
  const { lives, calls, repeated, violations } = await restarted(times);
  console.log(`${calls} calls in ${lives} lives, ${repeated} of them in doubt and sent again; ${violations.length} violations`);
  return violations;
}

function chosen(): Promise<readonly string[]> {
  const { 'power-cuts': cuts, 'kill-points': isEvery, restarts } = values;
  if (isEvery) return everyKillPoint();
  if (restarts !== undefined) return manyRestarts(Number(restarts));
  return cuts === undefined ? chaos() : manyPowerCuts(Number(cuts));
}

const violations = await chosen();
for (const violation of violations.slice(0, 20)) console.log(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
