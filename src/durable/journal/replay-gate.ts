// Lets no branch of a run send anything while another one can still go on with what is recorded: which branch ended a block, and what each
// of them had done by then, must come out as it was. Also knows when a run only waits, so that it need not stay in memory.
import type { WaitingFor } from '../run-views.js';

export class ReplayGate {
  /** Branches that are being executed, the ones that wait for a block of theirs aside. */
  #active = 0;
  #isOpen = false;
  /** By branch: how each goes on. */
  readonly #waiting = new Map<object, () => void>();
  readonly #paused = new Set<Paused>();
  readonly #onChange: (waits: readonly Paused[] | undefined) => void;
  #isIdle = false;

  /** @param onChange told what the run waits for when all of its branches do, and `undefined` when one is at work again */
  constructor(onChange: (waits: readonly Paused[] | undefined) => void) {
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  enter(): void {
    this.#active++;
  }

  /** A branch is over, or waits for a block of its own. What it waited for counts no more. */
  leave(branch: object): void {
    this.#active--;
    this.#waiting.delete(branch);
    for (const paused of this.#paused) if (paused.branch === branch) this.#paused.delete(paused);
    this.#look();
  }

  /** Resolves when every branch has come to something that is not recorded. */
  pass(branch: object): Promise<void> | undefined {
    if (this.#isOpen) return undefined;
    if (this.#active <= this.#waiting.size + 1) {
      this.open();
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.set(branch, resolve));
  }

  /** A branch waits. */
  pause(paused: Paused): void {
    this.#paused.add(paused);
    this.#look();
  }

  resume(paused: Paused): void {
    if (this.#paused.delete(paused)) this.#look();
  }

  #look(): void {
    if (!this.#isOpen && this.#waiting.size > 0 && this.#waiting.size >= this.#active) this.open();
    const isIdle = this.#paused.size > 0 && this.#paused.size >= this.#active;
    if (!isIdle && !this.#isIdle) return;
    this.#isIdle = isIdle;
    const time = ({ due }: Paused): number => due ?? Number.POSITIVE_INFINITY;
    this.#onChange(isIdle ? [...this.#paused].sort((one, other) => time(one) - time(other)) : undefined);
  }

  /** Nothing is recorded: nobody need wait. */
  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }
}

export interface Paused {
  /** Whose wait it is. */
  readonly branch: object;
  readonly waiting: WaitingFor;
  /** Milliseconds since 1970; without, until something comes. */
  readonly due: number | undefined;
  /** The run need not stay in memory for it. */
  readonly isLong: boolean;
  /** Gives up the wait: the run is let go. */
  readonly park: () => void;
}
