// Runs as a separate process. Alternates an operation of a built workflow with the same by hand, on the same rows. Prints the milliseconds
// of each round.
//
// node list-operations-process.mjs MODULE OPERATION ROWS ROUNDS

import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { operations } from './list-operations.mjs';
import { createRandom } from './varied-program.mjs';

const [module, operation, count, rounds] = process.argv.slice(2);
const { run } = await import(pathToFileURL(module).href);
const { byHand } = operations[operation];
const random = createRandom(1);
const request = JSON.parse(
  JSON.stringify({
    rows: Array.from({ length: Number(count) }, (_, id) => ({
      id,
      price: (1 + 2 * random(10_000)) / 100,
      quantity: 1 + random(20),
      country: `C${random(40)}`,
      name: `Customer ${random(1_000_000)}`,
    })),
  }),
);

const subjects = {
  wf: async (given) => (await run(given, { env: {}, keepLog: false, requestIsPlain: true })).outputs.result,
  hand: async ({ rows }) => byHand(rows),
};
const isSame = (one, other) => (typeof one === 'number' ? Math.abs(one - other) < 1e-6 * one : isDeepStrictEqual(one, other));

// Only the short calls return the result: an output is copied and its size checked, which takes longer than most operations.
const short = { rows: request.rows.slice(0, 100), 'shows-result': true };
for (let call = 0; call < 300; call++) {
  const [one, other] = [await subjects.wf(short), await subjects.hand(short)];
  if (!isSame(one, other)) throw new Error(`"${operation}" gave different answers.`);
}
const times = { wf: [], hand: [] };
const WARM = 5;
for (let round = 0; round < WARM + Number(rounds); round++)
  for (const name of round % 2 === 0 ? ['wf', 'hand'] : ['hand', 'wf']) {
    const started = performance.now();
    await subjects[name](request);
    if (round >= WARM) times[name].push(performance.now() - started);
  }
console.log(JSON.stringify(times));
