// A block whose branches or rounds go on side by side: it takes one position of the branch around it, and its branches count for themselves.
import type { DurableFork, EffectSite, ForkEnd } from '../../../runtime/durable-run.js';
import { entryKinds } from '../store/slot-writes.js';
import type { BranchJournal } from './branch-journal.js';

export class ForkJournal implements DurableFork {
  readonly ended: ForkEnd | undefined;
  readonly #around: BranchJournal;
  readonly #site: EffectSite;
  readonly #seq: number;
  #latest = 0;

  constructor(around: BranchJournal, site: EffectSite, seq: number) {
    this.#around = around;
    this.#site = site;
    this.#seq = seq;
    const row = around.part(seq, 0);
    this.ended = row === undefined ? undefined : (JSON.parse(row.body ?? '{"begun":0}') as ForkEnd); // written by `end`
    around.writeLog();
    // The branch around it does nothing until the block ends.
    around.run.gate.leave();
  }

  branch(index: number): BranchJournal {
    const place = `${this.#seq}.${index}`;
    const path = this.#around.path === '' ? place : `${this.#around.path}/${place}`;
    // A pause in a branch is behind for whatever comes after the block.
    return this.#around.run.newBranch(path, this.#around.now, (now) => {
      this.#latest = Math.max(this.#latest, now);
    });
  }

  end(how: ForkEnd): void {
    this.#around.run.gate.enter();
    this.#around.now = Math.max(this.#around.now, this.#latest);
    if (this.ended !== undefined || this.#around.run.suspended !== undefined) return;
    this.#around.run.write({
      ...{ kind: entryKinds.fork, branch: this.#around.path, seq: this.#seq, part: 0, site: this.#site.site },
      ...{ at: Date.now(), body: JSON.stringify(how) },
    });
  }
}
