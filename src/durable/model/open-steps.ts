// Assigns the entries of a log to the steps that are open in their branches.
import type { LogEntry } from '../../../runtime/types.js';
import { deepestFirst, outerBranch } from './addresses.js';
import type { EntryRow } from './entries.js';
import { isoOf } from './entries.js';

/** The step that each entry belongs to. Rows of effects don't contain it. */
export class OpenSteps {
  /** Their starts, the outermost first, by branch. */
  readonly #open = new Map<string, LogEntry[]>();

  note({ branch }: EntryRow, entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.type === 'step' && entry.event === 'start') this.#of(branch).push(entry);
      else if (entry.type === 'step') this.#of(branch).pop();
      else if (entry.step === undefined) this.#add(entry, branch);
    }
  }

  /** The ends of all that are still open when the run ends, the innermost first. @param at milliseconds since 1970 */
  endsAt(at: number): LogEntry[] {
    const branches = [...this.#open].sort(([one], [other]) => deepestFirst(one, other));
    return branches.flatMap(([, starts]) => [...starts].reverse().map((start) => endOfStep(start, isoOf(at))));
  }

  #of(branch: string): LogEntry[] {
    const open = this.#open.get(branch) ?? [];
    this.#open.set(branch, open);
    return open;
  }

  #add(entry: LogEntry, branch: string): void {
    const step = this.#innermost(branch);
    if (step !== undefined) entry.step = step;
  }

  /** A branch is inside the steps around its block. */
  #innermost(branch: string): string | undefined {
    const found = this.#open.get(branch)?.at(-1);
    if (found !== undefined) return String(found.step);
    return branch === '' ? undefined : this.#innermost(outerBranch(branch));
  }
}

/** @param time ISO 8601 */
export const endOfStep = (start: LogEntry, time: string): LogEntry => ({
  ...{ ...start, time, event: 'end' },
  durationMs: msBetween(start.time, time),
});

/** The clock may have been set back. @param since ISO 8601, as `time` */
export const msBetween = (since: string, time: string): number => Math.max(0, Date.parse(time) - Date.parse(since));
