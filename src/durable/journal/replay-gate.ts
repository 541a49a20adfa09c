// Lets no branch of a run send anything while another can still continue with records: which branch ended a block, and what each had done
// by then, must be the same as recorded. Also knows when a run only waits and need not stay in memory.
import type { SuspensionReason } from '../../../runtime/run/durable-run.js';
import type { WaitingFor } from '../model/run-views.js';

export class ReplayGate {
  /** Executing branches, except for those that wait for a block of their own. */
  #active = 0;
  #isOpen = false;
  /** By branch: the function that continues it. Like the pauses, created when needed: most runs replay and wait for nothing. */
  #waiting: Map<object, () => void> | undefined;
  #paused: Set<Paused> | undefined;
  readonly #onChange: (waits: readonly Paused[] | undefined) => void;
  #isIdle = false;

  /** @param onChange called with what the run waits for when all its branches do, and with `undefined` when one continues */
  constructor(onChange: (waits: readonly Paused[] | undefined) => void) {
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  enter(): void {
    this.#active++;
  }

  /** A branch is over, or waits for a block of its own. Its waits no longer count. */
  leave(branch: object): void {
    this.#active--;
    this.#waiting?.delete(branch);
    for (const paused of this.#paused ?? []) if (paused.branch === branch) this.#paused?.delete(paused);
    this.#look();
  }

  /** Resolves when every branch has reached something that is not recorded. */
  pass(branch: object): Promise<void> | undefined {
    if (this.#isOpen) return undefined;
    this.#waiting ??= new Map();
    const waiting = this.#waiting;
    if (this.#active <= waiting.size + 1) {
      this.open();
      return undefined;
    }
    return new Promise((resolve) => waiting.set(branch, resolve));
  }

  /** A branch waits. */
  pause(paused: Paused): void {
    this.#paused ??= new Set();
    this.#paused.add(paused);
    this.#look();
  }

  resume(paused: Paused): void {
    if (this.#paused?.delete(paused)) this.#look();
  }

  /** The waits of the run; `undefined` if a branch does something else. */
  get waits(): readonly Paused[] | undefined {
    return this.#isIdle ? [...(this.#paused ?? [])] : undefined;
  }

  #look(): void {
    const { size: waiting = 0 } = this.#waiting ?? {};
    if (!this.#isOpen && waiting > 0 && waiting >= this.#active) this.open();
    const paused = this.#paused ?? [];
    const isIdle = this.#paused !== undefined && this.#paused.size > 0 && this.#paused.size >= this.#active;
    if (!isIdle && !this.#isIdle) return;
    this.#isIdle = isIdle;
    const time = ({ due }: Paused): number => due ?? Number.POSITIVE_INFINITY;
    this.#onChange(isIdle ? [...paused].sort((one, other) => time(one) - time(other)) : undefined);
  }

  /** Nothing is recorded, so no branch has to wait. */
  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#waiting?.values() ?? []) resolve();
    this.#waiting = undefined;
  }
}

export interface Paused {
  /** The branch that waits. */
  readonly branch: object;
  readonly waiting: WaitingFor | undefined;
  /** Milliseconds since 1970; absent if it lasts until something arrives. */
  readonly due: number | undefined;
  /** The run need not stay in memory for it. */
  readonly isLong: boolean;
  /** Abandons the wait: the run is released. */
  readonly park: (reason: SuspensionReason) => void;
}
