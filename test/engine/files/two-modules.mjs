// Runs the loops of two built modules concurrently: `node two-modules.mjs a.mjs b.mjs`. Prints both sums and the largest number of loops
// due to resume in one turn of the event loop.
import { pathToFileURL } from 'node:url';

// Every check of the clock finds that it's time to yield.
let time = 0;
process.hrtime = () => [time++, 0];

let due = 0;
let most = 0;
const original = setImmediate;
globalThis.setImmediate = (callback) => {
  due++;
  most = Math.max(most, due);
  return original(() => {
    due--;
    callback();
  });
};

const modules = await Promise.all(process.argv.slice(2).map((file) => import(pathToFileURL(file))));
const numbers = Array.from({ length: 10_000 }, (_, index) => index);
const outcomes = await Promise.all(modules.map(({ run }) => run({ numbers })));
console.log(JSON.stringify({ sums: outcomes.map(({ outputs }) => outputs.sum), most }));
