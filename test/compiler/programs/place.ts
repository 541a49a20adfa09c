// Where the generator is in a program: what may be read and set there, and in how many loops, branches and handlers it stands.
import type { Kind } from './generate-operations.js';
import type { Input } from './inputs.js';
import type { Tape } from './tape.js';
import { kindOf, names } from './vocabulary.js';

export const failureFields = ['status', 'attempts', 'service', 'body'] as const;

/** The same for the call of another workflow. */
export const partFailureFields = ['rejected', 'status', 'attempts', 'service', 'body'] as const;

/** Numbers of the calls and files of a whole program, which its called workflows count on. */
export interface Counters {
  calls: number;
  tables: number;
}

export class Place {
  readonly #tape: Tape;
  readonly counters: Counters;
  /** The declared inputs of the workflow, if it has that section. */
  readonly inputs: readonly Input[] | undefined;
  /** Variables that an earlier line may have set. */
  readonly known: string[] = [];
  readonly items: { readonly name: string; readonly kind: Kind | 'row' }[] = [];
  /** The outputs of called workflows, by the variables that hold them: the check refuses to read others. */
  readonly outputs = new Map<string, readonly string[]>();
  /** The names that may be set here, and the variables that may be read. */
  settable: readonly string[] = names;
  isReadable: (name: string) => boolean = () => true;
  /** The list that the rounds at the same time around this place may add to. */
  added: string | undefined;
  /** Such loops around this place, and parts at the same time of any kind. */
  rounds = 0;
  branches = 0;
  setInRounds: string[] = [];
  /** Loops around this place that `skip` can continue, and those that `stop the loop` can end. */
  loops = 0;
  stoppable = 0;
  /** Nested operations. */
  depth = 0;
  steps = 0;
  failures = 0;
  statements = 0;

  /** What can be read from the failure of the innermost call whose handler is around this place. */
  failureFields: readonly [string, ...string[]] = failureFields;

  constructor(tape: Tape, counters: Counters, inputs: readonly Input[] | undefined) {
    this.#tape = tape;
    this.counters = counters;
    this.inputs = inputs;
  }

  within<T>(name: string, kind: Kind | 'row', make: (name: string) => T): T {
    this.items.push({ name, kind });
    const made = make(name);
    this.items.pop();
    return made;
  }

  isItem(name: string): boolean {
    return this.items.some((item) => item.name === name);
  }

  /** Generates something that may set only these names, and read only these variables, besides its own items. */
  apart<T>(settable: readonly string[], isReadable: (name: string) => boolean, make: () => T): T {
    const [names, wasReadable, inherited] = [this.settable, this.isReadable, [...this.items]];
    this.settable = settable;
    this.isReadable = (name) =>
      this.items.some((item) => item.name === name && !inherited.includes(item)) || (isReadable(name) && wasReadable(name));
    const made = make();
    [this.settable, this.isReadable] = [names, wasReadable];
    return made;
  }

  target(kind?: Kind): string {
    const all = this.settable;
    const fitting = kind === undefined || this.#tape.chance(10) ? all : all.filter((name) => kindOf(name) === kind);
    const choices = fitting.length === 0 ? all : fitting;
    const name = choices[this.#tape.below(choices.length)] ?? 'x';
    if (!this.isItem(name)) this.known.push(name);
    return name;
  }

  /** In a handler, `failure` is the failure. The wording of its message is not part of the contract. */
  get readable(): string[] {
    const known = this.branches > 0 || this.added !== undefined ? this.known.filter(this.isReadable) : this.known;
    return this.failures > 0 ? known.filter((name) => name !== 'failure') : known;
  }
}
