// Measures several sizes: time and memory must grow in proportion, not faster.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { peakMemory, startServer, timeProcess } from '../node-process.mjs';
import { show } from '../result.mjs';
import { interleave, median } from '../statistics.mjs';
import { variedProgram } from '../varied-program.mjs';
import { here, wf } from '../workspace.mjs';
import { createInFlight } from './in-flight.mjs';
import { buildLoop, runLoop } from './loop.mjs';
import { review, serveProgram, takeTurns } from './serving.mjs';

const CHECK = 'growth: wf check';
const LOOP = 'growth: loop';
const SERVED = 'growth: served requests';
const IN_FLIGHT = 'growth: runs in flight';

export const names = [CHECK, LOOP, SERVED, IN_FLIGHT];

const number = new Intl.NumberFormat('en');
const times = (ratio) => `${ratio.toFixed(2)}×`;

/** Returns tables: `{ name, columns, lines }`. */
export async function measure({ place, rounds, quick, wanted }) {
  // Growth shows across sizes, so a third of the rounds per size is enough.
  const setting = { place, rounds: Math.max(3, Math.ceil(rounds / 3)), quick };
  const tables = [];
  for (const [name, table] of Object.entries({ [CHECK]: check, [LOOP]: loop, [SERVED]: served, [IN_FLIGHT]: inFlight })) {
    if (wanted(name)) tables.push({ name, ...(await table(setting)) });
  }
  return tables;
}

async function check({ place, rounds, quick }) {
  const folder = place.fresh();
  const sizes = quick ? [350, 3500, 35_000] : [350, 3500, 35_000, 350_000];
  const file = (size) => path.join(folder, `${size}.wf`);
  for (const size of sizes) writeFileSync(file(size), variedProgram(1, size));
  const subjects = { version: () => timeProcess([wf, '--version'], place.env) };
  for (const size of sizes) {
    subjects[`time ${size}`] = () => timeProcess([wf, 'check', file(size)], place.env);
    subjects[`memory ${size}`] = () => peakMemory([wf, 'check', file(size)], place.env);
  }
  const figures = await interleave(subjects, rounds);
  const start = median(figures.version);
  const lines = sizes.map((size) => {
    const time = median(figures[`time ${size}`]);
    return [
      number.format(size),
      show(time, 'ms'),
      `${(((time - start) * 1000) / size).toFixed(1)} µs`,
      show(median(figures[`memory ${size}`]), 'bytes'),
    ];
  });
  return { columns: ['lines', 'whole process', 'a line, beyond start-up', 'most memory'], lines };
}

async function loop({ place, rounds, quick }) {
  const module = buildLoop(place);
  const lines = [];
  for (const rows of quick ? [3000, 300_000] : [3000, 30_000, 300_000, 3_000_000]) {
    const { wf: measured, hand } = await runLoop(place, module, 'cents', rows, rounds * 3);
    const [time, byHand] = [median(measured), median(hand)];
    lines.push([
      number.format(rows),
      show(time, 'ms'),
      `${((time * 1e6) / rows).toFixed(1)} ns`,
      show(byHand, 'ms'),
      times(time / byHand),
    ]);
  }
  return { columns: ['rows', 'wf', 'a row', 'by hand', 'ratio'], lines };
}

async function served({ place, rounds, quick }) {
  const lines = [];
  for (const connections of quick ? [1, 100] : [1, 10, 50, 100, 1000]) {
    const servers = {
      measured: await serveProgram(place, 'review.wf'),
      hand: await startServer([path.join(here, 'servers.mjs'), 'http'], place.env),
    };
    const { measured, hand } = await takeTurns(place, servers, rounds, 1000, review, connections);
    const of = (list, key) => median(list.map((figure) => figure[key]));
    const [rate, byHand] = [of(measured, 'perSecond'), of(hand, 'perSecond')];
    lines.push([
      number.format(connections),
      show(rate, 'perSecond'),
      show(byHand, 'perSecond'),
      times(rate / byHand),
      show(of(measured, 'p99'), 'ms'),
      show(of(hand, 'p99'), 'ms'),
    ]);
  }
  return { columns: ['connections', 'wf', 'by hand', 'ratio', '99 % within', 'by hand'], lines };
}

async function inFlight({ place, rounds }) {
  const flights = await createInFlight(place);
  try {
    const lines = [];
    for (const runs of [10, 100, 1000, 10_000]) {
      const { measured, hand } = await interleave(
        { measured: () => flights.ask('wf', runs), hand: () => flights.ask('hand', runs) },
        rounds,
      );
      const of = (list, key) => show(median(list.map((figure) => figure[key])), 'bytes');
      lines.push([number.format(runs), of(measured, 'heap'), of(hand, 'heap'), of(measured, 'resident'), of(hand, 'resident')]);
    }
    return { columns: ['runs', 'a run', 'by hand', 'resident, a run', 'by hand'], lines };
  } finally {
    await flights.stop();
  }
}
