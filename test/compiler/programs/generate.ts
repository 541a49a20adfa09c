// Generates a well-formed program from a tape, along with its request and its services' answers. It only reads names that an earlier line
// may have set.
import type { Tape } from './tape.js';
import type { CallStmt, Expr, Handler, Json, Pairs, Path, Program, ScriptedAnswer, Stmt } from './tree.js';

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
/** The usual type of this variable, so that most programs get far. Occasionally it holds anything. */
type Kind = 'number' | 'text' | 'list' | 'any';
const kindOf = (name: string): Kind =>
  (['number', 'list', 'text', 'any'] as const)[(names as readonly string[]).indexOf(name) % 4] ?? 'any';
const fieldsOf: Readonly<Record<Kind, readonly [string, ...string[]]>> = {
  number: ['amount', 'length'],
  list: ['items'],
  text: ['name-of', '名'],
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
  readonly #items: string[] = [];
  #steps = 0;
  #failures = 0;
  #statements = 0;

  /** Percentage of statements that are calls and waits, beyond the usual ones. */
  readonly #effects: number;

  constructor(tape: Tape, effects = 0) {
    this.#tape = tape;
    this.#effects = effects;
  }

  program(): Program {
    const isRejected = this.#tape.below(100) >= 88;
    const answers = Array.from({ length: 4 }, () => this.#answer());
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
      ...this.#tape.some(4, () => this.#tape.one(fields)),
    ])
      put(request, field, this.#fieldValue(field));
    const start =
      this.#effects > 0
        ? Array.from({ length: 3 + this.#tape.below(4) }, () => this.#effect(0))
        : this.#tape.some(6, (): Stmt => ({ k: 'set', line: { at: 0 }, ...this.#assignment(1) }));
    const body = [...start, ...this.#block(0, 12)];
    return { body: endsIn(body) ? body : [...body, this.#last(isRejected)], request, answers };
  }

  #fieldValue(field: string): Json {
    const tape = this.#tape;
    if (tape.chance(10)) return this.#json(0);
    if (field === 'rows') return tape.some(4, () => ({ amount: Number(tape.one(numbers)) }));
    if (fieldsOf.number.includes(field)) return Number(tape.one(numbers));
    if (fieldsOf.text.includes(field)) return tape.one(texts);
    return fieldsOf.list.includes(field) ? this.#jsonList(0) : this.#json(0);
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
    return this.#tape.chance(80) ? this.#call(depth) : { k: 'wait', seconds: this.#tape.below(3) };
  }

  #statement(depth: number): Stmt {
    this.#statements++;
    const tape = this.#tape;
    const line = { at: 0 };
    if (this.#effects > 0 && tape.chance(this.#effects)) return this.#effect(depth);
    const choice = tape.below(depth > 4 ? 60 : 100);
    if (choice < 8) return { k: 'log', line, value: this.#value(0) };
    if (choice < 30) return { k: 'set', line, ...this.#assignment(0) };
    if (choice < 38) {
      const value = this.#value(0);
      const path = Array.from({ length: 1 + tape.below(2) }, () => tape.one(fields)).filter((field) => !/^\d/.test(field));
      return { k: 'set', line, path: { root: this.#target('any'), fields: path }, value };
    }
    if (choice < 52) {
      const value = this.#value(0);
      return { k: 'add', line, value, name: this.#target('list') };
    }
    if (choice < 54) return { k: 'wait', seconds: tape.below(3) };
    if (choice < 57)
      return this.#items.length > 0 ? { k: tape.one(['skip', 'stop']) } : { k: 'log', line, value: this.#operand(0) };
    if (choice < 60) return tape.chance(60) ? this.#end() : { k: 'log', line, value: this.#operand(0) };
    if (choice < 75) return this.#if(depth);
    if (choice < 88) return this.#loop(depth);
    if (choice < 92)
      return {
        k: 'step',
        line,
        name: `${tape.one(['Check', 'Send out', '名 2'])} ${++this.#steps}`,
        body: this.#block(depth + 1, 4),
      };
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
    return { path: { root, fields: [] }, value };
  }

  /** Usually a value of this type. */
  #typed(kind: Kind, depth: number): Expr {
    const tape = this.#tape;
    if (kind === 'any' || tape.chance(2)) return this.#operand(depth);
    const variables = this.#readable.filter((name) => kindOf(name) === kind);
    if (variables.length > 0 && tape.chance(45))
      return { k: 'path', path: { root: variables[tape.below(variables.length)] ?? 'x', fields: [] } };
    if (tape.chance(25)) return { k: 'path', path: { root: 'request', fields: [tape.one(fieldsOf[kind])] } };
    if (depth < 3 && tape.chance(25)) return { k: 'group', inner: this.#chain(kind, depth + 1) };
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
      default:
        return { k: 'list', items: tape.some(4, () => (depth > 2 ? this.#operand(depth) : this.#value(depth + 1))) };
    }
  }

  #chain(kind: Kind, depth: number): Expr {
    const tape = this.#tape;
    const first = this.#typed(kind, depth);
    const operators = kind === 'number' ? (['plus', 'minus', 'times', 'divided by', 'plus'] as const) : (['plus'] as const);
    const rest = Array.from({ length: 1 + tape.below(tape.chance(20) ? 7 : 2) }, (): readonly [string, Expr] =>
      kind === 'number' && tape.chance(20)
        ? ['rounded to', { k: 'number', written: tape.one(['0', '1', '2', '3']) }]
        : [tape.one(operators), this.#typed(kind, depth)],
    );
    return { k: 'chain', first, rest };
  }

  #loop(depth: number): Stmt {
    const list = this.#tape.chance(70) ? this.#listLike() : this.#sum(0);
    const item = this.#tape.one(names);
    this.#items.push(item);
    const body = this.#block(depth + 1, 4);
    this.#items.pop();
    return { k: 'for', line: { at: 0 }, item, list, body };
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
    const instruction = ask ? { parts: ['say ', ...this.#pathParts()], quoted: tape.chance(50) } : undefined;
    // Each expression may end the run, so programs about calls have few.
    const isPlain = this.#effects > 0 && tape.chance(80);
    const pairs = instruction?.quoted === false || isPlain ? [] : this.#pairs(3);
    const saves = (ask ? (['result', 'confidence'] as const) : (['result', 'status', 'response headers'] as const))
      .filter(() => tape.chance(50))
      .map((what) => [what, tape.one(names)] as const);
    const saved = saves.map(([, name]) => name).filter((name) => !this.#items.includes(name));
    // What is saved can be read after the call, but not in its handlers; the status can.
    const status = saves.find(([what]) => what === 'status')?.[1];
    const handler = tape.chance(isPlain ? 95 : 70) ? this.#handler(depth, status) : undefined;
    this.#known.push(...saved);
    return { k: 'call', line: { at: 0 }, phrase: tape.one(phrases), service, at, instruction, pairs, saves, handler };
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
    const choices = kind === undefined || this.#tape.chance(10) ? names : names.filter((name) => kindOf(name) === kind);
    const name = choices[this.#tape.below(choices.length)] ?? 'x';
    if (!this.#items.includes(name)) this.#known.push(name);
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
    switch (tape.below(9)) {
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
    switch (tape.below(depth > 3 ? 9 : 15)) {
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
    return this.#failures > 0 ? this.#known.filter((name) => name !== 'failure') : this.#known;
  }

  #path(): Path {
    const tape = this.#tape;
    if (this.#failures > 0 && tape.chance(25))
      return { root: 'failure', fields: [tape.one(['status', 'attempts', 'service', 'body'])] };
    if (tape.chance(3)) return { root: tape.one(['now', 'today']), fields: [] };
    if (tape.chance(3)) return { root: 'env', fields: [tape.one(['REGION', 'constructor', 'NOT_SET'])] };
    if (this.#items.length > 0 && tape.chance(30))
      return { root: this.#items[tape.below(this.#items.length)] ?? 'x', fields: this.#fields('any', 5) };
    const variables = this.#readable;
    if (variables.length > 0 && tape.chance(70)) {
      const root = variables[tape.below(variables.length)] ?? 'x';
      return { root, fields: this.#fields(kindOf(root), 30) };
    }
    const field = tape.one(fields);
    const kind = (['number', 'text', 'list', 'any'] as const).find((one) => fieldsOf[one].includes(field)) ?? 'any';
    return { root: 'request', fields: [field, ...this.#fields(kind, kind === 'any' ? 10 : 30)] };
  }

  /** A field to read from a value of this type: usually one that it may have. */
  #fields(kind: Kind, percent: number): string[] {
    const tape = this.#tape;
    if (!tape.chance(percent)) return [];
    if (kind === 'any' || tape.chance(5)) return [tape.one(fields)];
    return kind === 'number' ? [] : kind === 'text' ? ['count'] : [tape.one(['count', '0', '1', '2'])];
  }
}

/** No path continues after these statements. */
function endsIn(body: readonly Stmt[]): boolean {
  const last = body.at(-1);
  if (last === undefined) return false;
  if (last.k === 'if')
    return last.otherwise !== undefined && [...last.branches.map((branch) => branch.body), last.otherwise].every(endsIn);
  return last.k === 'step' ? endsIn(last.body) : ['complete', 'reject', 'skip', 'stop'].includes(last.k);
}

function put(record: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
