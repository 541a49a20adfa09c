// Ready-made operations on lists of 300,000 rows, compared with handwritten JavaScript in the same process, on the same rows.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { operations, programOf } from '../list-operations.mjs';
import { askProcess, timeProcess } from '../node-process.mjs';
import { against } from '../result.mjs';
import { here, wf } from '../workspace.mjs';

const ROWS = 300_000;
const named = Object.fromEntries(Object.keys(operations).map((operation) => [`300,000 rows: ${operation}`, operation]));

export const names = Object.keys(named);

export async function measure({ place, rounds, wanted }) {
  const rows = [];
  for (const name of names.filter(wanted)) {
    const folder = place.fresh();
    writeFileSync(path.join(folder, 'operation.wf'), programOf(operations[named[name]]));
    const out = path.join(folder, 'out');
    timeProcess([wf, 'build', path.join(folder, 'operation.wf'), '--out', out], place.env);
    const process = path.join(here, 'list-operations-process.mjs');
    const args = [process, path.join(out, 'operation.mjs'), named[name], String(ROWS), String(rounds)];
    const times = await askProcess(args, place.env);
    rows.push(against({ name, unit: 'ms', figures: times.wf, yardstick: 'by hand', of: times.hand, atMost: 2 }));
  }
  return rows;
}
