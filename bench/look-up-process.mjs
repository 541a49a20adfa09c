// Runs as a separate process. Alternates the look-ups of a built workflow with the same by hand, on the same items. Prints the milliseconds of
// each round.
//
// node look-up-process.mjs MODULE ITEMS ROUNDS
import { pathToFileURL } from 'node:url';
import { bands, priceOf, skus } from './look-up-table.mjs';
import { createRandom } from './varied-program.mjs';

const [module, count, rounds] = process.argv.slice(2);
const { run } = await import(pathToFileURL(module).href);
const random = createRandom(1);
const request = JSON.parse(
  JSON.stringify({
    items: Array.from({ length: Number(count) }, () => ({ sku: `S-${random(skus)}`, quantity: 1 + random(10 * bands) })),
  }),
);

const prices = new Map();
for (let sku = 0; sku < skus; sku++)
  prices.set(
    `S-${sku}`,
    Array.from({ length: bands }, (_, band) => priceOf(sku, band)),
  );

function byHand({ items }) {
  let total = 0;
  for (const { sku, quantity } of items) total += prices.get(sku)[Math.ceil(quantity / 10) - 1];
  return total;
}

const subjects = {
  wf: async (given) => (await run(given, { env: {}, keepLog: false, requestIsPlain: true })).outputs.total,
  hand: async (given) => byHand(given),
};

const times = { wf: [], hand: [] };
const WARM = 5;
for (let round = 0; round < WARM + Number(rounds); round++) {
  const answers = [];
  for (const name of round % 2 === 0 ? ['wf', 'hand'] : ['hand', 'wf']) {
    const started = performance.now();
    answers.push(await subjects[name](request));
    if (round >= WARM) times[name].push(performance.now() - started);
  }
  if (answers[0] !== answers[1]) throw new Error(`The look-ups added up to ${answers.join(' and ')}.`);
}
console.log(JSON.stringify(times));
