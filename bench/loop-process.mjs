// Runs as a separate process. Alternates the loop of a built workflow with the same loop by hand, on the same rows. Prints the milliseconds
// of each round.
//
// node loop-process.mjs MODULE cents|whole ROWS ROUNDS
import { pathToFileURL } from 'node:url';
import { createRandom } from './varied-program.mjs';

const [module, kind, count, rounds] = process.argv.slice(2);
const { run } = await import(pathToFileURL(module).href);

const random = createRandom(1);
// Odd cents: if a few prices were whole numbers, Node.js would compile either side well or badly by chance.
const price = () => (kind === 'cents' ? (1 + 2 * random(10_000)) / 100 : 1 + random(200));
// Through JSON, as requests arrive.
const request = JSON.parse(
  JSON.stringify({ rows: Array.from({ length: Number(count) }, (_, id) => ({ id, price: price(), quantity: 1 + random(20) })) }),
);

function byHand({ rows }) {
  let total = 0;
  let large = 0;
  for (const row of rows) {
    const amount = row.price * row.quantity;
    if (amount > 100) large += amount;
    total += amount;
  }
  return { total, large };
}

const subjects = {
  wf: async (rows) => (await run(rows, { env: {}, keepLog: false, requestIsPlain: true })).outputs,
  hand: async (rows) => byHand(rows),
};
/** Compares whole numbers exactly. For cents, ignores the noise of binary fractions. */
const shown = ({ total, large }) =>
  JSON.stringify([total, large].map((value) => (kind === 'cents' ? value.toPrecision(12) : value)));

const times = { wf: [], hand: [] };
// Warm up with many short calls first: code compiled during its first long loop hasn't seen what follows, and can stay several times slower
// on either side. Then process as many rows in long calls, whatever the number of rows per round.
const short = { rows: request.rows.slice(0, 100) };
for (let call = 0; call < 3000; call++) for (const subject of Object.values(subjects)) await subject(short);
const WARM = Math.max(5, Math.ceil(3_000_000 / Number(count)));
for (let round = 0; round < WARM + Number(rounds); round++) {
  const answers = [];
  for (const name of round % 2 === 0 ? ['wf', 'hand'] : ['hand', 'wf']) {
    const started = performance.now();
    const answer = await subjects[name](request);
    const took = performance.now() - started;
    if (round >= WARM) times[name].push(took);
    answers.push(shown(answer));
  }
  if (answers[0] !== answers[1]) throw new Error(`The loop answered ${answers.join(' and ')}.`);
}
console.log(JSON.stringify(times));
