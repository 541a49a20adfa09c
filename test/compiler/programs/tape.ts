// Turns a list of numbers into choices. fast-check shrinks the list; once it is used up, every choice is the first and simplest.

export class Tape {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** True once all numbers are used, so the caller should finish. */
  get isUsedUp(): boolean {
    return this.#at >= this.#numbers.length;
  }

  /** A tape of its own for details that would use up this one, all from one number: either as many as needed, or none. */
  branch(length: number): Tape {
    let state = this.below(100_000);
    const next = (): number => {
      // The generator of Park and Miller.
      state = (state * 48_271) % 2_147_483_647;
      return state % 100_003;
    };
    return new Tape(state === 0 ? [] : Array.from({ length }, next));
  }

  /** A whole number from 0 to `count - 1`. */
  below(count: number): number {
    return (this.#numbers[this.#at++] ?? 0) % count;
  }

  one<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** True in `percent` of 100 cases, and never once the tape is used up. */
  chance(percent: number): boolean {
    return !this.isUsedUp && 99 - this.below(100) < percent;
  }

  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.isUsedUp ? 0 : this.below(most + 1) }, make);
  }
}
