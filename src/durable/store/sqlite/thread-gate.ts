// Keeps a process that exits from ending the thread of its store in the middle of SQLite, which would abort the process: Node.js ends the
// threads of a process wherever they are. The gate is shut first, and the thread finishes what it is doing.

/** Milliseconds that a thread has to finish. Its longest work takes a few seconds. */
const PATIENCE_MS = 5_000;

/** Words of the shared memory: whether the thread is working, and whether it may begin anything. */
const BUSY = 0;
const SHUT = 1;

export class ThreadGate {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  #isGivenUp = false;

  /** @param memory that of the other side */
  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** In the thread: works, unless the gate is shut. Then the thread waits for its end. Never called by `work` itself. */
  through<T>(work: () => T): T {
    // The other side shuts the gate first and looks at this then, so one of the two notices the other.
    Atomics.store(this.#words, BUSY, 1);
    if (Atomics.load(this.#words, SHUT) === 1) this.#waitForEnd();
    try {
      return work();
    } finally {
      this.#rest();
    }
  }

  #rest(): void {
    Atomics.store(this.#words, BUSY, 0);
    if (Atomics.load(this.#words, SHUT) === 1) Atomics.notify(this.#words, BUSY);
  }

  #waitForEnd(): void {
    this.#rest();
    Atomics.wait(this.#words, SHUT, 1);
  }

  /** In the main thread: the thread should have ended by now. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** In the main thread: from now on, nothing begins. Blocks until the thread is idle; returns whether it can be ended. */
  shut(): boolean {
    if (this.#isGivenUp) return false;
    Atomics.store(this.#words, SHUT, 1);
    return Atomics.wait(this.#words, BUSY, 1, PATIENCE_MS) !== 'timed-out';
  }
}

const gates = new Set<ThreadGate>();

/** Shuts the gate when this process exits. Returns a function for the end of the thread. */
export function shutAtExit(gate: ThreadGate): () => void {
  if (gates.size === 0) process.on('exit', shutAll);
  gates.add(gate);
  return () => {
    gates.delete(gate);
    if (gates.size === 0) process.off('exit', shutAll);
  };
}

function shutAll(): void {
  // On a disk that hangs, only this ends the process. The store is as after a power cut, which it survives.
  if (![...gates].every((gate) => gate.shut())) process.kill(process.pid, 'SIGKILL');
}
