// The rounds of a run while it is retraced. Each branch has its own, because concurrent branches and rounds take turns.
import { outerBranch } from '../branch-paths.js';
import type { RoundOfLoop } from '../journal-views.js';
import type { LoopLines } from './covered-workflow.js';

export class Trails {
  readonly #loops: readonly LoopLines[];
  readonly #only: ReadonlyMap<number, number>;
  readonly #trails = new Map<string, Trail>();
  /** The highest round of each loop. */
  readonly highest = new Map<number, number>();

  /** @param only count lines inside these loops in these rounds only */
  constructor(loops: readonly LoopLines[], only: readonly RoundOfLoop[]) {
    this.#loops = loops;
    this.#only = new Map(only);
  }

  /** @param branch its path; a new one continues from the branch around it */
  of(branch: string): Trail {
    let trail = this.#trails.get(branch);
    if (trail === undefined) {
      const around = branch === '' ? undefined : this.of(outerBranch(branch));
      const number = Number(branch.slice(branch.lastIndexOf('.') + 1));
      trail = new Trail(this.#loops, this.#only, this.highest, around, number + 1);
      this.#trails.set(branch, trail);
    }
    return trail;
  }
}

class Trail {
  readonly #loops: readonly LoopLines[];
  readonly #only: ReadonlyMap<number, number>;
  readonly #highest: Map<number, number>;
  readonly #rounds: Map<number, number>;
  /** If this branch is a round: its number. */
  readonly #own: number;

  constructor(
    loops: readonly LoopLines[],
    only: ReadonlyMap<number, number>,
    highest: Map<number, number>,
    around: Trail | undefined,
    own: number,
  ) {
    this.#loops = loops;
    this.#only = only;
    this.#highest = highest;
    this.#rounds = new Map(around === undefined ? [] : around.#rounds);
    this.#own = own;
  }

  /** A loop starts over with its first round. */
  enter(line: number): void {
    this.#rounds.delete(line);
  }

  nextRound(line: number): void {
    const isTogether = this.#loops.some((loop) => loop.line === line && loop.isTogether);
    const round = isTogether ? this.#own : (this.#rounds.get(line) ?? 0) + 1;
    this.#rounds.set(line, round);
    this.#highest.set(line, Math.max(round, this.#highest.get(line) ?? 0));
  }

  /** The loops around a line with their rounds, outermost first. */
  around(line: number): RoundOfLoop[] {
    return this.#loops.flatMap((loop) => {
      const round = loop.line < line && line <= loop.last ? this.#rounds.get(loop.line) : undefined;
      return round === undefined ? [] : [[loop.line, round] as const];
    });
  }

  counts(line: number): boolean {
    return this.#only.size === 0 || this.around(line).every(([loop, round]) => (this.#only.get(loop) ?? round) === round);
  }
}
