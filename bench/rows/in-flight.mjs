// Memory per run while many runs wait for a service that doesn't answer.
import path from 'node:path';
import { askProcess, startServer, timeProcess } from '../node-process.mjs';
import { absolute, show } from '../result.mjs';
import { interleave, median } from '../statistics.mjs';
import { here, program, wf } from '../workspace.mjs';

const MEMORY = '10,000 runs in flight, memory a run';

export const names = [MEMORY];

/** Returns a function that measures a number of runs: bytes per run, `{ heap, resident }`, for `wf` and for the same by hand. */
export async function createInFlight(place) {
  const stub = await startServer([path.join(here, 'stub.mjs')], place.env);
  const out = place.fresh();
  timeProcess([wf, 'build', program('call.wf'), '--out', out], place.env);
  return {
    ask(kind, runs) {
      const args = [
        '--expose-gc',
        path.join(here, 'in-flight-process.mjs'),
        kind,
        path.join(out, 'call.mjs'),
        String(stub.port),
        String(runs),
      ];
      return askProcess(args, { ...place.env, STOCK_URL: `http://127.0.0.1:${stub.port}` });
    },
    stop: () => stub.stop(),
  };
}

export async function measure({ place, rounds }) {
  const inFlight = await createInFlight(place);
  try {
    const { measured, hand } = await interleave(
      { measured: () => inFlight.ask('wf', 10_000), hand: () => inFlight.ask('hand', 10_000) },
      rounds,
    );
    const of = (list, key) => list.map((figure) => figure[key]);
    return [
      absolute({
        name: MEMORY,
        unit: 'bytes',
        figures: of(measured, 'heap'),
        atMost: 10 * 1024,
        yardstick: 'undici by hand',
        of: of(hand, 'heap'),
        note: `counted: heap and external memory after a full collection, minus what there was before the runs, with undici's queue and its connections; resident memory by the system's count ${show(median(of(measured, 'resident')), 'bytes')} a run, by hand ${show(median(of(hand, 'resident')), 'bytes')}`,
      }),
    ];
  } finally {
    await inFlight.stop();
  }
}
