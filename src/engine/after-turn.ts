// Starts things when the event loop turns, together: most of what would need a timer is over by then.

let waiting: (() => void)[] = [];

function startAll(): void {
  const starts = waiting;
  waiting = [];
  for (const start of starts) start();
}

/** Calls back at the end of this turn of the event loop. `start` must not throw. */
export function afterTurn(start: () => void): void {
  if (waiting.length === 0) setImmediate(startAll);
  waiting.push(start);
}
