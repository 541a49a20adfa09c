// Generates statements. They only set what may be set where they stand, and only read what an earlier line may have set.
import { firstUnordered } from './answers.js';
import { partPairs } from './generate-inputs.js';
import type { Kind } from './generate-operations.js';
import type { GeneratedTable } from './generate-tables.js';
import type { ValueGenerator } from './generate-values.js';
import { failureFields, type Place, partFailureFields } from './place.js';
import type { Tape } from './tape.js';
import type { CallStmt, Expr, Handler, Part, Path, Stmt } from './tree.js';
import { fields, kindOf, names, numbers, phrases, roundNames, texts } from './vocabulary.js';

/** What a workflow has besides its statements. */
export interface About {
  /** Percentage of statements that are calls and waits, beyond the usual ones. */
  readonly effects: number;
  readonly tables: readonly GeneratedTable[];
  /** The workflows that it may call. */
  readonly parts: readonly Part[];
  /** Whether several runs of it may be in progress together. */
  readonly isConcurrent: boolean;
}

export class StatementGenerator {
  readonly #tape: Tape;
  readonly #place: Place;
  readonly #values: ValueGenerator;
  readonly #about: About;

  constructor(tape: Tape, place: Place, values: ValueGenerator, about: About) {
    this.#tape = tape;
    this.#place = place;
    this.#values = values;
    this.#about = about;
  }

  block(depth: number, most: number): Stmt[] {
    const statements: Stmt[] = [];
    const before = this.#place.known.length;
    do statements.push(this.#statement(depth));
    while (
      !endsIn(statements) &&
      statements.length < most &&
      !this.#tape.isUsedUp &&
      this.#place.statements < 60 &&
      this.#tape.below(5) > 0
    );
    // What is set on a path that ends here can't be read anywhere.
    if (endsIn(statements)) this.#place.known.splice(before);
    return statements;
  }

  effect(depth: number): Stmt {
    if (this.#place.branches < 2 && this.#tape.chance(20))
      return this.#tape.chance(50) ? this.#together(depth) : this.#concurrentRounds(depth);
    return this.#tape.chance(80) ? this.#call(depth) : this.#wait();
  }

  #statement(depth: number): Stmt {
    this.#place.statements++;
    const tape = this.#tape;
    const line = { at: 0 };
    if (this.#about.effects > 0 && tape.chance(this.#about.effects + (this.#place.branches > 0 ? 20 : 0)))
      return this.effect(depth);
    const part = tape.chance(15) ? this.#onePart() : undefined;
    if (part !== undefined) return this.#partCall(depth, part);
    const choice = tape.below(depth > 4 ? 60 : 100);
    if (choice < 8) return { k: 'log', line, value: this.#values.value(0) };
    if (choice < 10) return this.#letter();
    if (this.#about.tables.length > 0 && this.#place.branches === 0 && choice < 16) return this.#lookUp(depth);
    if (choice < 30) return { k: 'set', line, ...this.assignment(0) };
    if (choice < 38) {
      const value = this.#values.value(0);
      const path = Array.from({ length: 1 + tape.below(2) }, () => tape.one(fields)).filter((field) => !/^\d/.test(field));
      return { k: 'set', line, path: { root: this.#place.target('any'), fields: path }, value };
    }
    if (choice < 52) {
      const value = this.#values.value(0);
      if (this.#place.rounds === 0) return { k: 'add', line, value, name: this.#place.target('list') };
      if (this.#place.added !== undefined && !this.#place.isItem(this.#place.added) && tape.chance(60))
        return { k: 'add', line, value, name: this.#place.added };
      // A name that a round only adds to would be a list outside of the loop.
      const own = this.#place.setInRounds.filter((name) => this.#place.settable.includes(name));
      return own.length === 0 ? { k: 'log', line, value } : { k: 'add', line, value, name: own[tape.below(own.length)] ?? 'own' };
    }
    if (choice < 54) return this.#wait();
    if (choice < 57)
      return this.#place.loops > 0
        ? { k: this.#place.stoppable > 0 ? tape.one(['skip', 'stop']) : 'skip' }
        : { k: 'log', line, value: this.#values.operand(0) };
    if (choice < 60) return tape.chance(60) ? this.#end() : { k: 'log', line, value: this.#values.operand(0) };
    if (choice < 75) return this.#if(depth);
    if (choice < 84) return tape.chance(70) ? this.#loop(depth) : tape.chance(60) ? this.#repeat(depth) : this.#fieldLoop(depth);
    if (choice < 89) {
      if (this.#place.branches > 1) return this.#call(depth);
      return tape.chance(50) ? this.#together(depth) : this.#concurrentRounds(depth);
    }
    if (choice < 92) return this.#step(this.block(depth + 1, 4));
    return this.#call(depth);
  }

  #if(depth: number): Stmt {
    const learnt: string[] = [];
    // What one branch sets can't be read in the next, only after all of them.
    const apart = (): Stmt[] => {
      const before = this.#place.known.length;
      const body = this.block(depth + 1, 3);
      learnt.push(...this.#place.known.splice(before));
      return body;
    };
    const branch = () => ({ line: { at: 0 }, test: this.#values.value(0), body: apart() });
    const branches = [branch(), ...this.#tape.some(2, branch)];
    const otherwise = this.#tape.chance(50) ? apart() : undefined;
    this.#place.known.push(...learnt);
    return { k: 'if', branches, otherwise };
  }

  assignment(depth: number): { path: Path; value: Expr } {
    const before = this.#place.known.length;
    const root = this.#place.target();
    const learnt = this.#place.known.splice(before);
    const kind = kindOf(root);
    const value = kind === 'any' || !this.#tape.chance(93) ? this.#values.value(depth) : this.#values.typed(kind, depth);
    this.#place.known.push(...learnt);
    if (this.#place.rounds > 0) this.#place.setInRounds.push(root);
    return { path: { root, fields: [] }, value };
  }

  #wait(): Stmt {
    const tape = this.#tape;
    // A durable run is parked for a long wait.
    const isShort = this.#about.effects > 0;
    const amount: Expr =
      isShort || tape.chance(80) ? { k: 'number', written: String(tape.below(3)) } : this.#values.typed('number', 1);
    return { k: 'wait', line: { at: 0 }, amount, unit: isShort ? 'seconds' : tape.one(['seconds', 'minutes', 'days']) };
  }

  #loop(depth: number): Stmt {
    const isRows = this.#tape.chance(40);
    const list = isRows ? this.#values.typed('rows', 1) : this.#tape.chance(70) ? this.#values.listLike() : this.#values.sum(0);
    return this.#place.within(this.#tape.one(names), isRows ? 'row' : 'any', (item) => {
      const where = this.#tape.chance(30) ? this.#values.comparison(1) : undefined;
      return { k: 'for', line: { at: 0 }, item, list, where, body: this.#loopBody(depth) };
    });
  }

  #loopBody(depth: number): Stmt[] {
    const before = [this.#place.loops, this.#place.stoppable] as const;
    this.#place.loops++;
    this.#place.stoppable++;
    const body = this.block(depth + 1, 4);
    [this.#place.loops, this.#place.stoppable] = before;
    return body;
  }

  /** Each branch has names that no other one sets or reads. */
  #together(depth: number): Stmt {
    const [count, before] = [2 + this.#tape.below(2), this.#place.known.length];
    const learnt: string[] = [];
    const own = this.#place.settable;
    const branches = Array.from({ length: count }, (_, branch) => {
      const names = own.filter((_, index) => index % count === branch);
      const isSet = new Set(own.filter((name) => !names.includes(name)));
      const made = this.#place.apart(
        names,
        (name) => !isSet.has(name),
        () => {
          this.#place.branches++;
          const [loops, stoppable] = [this.#place.loops, this.#place.stoppable];
          const added = this.#place.added;
          [this.#place.loops, this.#place.stoppable, this.#place.added] = [0, 0, undefined];
          const statement = this.#statement(depth + 1);
          [this.#place.loops, this.#place.stoppable, this.#place.added] = [loops, stoppable, added];
          this.#place.branches--;
          // It is printed as two statements.
          return statement.k === 'rounds' ? this.#step([statement]) : statement;
        },
      );
      learnt.push(...this.#place.known.splice(before));
      return made;
    });
    this.#place.known.push(...learnt);
    return { k: 'together', branches };
  }

  /** Rounds only set names that nothing else sets, and only add to a list that they can't read. */
  #concurrentRounds(depth: number): Stmt {
    const tape = this.#tape;
    const own = roundNames[this.#place.rounds];
    if (own === undefined) return this.#loop(depth);
    const added = this.#place.target('list');
    if (this.#place.isItem(added)) return this.#loop(depth);
    const most = tape.one([1, 2, 3, 10]);
    const [isRows, before, outer, loops, stoppable] = [
      tape.chance(50),
      this.#place.known.length,
      this.#place.added,
      this.#place.loops,
      this.#place.stoppable,
    ];
    const plain: Expr | undefined =
      this.#about.effects > 0 && tape.chance(85)
        ? { k: 'list', items: Array.from({ length: 1 + tape.below(4) }, () => ({ k: 'number', written: tape.one(numbers) })) }
        : undefined;
    const list =
      plain ??
      this.#place.apart(
        this.#place.settable,
        (name) => name !== added,
        () => (isRows ? this.#values.typed('rows', 1) : this.#values.listLike()),
      );
    const item = tape.one(names.filter((name) => name !== added) as [string, ...string[]]); // there are others
    const body = this.#place.apart(
      own,
      (name) => name !== added,
      () =>
        this.#place.within(item, plain !== undefined ? 'number' : isRows ? 'row' : 'any', () => {
          [this.#place.added, this.#place.loops, this.#place.stoppable] = [added, 1, most === 1 ? 1 : 0];
          const ownBefore = this.#place.setInRounds;
          this.#place.setInRounds = [];
          this.#place.rounds++;
          this.#place.branches++;
          const made = this.block(depth + 1, 4);
          this.#place.branches--;
          this.#place.rounds--;
          this.#place.setInRounds = ownBefore;
          [this.#place.added, this.#place.loops, this.#place.stoppable] = [outer, loops, stoppable];
          return made;
        }),
    );
    this.#place.known.splice(before);
    return { k: 'rounds', line: { at: 0 }, item, list, most, added, body };
  }

  #step(body: readonly Stmt[]): Stmt {
    return { k: 'step', line: { at: 0 }, name: `${this.#tape.one(['Check', 'Send out', '名 2'])} ${++this.#place.steps}`, body };
  }

  #fieldLoop(depth: number): Stmt {
    const record = this.#tape.chance(70) ? this.#values.operations.record() : this.#values.operand(1);
    const name = this.#tape.one(names);
    const value = this.#tape.one(names.filter((other) => other !== name) as [string, ...string[]]); // there are more than one
    return this.#place.within(name, 'text', () =>
      this.#place.within(value, 'any', () => ({
        k: 'fields',
        line: { at: 0 },
        names: [name, value],
        record,
        body: this.#loopBody(depth),
      })),
    );
  }

  #repeat(depth: number): Stmt {
    const tape = this.#tape;
    const most: Expr = tape.chance(80) ? { k: 'number', written: String(tape.below(6)) } : this.#values.typed('number', 1);
    const until = tape.chance(50) ? this.#values.comparison(1) : undefined;
    const body = this.#place.within('round', 'number', () => this.#loopBody(depth));
    return { k: 'repeat', line: { at: 0 }, most, until, body };
  }

  #letter(): Stmt {
    const tape = this.#tape;
    const part = (): string | Path =>
      tape.chance(40)
        ? this.#values.path()
        : tape.one([...texts, ' # no comment', '  ', '\\n', 'save the result as x']).replace(/[\n\t]/g, ' ');
    const lines = Array.from({ length: 1 + tape.below(4) }, () => tape.some(3, part)).map((line) =>
      // A blank line has no spaces.
      line.every((one) => typeof one === 'string' && one.trim() === '') ? [] : line,
    );
    // What all lines are indented by is no part of them, and neither are empty lines at the end.
    const body = [['Dear all,'], ...lines, ['So long.']];
    return { k: 'letter', line: { at: 0 }, lines: body, path: { root: this.#place.target('text'), fields: [] } };
  }

  #lookUp(depth: number): Stmt {
    const tape = this.#tape;
    const table = this.#about.tables[tape.below(this.#about.tables.length)];
    if (table === undefined) throw new Error('There are tables');
    const all = table.columns.filter(({ test }) => test === undefined).map(({ name }) => name);
    const results = all.filter((_, index) => index === 0 || tape.chance(70));
    const pairs = [...table.kinds].map(([name, kind]) => [name, this.#sought(kind)] as const);
    const before = this.#place.known.length;
    const nothing = tape.chance(70) ? this.block(depth + 1, 3) : undefined;
    const learnt = this.#place.known.splice(before);
    this.#place.known.push(...learnt, ...results.filter((name) => !this.#place.isItem(name)));
    return { k: 'look up', line: { at: 0 }, table: table.name, results, pairs, nothing };
  }

  /** A value to look up: often one that the tables have. */
  #sought(kind: Kind): Expr {
    const tape = this.#tape;
    if (!tape.chance(50)) return tape.chance(90) ? this.#values.typed(kind, 1) : this.#values.sum(1);
    if (kind === 'number') return { k: 'number', written: tape.one(['0', '1', '2', '2.5', '3', '10', '99.99']) };
    return kind === 'text' ? { k: 'text', parts: [tape.one(['a', 'b', 'ab', 'Ada', 'a|b', ''])] } : this.#values.typed(kind, 1);
  }

  /** Whether it isn't known how often the calls at this place have been made before. */
  get #isUnordered(): boolean {
    return this.#place.rounds > 0 || this.#about.isConcurrent;
  }

  #call(depth: number): CallStmt {
    const tape = this.#tape;
    const part = tape.chance(25) ? this.#onePart() : undefined;
    if (part !== undefined) return this.#partCall(depth, part);
    const ask = tape.chance(25);
    const service = ask ? 'Writer' : tape.one(['Orders', 'Orders', 'Hook', 'Ledger']);
    const at = ask || service === 'Hook' || tape.chance(30) ? undefined : this.#values.pathParts();
    const number = ++this.#place.counters.calls + (this.#isUnordered ? firstUnordered : 0);
    const instruction = ask ? { parts: [`say ${number} `, ...this.#values.pathParts()], quoted: tape.chance(50) } : undefined;
    // Each expression may end the run, so programs about calls have few.
    const isPlain = this.#about.effects > 0 && tape.chance(80);
    const pairs = instruction?.quoted === false || isPlain ? [] : this.#values.pairs(3);
    const saves = (ask ? (['result', 'confidence'] as const) : (['result', 'status', 'response headers'] as const))
      .filter(() => tape.chance(50))
      .map((what) => [what, this.#place.settable[tape.below(this.#place.settable.length)] ?? 'x'] as const);
    const saved = saves.map(([, name]) => name).filter((name) => !this.#place.isItem(name));
    // What is saved can be read after the call, but not in its handlers; the status can.
    const status = saves.find(([what]) => what === 'status')?.[1];
    const handler = tape.chance(isPlain ? 95 : 70) ? this.#handler(depth, status) : undefined;
    this.#place.known.push(...saved);
    return {
      k: 'call',
      line: { at: 0 },
      number,
      phrase: `${tape.one(phrases)} ${number}`,
      service,
      at,
      instruction,
      pairs,
      saves,
      handler,
    };
  }

  /** A workflow to call here, if there is one. */
  #onePart(): Part | undefined {
    // Two branches that call the same workflow make its calls in any order.
    const isConcurrent = this.#place.branches > 0 || this.#about.isConcurrent;
    const [first, ...others] = this.#about.parts.filter((part) => part.isConcurrent === isConcurrent);
    return first === undefined ? undefined : this.#tape.one([first, ...others]);
  }

  /** A call of another workflow, if there is one that can be called here. */
  callOfPart(): Stmt[] {
    const part = this.#onePart();
    return part === undefined ? [] : [this.#partCall(0, part)];
  }

  /** A call of another workflow. What it outputs gets a name that nothing else has. */
  #partCall(depth: number, part: Part): CallStmt {
    const tape = this.#tape;
    const number = ++this.#place.counters.calls;
    const pairs = partPairs(tape, part, this.#values);
    const name = `got_${number}`;
    const isSaved = tape.chance(75);
    const handler = tape.chance(75) ? this.#handler(depth, undefined, partFailureFields) : undefined;
    if (isSaved) {
      this.#place.outputs.set(name, part.outputs);
      this.#place.known.push(name);
    }
    return {
      k: 'call',
      line: { at: 0 },
      number,
      phrase: `${tape.one(phrases)} ${number}`,
      service: part.service,
      part,
      at: undefined,
      instruction: undefined,
      pairs,
      saves: isSaved ? [['result', name]] : [],
      handler,
    };
  }

  #handler(depth: number, status: string | undefined, readable: Place['failureFields'] = failureFields): Handler {
    const tape = this.#tape;
    const retry = tape.chance(50) ? 1 + tape.below(3) : undefined;
    const before = this.#place.known.length;
    if (status !== undefined) this.#place.known.push(status); // known or not, the item of a loop can be read
    const outer = this.#place.failureFields;
    this.#place.failureFields = readable;
    this.#place.failures++;
    const body = retry !== undefined && tape.chance(30) ? undefined : this.block(depth + 1, 3);
    this.#place.failures--;
    this.#place.failureFields = outer;
    if (status !== undefined) this.#place.known.splice(before, 1);
    return { retry, stillFailing: body !== undefined && tape.chance(50), body };
  }

  #end(): Stmt {
    if (this.#tape.chance(40)) return { k: 'reject', line: { at: 0 }, message: this.#values.value(0) };
    return { k: 'complete', line: { at: 0 }, pairs: this.#values.pairs(5) };
  }

  /** The end of the program outputs every variable that it may have set. */
  last(isRejected: boolean): Stmt {
    const all = [...new Set(this.#place.known)];
    const paths = all.map((root): Path => ({ root, fields: [] }));
    if (isRejected) return { k: 'reject', line: { at: 0 }, message: { k: 'text', parts: paths.flatMap((path) => [path, ' ']) } };
    return { k: 'complete', line: { at: 0 }, pairs: paths.map((path) => [path.root, { k: 'path', path }]) };
  }
}

/** No path continues after these statements. */
export function endsIn(body: readonly Stmt[]): boolean {
  const last = body.at(-1);
  if (last === undefined) return false;
  if (last.k === 'if')
    return last.otherwise !== undefined && [...last.branches.map((branch) => branch.body), last.otherwise].every(endsIn);
  if (last.k === 'together') return last.branches.some((branch) => endsIn([branch]));
  return last.k === 'step' ? endsIn(last.body) : ['complete', 'reject', 'skip', 'stop'].includes(last.k);
}
