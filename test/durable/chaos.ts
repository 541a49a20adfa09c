// `npm run chaos -- --seconds N [--servers N] [--seed S]`: chaos for as long as one likes; ends with 1 if anything was lost or done twice.
import { parseArgs } from 'node:util';
import { runChaos } from './chaos-run.js';
import { randomFrom } from './random-from.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    servers: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const report = await runChaos({
  ...{ seconds: Number(values.seconds), servers: Number(values.servers), random: randomFrom(Number(values.seed)) },
  say: (line) => console.log(line),
});
const { kills, stops, ends, runs, calls, repeated, violations } = report;
console.log(`seed ${values.seed}: ${kills} kills, ${stops} stops, ${ends} ends; ${runs} runs, ${calls} calls`);
const of = (words: string): number => violations.filter((violation) => violation.includes(words)).length;
console.log(
  `lost: ${of('was lost') + of('ended as')}; sent again after their record: ${of('after its record')}; in doubt and sent again: ${repeated}`,
);
for (const violation of violations.slice(0, 20)) console.log(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
