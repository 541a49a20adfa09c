// Concurrent work: the branches of a block, or the rounds of a loop. All share their run, but each has its own clock, steps, waits and
// journal. The first that completes, rejects or fails ends the block and aborts the others.
import type { Completion } from '../define.js';
import type { Value } from '../types.js';
import { RunEnded } from '../values/errors.js';
import { workload } from '../workload.js';
import type { SparedCalls } from './cancellation.js';
import { type DurableFork, type EffectSite, type ForkEnd, suspensionOf } from './durable-run.js';
import type { Run } from './run.js';

/** Why the calls of a branch were given up. Runs keep these words: whoever changes them keeps the old ones known as well. */
export const givenUpBecause = { ended: 'another branch ended the run', enough: 'enough branches are done' } as const;

/** The end of one branch: it ends the run, stops its loop, or simply ends. */
export type BranchEnd = Completion | 'stop' | undefined;

/** The concurrent work. */
export interface Work {
  /** For progress. */
  readonly line: number;
  /** Number of branches, and how many of them run concurrently. */
  readonly total: number;
  readonly most: number;
  /** The number of branches that have to end in the ordinary way for the block to end; absent for all. */
  readonly until?: number;
  /** Receives the numbers of those that did. */
  readonly done?: number[];
  /** Executes the branch with this number, counting from 0. */
  readonly begin: (run: Run, index: number) => Promise<BranchEnd>;
}

type End = { readonly completion: Completion } | { readonly error: unknown };

/**
 * Resolves when all branches have ended, or with what ended the run.
 * @throws what a branch throws; a suspension if the journal releases the run
 */
async function together(run: Run, site: EffectSite, work: Work): Promise<Completion | undefined> {
  run.check();
  if (work.total === 0) return undefined;
  const fork = await run.durable?.fork(site);
  return new Together(run, work, fork).end;
}

class Together {
  /** Settles when the block is over. */
  readonly end: Promise<Completion | undefined>;
  readonly #run: Run;
  readonly #work: Work;
  readonly #fork: DurableFork | undefined;
  readonly #open = new Map<number, Run>();
  /** Branches that have ended, but hold their place in the journal until the next one has started. */
  readonly #past: Run[] = [];
  /** The number of branches that may start; fewer once the loop is stopped. */
  #total: number;
  #next = 0;
  #fuel = 16;
  #isYielding = false;
  #isDecided = false;
  #isSettled = false;
  /** Branches that ended in the ordinary way. */
  readonly #done: number[];
  /** Enough of them have ended: the others begin nothing more. */
  #isEnough = false;
  /** The branch that stopped the loop. */
  #stopper: number | undefined;
  /** The end of the run, and its branch: the first in the order of the file. */
  #first: { readonly index: number; readonly end: End } | undefined;
  #suspension: unknown;
  #resolve: (completion: Completion | undefined) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(run: Run, work: Work, fork: DurableFork | undefined) {
    this.#run = run;
    this.#work = work;
    this.#fork = fork;
    this.#total = fork?.ended?.begun ?? work.total;
    this.#done = work.done ?? [];
    this.end = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Only one block at a time is directly in a run or a branch.
    run.abandonBlock = (reason, spares) => this.#abandon(-1, reason, spares);
    run.isBlockBusy = () => this.#isBusy();
    this.#fill();
  }

  /** Starts as many branches as there is room for. */
  #fill(): void {
    const isOver = (): boolean =>
      this.#first !== undefined || this.#isEnough || this.#suspension !== undefined || this.#run.isAbandoned;
    while (!this.#isYielding && this.#next < this.#total && !isOver() && this.#open.size < this.#work.most) {
      if (this.#fuel-- > 0 && !workload.isDue) this.#begin(this.#next++);
      else this.#refuel();
    }
    if (this.#isYielding) return;
    for (const { durable } of this.#past.splice(0)) durable?.close();
    if (this.#open.size === 0) this.#settle();
  }

  /** Thousands of rounds that never wait must not hold up everything else. */
  #refuel(): void {
    try {
      this.#fuel = this.#run.refuel(this.#next, this.#work.total, this.#work.line);
    } catch (error) {
      // Showing the progress failed.
      this.#first ??= { index: this.#next, end: { error } };
      return;
    }
    if (this.#fuel > 0) return;
    this.#isYielding = true;
    this.#run
      .yieldToEventLoop()
      .then(
        (fuel) => {
          this.#fuel = fuel;
        },
        (error) => {
          this.#first ??= { index: this.#next, end: { error } };
        },
      )
      .then(() => {
        this.#isYielding = false;
        this.#fill();
      });
  }

  #begin(index: number): void {
    const durable = this.#fork?.branch(index);
    const run = this.#run.branch(durable);
    this.#open.set(index, run);
    const work = durable === undefined ? this.#execute(run, index) : durable.ready().then(() => this.#execute(run, index));
    work.then(
      (end) => this.#completed(index, run, end),
      (error) => this.#failed(index, run, error),
    );
  }

  async #execute(run: Run, index: number): Promise<BranchEnd> {
    run.check();
    const end = await this.#work.begin(run, index);
    if (end === undefined || end === 'stop') run.durable?.complete();
    return end;
  }

  #completed(index: number, run: Run, end: BranchEnd): void {
    if (end !== undefined && end !== 'stop') {
      this.#over(index, run, { completion: end });
      return;
    }
    const isDone = !run.isAbandoned && (this.#fork?.ended?.done?.includes(index) ?? true);
    if (isDone) this.#done.push(index);
    if (end === 'stop') {
      // Includes rounds that an earlier process started.
      this.#stopper ??= index;
      this.#total = Math.min(this.#total, Math.max(this.#next, this.#fork?.begun ?? 0));
    }
    const fault = this.#leave(index, run);
    if (fault !== undefined) {
      this.#ends(index, run, fault);
      return;
    }
    this.#past.push(run);
    if (this.#isDecided) this.#finish();
    else if (isDone && this.#done.length === this.#work.until && this.#fork?.ended === undefined) this.#enough();
    else this.#fill();
  }

  /** The block is over: whatever the other branches wait for is, too. Their calls are waited for, so that their results are recorded. */
  #enough(): void {
    this.#isEnough = true;
    this.#isDecided = true;
    this.#abandon(-1, givenUpBecause.enough, 'calls');
    this.#later();
  }

  /** Whether a branch has a call under way that must not be aborted. */
  #isBusy(): boolean {
    return [...this.#open.values()].some((run) => run.isBusy);
  }

  #failed(index: number, run: Run, error: unknown): void {
    const reason = suspensionOf(error);
    if (reason === undefined || !this.#counts(index)) {
      this.#over(index, run, { error });
      return;
    }
    this.#suspension ??= error;
    this.#leave(index, run);
    // Branches that wait until others have gone through their records need not wait for this one.
    this.#past.push(run);
    // While the process stops, calls in progress may still be recorded. Otherwise nothing more can be.
    if (reason !== 'released') this.#abandon(-1);
    if (this.#isDecided) this.#finish();
    else this.#fill();
  }

  /** Whether the end of this branch decides about the run: always, unless another one is recorded to have ended it. */
  #counts(index: number): boolean {
    const ended = this.#fork?.ended;
    if (ended?.done !== undefined) return ended.done.includes(index);
    return ended?.by === undefined || ended.isStopped === true || ended.by === index;
  }

  /** A branch ends the run. */
  #over(index: number, run: Run, end: End): void {
    const fault = this.#leave(index, run);
    this.#ends(index, run, fault === undefined || 'error' in end ? end : fault);
  }

  /** Ends the run for a branch that has been left. */
  #ends(index: number, run: Run, end: End): void {
    if (this.#isDecided) {
      this.#finish();
      return;
    }
    const counts = this.#counts(index) && !run.isAbandoned;
    if (counts && (this.#first === undefined || index < this.#first.index)) this.#first = { index, end };
    // If the end is recorded, everything with records continues to its last one.
    if (this.#first === undefined || this.#fork?.ended !== undefined || this.#open.size === 0) {
      this.#fill();
      return;
    }
    this.#abandon(index);
    // Earlier branches may still end in this turn.
    this.#run.clock.hold();
    setImmediate(() => {
      this.#decide();
      this.#run.clock.release();
    });
  }

  #decide(): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    this.#abandon(-1);
    // Aborted branches log their end first.
    this.#later();
  }

  /** The clock must not move on meanwhile. */
  #later(): void {
    this.#run.clock.hold();
    setImmediate(() => {
      this.#run.clock.release();
      this.#finish();
    });
  }

  /** Ends the block once no call is under way that must be waited for. */
  #finish(): void {
    if (this.#isSettled || this.#isBusy()) return;
    for (const [index, run] of this.#open) this.#leave(index, run);
    this.#settle();
  }

  /** Aborts the branches after this one. */
  #abandon(index: number, reason: string = givenUpBecause.ended, spares: SparedCalls = 'once'): void {
    for (const [other, run] of this.#open) if (other > index) run.abandon(reason, spares);
  }

  /** Returns what a listener of the log threw. */
  #leave(index: number, run: Run): End | undefined {
    this.#open.delete(index);
    this.#run.join(run);
    try {
      run.end();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const end = this.#first?.end;
    try {
      if (end === undefined && this.#suspension !== undefined) throw this.#suspension;
      // A block that was cut off from outside has no end of its own.
      if (end === undefined && this.#run.isAbandoned) this.#run.check();
      // The run itself was ended, not by a branch.
      if (end === undefined || !('error' in end && end.error instanceof RunEnded)) this.#fork?.end(this.#how());
      if (end !== undefined && 'error' in end) throw end.error;
      this.#resolve(end?.completion);
    } catch (error) {
      this.#reject(error);
    }
  }

  #how(): ForkEnd {
    const begun = this.#next;
    if (this.#first === undefined && this.#work.until !== undefined) return { begun, done: [...this.#done] };
    if (this.#first !== undefined) return { by: this.#first.index, begun };
    return this.#stopper === undefined ? { begun } : { by: this.#stopper, isStopped: true, begun };
  }
}

/** The line of the block, and its number among the places with effects. */
interface Place {
  readonly line: number;
  readonly site: number;
  /** The number of branches or rounds that have to end in the ordinary way; absent for all. */
  readonly until?: number;
  /** Receives the numbers of those that did. */
  readonly done?: number[];
}

/**
 * Resolves when all branches have ended, with what ended the run in one of them.
 * @throws WfError, RunEnded, or a suspension of the journal, as the branches do
 */
export function atTheSameTime(
  run: Run,
  { line, site, ...enough }: Place,
  branches: readonly ((run: Run) => Promise<BranchEnd>)[],
): Promise<Completion | undefined> {
  const begin = async (child: Run, index: number): Promise<BranchEnd> => branches[index]?.(child);
  const total = branches.length;
  return together(
    run,
    { kind: 'fork', site, line, title: 'at the same time', identity: 'together' },
    { line, total, most: total, begin, ...enough },
  );
}

/** The results of a loop's rounds. */
interface Rounds {
  readonly end: Completion | undefined;
  /** For each list that the rounds add to: the new items, in the order of the rounds. */
  readonly added: readonly (readonly Value[])[];
}

/**
 * The rounds of a loop over `list`, `most` at a time.
 * @param lists number of outer lists that the rounds add to; each round gets as many to fill
 * @throws like `atTheSameTime`
 */
export async function roundsTogether(
  run: Run,
  { line, site, ...enough }: Place,
  list: readonly Value[],
  most: number,
  lists: number,
  round: (run: Run, item: Value, added: readonly Value[][]) => Promise<BranchEnd>,
): Promise<Rounds> {
  const byRound: Value[][][] = [];
  const begin = (child: Run, index: number): Promise<BranchEnd> => {
    const added = Array.from({ length: lists }, (): Value[] => []);
    byRound[index] = added;
    return round(child, list[index], added);
  };
  const total = list.length;
  const end = await together(
    run,
    { kind: 'fork', site, line, title: 'for each, at a time', identity: 'each' },
    { line, total, most, begin, ...enough },
  );
  // Items that an unfinished round has added don't exist.
  const done = enough.until === undefined ? undefined : new Set(enough.done);
  const counted = byRound.filter((_, round) => done?.has(round) ?? true);
  return { end, added: Array.from({ length: lists }, (_, index) => counted.flatMap((added) => added[index] ?? [])) };
}
