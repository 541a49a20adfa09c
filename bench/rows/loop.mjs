// A loop over rows with a product, a comparison and two totals, compared with handwritten JavaScript in the same process, on the same rows.
import path from 'node:path';
import { askProcess, timeProcess } from '../node-process.mjs';
import { against } from '../result.mjs';
import { compare, median } from '../statistics.mjs';
import { here, program, wf } from '../workspace.mjs';

const kinds = { 'loop of 300,000 rows': 'cents', 'loop of 300,000 rows, whole numbers': 'whole' };

export const names = Object.keys(kinds);

/**
 * The machine code that Node.js produces for a loop varies between processes, sometimes by a factor of four, on either side. The target
 * holds in every process, so the row shows the one with the highest ratio.
 */
const PROCESSES = 10;

export function buildLoop(place) {
  const out = place.fresh();
  timeProcess([wf, 'build', program('loop.wf'), '--out', out], place.env);
  return path.join(out, 'loop.mjs');
}

/** Milliseconds of each round of `wf` and of `hand`, by process. */
async function runProcesses(place, module, kind, rows, rounds) {
  const args = [path.join(here, 'loop-process.mjs'), module, kind, String(rows), String(rounds)];
  const parts = [];
  for (let index = 0; index < PROCESSES; index++) parts.push(await askProcess(args, place.env));
  return parts;
}

/** The same for the process in which `wf` is slowest beside the handwritten loop. */
export async function runLoop(place, module, kind, rows, rounds) {
  return byRatio(await runProcesses(place, module, kind, rows, rounds)).at(-1);
}

const ratioIn = ({ wf: figures, hand }) => compare(figures, hand).ratio;
const byRatio = (parts) => [...parts].sort((one, other) => ratioIn(one) - ratioIn(other));

export async function measure({ place, rounds, wanted }) {
  const module = buildLoop(place);
  const rows = [];
  for (const name of names.filter(wanted)) {
    const parts = byRatio(await runProcesses(place, module, kinds[name], 300_000, rounds));
    const { wf: figures, hand } = parts.at(-1);
    rows.push(against({ name, unit: 'ms', figures, yardstick: 'by hand', of: hand, atMost: 1.4, note: noteOf(parts) }));
  }
  return rows;
}

/** Handwritten loops can be slow by chance, too, so the note compares `wf` with the fastest of them. */
function noteOf(parts) {
  const ratios = parts.map(ratioIn);
  const fastest = (key) => Math.min(...parts.map((part) => Math.min(...part[key])));
  return [
    `the highest ratio of ${parts.length} processes, the lowest ${times(ratios[0])}, half of them up to ${times(median(ratios))}`,
    `the fastest rounds of all processes ${times(fastest('wf') / fastest('hand'))}`,
  ].join('; ');
}

const times = (ratio) => `${ratio.toFixed(2)}×`;
