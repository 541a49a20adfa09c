// Generates a well-formed program from a tape, along with its request and its services' answers. It only reads names that an earlier line
// may have set.
import { firstUnordered } from './answers.js';
import { dates, type Kind, OperationGenerator } from './generate-operations.js';
import { type GeneratedTable, generateTables } from './generate-tables.js';
import type { Tape } from './tape.js';
import type { CallStmt, Expr, Handler, Json, Operation, Pairs, Path, Program, ScriptedAnswer, Stmt } from './tree.js';

const names = [
  'x',
  'y',
  'total',
  'rows',
  'item',
  'a-b',
  'a_b',
  'constructor',
  'await',
  '__proto__',
  'toString',
  'count',
  'status',
  'result',
  '名前',
  'größe',
  'class',
  'P',
  'run',
  'step',
  'text',
  'arguments',
  'failure',
  'services',
  'trimmed',
  'main',
  'é',
  'e',
  'log',
  'first',
  'plus_2',
  'x_2',
] as const;
/** Variables of rounds at the same time, which nothing outside of them sets. One list for each level of such loops. */
const roundNames = [
  ['own', 'r_2', 'mine', 'r-total', 'r_rows'],
  ['deep', 'd_2', 'd-total'],
] as const;

const kinds = ['number', 'text', 'list', 'rows', 'date', 'any'] as const;
const kindOf = (name: string): Kind => {
  const list: readonly string[] = [names, ...roundNames].find((some: readonly string[]) => some.includes(name)) ?? [];
  return kinds[list.indexOf(name) % kinds.length] ?? 'any';
};
const fieldsOf: Readonly<Record<Kind, readonly [string, ...string[]]>> = {
  number: ['amount', 'length'],
  list: ['items'],
  text: ['name-of', '名'],
  rows: ['rows'],
  date: ['day', 'at'],
  any: ['a', 'b', 'count', 'constructor', '__proto__', 'toString', 'valueOf'],
};

const fields = [
  'a',
  'b',
  'count',
  'constructor',
  '__proto__',
  'toString',
  'length',
  '0',
  '1',
  'name-of',
  'amount',
  'items',
  'valueOf',
  '名',
  'rows',
  'day',
] as const;
const texts = [
  '',
  'a',
  'b',
  'ab',
  'Ada',
  ' x ',
  '12',
  '1.5',
  '2026-03-01',
  '2026-02-01',
  'é😀',
  '￿',
  '😀',
  '{',
  '}',
  '"q"',
  'back\\slash',
  '\n\t',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the compiler must leave it unchanged
  '`${x}`',
  '\u2028',
  '*/',
  '</script>',
  '#no comment',
  '.',
  '..',
  'a/b?c#d',
  'true',
] as const;
const numbers = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '-2',
  '0.1',
  '0.2',
  '0.3',
  '2.5',
  '-3.5',
  '1.005',
  '10',
  '100',
  '1000000000',
  '0.000001',
  '99.99',
  '12345.678',
  '3.3333',
  '0.07',
  '1.1',
  '123456789012',
  '9007199254740992',
] as const;
const phrases = [
  'get the order',
  'fetch x',
  'send note',
  'create',
  'update it',
  'delete old rows',
  'list open orders',
  'patch it',
  'notify all of them',
  'add up',
  'set things',
  'log it',
  'Get Loud',
] as const;
const words = {
  order: ['is above', 'is below', 'is at least', 'is at most'],
  text: ['starts with', 'ends with', 'contains', 'does not contain'],
  list: ['is one of', 'is not one of'],
} as const;
const states = ['is empty', 'is not empty', 'exists', 'does not exist'] as const;
const ready = [
  'count of',
  'sum of',
  'first of',
  'last of',
  'uppercase of',
  'lowercase of',
  'trimmed',
  'number of',
  'text of',
] as const;

export class Generator {
  readonly #tape: Tape;
  /** Variables that an earlier line may have set. */
  readonly #known: string[] = [];
  readonly #items: { readonly name: string; readonly kind: Kind | 'row' }[] = [];
  readonly #operations: OperationGenerator;
  #tables: readonly GeneratedTable[] = [];
  /** The names that may be set here, and the variables that may be read. */
  #settable: readonly string[] = names;
  #isReadable: (name: string) => boolean = () => true;
  /** The list that the rounds at the same time around this place may add to. */
  #added: string | undefined;
  /** Such loops around this place, and parts at the same time of any kind. */
  #rounds = 0;
  #branches = 0;
  #setInRounds: string[] = [];
  /** Loops around this place that `skip` can continue, and those that `stop the loop` can end. */
  #loops = 0;
  #stoppable = 0;
  #calls = 0;
  /** Nested operations. */
  #depth = 0;
  #steps = 0;
  #failures = 0;
  #statements = 0;

  /** Percentage of statements that are calls and waits, beyond the usual ones. */
  readonly #effects: number;

  constructor(tape: Tape, effects = 0) {
    this.#tape = tape;
    this.#effects = effects;
    this.#operations = new OperationGenerator(tape, {
      typed: (kind) => this.#typed(kind, 2),
      condition: () => this.#comparison(2),
      pairs: (most) => this.#pairs(most),
      within: (kind, make) => this.#within(tape.one(names), kind, make),
    });
  }

  #within<T>(name: string, kind: Kind | 'row', make: (name: string) => T): T {
    this.#items.push({ name, kind });
    const made = make(name);
    this.#items.pop();
    return made;
  }

  #isItem(name: string): boolean {
    return this.#items.some((item) => item.name === name);
  }

  program(): Program {
    const isRejected = this.#tape.below(100) >= 88;
    const answers = Array.from({ length: 4 }, () => this.#answer());
    this.#tables = generateTables(this.#tape);
    const request: { [key: string]: Json } = {};
    for (const field of [
      'a',
      'b',
      'items',
      'amount',
      'name-of',
      '名',
      'length',
      'rows',
      'day',
      'at',
      ...this.#tape.some(4, () => this.#tape.one(fields)),
    ])
      put(request, field, this.#fieldValue(field));
    const start =
      this.#effects > 0
        ? Array.from({ length: 3 + this.#tape.below(4) }, () => this.#effect(0))
        : this.#tape.some(6, (): Stmt => ({ k: 'set', line: { at: 0 }, ...this.#assignment(1) }));
    const body = [...start, ...this.#block(0, 12)];
    const zone = this.#tape.one(['UTC', 'UTC', 'Europe/Berlin', 'America/New_York']);
    return { zone, tables: this.#tables, body: endsIn(body) ? body : [...body, this.#last(isRejected)], request, answers };
  }

  #fieldValue(field: string): Json {
    const tape = this.#tape;
    if (tape.chance(10)) return this.#json(0);
    if (field === 'rows') return tape.some(4, () => this.#row());
    if (fieldsOf.date.includes(field)) return tape.one(dates);
    if (fieldsOf.number.includes(field)) return Number(tape.one(numbers));
    if (fieldsOf.text.includes(field)) return tape.one(texts);
    return fieldsOf.list.includes(field) ? this.#jsonList(0) : this.#json(0);
  }

  #row(): Json {
    const tape = this.#tape;
    const row: { [key: string]: Json } = { amount: Number(tape.one(numbers)), a: tape.one(texts), day: tape.one(dates) };
    for (const [field, percent] of [
      ['amount', 5],
      ['b', 50],
    ] as const)
      if (tape.chance(percent)) put(row, field, this.#json(1));
    return row;
  }

  #answer(): ScriptedAnswer {
    const tape = this.#tape;
    if (!tape.chance(45)) return { ok: true, value: this.#json(0), status: tape.one([200, 201, 204]) };
    return {
      ok: false,
      status: tape.one([503, 404, undefined]),
      body: tape.one(['nope', 'x', '{"a":1}']),
      retryable: tape.chance(60),
    };
  }

  #json(depth: number): Json {
    const tape = this.#tape;
    switch (tape.below(depth > 2 ? 5 : 8)) {
      case 0:
        return Number(tape.one(numbers));
      case 1:
        return tape.one(texts);
      case 2:
        return tape.one([null, true, false]);
      case 3:
        return tape.one([0.1 + 0.2, 1 / 3, 0.07 * 100, 1e21, 123456789.123456, 1e-7, -0, 2 ** 53 + 2, 4.35 * 100]);
      case 4:
        return tape.one(texts);
      case 5:
      case 6:
        return this.#jsonList(depth);
      default: {
        const record: { [key: string]: Json } = {};
        for (let count = tape.below(4); count > 0; count--) {
          // JavaScript objects move numeric keys to the front, which says nothing about the language.
          const key = tape.one(fields);
          if (!/^\d/.test(key)) put(record, key, this.#json(depth + 1));
        }
        return record;
      }
    }
  }

  #jsonList(depth: number): Json[] {
    const alike = this.#tape.below(3);
    return Array.from({ length: this.#tape.below(5) }, () =>
      alike === 0 ? Number(this.#tape.one(numbers)) : this.#json(depth + 1),
    );
  }

  // --- statements -----------------------------------------------------------------------------------------------------------

  #block(depth: number, most: number): Stmt[] {
    const statements: Stmt[] = [];
    const before = this.#known.length;
    do statements.push(this.#statement(depth));
    while (
      !endsIn(statements) &&
      statements.length < most &&
      !this.#tape.isUsedUp &&
      this.#statements < 60 &&
      this.#tape.below(5) > 0
    );
    // What is set on a path that ends here can't be read anywhere.
    if (endsIn(statements)) this.#known.splice(before);
    return statements;
  }

  #effect(depth: number): Stmt {
    if (this.#branches < 2 && this.#tape.chance(20))
      return this.#tape.chance(50) ? this.#together(depth) : this.#concurrentRounds(depth);
    return this.#tape.chance(80) ? this.#call(depth) : this.#wait();
  }

  #statement(depth: number): Stmt {
    this.#statements++;
    const tape = this.#tape;
    const line = { at: 0 };
    if (this.#effects > 0 && tape.chance(this.#effects + (this.#branches > 0 ? 20 : 0))) return this.#effect(depth);
    const choice = tape.below(depth > 4 ? 60 : 100);
    if (choice < 8) return { k: 'log', line, value: this.#value(0) };
    if (choice < 10) return this.#letter();
    if (this.#tables.length > 0 && this.#branches === 0 && choice < 16) return this.#lookUp(depth);
    if (choice < 30) return { k: 'set', line, ...this.#assignment(0) };
    if (choice < 38) {
      const value = this.#value(0);
      const path = Array.from({ length: 1 + tape.below(2) }, () => tape.one(fields)).filter((field) => !/^\d/.test(field));
      return { k: 'set', line, path: { root: this.#target('any'), fields: path }, value };
    }
    if (choice < 52) {
      const value = this.#value(0);
      if (this.#rounds === 0) return { k: 'add', line, value, name: this.#target('list') };
      if (this.#added !== undefined && !this.#isItem(this.#added) && tape.chance(60))
        return { k: 'add', line, value, name: this.#added };
      // A name that a round only adds to would be a list outside of the loop.
      const own = this.#setInRounds.filter((name) => this.#settable.includes(name));
      return own.length === 0 ? { k: 'log', line, value } : { k: 'add', line, value, name: own[tape.below(own.length)] ?? 'own' };
    }
    if (choice < 54) return this.#wait();
    if (choice < 57)
      return this.#loops > 0
        ? { k: this.#stoppable > 0 ? tape.one(['skip', 'stop']) : 'skip' }
        : { k: 'log', line, value: this.#operand(0) };
    if (choice < 60) return tape.chance(60) ? this.#end() : { k: 'log', line, value: this.#operand(0) };
    if (choice < 75) return this.#if(depth);
    if (choice < 84) return tape.chance(70) ? this.#loop(depth) : tape.chance(60) ? this.#repeat(depth) : this.#fieldLoop(depth);
    if (choice < 89) {
      if (this.#branches > 1) return this.#call(depth);
      return tape.chance(50) ? this.#together(depth) : this.#concurrentRounds(depth);
    }
    if (choice < 92) return this.#step(this.#block(depth + 1, 4));
    return this.#call(depth);
  }

  #if(depth: number): Stmt {
    const learnt: string[] = [];
    // What one branch sets can't be read in the next, only after all of them.
    const apart = (): Stmt[] => {
      const before = this.#known.length;
      const body = this.#block(depth + 1, 3);
      learnt.push(...this.#known.splice(before));
      return body;
    };
    const branch = () => ({ line: { at: 0 }, test: this.#value(0), body: apart() });
    const branches = [branch(), ...this.#tape.some(2, branch)];
    const otherwise = this.#tape.chance(50) ? apart() : undefined;
    this.#known.push(...learnt);
    return { k: 'if', branches, otherwise };
  }

  #assignment(depth: number): { path: Path; value: Expr } {
    const before = this.#known.length;
    const root = this.#target();
    const learnt = this.#known.splice(before);
    const kind = kindOf(root);
    const value = kind === 'any' || !this.#tape.chance(93) ? this.#value(depth) : this.#typed(kind, depth);
    this.#known.push(...learnt);
    if (this.#rounds > 0) this.#setInRounds.push(root);
    return { path: { root, fields: [] }, value };
  }

  /** Usually a value of this type. */
  #typed(kind: Kind, depth: number): Expr {
    const tape = this.#tape;
    if (kind === 'any' || tape.chance(2)) return this.#operand(depth);
    const item = this.#items.at(-1);
    const field = { number: 'amount', text: 'a', date: 'day', list: 'items', rows: 'items' }[kind];
    if (item?.kind === 'row' && this.#isReadable(item.name) && tape.chance(50))
      return { k: 'path', path: { root: item.name, fields: [field] } };
    const variables = this.#readable.filter((name) => kindOf(name) === kind && !this.#isItem(name));
    if (variables.length > 0 && tape.chance(45))
      return { k: 'path', path: { root: variables[tape.below(variables.length)] ?? 'x', fields: [] } };
    if (tape.chance(25)) return { k: 'path', path: { root: 'request', fields: [tape.one(fieldsOf[kind])] } };
    if (this.#depth < 3 && tape.chance(30)) return this.#operation(kind);
    if (depth < 3 && (kind === 'number' || kind === 'list') && tape.chance(25))
      return { k: 'group', inner: this.#chain(kind, depth + 1) };
    switch (kind) {
      case 'number':
        if (tape.chance(75)) return { k: 'number', written: tape.one(numbers) };
        if (tape.chance(40))
          return { k: 'ready', name: 'sum of', of: { k: 'list', items: tape.some(4, () => this.#typed('number', depth + 1)) } };
        return { k: 'ready', name: 'count of', of: this.#typed('list', depth + 1) };
      case 'text':
        if (tape.chance(40)) return { k: 'text', parts: [tape.one(texts)] };
        if (tape.chance(40))
          return { k: 'ready', name: tape.one(['uppercase of', 'lowercase of', 'trimmed']), of: this.#typed('text', depth + 1) };
        return {
          k: 'text',
          parts: Array.from({ length: 1 + tape.below(4) }, () => (tape.chance(50) ? this.#path() : tape.one(texts))),
        };
      case 'date':
        return tape.chance(80)
          ? { k: 'text', parts: [tape.one(dates)] }
          : { k: 'path', path: { root: tape.one(['now', 'today']), fields: [] } };
      case 'rows':
        return { k: 'list', items: tape.some(3, () => this.#operations.record()) };
      default:
        return { k: 'list', items: tape.some(4, () => (depth > 2 ? this.#operand(depth) : this.#value(depth + 1))) };
    }
  }

  #operation(kind: Kind): Expr {
    this.#depth++;
    const made = this.#operations.of(kind);
    this.#depth--;
    return made;
  }

  #chain(kind: Kind, depth: number): Expr {
    const tape = this.#tape;
    const first = this.#typed(kind, depth);
    const operators =
      kind === 'number' ? (['plus #', 'minus #', 'times #', 'divided by #', 'plus #'] as const) : (['plus #'] as const);
    const rest = Array.from(
      { length: 1 + tape.below(tape.chance(20) ? 7 : 2) },
      (): Operation =>
        kind === 'number' && tape.chance(20)
          ? ['rounded to # places', { k: 'number', written: tape.one(['0', '1', '2', '3']) }]
          : [tape.one(operators), this.#typed(kind, depth)],
    );
    return { k: 'chain', first, rest };
  }

  #wait(): Stmt {
    const tape = this.#tape;
    // A durable run is parked for a long wait.
    const isShort = this.#effects > 0;
    const amount: Expr = isShort || tape.chance(80) ? { k: 'number', written: String(tape.below(3)) } : this.#typed('number', 1);
    return { k: 'wait', line: { at: 0 }, amount, unit: isShort ? 'seconds' : tape.one(['seconds', 'minutes', 'days']) };
  }

  #loop(depth: number): Stmt {
    const isRows = this.#tape.chance(40);
    const list = isRows ? this.#typed('rows', 1) : this.#tape.chance(70) ? this.#listLike() : this.#sum(0);
    return this.#within(this.#tape.one(names), isRows ? 'row' : 'any', (item) => {
      const where = this.#tape.chance(30) ? this.#comparison(1) : undefined;
      return { k: 'for', line: { at: 0 }, item, list, where, body: this.#loopBody(depth) };
    });
  }

  #loopBody(depth: number): Stmt[] {
    const before = [this.#loops, this.#stoppable] as const;
    this.#loops++;
    this.#stoppable++;
    const body = this.#block(depth + 1, 4);
    [this.#loops, this.#stoppable] = before;
    return body;
  }

  /** Each branch has names that no other one sets or reads. */
  #together(depth: number): Stmt {
    const [count, before] = [2 + this.#tape.below(2), this.#known.length];
    const learnt: string[] = [];
    const own = this.#settable;
    const branches = Array.from({ length: count }, (_, branch) => {
      const names = own.filter((_, index) => index % count === branch);
      const isSet = new Set(own.filter((name) => !names.includes(name)));
      const made = this.#apart(
        names,
        (name) => !isSet.has(name),
        () => {
          this.#branches++;
          const [loops, stoppable] = [this.#loops, this.#stoppable];
          const added = this.#added;
          [this.#loops, this.#stoppable, this.#added] = [0, 0, undefined];
          const statement = this.#statement(depth + 1);
          [this.#loops, this.#stoppable, this.#added] = [loops, stoppable, added];
          this.#branches--;
          // It is printed as two statements.
          return statement.k === 'rounds' ? this.#step([statement]) : statement;
        },
      );
      learnt.push(...this.#known.splice(before));
      return made;
    });
    this.#known.push(...learnt);
    return { k: 'together', branches };
  }

  /** Rounds only set names that nothing else sets, and only add to a list that they can't read. */
  #concurrentRounds(depth: number): Stmt {
    const tape = this.#tape;
    const own = roundNames[this.#rounds];
    if (own === undefined) return this.#loop(depth);
    const added = this.#target('list');
    if (this.#isItem(added)) return this.#loop(depth);
    const most = tape.one([1, 2, 3, 10]);
    const [isRows, before, outer, loops, stoppable] = [
      tape.chance(50),
      this.#known.length,
      this.#added,
      this.#loops,
      this.#stoppable,
    ];
    const plain: Expr | undefined =
      this.#effects > 0 && tape.chance(85)
        ? { k: 'list', items: Array.from({ length: 1 + tape.below(4) }, () => ({ k: 'number', written: tape.one(numbers) })) }
        : undefined;
    const list =
      plain ??
      this.#apart(
        this.#settable,
        (name) => name !== added,
        () => (isRows ? this.#typed('rows', 1) : this.#listLike()),
      );
    const item = tape.one(names.filter((name) => name !== added) as [string, ...string[]]); // there are others
    const body = this.#apart(
      own,
      (name) => name !== added,
      () =>
        this.#within(item, plain !== undefined ? 'number' : isRows ? 'row' : 'any', () => {
          [this.#added, this.#loops, this.#stoppable] = [added, 1, most === 1 ? 1 : 0];
          const ownBefore = this.#setInRounds;
          this.#setInRounds = [];
          this.#rounds++;
          this.#branches++;
          const made = this.#block(depth + 1, 4);
          this.#branches--;
          this.#rounds--;
          this.#setInRounds = ownBefore;
          [this.#added, this.#loops, this.#stoppable] = [outer, loops, stoppable];
          return made;
        }),
    );
    this.#known.splice(before);
    return { k: 'rounds', line: { at: 0 }, item, list, most, added, body };
  }

  #step(body: readonly Stmt[]): Stmt {
    return { k: 'step', line: { at: 0 }, name: `${this.#tape.one(['Check', 'Send out', '名 2'])} ${++this.#steps}`, body };
  }

  /** Generates something that may set only these names, and read only these variables, besides its own items. */
  #apart<T>(settable: readonly string[], isReadable: (name: string) => boolean, make: () => T): T {
    const [names, wasReadable, inherited] = [this.#settable, this.#isReadable, [...this.#items]];
    this.#settable = settable;
    this.#isReadable = (name) =>
      this.#items.some((item) => item.name === name && !inherited.includes(item)) || (isReadable(name) && wasReadable(name));
    const made = make();
    [this.#settable, this.#isReadable] = [names, wasReadable];
    return made;
  }

  #fieldLoop(depth: number): Stmt {
    const record = this.#tape.chance(70) ? this.#operations.record() : this.#operand(1);
    const name = this.#tape.one(names);
    const value = this.#tape.one(names.filter((other) => other !== name) as [string, ...string[]]); // there are more than one
    return this.#within(name, 'text', () =>
      this.#within(value, 'any', () => ({
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
    const most: Expr = tape.chance(80) ? { k: 'number', written: String(tape.below(6)) } : this.#typed('number', 1);
    const until = tape.chance(50) ? this.#comparison(1) : undefined;
    const body = this.#within('round', 'number', () => this.#loopBody(depth));
    return { k: 'repeat', line: { at: 0 }, most, until, body };
  }

  #letter(): Stmt {
    const tape = this.#tape;
    const part = (): string | Path =>
      tape.chance(40)
        ? this.#path()
        : tape.one([...texts, ' # no comment', '  ', '\\n', 'save the result as x']).replace(/[\n\t]/g, ' ');
    const lines = Array.from({ length: 1 + tape.below(4) }, () => tape.some(3, part)).map((line) =>
      // A blank line has no spaces.
      line.every((one) => typeof one === 'string' && one.trim() === '') ? [] : line,
    );
    // What all lines are indented by is no part of them, and neither are empty lines at the end.
    const body = [['Dear all,'], ...lines, ['So long.']];
    return { k: 'letter', line: { at: 0 }, lines: body, path: { root: this.#target('text'), fields: [] } };
  }

  #lookUp(depth: number): Stmt {
    const tape = this.#tape;
    const table = this.#tables[tape.below(this.#tables.length)];
    if (table === undefined) throw new Error('There are tables');
    const all = table.columns.filter(({ test }) => test === undefined).map(({ name }) => name);
    const results = all.filter((_, index) => index === 0 || tape.chance(70));
    const pairs = [...table.kinds].map(([name, kind]) => [name, this.#sought(kind)] as const);
    const before = this.#known.length;
    const nothing = tape.chance(70) ? this.#block(depth + 1, 3) : undefined;
    const learnt = this.#known.splice(before);
    this.#known.push(...learnt, ...results.filter((name) => !this.#isItem(name)));
    return { k: 'look up', line: { at: 0 }, table: table.name, results, pairs, nothing };
  }

  /** A value to look up: often one that the tables have. */
  #sought(kind: Kind): Expr {
    const tape = this.#tape;
    if (!tape.chance(50)) return tape.chance(90) ? this.#typed(kind, 1) : this.#sum(1);
    if (kind === 'number') return { k: 'number', written: tape.one(['0', '1', '2', '2.5', '3', '10', '99.99']) };
    return kind === 'text' ? { k: 'text', parts: [tape.one(['a', 'b', 'ab', 'Ada', 'a|b', ''])] } : this.#typed(kind, 1);
  }

  #listLike(): Expr {
    const tape = this.#tape;
    if (tape.chance(60)) return this.#typed('list', 1);
    if (tape.chance(50)) return { k: 'path', path: { root: 'request', fields: ['items'] } };
    return { k: 'list', items: tape.some(4, () => this.#operand(1)) };
  }

  #call(depth: number): CallStmt {
    const tape = this.#tape;
    const ask = tape.chance(25);
    const service = ask ? 'Writer' : tape.one(['Orders', 'Orders', 'Hook', 'Ledger']);
    const at = ask || service === 'Hook' || tape.chance(30) ? undefined : this.#pathParts();
    const number = ++this.#calls + (this.#rounds > 0 ? firstUnordered : 0);
    const instruction = ask ? { parts: [`say ${number} `, ...this.#pathParts()], quoted: tape.chance(50) } : undefined;
    // Each expression may end the run, so programs about calls have few.
    const isPlain = this.#effects > 0 && tape.chance(80);
    const pairs = instruction?.quoted === false || isPlain ? [] : this.#pairs(3);
    const saves = (ask ? (['result', 'confidence'] as const) : (['result', 'status', 'response headers'] as const))
      .filter(() => tape.chance(50))
      .map((what) => [what, this.#settable[tape.below(this.#settable.length)] ?? 'x'] as const);
    const saved = saves.map(([, name]) => name).filter((name) => !this.#isItem(name));
    // What is saved can be read after the call, but not in its handlers; the status can.
    const status = saves.find(([what]) => what === 'status')?.[1];
    const handler = tape.chance(isPlain ? 95 : 70) ? this.#handler(depth, status) : undefined;
    this.#known.push(...saved);
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

  #handler(depth: number, status: string | undefined): Handler {
    const tape = this.#tape;
    const retry = tape.chance(50) ? 1 + tape.below(3) : undefined;
    const before = this.#known.length;
    if (status !== undefined) this.#known.push(status); // known or not, the item of a loop can be read
    this.#failures++;
    const body = retry !== undefined && tape.chance(30) ? undefined : this.#block(depth + 1, 3);
    this.#failures--;
    if (status !== undefined) this.#known.splice(before, 1);
    return { retry, stillFailing: body !== undefined && tape.chance(50), body };
  }

  #pathParts(): (string | Path)[] {
    const tape = this.#tape;
    const parts: (string | Path)[] = ['/x'];
    for (let count = tape.below(3); count > 0; count--) parts.push(tape.one(['/', '/v1/', '?q=']), this.#path());
    return parts;
  }

  #end(): Stmt {
    if (this.#tape.chance(40)) return { k: 'reject', line: { at: 0 }, message: this.#value(0) };
    return { k: 'complete', line: { at: 0 }, pairs: this.#pairs(5) };
  }

  /** The end of the program outputs every variable that it may have set. */
  #last(isRejected: boolean): Stmt {
    const all = [...new Set(this.#known)];
    const paths = all.map((root): Path => ({ root, fields: [] }));
    if (isRejected) return { k: 'reject', line: { at: 0 }, message: { k: 'text', parts: paths.flatMap((path) => [path, ' ']) } };
    return { k: 'complete', line: { at: 0 }, pairs: paths.map((path) => [path.root, { k: 'path', path }]) };
  }

  #pairs(most: number): Pairs {
    const seen = new Set<string>();
    return this.#tape
      .some(most, () => [this.#tape.one(names), this.#tape.chance(20) ? this.#comparison(1) : this.#sum(1)] as const)
      .filter(([key]) => !seen.has(key) && seen.add(key));
  }

  #target(kind?: Kind): string {
    const all = this.#settable;
    const fitting = kind === undefined || this.#tape.chance(10) ? all : all.filter((name) => kindOf(name) === kind);
    const choices = fitting.length === 0 ? all : fitting;
    const name = choices[this.#tape.below(choices.length)] ?? 'x';
    if (!this.#isItem(name)) this.#known.push(name);
    return name;
  }

  // --- expressions, by level of the grammar ---------------------------------------------------------------------------------

  #value(depth: number): Expr {
    const tape = this.#tape;
    if (!tape.chance(20)) return this.#comparison(depth);
    const parts = [this.#conjunction(depth), ...tape.some(2, () => this.#conjunction(depth))];
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { k: 'logic', word: 'or', parts };
  }

  #conjunction(depth: number): Expr {
    const parts = [this.#negation(depth), ...this.#tape.some(2, () => this.#negation(depth))];
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { k: 'logic', word: 'and', parts };
  }

  #negation(depth: number): Expr {
    return this.#tape.chance(20) ? { k: 'not', of: this.#negation(depth + 1) } : this.#comparison(depth);
  }

  #comparison(depth: number): Expr {
    const tape = this.#tape;
    const order = tape.one(['number', 'number', 'text'] as const);
    switch (tape.below(10)) {
      case 9:
        if (this.#depth > 1) return this.#sum(depth);
        this.#depth++;
        try {
          return this.#operations.condition();
        } finally {
          this.#depth--;
        }
      case 1:
      case 2:
        return { k: 'compare', word: tape.one(['is', 'is not']), left: this.#sum(depth), right: this.#sum(depth) };
      case 3:
        return { k: 'compare', word: tape.one(words.order), left: this.#typed(order, depth), right: this.#typed(order, depth) };
      case 4:
        return { k: 'compare', word: tape.one(words.text), left: this.#typed('text', depth), right: this.#typed('text', depth) };
      case 5:
        return { k: 'compare', word: tape.one(words.list), left: this.#sum(depth), right: this.#typed('list', depth) };
      case 6:
        if (tape.chance(50)) return { k: 'state', word: tape.one(states), value: this.#sum(depth) };
        return {
          k: 'between',
          value: this.#typed(order, depth),
          low: this.#typed(order, depth),
          high: this.#typed(order, depth),
        };
      case 7:
        return {
          k: 'compare',
          word: tape.one(['contains', 'does not contain']),
          left: this.#typed('list', depth),
          right: this.#operand(depth),
        };
      default:
        return this.#sum(depth);
    }
  }

  #sum(depth: number): Expr {
    const tape = this.#tape;
    return tape.chance(35)
      ? this.#chain(tape.chance(5) ? 'any' : tape.one(['number', 'number', 'text', 'list']), depth)
      : this.#operand(depth);
  }

  #operand(depth: number): Expr {
    const tape = this.#tape;
    switch (tape.below(depth > 3 ? 9 : 17)) {
      case 15:
        return this.#depth > 1 ? this.#typed('number', depth) : this.#operation('any');
      case 16: {
        // The name must not be read where it can't be set: any readable one will do.
        const variables = this.#readable.filter((name) => ['number', 'text'].includes(kindOf(name)));
        const { root, fields: own } = this.#path();
        const name = variables[tape.below(variables.length || 1)];
        return { k: 'path', path: { root, fields: [...own, name === undefined ? '{request.name-of}' : `{${name}}`] } };
      }
      case 0:
      case 1:
        return { k: 'number', written: tape.one(numbers) };
      case 2:
        return { k: 'text', parts: [tape.one(texts)] };
      case 3:
        return {
          k: 'text',
          parts: Array.from({ length: 1 + tape.below(4) }, () => (tape.chance(50) ? this.#path() : tape.one(texts))),
        };
      case 4:
        return { k: 'constant', value: tape.one([true, false, null]) };
      case 5:
      case 6:
      case 7:
      case 8:
        return { k: 'path', path: this.#path() };
      case 9:
        return { k: 'list', items: tape.some(4, () => this.#value(depth + 1)) };
      case 10:
        return { k: 'group', inner: this.#value(depth + 1) };
      case 11:
        return {
          k: 'ready',
          name: 'sum of',
          of: { k: 'path', path: tape.chance(20) ? this.#path() : { root: 'request', fields: ['rows', 'amount'] } },
        };
      case 12:
        return this.#typed(tape.one(['number', 'text', 'list']), depth + 1);
      case 13:
        return { k: 'ready', name: tape.one(['count of', 'first of', 'last of']), of: this.#typed('list', depth + 1) };
      default:
        if (!tape.chance(10))
          return {
            k: 'ready',
            name: tape.one(['uppercase of', 'lowercase of', 'trimmed', 'count of', 'text of']),
            of: this.#typed('text', depth + 1),
          };
        return { k: 'ready', name: tape.one(ready), of: this.#operand(depth + 1) };
    }
  }

  /** In a handler, `failure` is the failure. The wording of its message is not part of the contract. */
  get #readable(): string[] {
    const known = this.#branches > 0 || this.#added !== undefined ? this.#known.filter(this.#isReadable) : this.#known;
    return this.#failures > 0 ? known.filter((name) => name !== 'failure') : known;
  }

  #path(): Path {
    const tape = this.#tape;
    if (this.#failures > 0 && tape.chance(25))
      return { root: 'failure', fields: [tape.one(['status', 'attempts', 'service', 'body'])] };
    if (tape.chance(3)) return { root: tape.one(['now', 'today']), fields: [] };
    if (tape.chance(3)) return { root: 'env', fields: [tape.one(['REGION', 'constructor', 'NOT_SET'])] };
    const item = this.#items.at(-1 - tape.below(2));
    if (item !== undefined && this.#isReadable(item.name) && tape.chance(item.kind === 'row' ? 60 : 30))
      return {
        root: item.name,
        fields: item.kind === 'row' ? [tape.one(['amount', 'a', 'day', 'b', 'key', 'items'])] : this.#fields(item.kind, 5),
      };
    const variables = this.#readable;
    if (variables.length > 0 && tape.chance(70)) {
      const root = variables[tape.below(variables.length)] ?? 'x';
      return { root, fields: this.#fields(kindOf(root), 30) };
    }
    const field = tape.one(fields);
    const kind = kinds.find((one) => fieldsOf[one].includes(field)) ?? 'any';
    return { root: 'request', fields: [field, ...this.#fields(kind, kind === 'any' ? 10 : 30)] };
  }

  /** A field to read from a value of this type: usually one that it may have. */
  #fields(kind: Kind, percent: number): string[] {
    const tape = this.#tape;
    if (!tape.chance(percent)) return [];
    if (kind === 'any' || tape.chance(5)) return [tape.one(fields)];
    return kind === 'number' ? [] : kind === 'text' || kind === 'date' ? ['count'] : [tape.one(['count', '0', '1', '2'])];
  }
}

/** No path continues after these statements. */
function endsIn(body: readonly Stmt[]): boolean {
  const last = body.at(-1);
  if (last === undefined) return false;
  if (last.k === 'if')
    return last.otherwise !== undefined && [...last.branches.map((branch) => branch.body), last.otherwise].every(endsIn);
  if (last.k === 'together') return last.branches.some((branch) => endsIn([branch]));
  return last.k === 'step' ? endsIn(last.body) : ['complete', 'reject', 'skip', 'stop'].includes(last.k);
}

function put(record: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
