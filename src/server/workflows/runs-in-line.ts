// Counts the requests of each workflow that are being handled, for `runs at once:`. With a store, more of them wait in line for their turn.

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Requests of one workflow that may wait. Each holds a connection. */
const MOST_WAITING = 1_000;

export class RunsInLine {
  readonly #lines = new Map<string, Line>();
  readonly #canWait: boolean;

  constructor(canWait: boolean) {
    this.#canWait = canWait;
  }

  /**
   * `undefined` if a run may start now; otherwise a promise of its turn, or `full`. Call `leave` when it has ended.
   * @param most runs of this workflow at a time
   */
  enter(workflow: string, most: number): Promise<void> | 'full' | undefined {
    let line = this.#lines.get(workflow);
    if (line === undefined) {
      line = { running: 0, waiting: [] };
      this.#lines.set(workflow, line);
    }
    if (line.running < most) {
      line.running++;
      return undefined;
    }
    if (!this.#canWait || line.waiting.length >= MOST_WAITING) return 'full';
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  /** The turn of a run goes to whoever has waited longest. */
  leave(workflow: string): void {
    const line = this.#lines.get(workflow);
    if (line === undefined) return;
    const next = line.waiting.shift();
    if (next !== undefined) next();
    else if (--line.running === 0) this.#lines.delete(workflow);
  }
}
