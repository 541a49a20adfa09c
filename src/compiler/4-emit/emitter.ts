// The state of one emission: the writer, the names, the places of run-time errors, and what the module has to import.

import type { Reference, Statement, Workflow } from '../2-parse/tree.js';
import type { Facts } from '../3-check/checker.js';
import type { Span } from '../diagnostics/diagnostic.js';
import { inferTypes, type Type } from './infer-types.js';
import { jsText } from './javascript-text.js';
import type { LateSum } from './late-sums.js';
import { type RuntimeName, runtimeNames } from './runtime-names.js';
import { Symbols } from './symbols.js';
import { type Origin, Writer } from './writer.js';

/** What a module is emitted for beside being run. */
export interface EmitOptions {
  /** Tell every variable that is set (`--verbose`). */
  readonly trace?: boolean;
  /** Tell every statement and branch that is reached (`wf test`). */
  readonly coverage?: boolean;
  /** Let the bundler take the plugins in (`wf build`). */
  readonly bundlePlugins?: boolean;
  /** Let `node module.mjs` run it. */
  readonly standalone?: boolean;
}

/** A statement or branch that a run can reach. */
export interface Reachable {
  readonly line: number;
  readonly kind: 'statement' | 'branch';
  /** What it is, for people: the statement's first words, or which branch. */
  readonly text: string;
}

/** A loop that is being emitted. */
export interface OpenLoop {
  readonly item: string;
  readonly identifier: string;
  readonly label: string;
  /** How many steps were open where the loop began. */
  readonly steps: number;
  /** Statements in it whose result is looked at after the loop. */
  readonly late: ReadonlyMap<Statement, LateSum>;
  /** What looks at them. */
  readonly checks: string[];
}

export class Emitter {
  readonly writer = new Writer();
  readonly options: EmitOptions;
  readonly text: string;
  readonly facts: Facts;
  readonly symbols = new Symbols(runtimeNames);
  readonly variables = new Set<string>();
  readonly loops: OpenLoop[] = [];
  readonly steps: string[] = [];
  readonly places: string[] = [];
  readonly reachable: Reachable[] = [];
  readonly directFields = new Set<string>();
  /** Variables that `add` appends to: their list is copied once, then grows in place until something else may hold it too. */
  readonly grown: ReadonlySet<string>;
  readonly #imports = new Set<RuntimeName>();
  readonly #types: ReadonlyMap<string, Type>;
  readonly #lineStarts: readonly number[];
  #temporaries = 0;
  #mostTemporaries = 0;
  #unique = 0;
  /** How many handlers of failures are open. */
  failures = 0;
  hasLoops = false;

  constructor(text: string, workflow: Workflow, facts: Facts, grown: ReadonlySet<string>, options: EmitOptions) {
    this.text = text;
    this.facts = facts;
    this.grown = grown;
    this.options = options;
    this.#types = inferTypes(workflow, facts.definite);
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  /** Marks a function of the runtime as used and gives its name. */
  use(name: RuntimeName): string {
    this.#imports.add(name);
    return name;
  }

  get imports(): string[] {
    return [...this.#imports].sort();
  }

  /** A local that holds a value within one statement. */
  temporary(): string {
    this.#temporaries++;
    this.#mostTemporaries = Math.max(this.#mostTemporaries, this.#temporaries);
    return `$${this.#temporaries}`;
  }

  /** To be called before each statement: its locals can be used again. */
  freeTemporaries(): void {
    this.#temporaries = 0;
  }

  get temporaries(): string[] {
    return Array.from({ length: this.#mostTemporaries }, (_, index) => `$${index + 1}`);
  }

  /** A name for a local of the emitter that nothing else in the module has. */
  unique(stem: string): string {
    this.#unique++;
    return `${stem}$${this.#unique}`;
  }

  /** Line and column of an offset, both counted from 0. */
  origin(offset: number): Origin {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (this.#lineStarts[low] ?? 0) };
  }

  /** Registers a place of the source with the texts of its operands; gives the expression that reads it. */
  place(span: Span, ...operands: Span[]): string {
    const { line, column } = this.origin(span.start);
    const texts = operands.map((operand) => jsText(this.excerpt(operand)));
    this.places.push(`[${[line + 1, column + 1, span.end - span.start, ...texts].join(', ')}]`);
    // A constant each: the engine compiles that better than the items of one list.
    return `place$${this.places.length - 1}`;
  }

  /** The text of a span, cut where it is long. */
  excerpt(span: Span): string {
    const text = this.text.slice(span.start, span.end);
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }

  /** The identifier that a name has at this point: a loop's item hides a variable. */
  identifier(name: string): string {
    const loop = this.loopOf(name);
    if (loop !== undefined) return loop.identifier;
    this.variables.add(name);
    return this.symbols.identifier(name);
  }

  loopOf(name: string): OpenLoop | undefined {
    for (let index = this.loops.length - 1; index >= 0; index--) {
      const loop = this.loops[index];
      if (loop?.item === name) return loop;
    }
    return undefined;
  }

  typeOf = (reference: Reference): Type =>
    reference.fields.length > 0 || this.loopOf(reference.root) !== undefined || !this.facts.definite.has(reference)
      ? 'unknown'
      : (this.#types.get(reference.root) ?? 'unknown');

  /** True for a variable of the run that holds a number wherever it is set. */
  isNumber = (name: string): boolean => this.#types.get(name) === 'number';

  line(code: string, span?: Span): void {
    this.writer.line(code, span === undefined ? undefined : this.origin(span.start));
  }

  /** Tells a run that wants to know that this place is reached. */
  reach(line: number, kind: Reachable['kind'], text: string): void {
    if (this.options.coverage !== true) return;
    this.reachable.push({ line, kind, text });
    this.writer.line(`run.reach(${this.reachable.length - 1});`);
  }
}
