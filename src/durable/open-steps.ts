// Assigns the entries of a log to the steps that are open in their branches.
import type { LogEntry } from '../../runtime/types.js';
import { outerBranch } from './branch-paths.js';
import type { EntryRow } from './store/slot-writes.js';

/** The step that each entry belongs to. Rows of effects don't contain it. */
export class OpenSteps {
  readonly #open = new Map<string, string[]>();

  note({ branch }: EntryRow, entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.type === 'step' && entry.event === 'start') this.#of(branch).push(String(entry.step));
      else if (entry.type === 'step') this.#of(branch).pop();
      else if (entry.step === undefined) this.#add(entry, branch);
    }
  }

  #of(branch: string): string[] {
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
    if (found !== undefined || branch === '') return found;
    return this.#innermost(outerBranch(branch));
  }
}
