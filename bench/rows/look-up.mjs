// Look-ups in a decision table of 10,000 rows, compared with a Map of prepared lists in the same process.
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tableText } from '../look-up-table.mjs';
import { askProcess, timeProcess } from '../node-process.mjs';
import { absolute } from '../result.mjs';
import { here, program, wf } from '../workspace.mjs';

const ITEMS = 10_000;
/** Milliseconds for all of them: 20 µs each. */
const AT_MOST = (ITEMS * 20) / 1000;
const NAME = '10,000 look-ups in a table of 10,000 rows';

export const names = [NAME];

export async function measure({ place, rounds }) {
  const folder = place.fresh();
  copyFileSync(program('look-up.wf'), path.join(folder, 'look-up.wf'));
  writeFileSync(path.join(folder, 'prices.csv'), tableText());
  const out = path.join(folder, 'out');
  timeProcess([wf, 'build', path.join(folder, 'look-up.wf'), '--out', out], place.env);
  const args = [path.join(here, 'look-up-process.mjs'), path.join(out, 'look-up.mjs'), String(ITEMS), String(rounds)];
  const times = await askProcess(args, place.env);
  return [absolute({ name: NAME, unit: 'ms', figures: times.wf, atMost: AT_MOST, yardstick: 'a Map', of: times.hand })];
}
