// Records a block of concurrent branches or rounds, or a called workflow: its start (part 0), so that nothing else can be mistaken for it,
// and its end (part 1), so that it always ends the same way. Its branches have positions of their own.
import type { CalledRun, DurableFork, EffectSite, ForkEnd } from '../../../runtime/run/durable-run.js';
import { entryKinds } from '../model/entries.js';
import type { BranchJournal, Past } from './branch-journal.js';

/** The body of the first row of a block. */
export interface ForkBegin {
  readonly rounds?: EffectSite['rounds'];
  /** `now`: milliseconds since 1970, for the called workflow. */
  readonly called?: Omit<CalledRun, 'request'> & Partial<CalledRun> & { readonly now: number };
}

/** Maximum characters of a value that is only recorded to be shown. */
const LONGEST_SHOWN = 8 * 1024 * 1024;

export class ForkJournal implements DurableFork {
  readonly ended: (ForkEnd & { readonly now?: number }) | undefined;
  readonly begun: number;
  readonly startedAt: number;
  readonly #called: CalledRun | undefined;
  readonly #outer: BranchJournal;
  readonly #site: EffectSite;
  readonly #seq: number;
  readonly #open = new Set<BranchJournal>();
  #latest = 0;

  static async begin(around: BranchJournal, site: EffectSite, seq: number, called?: CalledRun): Promise<ForkJournal> {
    if (around.part(seq, 0) === undefined) {
      await around.pass(site);
      around.writeLog();
      const { rounds } = site;
      const begun: ForkBegin = {
        ...(rounds === undefined ? {} : { rounds }),
        ...(called === undefined ? {} : { called: { ...withoutLong(called, 'request'), now: around.now } }),
      };
      around.run.write({
        ...{ kind: entryKinds.fork, branch: around.path, seq, part: 0, site: site.site, at: Date.now() },
        ...(Object.keys(begun).length === 0 ? {} : { body: JSON.stringify(begun) }),
      });
    }
    return new ForkJournal(around, site, seq, called);
  }

  private constructor(around: BranchJournal, site: EffectSite, seq: number, called: CalledRun | undefined) {
    this.#outer = around;
    this.#called = called;
    this.startedAt = around.part(seq, 0)?.at ?? Date.now();
    this.#site = site;
    this.#seq = seq;
    const row = around.part(seq, 1);
    this.ended = row === undefined ? undefined : (JSON.parse(row.body ?? '{"begun":0}') as ForkEnd); // written by `end`
    this.begun = this.ended?.begun ?? around.run.records.begunOf(around.path, seq);
  }

  branch(index: number): BranchJournal {
    const place = `${this.#seq}.${index}`;
    const path = this.#outer.path === '' ? place : `${this.#outer.path}/${place}`;
    const branch = this.#outer.run.newBranch(path, this.#outer.now, {
      past: this.#pastOf(index),
      isCalled: this.#called !== undefined,
      deadline: Math.min(this.#outer.deadline, this.startedAt + (this.#called?.withinMs ?? Number.POSITIVE_INFINITY)),
      onClose: (closed) => this.#closed(closed),
    });
    // The branch around it does nothing until the block ends.
    if (this.#open.size === 0) this.#outer.run.gate.leave(this.#outer);
    this.#open.add(branch);
    return branch;
  }

  #pastOf(index: number): Past {
    const { ended } = this;
    // A branch inside of one that was cut off was cut off with it.
    if (ended === undefined && this.#outer.isCutOff) return 'cut off';
    if (ended === undefined) return index < this.begun ? 'begun' : 'none';
    if (ended.done !== undefined) return ended.done.includes(index) ? 'whole' : index < this.begun ? 'cut off' : 'none';
    return ended.by === undefined || ended.isStopped === true || ended.by === index ? 'whole' : 'cut off';
  }

  #closed(branch: BranchJournal): void {
    // Pauses inside a branch are over for whatever follows the block.
    this.#latest = Math.max(this.#latest, branch.now);
    this.#open.delete(branch);
    if (this.#open.size === 0) this.#outer.run.gate.enter();
  }

  end(how: ForkEnd): void {
    const { run } = this.#outer;
    const { by, isStopped } = this.ended ?? how;
    if (by !== how.by || isStopped !== how.isStopped)
      run.diverged('another end of the block', `line ${this.#site.line} ended differently`);
    // Between two of them, the run must not look as if all that is left of it waited.
    run.gate.enter();
    for (const branch of this.#open) {
      run.closeInside(branch.path);
      branch.close();
    }
    run.gate.leave(this);
    this.#outer.now = Math.max(this.#outer.now, this.#latest, this.ended?.now ?? 0);
    // A branch that was cut off stays as it was then, also if all that its block began is recorded.
    if (this.ended !== undefined || this.#outer.isCutOff || !run.canEnd) return;
    const { called } = how;
    // A called workflow that ended too late is not executed again, so its pauses are not known either.
    const { now } = this.#outer;
    const body = JSON.stringify(called === undefined ? how : { ...how, called: withoutLong(called, 'outputs'), now });
    run.writeUnlessReleased({
      ...{ kind: entryKinds.fork, branch: this.#outer.path, seq: this.#seq, part: 1, site: this.#site.site },
      ...{ at: Date.now(), body },
    });
  }
}

/** Drops a value that would make a row too long. */
function withoutLong<T extends object, K extends keyof T>(whole: T, key: K): Omit<T, K> & Partial<T> {
  if (whole[key] === undefined || JSON.stringify(whole[key]).length <= LONGEST_SHOWN) return whole;
  const { [key]: _, ...rest } = whole;
  return rest as Omit<T, K> & Partial<T>; // all fields but one
}
