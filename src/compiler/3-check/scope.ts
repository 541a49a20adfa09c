// Tracks which variables are set at a point of the workflow (on every path, on some, or on none) and the kind of their values, as far as it
// is certain. Branches are processed in turn on the same table and rolled back, so a branch costs what it changes rather than what exists.
import { emptyKind, joinKinds, type Kind, orEmpty, receivedKind, recordKind, unknownKind } from './kinds/kind.js';
import { eitherFacts, noFacts, type PassedFacts, withoutName } from './passed-conditions.js';

/** Set on every path to this point, or only on some. */
type Certainty = 'set' | 'maybe';

/** A variable at a point of the workflow. */
interface Variable {
  readonly certainty: Certainty;
  /** Kind of its value, where it is set. */
  readonly kind: Kind;
}

/** The changes of a branch to the table. */
interface BranchEffect {
  readonly changes: ReadonlyMap<string, Variable | undefined>;
  /** True if the branch always ends the run or the round of the loop. */
  readonly ended: boolean;
  /** Facts from the conditions that it has passed. */
  readonly facts: PassedFacts;
}

/** Names available in every run. */
const given = ['request', 'received', 'env', 'now', 'today'];

export class Scope {
  readonly #variables = new Map<string, Variable>();
  readonly #items: { readonly name: string; kind: Kind }[] = [];
  readonly #pastItems = new Set<string>();
  readonly #pastRounds = new Set<string>();
  readonly #journals: Map<string, Variable | undefined>[] = [];
  #failures = 0;
  /** False in a file with invalid lines, which may have set a variable to another kind. */
  followsKinds = true;
  /** True once an invalid line may have set a variable of any name. After that, no name is unknown. */
  isOpen = false;
  /** The kind of `request`, if the file declares its fields. */
  request: Kind | undefined;
  /** True after a statement that ends the run or the round of the loop. */
  ended = false;
  /** Facts from the conditions that every way to this point has passed. */
  facts: PassedFacts = noFacts;

  /** Whether a variable is set; `undefined` if nothing can have set it. A loop's item is always set inside the loop. */
  look(name: string): Certainty | undefined {
    return this.isItem(name) ? 'set' : this.#variables.get(name)?.certainty;
  }

  /** The kind of the value that a name certainly has where it is read; `undefined` if nothing is certain. */
  kindOf = (name: string): Kind | undefined => {
    const isFailure = name === 'failure' && this.inFailure && !this.isItem(name);
    return isFailure ? recordKind : this.kindOfTarget(name);
  };

  /** The kind of a name that a line changes: there, `failure` is a variable even under `on failure:`. */
  kindOfTarget(name: string): Kind | undefined {
    const item = this.#items.findLast((one) => one.name === name);
    if (item !== undefined) return item.kind;
    if (name === 'request') return this.request;
    if (name === 'received') return receivedKind;
    const variable = this.#variables.get(name);
    if (this.isOpen || !this.followsKinds || variable === undefined) return undefined;
    return variable.certainty === 'set' ? variable.kind : orEmpty(variable.kind);
  }

  /** Every name in scope, lazily: callers may stop early. */
  *names(): Iterable<string> {
    yield* given;
    for (const { name } of this.#items) yield name;
    yield* this.#variables.keys();
  }

  isItem(name: string): boolean {
    return this.#items.some((item) => item.name === name);
  }

  /** The name that exists for the smallest part of the line or block. */
  get innermostItem(): string | undefined {
    return this.#items.at(-1)?.name;
  }

  /** The innermost item that certainly has this field. */
  itemWithField(field: string): string | undefined {
    return this.#items.findLast(({ kind }) => kind.is === 'record' && kind.fields?.has(field) === true)?.name;
  }

  /** True for the item of a loop that has ended. */
  wasItem(name: string): boolean {
    return this.#pastItems.has(name);
  }

  /** True for a name that was local to concurrent rounds. */
  wasOfRound(name: string): boolean {
    return this.#pastRounds.has(name);
  }

  /** Concurrent rounds have ended, and with them these names. */
  leaveRounds(names: Iterable<string>): void {
    for (const name of names) this.#pastRounds.add(name);
  }

  get inFailure(): boolean {
    return this.#failures > 0;
  }

  set(name: string, kind: Kind = unknownKind): void {
    this.facts = withoutName(this.facts, name);
    const item = this.#items.findLast((one) => one.name === name);
    if (item === undefined) this.#change(name, { certainty: 'set', kind });
    // In a branch or not: below, the item may have a field that is not declared.
    else item.kind = joinKinds(item.kind, kind);
  }

  /**
   * From here on, the value of a variable may differ from what the check has seen, because a loop sets it again.
   * @param kind what stays certain
   */
  forgetKind(name: string, kind: Kind = unknownKind): void {
    this.facts = withoutName(this.facts, name);
    const item = this.#items.findLast((one) => one.name === name);
    if (item !== undefined) item.kind = kind;
    const variable = this.#variables.get(name);
    if (variable !== undefined && item === undefined) this.#change(name, { ...variable, kind });
  }

  /** Another round of the loop may have set it already. */
  mayBeSet(name: string): void {
    if (!this.isItem(name) && this.#variables.get(name) === undefined)
      this.#change(name, { certainty: 'maybe', kind: unknownKind });
  }

  /** Walks the block of a loop; only there can `item` be read. */
  withItem(item: string, kind: Kind, walk: () => void): void {
    this.withLocal(item, kind, walk);
    this.#pastItems.add(item);
  }

  /** Walks the part of an expression in which `item` exists. */
  withLocal(item: string, kind: Kind, walk: () => void): void {
    this.#items.push({ name: item, kind });
    walk();
    this.#items.pop();
  }

  /** Walks the statements that handle a failure; only there can `failure` be read. */
  withFailure(walk: () => void): void {
    this.#failures++;
    walk();
    this.#failures--;
  }

  /** Runs one branch and undoes its effects; `join` later merges those of all branches. */
  branch(walk: () => void): BranchEffect {
    const journal = new Map<string, Variable | undefined>();
    const { ended: endedBefore, facts: factsBefore } = this;
    this.#journals.push(journal);
    this.ended = false;
    walk();
    const { ended, facts } = this;
    this.ended = endedBefore;
    this.facts = factsBefore;
    this.#journals.pop();
    const changes = new Map<string, Variable | undefined>();
    for (const [name, before] of journal) {
      changes.set(name, this.#variables.get(name));
      if (before === undefined) this.#variables.delete(name);
      else this.#variables.set(name, before);
    }
    return { changes, ended, facts };
  }

  /** Merges branches of which exactly one is taken. */
  join(branches: readonly BranchEffect[]): void {
    const open = branches.filter((branch) => !branch.ended);
    if (open.length === 0) {
      // No path leads here, so nothing below deserves a message.
      for (const branch of branches)
        for (const name of branch.changes.keys()) this.#change(name, { certainty: 'set', kind: unknownKind });
      this.ended = true;
      return;
    }
    this.facts = open.map(({ facts }) => facts).reduce(eitherFacts);
    const names = new Set(open.flatMap((branch) => [...branch.changes.keys()]));
    for (const name of names) {
      const variables = open.map((branch) => (branch.changes.has(name) ? branch.changes.get(name) : this.#variables.get(name)));
      const everywhere = variables.every((variable) => variable?.certainty === 'set');
      const kind = variables.map((variable) => variable?.kind ?? emptyKind).reduce(joinKinds);
      this.#change(name, { certainty: everywhere ? 'set' : 'maybe', kind });
    }
  }

  /** Merges concurrent branches, all of which run. No two change the same variable. */
  together(branches: readonly BranchEffect[]): void {
    this.facts = branches.map(({ facts }) => facts).reduce(eitherFacts, this.facts);
    for (const { changes, ended } of branches) {
      for (const [name, variable] of changes) if (variable !== undefined) this.#change(name, variable);
      if (ended) this.ended = true;
    }
  }

  #change(name: string, variable: Variable): void {
    const journal = this.#journals.at(-1);
    if (journal !== undefined && !journal.has(name)) journal.set(name, this.#variables.get(name));
    this.#variables.set(name, variable);
  }
}

/** Names with a fixed meaning. No statement or loop can set them. */
export const reserved: ReadonlySet<string> = new Set([
  'request',
  'received',
  'env',
  'now',
  'today',
  'empty',
  'true',
  'false',
  'not',
]);
