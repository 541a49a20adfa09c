// Loaded into a server under attack. From SIGUSR2 on, measures the processor time that each turn of the event loop takes on the main thread,
// which neither other processes nor other threads add to, and writes the longest to standard error at the end. A machine that is slow, or busy
// with much else, needs more for the same work, so the time of a fixed piece of work follows.
const { openSync, readSync, writeSync } = require('node:fs');

let longest;
let last;

process.on('SIGUSR2', () => {
  const isMeasuring = longest !== undefined;
  longest = 0;
  last = used();
  if (!isMeasuring) setImmediate(look);
});

function look() {
  longest = Math.max(longest, used() - last);
  last = used();
  setImmediate(look).unref();
}

const file = process.platform === 'linux' ? openSync(`/proc/self/task/${process.pid}/schedstat`, 'r') : undefined;
const text = Buffer.alloc(64);

/** Milliseconds of processor time: of the main thread on Linux, of the process elsewhere. */
function used() {
  if (file !== undefined) return Number(text.toString('latin1', 0, readSync(file, text, 0, 64, 0)).split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function fixedWork() {
  const before = used();
  const all = Array.from({ length: 300_000 }, (_, index) => ({ name: `k${index}`, value: index }));
  JSON.parse(JSON.stringify(all));
  return used() - before;
}

process.on('exit', () => {
  if (longest !== undefined) writeSync(2, `longest turn: ${longest} ms; fixed work: ${fixedWork()} ms\n`);
});
