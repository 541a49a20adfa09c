// Memory of an idle `wf serve`.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../node-process.mjs';
import { absolute } from '../result.mjs';
import { interleave } from '../statistics.mjs';
import { here } from '../workspace.mjs';
import { serveProgram } from './serving.mjs';

const IDLE = 'idle wf serve, resident memory';

const STORED = 'idle wf serve with a store and the console, resident memory';

export const names = [IDLE, STORED];

/** Long enough for delayed start-up work. */
const SETTLED_MS = 1200;

async function settledMemory(starting) {
  const server = await starting;
  try {
    await sleep(SETTLED_MS);
    return server.memory();
  } finally {
    await server.stop();
  }
}

export async function measure({ place, rounds, wanted }) {
  const { measured, stored, hand } = await interleave(
    {
      measured: () => settledMemory(serveProgram(place, 'review.wf')),
      stored: () => settledMemory(serveProgram(place, 'review.wf', {}, '--store', path.join(place.fresh(), 'runs'), '--console')),
      hand: () => settledMemory(startServer([path.join(here, 'servers.mjs'), 'http'], place.env)),
    },
    rounds,
  );
  return [
    absolute({
      name: IDLE,
      unit: 'bytes',
      figures: measured,
      atMost: 70 * 2 ** 20,
      yardstick: 'node:http by hand',
      of: hand,
      note: 'other interpreter 107 MB',
    }),
    absolute({ name: STORED, unit: 'bytes', figures: stored, atMost: 85 * 2 ** 20, yardstick: 'node:http by hand', of: hand }),
  ].filter(({ name }) => wanted(name));
}
