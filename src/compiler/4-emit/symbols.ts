// Maps names of the workflow to JavaScript identifiers, one table per module. They consist of A–Z, a–z, 0–9 and `_` only, so they never
// collide with the emitter's own, which contain a `$`.

/** Identifiers that are taken: words that JavaScript reserves or treats specially, and names that the module itself uses. */
const TAKEN = new Set(
  (
    'abstract arguments as async await boolean break byte case catch char class const continue debugger default delete do double else enum eval export extends ' +
    'false final finally float for from function get goto if implements import in Infinity instanceof int interface let long NaN native new null of package ' +
    'private protected public return set short static super switch synchronized this throw throws transient true try typeof undefined var void volatile while ' +
    'with yield constructor prototype globalThis global process require module exports Object Array String Number Boolean Symbol Math JSON Date Promise Proxy ' +
    'Reflect Function Error Map Set eval workflow services main run request failure'
  ).split(' '),
);

export class Symbols {
  readonly #identifiers = new Map<string, string>();
  readonly #used: Set<string>;

  /** `imports`: names that the module imports from the runtime. */
  constructor(imports: Iterable<string>) {
    this.#used = new Set([...TAKEN, ...imports]);
  }

  /** The identifier of `name`: always the same for one name, and unique to it. */
  identifier(name: string): string {
    const known = this.#identifiers.get(name);
    if (known !== undefined) return known;
    const plain = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
    let identifier = plain;
    for (let count = 2; this.#used.has(identifier); count++) identifier = `${plain}_${count}`;
    this.#used.add(identifier);
    this.#identifiers.set(name, identifier);
    return identifier;
  }
}

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

/** The names that exist only in a part of the module: items of loops, and what concurrent rounds set or add to. */
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
