// `npm run fuzz -- --seconds N --seed S`: random programs until time runs out. Started by test/fuzz.mjs.
import fc from 'fast-check';
import { agrees, tapes } from './programs/property.js';

const [seconds = 30, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
const ends = new Map<string, number>();
const started = performance.now();
const details = await fc.check(
  fc.asyncProperty(tapes, async (tape) => {
    const end = (await agrees(tape))?.status ?? 'left out';
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }),
  { seed, numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false },
);
const summary = [...ends].map(([end, count]) => `${count} ${end}`).join(', ');
console.log(`seed ${seed}: ${details.numRuns} programs in ${((performance.now() - started) / 1_000).toFixed(1)} s (${summary})`);
if (details.failed) {
  console.log(details.errorInstance instanceof Error ? details.errorInstance.message : details.errorInstance);
  console.log(`Counterexample: ${JSON.stringify(details.counterexample)}`);
  process.exitCode = 1;
}
