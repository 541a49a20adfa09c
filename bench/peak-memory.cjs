// Loaded into a process that is measured: at its end it writes the most memory that it had, in bytes, to the fourth stream. The system's own
// figure for a process counts what its parent had before; the one of Linux's `/proc` does not.
const { readFileSync, writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

// Threads load it, too.
const onEnd = isMainThread ? process.on.bind(process, 'exit') : () => undefined;

onEnd(() => {
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    kilobytes = Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    // No Linux: the figure from before has to do.
  }
  writeSync(3, String(kilobytes * 1024));
});
