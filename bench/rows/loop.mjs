// A loop over rows with a product, a comparison and two totals, compared with handwritten JavaScript in the same process, on the same rows.
import path from 'node:path';
import { askProcess, timeProcess } from '../node-process.mjs';
import { against } from '../result.mjs';
import { median } from '../statistics.mjs';
import { here, program, wf } from '../workspace.mjs';

const kinds = { 'loop of 300,000 rows': 'cents', 'loop of 300,000 rows, whole numbers': 'whole' };

export const names = Object.keys(kinds);

/**
 * The machine code that Node.js produces for a loop varies between processes, sometimes by a factor of four, on either side. The yardstick
 * is the handwritten loop in its fastest process, compared with `wf` in its median process.
 */
const PROCESSES = 10;

export function buildLoop(place) {
  const out = place.fresh();
  timeProcess([wf, 'build', program('loop.wf'), '--out', out], place.env);
  return path.join(out, 'loop.mjs');
}

/** Milliseconds of each round: `wf` in its median process, `hand` in its fastest. */
export async function runLoop(place, module, kind, rows, rounds) {
  const args = [path.join(here, 'loop-process.mjs'), module, kind, String(rows), String(rounds)];
  const parts = [];
  for (let index = 0; index < PROCESSES; index++) parts.push(await askProcess(args, place.env));
  const byMedian = (key) => parts.map((part) => part[key]).sort((one, other) => median(one) - median(other));
  return { wf: byMedian('wf')[Math.floor(PROCESSES / 2)], hand: byMedian('hand')[0] };
}

export async function measure({ place, rounds, wanted }) {
  const module = buildLoop(place);
  const rows = [];
  for (const name of names.filter(wanted)) {
    const { wf: figures, hand } = await runLoop(place, module, kinds[name], 300_000, rounds);
    rows.push(against({ name, unit: 'ms', figures, yardstick: 'by hand', of: hand, atMost: 1.4 }));
  }
  return rows;
}
