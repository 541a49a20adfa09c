// Which variables are set at a point of the workflow: on every way there, on some, or on none (language.md 5, Scope).
// Branches are tried one after the other on the same table and rolled back, so that a branch costs what it changes, not what there is.

/** Set on every way to this point, or only on some of them. */
export type Certainty = 'set' | 'maybe';

/** What a branch did to the table. */
export interface BranchEffect {
  readonly changes: ReadonlyMap<string, Certainty | undefined>;
  /** True where no way leads out of the branch: it ends the run or the round of the loop. */
  readonly ended: boolean;
}

/** What wf gives to every run. */
const given = ['request', 'env', 'now', 'today'];

export class Scope {
  readonly #variables = new Map<string, Certainty>();
  readonly #items: string[] = [];
  readonly #pastItems = new Set<string>();
  readonly #journals: Map<string, Certainty | undefined>[] = [];
  #failures = 0;
  /** True once a line that cannot be read may have set a variable of any name: no name is unknown then. */
  isOpen = false;
  /** True after a statement that ends the run or the round of the loop. */
  ended = false;

  /** How certain a variable is set; `undefined` where nothing can have set it. A loop's item is always set in its block. */
  look(name: string): Certainty | undefined {
    return this.#items.includes(name) ? 'set' : this.#variables.get(name);
  }

  /** Every name that can be read here, one after the other: whoever has seen enough may stop. */
  *names(): Iterable<string> {
    yield* given;
    yield* this.#items;
    yield* this.#variables.keys();
  }

  isItem(name: string): boolean {
    return this.#items.includes(name);
  }

  /** True for the item of a loop that has ended. */
  wasItem(name: string): boolean {
    return this.#pastItems.has(name);
  }

  get inFailure(): boolean {
    return this.#failures > 0;
  }

  set(name: string): void {
    if (!this.#items.includes(name)) this.#change(name, 'set');
  }

  /** Another round of the loop may have set it already. */
  mayBeSet(name: string): void {
    if (!this.#items.includes(name) && this.#variables.get(name) === undefined) this.#change(name, 'maybe');
  }

  /** Walks the block of a loop; `item` can be read only there. */
  withItem(item: string, walk: () => void): void {
    this.#items.push(item);
    walk();
    this.#items.pop();
    this.#pastItems.add(item);
  }

  /** Walks the statements that handle a failure: `failure` can be read there. */
  withFailure(walk: () => void): void {
    this.#failures++;
    walk();
    this.#failures--;
  }

  /** Walks one branch and takes its effect back; `join` then tells what holds after all of them. */
  branch(walk: () => void): BranchEffect {
    const journal = new Map<string, Certainty | undefined>();
    const endedBefore = this.ended;
    this.#journals.push(journal);
    this.ended = false;
    walk();
    const { ended } = this;
    this.ended = endedBefore;
    this.#journals.pop();
    const changes = new Map<string, Certainty | undefined>();
    for (const [name, before] of journal) {
      changes.set(name, this.#variables.get(name));
      if (before === undefined) this.#variables.delete(name);
      else this.#variables.set(name, before);
    }
    return { changes, ended };
  }

  /** Goes on after branches of which exactly one is taken. */
  join(branches: readonly BranchEffect[]): void {
    const open = branches.filter((branch) => !branch.ended);
    if (open.length === 0) {
      // No way leads here: nothing below is worth a message of its own.
      for (const branch of branches) for (const name of branch.changes.keys()) this.#change(name, 'set');
      this.ended = true;
      return;
    }
    const names = new Set(open.flatMap((branch) => [...branch.changes.keys()]));
    for (const name of names) {
      const everywhere = open.every(
        (branch) => (branch.changes.has(name) ? branch.changes.get(name) : this.#variables.get(name)) === 'set',
      );
      this.#change(name, everywhere ? 'set' : 'maybe');
    }
  }

  #change(name: string, certainty: Certainty): void {
    const journal = this.#journals.at(-1);
    if (journal !== undefined && !journal.has(name)) journal.set(name, this.#variables.get(name));
    this.#variables.set(name, certainty);
  }
}
