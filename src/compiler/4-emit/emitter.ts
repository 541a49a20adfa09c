// State of one emission: the writer, identifiers, source locations, runtime imports, and the way into nested nodes.
import type { CellValue, TableData } from '../../../runtime/tables/table-types.js';
import type { EnvTemplate } from '../../../runtime/types.js';
import type { DecisionCell, DecisionTable } from '../2-parse/declaration-tree.js';
import type { Arithmetic, Block, Expression, Iteration, Reference, SetVariable, Statement, Workflow } from '../2-parse/tree.js';
import type { Facts } from '../3-check/checker.js';
import { inferTypes, type ValueType } from '../3-check/infer-types.js';
import { normalTest } from '../3-check/tables/cells.js';
import type { Span } from '../diagnostics/diagnostic.js';
import { type EmittedCode, jsData, jsText, operandCode } from './emitted-code.js';
import { constantTime, type RuntimeName, runtimeNames } from './runtime-names.js';
import { type Origin, Writer } from './writer.js';

/** Options of the emitted module. */
export interface EmitOptions {
  /**
   * Purpose of the module: `esm` for bundlers (the default), `commonjs` for this program, `called` for a part of another module, `build`
   * for a file that can be imported or started, with its plugins included.
   */
  readonly format?: 'esm' | 'commonjs' | 'build' | 'called';
  /** Import plugins where a bundler can find them, in a called workflow as in its caller. */
  readonly bundlesPlugins?: boolean;
  /** For a called workflow: from the folder of the module to its own; the number of its first place, from which the others go down. */
  readonly folder?: string;
  readonly firstSite?: number;
  /** Report every assignment (`--verbose`). */
  readonly trace?: boolean;
  /** Report every statement and branch that is reached (`wf test`). */
  readonly coverage?: boolean;
}

/** A statement or branch that a run can reach. */
export interface Reachable {
  readonly line: number;
  readonly kind: 'statement' | 'branch' | 'row';
  /** A description for people: the first words of the statement, the branch, or the row of a table. */
  readonly text: string;
  /** The file of a table, with the text of its row. */
  readonly file?: string;
}

/** `set total to total plus …`, if nothing else in the loop reads or sets `total`. */
export type DeferredCheck = SetVariable & { readonly value: Arithmetic };

/** A file as the check leaves it. */
export interface CheckedText {
  readonly text: string;
  readonly workflow: Workflow;
  readonly facts: Facts;
}

/** A loop that is being emitted. */
interface OpenLoop {
  /** The JavaScript statements for `skip` and `stop the loop`. */
  readonly jumps: Readonly<Record<'skip' | 'stop', string>>;
  /** Number of open steps when the loop began. */
  readonly steps: number;
  /** Totals in it whose overflow check is deferred. */
  readonly late: ReadonlyMap<Statement, DeferredCheck>;
  /** The code of the deferred checks. */
  readonly checks: string[];
}

/** Functions that execute the rounds of an iteration; each is emitted when it is first needed. */
interface IterationFunctions {
  /** All of them at once. */
  whole?: string;
  /** Some of them, for `roundsInTurns`, and one round that takes long itself, if rounds can. */
  inParts?: { readonly rounds: string; readonly round: string | undefined };
}

/** The emitters of nested nodes. They are given, because those in turn import this file. */
interface NodeEmitters {
  readonly block: (emitter: Emitter, block: Block) => void;
  readonly expression: (emitter: Emitter, expression: Expression) => EmittedCode;
}

/** The context of an expression: a statement, an expression that can't wait, or one that waits for its parts. */
type Mode = 'statement' | 'at once' | 'in turns';

export class Emitter {
  readonly #nodes: NodeEmitters;
  readonly writer = new Writer();
  readonly options: EmitOptions;
  readonly text: string;
  readonly facts: Facts;
  readonly symbols = new Symbols(runtimeNames);
  readonly variables = new Set<string>();
  readonly loops: OpenLoop[] = [];
  /** The lines of the functions before `main`. */
  readonly functions: string[] = [];
  readonly locals = new LocalNames();
  readonly steps: string[] = [];
  readonly locations: string[] = [];
  readonly #locations = new Map<string, number>();
  /** The functions of iterations, which are the same wherever a statement contains them. */
  readonly iterations = new Map<Iteration, IterationFunctions>();
  readonly reachable: Reachable[] = [];
  /** The line of each place with an effect outside the run. */
  readonly sites: number[] = [];
  readonly directFields = new Set<string>();
  /** The headers and addresses of calls, as they are written. */
  readonly written: { readonly headers: [name: string, value: EnvTemplate][]; readonly addresses: EnvTemplate[] } = {
    headers: [],
    addresses: [],
  };
  /** Variables that `add` appends to: their list is copied once, then grows in place until something else may hold it too. */
  readonly grown: ReadonlySet<string>;
  readonly tables = new EmittedTables(this);
  readonly #imports = new Set<RuntimeName>();
  readonly #types: ReadonlyMap<string, ValueType>;
  readonly #lineStarts: readonly number[];
  #mode: Mode = 'statement';
  #temporaries = 0;
  #mostTemporaries = 0;
  #unique = 0;
  /** Number of open failure handlers. */
  failures = 0;
  hasLoops = false;
  /** Number of operations so far whose time is proportional to a value. */
  sizedOperations = 0;

  constructor({ text, workflow, facts }: CheckedText, grown: ReadonlySet<string>, nodes: NodeEmitters, options: EmitOptions) {
    this.#nodes = nodes;
    this.text = text;
    this.facts = facts;
    this.grown = grown;
    this.options = options;
    this.#types = inferTypes(workflow.body, facts.definite);
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  /**
   * Marks a runtime function as used and returns its name.
   * @param isSized whether its time is proportional to a value
   */
  use(name: RuntimeName, isSized = !constantTime.has(name)): string {
    this.#imports.add(name);
    if (isSized) this.sizedOperations++;
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

  /** Call it before each statement, which can then reuse the locals. */
  freeTemporaries(): void {
    this.#temporaries = 0;
  }

  get temporaries(): string[] {
    return Array.from({ length: this.#mostTemporaries }, (_, index) => `$${index + 1}`);
  }

  /** Emits the body of a function. The result includes its own temporaries. */
  inFunction<T>(emit: () => T): { readonly result: T; readonly temporaries: readonly string[] } {
    const [now, most] = [this.#temporaries, this.#mostTemporaries];
    this.#temporaries = 0;
    this.#mostTemporaries = 0;
    const result = emit();
    const { temporaries } = this;
    this.#temporaries = now;
    this.#mostTemporaries = most;
    return { result, temporaries };
  }

  /** A fresh local of the emitter. */
  unique(stem: string): string {
    this.#unique++;
    return `${stem}$${this.#unique}`;
  }

  /** Line and column of an offset, both from 0. */
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

  /** Registers a source location with the texts of its operands; returns the expression that reads it. */
  location(span: Span, ...operands: Span[]): string {
    const { line, column } = this.origin(span.start);
    const texts = operands.map((operand) => jsText(this.excerpt(operand)));
    const code = `[${[line + 1, column + 1, span.end - span.start, ...texts].join(', ')}]`;
    let index = this.#locations.get(code);
    if (index === undefined) {
      index = this.locations.push(code) - 1;
      this.#locations.set(code, index);
    }
    // One constant each: V8 compiles those better than items of a list.
    return `location$${index}`;
  }

  /** The text of a span, shortened if long. */
  excerpt(span: Span): string {
    const text = this.text.slice(span.start, span.end);
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }

  /** The identifier of a name at this point: the item of a loop hides a variable. */
  identifier(name: string): string {
    const item = this.itemOf(name);
    if (item !== undefined) return item;
    this.variables.add(name);
    return this.symbols.identifier(name);
  }

  /** A new identifier for a name that exists only here. A suffix distinguishes it from a variable of the run that it hides. */
  itemIdentifier(name: string): string {
    return this.unique(this.symbols.identifier(name));
  }

  /** Emits code that can read an item. */
  withItem<T>(name: string, identifier: string, emit: () => T): T {
    return this.locals.within({ name, identifier }, emit);
  }

  /** The identifier of a name that exists only here; `undefined` for a variable of the run. */
  itemOf(name: string): string | undefined {
    return this.locals.find(name)?.identifier;
  }

  typeOf = (reference: Reference): ValueType =>
    reference.fields.length > 0 || this.itemOf(reference.root) !== undefined || !this.facts.definite.has(reference)
      ? 'unknown'
      : (this.#types.get(reference.root) ?? 'unknown');

  /** True for a variable of the run that is always a number. */
  isNumber = (name: string): boolean => this.#types.get(name) === 'number';

  /** Emits the statements of a block. */
  block(block: Block): void {
    this.#nodes.block(this, block);
  }

  /** Emits an expression. */
  expression(expression: Expression): EmittedCode {
    return this.#nodes.expression(this, expression);
  }

  /** Emits a part of an expression. */
  as<T>(mode: Mode, emit: () => T): T {
    const before = this.#mode;
    this.#mode = mode;
    const emitted = emit();
    this.#mode = before;
    return emitted;
  }

  /** Emits a call of an operation that may take long; `steps` is the same in turns. */
  longCall(name: RuntimeName, steps: RuntimeName, words: readonly string[]): string {
    if (this.#mode !== 'in turns') return `${this.use(name)}(${words.join(', ')})`;
    return `(await ${this.use('inTurns')}(run, ${this.use(steps)}(${words.join(', ')})))`;
  }

  /** Emits a value as text. */
  textOf({ alone, code, type, isAtomic }: EmittedCode, { start }: Span): string {
    if (type === 'text') return code;
    if (this.#mode === 'at once' || type === 'number' || type === 'boolean' || type === 'empty')
      return `${this.use('show')}(${alone})`;
    const steps = (value: string): string =>
      `await ${this.use('inTurns')}(run, ${this.use('showSteps')}(${value}, ${this.origin(start).line + 1}))`;
    if (this.#mode === 'in turns') return `(${steps(alone)})`;
    const [text, value] = [this.temporary(), isAtomic ? code : this.temporary()];
    const given = isAtomic ? code : `${value} = ${alone}`;
    return `((${text} = ${this.use('shown')}(${given})) === ${this.use('postponed')} ? ${steps(value)} : ${text})`;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Emits an expression as a condition. */
  condition(expression: Expression): EmittedCode {
    const emitted = this.expression(expression);
    return emitted.type === 'boolean'
      ? emitted
      : operandCode(`${this.use('truthy')}(${emitted.code}${this.#conditionPlace(emitted.type, expression)})`, 'boolean');
  }

  /** Only a text can be no condition. */
  #conditionPlace(type: ValueType, { span }: Expression): string {
    return type === 'unknown' || type === 'text' ? `, ${this.location(span, span)}` : '';
  }

  /** Registers a place that calls, asks or waits; returns its number, which no other place of the module has. */
  site(line: number): number {
    const index = this.sites.push(line) - 1;
    return this.options.firstSite === undefined ? index : this.options.firstSite - index;
  }

  line(code: string, span?: Span): void {
    this.writer.line(code, span === undefined ? undefined : this.origin(span.start));
  }

  /** Reports that this place is reached, in modules emitted for coverage. */
  reach(line: number, kind: Reachable['kind'], text: string): void {
    if (this.options.coverage !== true) return;
    this.reachable.push({ line, kind, text });
    this.writer.line(`run.reach(${this.reachable.length - 1});`);
  }
}

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

class Symbols {
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

/** The meaning of a name in concurrent rounds. */
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
class LocalNames {
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

// Emits the decision tables that are looked up, as data of the module.

/** JavaScript engines parse a large literal several times faster as JSON. */
const FEWEST_AS_JSON = 50;

interface EmittedTable {
  /** The constant with its data. */
  readonly constant: string;
  /** With coverage, the index of its first row among the places. */
  readonly firstRow: number | undefined;
}

class EmittedTables {
  readonly #emitter: Emitter;
  readonly #tables = new Map<DecisionTable, EmittedTable>();

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Marks a table as looked up. */
  use(table: DecisionTable): EmittedTable {
    let known = this.#tables.get(table);
    if (known === undefined) {
      known = { constant: `table$${this.#tables.size}`, firstRow: this.#reachableRows(table) };
      this.#tables.set(table, known);
    }
    return known;
  }

  #reachableRows({ file, rows }: DecisionTable): number | undefined {
    const { options, reachable } = this.#emitter;
    if (options.coverage !== true) return undefined;
    const first = reachable.length;
    for (const { line, span } of rows) {
      if (file === undefined) reachable.push({ line, kind: 'row', text: this.#emitter.excerpt(span) });
      else reachable.push({ line: this.#emitter.origin(span.start).line + 1, kind: 'row', text: `row ${line}`, file });
    }
    return first;
  }

  /** The declarations of the tables that are looked up. */
  get lines(): string[] {
    return [...this.#tables].map(([table, { constant }]) => {
      const data = tableData(table);
      const code = data.rows.length < FEWEST_AS_JSON ? jsData(data) : `JSON.parse(${jsText(JSON.stringify(data))})`;
      return `const ${constant} = ${code};`;
    });
  }
}

function tableData({ name, headings, rows }: DecisionTable): TableData {
  const columns = headings.map((heading, index) => ({ ...heading, index }));
  const conditions = columns.flatMap(({ name: condition, test, index }) =>
    test === undefined ? [] : [{ name: condition, test, index }],
  );
  const results = columns.filter(({ test }) => test === undefined);
  return {
    name: name.text,
    conditions: conditions.map(({ name: condition, test }) => ({ name: condition, test })),
    rows: rows.map(({ cells }) =>
      conditions.map(({ index }) => {
        const cell = cells[index];
        return cell === undefined ? null : normalTest(cell);
      }),
    ),
    results: rows.map(({ cells }) => results.map(({ index }) => resultOf(cells[index]))),
  };
}

function resultOf(cell: DecisionCell | undefined): CellValue {
  if (cell?.is !== 'test' || cell.test === null) return null;
  return typeof cell.test === 'object' ? null : cell.test;
}
