// A block of concurrent branches or rounds. It takes one position of the branch around it, and its branches are numbered separately.
// Records its start (part 0), so that nothing else can be mistaken for it, and its end (part 1), so that it always ends the same way.
import type { DurableFork, EffectSite, ForkEnd } from '../../../runtime/durable-run.js';
import { entryKinds } from '../store/slot-writes.js';
import type { BranchJournal, Past } from './branch-journal.js';

export class ForkJournal implements DurableFork {
  readonly ended: ForkEnd | undefined;
  readonly begun: number;
  readonly #around: BranchJournal;
  readonly #site: EffectSite;
  readonly #seq: number;
  readonly #open = new Set<BranchJournal>();
  #latest = 0;

  static async begin(around: BranchJournal, site: EffectSite, seq: number): Promise<ForkJournal> {
    if (around.part(seq, 0) === undefined) {
      await around.pass(site);
      around.writeLog();
      const { rounds } = site;
      around.run.write({
        ...{ kind: entryKinds.fork, branch: around.path, seq, part: 0, site: site.site, at: Date.now() },
        ...(rounds === undefined ? {} : { body: JSON.stringify({ rounds }) }),
      });
    }
    return new ForkJournal(around, site, seq);
  }

  private constructor(around: BranchJournal, site: EffectSite, seq: number) {
    this.#around = around;
    this.#site = site;
    this.#seq = seq;
    const row = around.part(seq, 1);
    this.ended = row === undefined ? undefined : (JSON.parse(row.body ?? '{"begun":0}') as ForkEnd); // written by `end`
    this.begun = this.ended?.begun ?? around.run.records.begunOf(around.path, seq);
  }

  branch(index: number): BranchJournal {
    const place = `${this.#seq}.${index}`;
    const path = this.#around.path === '' ? place : `${this.#around.path}/${place}`;
    const branch = this.#around.run.newBranch(path, this.#around.now, {
      past: this.#pastOf(index),
      onClose: (closed) => this.#closed(closed),
    });
    // The branch around it does nothing until the block ends.
    if (this.#open.size === 0) this.#around.run.gate.leave(this.#around);
    this.#open.add(branch);
    return branch;
  }

  #pastOf(index: number): Past {
    const { ended } = this;
    if (ended === undefined) return index < this.begun ? 'begun' : 'none';
    return ended.by === undefined || ended.isStopped === true || ended.by === index ? 'whole' : 'cut off';
  }

  #closed(branch: BranchJournal): void {
    // Pauses inside a branch are over for whatever follows the block.
    this.#latest = Math.max(this.#latest, branch.now);
    this.#open.delete(branch);
    if (this.#open.size === 0) this.#around.run.gate.enter();
  }

  end(how: ForkEnd): void {
    const { run } = this.#around;
    const { by, isStopped } = this.ended ?? how;
    if (by !== how.by || isStopped !== how.isStopped)
      run.diverged('another end of the block', `line ${this.#site.line} ended differently`);
    for (const branch of this.#open) branch.close();
    this.#around.now = Math.max(this.#around.now, this.#latest);
    if (this.ended !== undefined || run.suspended !== undefined) return;
    run.write({
      ...{ kind: entryKinds.fork, branch: this.#around.path, seq: this.#seq, part: 1, site: this.#site.site },
      ...{ at: Date.now(), body: JSON.stringify(how) },
    });
  }
}
