// Lets the event loop turn between the portions of long loops. Its own file, because all runs of a process share it: were each to go on
// by itself, a hundred long loops would take their portions in the same turn, and nobody else would get a word in.

const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop; one waiting loop goes on in each turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(wakeOne);
  });
}

function wakeOne(): void {
  waiting.shift()?.();
  // An immediate that is asked for here runs in the next turn, after timers and sockets had theirs.
  if (waiting.length > 0) setImmediate(wakeOne);
}

let turn = 0;
let counting = false;

/**
 * Numbers the turns of the event loop, as long as somebody asks: what was awaited between two equal numbers never let other work go on,
 * like a plugin that answers at once.
 */
export function turnNumber(): number {
  if (!counting) {
    counting = true;
    setImmediate(() => {
      counting = false;
      turn++;
    });
  }
  return turn;
}
