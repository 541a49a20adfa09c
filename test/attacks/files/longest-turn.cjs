// Loaded into a server under attack. From SIGUSR2 on, measures the processor time that each turn of the event loop takes, which other
// processes of the machine don't change, and writes the longest to standard error at the end.
const { writeSync } = require('node:fs');

let longest;
let last;

process.on('SIGUSR2', () => {
  const isMeasuring = longest !== undefined;
  longest = 0;
  last = process.cpuUsage();
  if (!isMeasuring) setImmediate(look);
});

function look() {
  const { user, system } = process.cpuUsage(last);
  longest = Math.max(longest, (user + system) / 1_000);
  last = process.cpuUsage();
  setImmediate(look).unref();
}

process.on('exit', () => {
  if (longest !== undefined) writeSync(2, `longest turn: ${longest} ms\n`);
});
