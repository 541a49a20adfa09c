// Lets the event loop turn between the time slices of long loops. All runs of a process share one queue: if each loop continued on its
// own, a hundred of them would take their slices in the same turn, and nothing else would get through.

interface YieldQueue {
  /** Resolves in a later turn of the event loop. Each turn resumes one waiting loop. */
  readonly nextTurn: () => Promise<void>;
}

/** Built modules bring their own copy of this file; the first one to load provides the queue for all of them. */
const KEY = Symbol.for('wf-lang.yield-queue.1');
const registry = globalThis as { [KEY]?: YieldQueue }; // open to any key, which TypeScript does not know
registry[KEY] ??= createQueue();
const queue = registry[KEY];

/** Resolves in a later turn of the event loop. Each turn resumes one waiting loop of the process. */
export const nextTurn = (): Promise<void> => queue.nextTurn();

function createQueue(): YieldQueue {
  const waiting: (() => void)[] = [];
  const wakeOne = (): void => {
    waiting.shift()?.();
    // This immediate runs in the next turn, after timers and sockets have had theirs.
    if (waiting.length > 0) setImmediate(wakeOne);
  };
  return {
    nextTurn: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(wakeOne);
      }),
  };
}

let turn = 0;
let counting = false;

/**
 * Counts the turns of the event loop while anyone asks. Work awaited between two equal counts, such as a plugin that answers immediately,
 * let no other work run.
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
