// The names that exist only in a part of the module: items of loops, and what concurrent rounds set or add to.

/** What a name means to concurrent rounds. */
interface OfRound {
  /** For a list outside of the loop: receives the items that a round adds. */
  readonly collector: string | undefined;
}

interface LocalName {
  readonly name: string;
  readonly identifier: string;
  /** Absent for an item. */
  readonly round?: OfRound | undefined;
}

export class LocalNames {
  /** The innermost last. */
  readonly #names: LocalName[] = [];

  /** Emits code in which the name exists. */
  within<T>(local: LocalName, emit: () => T): T {
    this.#names.push(local);
    const result = emit();
    this.#names.pop();
    return result;
  }

  find(name: string): LocalName | undefined {
    return this.#names.findLast((local) => local.name === name);
  }

  isItem(name: string): boolean {
    return this.#names.some((local) => local.name === name && local.round === undefined);
  }
}
