// A small evaluator of programs, written only from docs/language.md: the expected result of the compiled program.
import { Answers } from './answers.js';
import { Dates } from './date-operations.js';
import { accept } from './inputs.js';
import { grouped, listOperations, sorted } from './list-operations.js';
import { envOfPrograms } from './print.js';
import { type Ending, type Seen, startOfPrograms } from './seen.js';
import { cellValue, firstRow } from './tables.js';
import { count, readLike, samples, textOperations, writtenLike } from './text-operations.js';
import type { CallStmt, Expr, Operation, Part, Path, Program, Stmt, Workflow } from './tree.js';
import {
  calculate,
  compare,
  eachField,
  equal,
  Fault,
  field,
  fromJson,
  isList,
  isRecord,
  order,
  put,
  readyMade,
  setField,
  show,
  TooBig,
  tidy,
  truthy,
  type Val,
} from './values.js';

type Flow = 'on' | 'skip' | 'stop' | Ending;

/** One of the parts that ran at the same time has ended the run; here are all that would. */
class Ended extends Error {
  readonly ends: readonly Ending[];

  constructor(ends: readonly Ending[]) {
    super();
    this.ends = ends;
  }
}

/** More steps than any test program needs. A program beyond this is not worth running. */
const MOST_WORK = 20_000;

/** @returns `undefined` if the program creates more data than a test should hold */
export function evaluate(program: Program): Seen | undefined {
  try {
    return evaluated(program);
  } catch (error) {
    if (error instanceof TooBig) return undefined;
    throw error;
  }
}

function evaluated(program: Program): Seen {
  const world: World = { answers: new Answers(program.answers), calls: [], isUnordered: false, isCut: false, work: 0 };
  const run = new Evaluation(program, program.zone, world);
  const [first, ...others] = run.whole(fromJson(program.request), program.isText).map(({ result: _, ...end }) => end);
  const ending = first ?? ({ status: 'completed', outputs: put(new Map()) } as const);
  const seen = { ...ending, logs: run.logs, calls: world.calls };
  return world.isUnordered ? { ...seen, unordered: { ends: others, isCut: world.isCut } } : seen;
}

/** What a run shares with those that it calls. */
interface World {
  readonly answers: Answers;
  readonly calls: unknown[];
  isUnordered: boolean;
  isCut: boolean;
  work: number;
}

type LogLine = readonly [what: string, line: number | undefined, text: unknown, step: string | undefined];

/** How a called workflow ended. */
type Called =
  | { readonly ok: true; readonly outputs: Val }
  | { readonly ok: false; readonly isRejected: boolean; readonly retryable: boolean };

/** A name that only exists in a block or an expression. */
interface Item {
  readonly name: string;
  value: Val;
}

class Evaluation {
  readonly logs: LogLine[] = [];
  readonly #world: World;
  readonly #zone: string;
  readonly #workflow: Workflow;
  #variables = new Map<string, Val>();
  #items: readonly Item[] = [];
  /** The list that concurrent rounds add to, and what this round has added. */
  #added: { readonly name: string; readonly items: Val[] } | undefined;
  readonly #failures: Val[] = [];
  readonly #steps: { readonly name: string; readonly line: number }[] = [];
  #request: Val = null;
  readonly #dates: Dates;

  constructor(workflow: Workflow, zone: string, world: World) {
    this.#workflow = workflow;
    this.#zone = zone;
    this.#world = world;
    this.#dates = new Dates(zone);
  }

  /** A run from its request to its end. @param isText the request comes from a table */
  whole(request: Val, isText = false): readonly Ending[] {
    const { inputs, body } = this.#workflow;
    if (inputs === undefined) this.#request = request;
    else {
      const accepted = accept(inputs, request, this.#dates, isText);
      if (accepted.problems.length > 0) return [{ status: 'error', line: 0, problems: accepted.problems }];
      this.#request = accepted.request;
    }
    return this.part(body);
  }

  /** Runs statements by themselves, with the variables at hand. @returns how they end the run; nothing if they don't */
  part(body: readonly Stmt[]): readonly Ending[] {
    const depth = this.#steps.length;
    const items = this.#items;
    const failures = this.#failures.length;
    let line = 0;
    try {
      const flow = this.block(body, (at) => {
        line = at;
      });
      return typeof flow === 'object' ? [flow] : [];
    } catch (end) {
      if (end instanceof Ended) return end.ends;
      if (!(end instanceof Fault)) throw end;
      return [{ status: 'error', line }];
    } finally {
      this.#items = items;
      this.#failures.splice(failures);
      this.closeSteps(depth);
    }
  }

  /** Parts that run at the same time: they share nothing that changes, so they may as well run one after the other. */
  #together(parts: readonly (() => readonly Ending[])[]): void {
    this.#world.isUnordered = true;
    const ends = parts.flatMap((part) => part());
    if (ends.length === 0) return;
    this.#world.isCut = true;
    throw new Ended(ends);
  }

  /** Each round has its own copy of the variables. What it adds reaches the list in the order of the items. */
  #rounds({ item, list, added, body }: Stmt & { k: 'rounds' }): void {
    this.#variables.set(added, []);
    const [outside, outer] = [this.#variables, this.#added];
    const all: Val[] = [];
    const value = this.#expr(list);
    if (value !== null && !isList(value)) throw new Fault('for each');
    this.#together(
      (value ?? []).map((one) => () => {
        this.#variables = new Map(outside);
        this.#added = { name: added, items: all };
        const items = this.#items;
        this.#items = [...items, { name: item, value: one }];
        const ends = this.part(body);
        [this.#items, this.#variables, this.#added] = [items, outside, outer];
        return ends;
      }),
    );
    this.#variables.set(added, this.#small(all));
  }

  block(body: readonly Stmt[], at: (line: number) => void): Flow {
    for (const statement of body) {
      const flow = this.#statement(statement, at);
      if (flow !== 'on') return flow;
    }
    return 'on';
  }

  closeSteps(down = 0): void {
    while (this.#steps.length > down) {
      const step = this.#steps.at(-1);
      this.#entry('end', step?.line, step?.name);
      this.#steps.pop();
    }
  }

  #entry(what: string, line: number | undefined, text: unknown): void {
    this.logs.push([what, line, text, this.#steps.at(-1)?.name]);
  }

  #statement(statement: Stmt, at: (line: number) => void): Flow {
    if (++this.#world.work > MOST_WORK) throw new TooBig();
    if ('line' in statement) at(statement.line.at);
    switch (statement.k) {
      case 'step': {
        this.#steps.push({ name: statement.name, line: statement.line.at });
        this.#entry('start', statement.line.at, statement.name);
        const depth = this.#steps.length - 1;
        const flow = this.block(statement.body, at);
        if (typeof flow === 'string') this.closeSteps(depth);
        return flow;
      }
      case 'set': {
        const { root, fields } = statement.path;
        const value = this.#small(this.#expr(statement.value));
        this.#set(root, fields.length === 0 ? value : setField(this.#variable(root), fields, value));
        return 'on';
      }
      case 'add': {
        const value = this.#small(this.#expr(statement.value));
        if (statement.name === this.#added?.name && !this.#items.some(({ name }) => name === statement.name)) {
          this.#added.items.push(value);
          return 'on';
        }
        const list = this.#variable(statement.name) ?? [];
        if (!isList(list)) throw new Fault('add');
        this.#set(statement.name, this.#small([...list, value]));
        return 'on';
      }
      case 'log':
        this.#entry('log', statement.line.at, show(this.#expr(statement.value)));
        return 'on';
      case 'wait': {
        const amount = this.#expr(statement.amount);
        if (typeof amount !== 'number' || amount < 0) throw new Fault('wait');
        return 'on';
      }
      case 'if':
        for (const { line, test, body } of statement.branches) {
          at(line.at);
          if (truthy(this.#expr(test))) return this.block(body, at);
        }
        return statement.otherwise === undefined ? 'on' : this.block(statement.otherwise, at);
      case 'for':
        return this.#loop(this.#picked(statement), statement.body, at);
      case 'together':
        this.#together(statement.branches.map((branch) => () => this.part([branch])));
        return 'on';
      case 'rounds':
        this.#rounds(statement);
        return 'on';
      case 'fields': {
        const record = this.#expr(statement.record);
        if (record !== null && !isRecord(record)) throw new Fault('for each field');
        const [key, item] = statement.names;
        const rounds = [...(record ?? new Map<string, Val>())].map(([name, value]) => [
          { name: key, value: name },
          { name: item, value },
        ]);
        return this.#loop(rounds, statement.body, at);
      }
      case 'repeat':
        return this.#repeat(statement, at);
      case 'letter': {
        const text = statement.lines.map((line, index) => {
          at(statement.line.at + 1 + index);
          return this.#text(line);
        });
        this.#set(statement.path.root, text.join('\n'));
        return 'on';
      }
      case 'look up':
        return this.#lookUp(statement, at);
      case 'skip':
      case 'stop':
        return statement.k;
      case 'complete': {
        const result = new Map(statement.pairs.map(([key, value]) => [key, this.#small(this.#expr(value))]));
        return { status: 'completed', outputs: put(result), result };
      }
      case 'reject':
        return { status: 'rejected', message: show(this.#expr(statement.message)) };
      case 'call':
        return this.#call(statement, at);
    }
  }

  /** The items of a loop. `where` picks them before it begins. */
  #picked({ item, list, where }: Stmt & { k: 'for' }): Item[][] {
    const value = this.#expr(list);
    if (value !== null && !isList(value)) throw new Fault('for each');
    return (value ?? [])
      .filter((one) => where === undefined || this.#within(item, one, () => truthy(this.#expr(where))))
      .map((one) => [{ name: item, value: one }]);
  }

  #loop(rounds: Iterable<readonly Item[]>, body: readonly Stmt[], at: (line: number) => void): Flow {
    const depth = this.#steps.length;
    for (const items of rounds) {
      this.#items = [...this.#items, ...items];
      const flow = this.block(body, at);
      this.#items = this.#items.slice(0, this.#items.length - items.length);
      if (typeof flow === 'string') this.closeSteps(depth);
      if (flow === 'stop') break;
      if (typeof flow === 'object') return flow;
    }
    return 'on';
  }

  #repeat({ line, most, until, body }: Stmt & { k: 'repeat' }, at: (line: number) => void): Flow {
    const rounds = count(this.#expr(most));
    if (rounds > 1_000) throw new TooBig();
    const self = this;
    function* numbers(): Iterable<Item[]> {
      for (let round = 1; round <= rounds; round++) {
        at(line.at);
        if (until !== undefined && truthy(self.#expr(until))) return;
        yield [{ name: 'round', value: round }];
      }
    }
    return this.#loop(numbers(), body, at);
  }

  #lookUp({ table: name, results, pairs, nothing }: Stmt & { k: 'look up' }, at: (line: number) => void): Flow {
    const table = this.#workflow.tables.find((one) => one.name === name);
    if (table === undefined) throw new Error(`No table ${name}`);
    const values = new Map(pairs.map(([key, value]) => [key, this.#expr(value)]));
    const row = firstRow(table, values, this.#dates);
    if (row === undefined) {
      if (nothing === undefined) throw new Fault('nothing matches');
      return this.block(nothing, at);
    }
    for (const result of results) this.#set(result, cellValue(row[table.columns.findIndex((column) => column.name === result)]));
    return 'on';
  }

  /** The item of the innermost loop of that name, or else the variable. */
  #variable(name: string): Val {
    const item = this.#items.findLast((one) => one.name === name);
    return item === undefined ? (this.#variables.get(name) ?? null) : item.value;
  }

  #set(name: string, value: Val): void {
    const item = this.#items.findLast((one) => one.name === name);
    if (item === undefined) this.#variables.set(name, value);
    else item.value = value;
  }

  #small(value: Val): Val {
    let size = 0;
    const walk = (part: Val): void => {
      if (++size > 2_000) throw new TooBig();
      if (typeof part === 'string' && part.length > 5_000) throw new TooBig();
      if (isList(part)) part.forEach(walk);
      else if (isRecord(part)) part.forEach(walk);
    };
    walk(value);
    this.#world.work += size;
    return value;
  }

  // --- calls ----------------------------------------------------------------------------------------------------------------

  #call(call: CallStmt, at: (line: number) => void): Flow {
    const path = call.at === undefined ? undefined : this.#path(call.at);
    const instruction = call.instruction === undefined ? undefined : this.#text(call.instruction.parts);
    const parameters = new Map(call.pairs.map(([key, value]) => [key, this.#small(this.#expr(value))]));
    let failure: Val = null;
    const seen = {
      service: call.service,
      phrase: call.instruction === undefined ? call.phrase : 'ask',
      path: path ?? undefined,
      instruction,
      parameters: put(parameters),
    };
    let isRejected = false;
    const failed = (status: number | null, body: string | null, attempts: number): Val =>
      new Map<string, Val>([
        ['status', status],
        ['body', body],
        ['service', call.service],
        ['attempts', attempts],
        ...(call.part === undefined ? [] : [['rejected', isRejected] as const]),
      ]);
    if (path === null) {
      failure = failed(null, null, 0);
    } else {
      for (let attempt = 1; ; attempt++) {
        const answer =
          call.part === undefined ? this.#world.answers.next(call.number) : this.#called(call.part, parameters, call);
        this.#world.calls.push({ ...seen, attempt, ok: answer.ok });
        if (answer.ok) {
          this.#save(call, {
            result: 'outputs' in answer ? answer.outputs : fromJson(answer.value),
            ...('status' in answer ? { status: answer.status } : {}),
            'response headers': new Map([['x-test', 'yes']]),
            confidence: 0.75,
          });
          return 'on';
        }
        isRejected = 'isRejected' in answer && answer.isRejected;
        const { status, body } = 'body' in answer ? answer : { status: undefined, body: null };
        failure = failed(status ?? null, status === undefined ? null : body, attempt);
        if (!answer.retryable || attempt > (call.handler?.retry ?? 0)) break;
      }
    }
    const status = isRecord(failure) ? (failure.get('status') ?? null) : null;
    const body = call.handler?.body;
    if (body === undefined) throw new Fault('the call failed');
    if (status !== null) this.#save(call, { status });
    this.#failures.push(failure);
    const flow = this.block(body, at);
    this.#failures.pop();
    return flow;
  }

  /** Runs another workflow. Its log stands at the line of the call. */
  #called({ workflow }: Part, request: ReadonlyMap<string, Val>, call: CallStmt): Called {
    const world: World = { ...this.#world, isCut: false };
    const run = new Evaluation(workflow, workflow.zone ?? this.#zone, world);
    const [end = { status: 'completed', result: new Map() } as const] = run.whole(tidy(request));
    // How it ended, or what it asked for before, depends on what came first.
    if (world.isCut) throw new TooBig();
    Object.assign(this.#world, { work: world.work, isUnordered: world.isUnordered });
    const step = this.#steps.at(-1)?.name;
    this.logs.push(...run.logs.map(([what, , text, own]) => [what, call.line.at, text, own ?? step] as const));
    if (end.status === 'completed') return { ok: true, outputs: tidy(end.result ?? null) };
    return { ok: false, isRejected: end.status === 'rejected', retryable: end.status === 'error' && end.problems === undefined };
  }

  #save(call: CallStmt, answer: Readonly<Record<string, Val>>): void {
    // The status is always saved, and it is saved first, which shows if two are saved under one name.
    for (const first of [true, false])
      for (const [what, name] of call.saves)
        if ((what === 'status') === first && what in answer) this.#set(name, answer[what] ?? null);
  }

  /** `null`: a value that must not be sent. */
  #path(parts: readonly (string | Path)[]): string | null {
    const values = parts.map((part) => (typeof part === 'string' ? part : { value: this.#read(part) }));
    let path = '';
    for (const part of values) {
      if (typeof part === 'string') {
        path += part;
        continue;
      }
      const { value } = part;
      if (!path.includes('?') && (value === null || value === '' || typeof value === 'object' || value === '.' || value === '..'))
        return null;
      path += encodeURIComponent(show(value));
    }
    // Two adjacent values can form a path segment together.
    return path
      .split('?')[0]
      ?.split('/')
      .some((segment) => segment === '.' || segment === '..') === true
      ? null
      : path;
  }

  // --- expressions ----------------------------------------------------------------------------------------------------------

  #read({ root, fields }: Path): Val {
    const isItem = this.#items.some((one) => one.name === root);
    let value: Val;
    let rest = fields;
    if (isItem) value = this.#variable(root);
    else if (root === 'request') value = this.#request;
    else if (root === 'now') value = startOfPrograms.toISOString();
    else if (root === 'today') value = this.#dates.today(startOfPrograms);
    else if (root === 'env') {
      value = Object.hasOwn(envOfPrograms, fields[0] ?? '') ? (envOfPrograms[fields[0] ?? ''] ?? null) : null;
      rest = fields.slice(1);
    } else if (root === 'failure' && this.#failures.length > 0) value = this.#failures.at(-1) ?? null;
    else value = this.#variable(root);
    for (const key of rest) value = key.startsWith('{') ? this.#named(value, key) : field(value, key);
    return value;
  }

  /** `prices.{country}`. */
  #named(owner: Val, braces: string): Val {
    const name = this.#read(pathIn(braces));
    if (name === null) return null;
    if (typeof name !== 'string' && typeof name !== 'number') throw new Fault('the name of a field');
    return field(owner, show(name));
  }

  #text(parts: readonly (string | Path)[]): string {
    return parts.map((part) => (typeof part === 'string' ? part : show(this.#read(part)))).join('');
  }

  #expr(expr: Expr): Val {
    this.#world.work++;
    switch (expr.k) {
      case 'text':
        return this.#text(expr.parts);
      case 'number':
        return Number(expr.written);
      case 'constant':
        return expr.value;
      case 'list':
        return expr.items.map((item) => this.#expr(item));
      case 'path':
        return this.#read(expr.path);
      case 'group':
        return this.#expr(expr.inner);
      case 'ready':
        if (expr.name === 'sum of') return readyMade(expr.name, this.#ofEach(expr.of));
        return readyMade(expr.name, this.#expr(expr.of));
      case 'chain': {
        let value = this.#expr(expr.first);
        for (const operation of expr.rest) value = this.#small(this.#operate(value, operation));
        return value;
      }
      case 'phrase':
        return this.#small(this.#phrase(expr.words, expr.of));
      case 'record':
        return expr.pairs.length === 0 ? null : new Map(expr.pairs.map(([key, value]) => [key, this.#expr(value)]));
      case 'filter':
        return this.#each(expr.list).filter((item) => this.#within(expr.item, item, () => truthy(this.#expr(expr.where))));
      case 'map':
        return this.#each(expr.list).flatMap((item) =>
          this.#within(expr.item, item, () =>
            expr.where === undefined || truthy(this.#expr(expr.where)) ? [this.#small(this.#expr(expr.value))] : [],
          ),
        );
      case 'quantified': {
        const test = (item: Val): boolean => this.#within(expr.item, item, () => truthy(this.#expr(expr.where)));
        const list = this.#each(expr.list);
        return expr.word === 'some' ? list.some(test) : list.every(test);
      }
      case 'compare':
        return compare(expr.word, this.#expr(expr.left), this.#expr(expr.right));
      case 'between': {
        const value = this.#expr(expr.value);
        const [low, high] = [this.#expr(expr.low), this.#expr(expr.high)];
        const [fromLow, fromHigh] = [order(value, low), order(value, high)];
        return fromLow >= 0 && fromHigh <= 0;
      }
      case 'state': {
        const value = this.#expr(expr.value);
        if (expr.word === 'exists' || expr.word === 'does not exist') return (value !== null) === (expr.word === 'exists');
        return (
          (equal(value, null) ||
            value === '' ||
            (isList(value) && value.length === 0) ||
            (isRecord(value) && value.size === 0)) ===
          (expr.word === 'is empty')
        );
      }
      case 'logic':
        for (const part of expr.parts) if (truthy(this.#expr(part)) === (expr.word === 'or')) return expr.word === 'or';
        return expr.word === 'and';
      case 'not':
        return !truthy(this.#expr(expr.of));
    }
  }

  #each(list: Expr): readonly Val[] {
    const value = this.#expr(list);
    if (value !== null && !isList(value)) throw new Fault('each');
    return value ?? [];
  }

  #within<T>(name: string, value: Val, read: () => T): T {
    this.#items = [...this.#items, { name, value }];
    this.#world.work++;
    if (this.#world.work > MOST_WORK) throw new TooBig();
    const result = read();
    this.#items = this.#items.slice(0, -1);
    return result;
  }

  /** `sum of rows.amount`: the operand, or the field that a path reads from each item of a list. */
  #ofEach(of: Expr): Val {
    if (of.k !== 'path' || of.path.root === 'env') return this.#expr(of);
    return eachField(this.#read({ root: of.path.root, fields: [] }), of.path.fields);
  }

  #operate(value: Val, [words, ...operands]: Operation): Val {
    const [first = null, ...others] = operands.map((operand) => this.#expr(operand));
    const shift = /^(plus|minus) # (.+)$/.exec(words);
    if (shift !== null) {
      const [, word, unit = ''] = shift;
      return this.#dates.shift(value, typeof first === 'number' && word === 'minus' ? 0 - first : first, unit);
    }
    const arranged = /^(sorted by|sorted|grouped by) ?(.*?)( ?descending)?$/.exec(words);
    if (arranged !== null) {
      const [, word, path = '', descending] = arranged;
      const keys = path === '' ? [] : path.split('.');
      return word === 'grouped by' ? grouped(value, keys) : sorted(value, keys, descending !== undefined);
    }
    const operation = textOperations[`# ${words}`];
    return operation === undefined ? calculate(words.replace(' #', ''), value, first) : operation(value, first, ...others);
  }

  #phrase(words: string, of: readonly Expr[]): Val {
    const isOfEach = /^(highest|lowest|average|unique) of #$/.test(words);
    const operands = of.map((operand) => (isOfEach ? this.#ofEach(operand) : this.#expr(operand)));
    const [first = null, second = null] = operands;
    const operation = textOperations[words] ?? listOperations[words];
    if (operation !== undefined) return operation(...operands);
    const [word = '', middle = '', ...others] = words.split(' ');
    if (middle === 'from' || word === 'working')
      return this.#dates.difference(words.slice(0, words.indexOf(' from')), first, second);
    if (word === 'start' || word === 'end') return this.#dates.edge(word, others[0] ?? '', first);
    if (words.startsWith('# is ')) return this.#dates.compare(words.slice(2, -2), first, second);
    if (words === 'text of # written as #') {
      const isSample = typeof second === 'string' && Object.hasOwn(samples, second);
      return isSample ? writtenLike(first, second) : this.#dates.written(first, second);
    }
    if (words === 'number of # written as #') return readLike(first, second);
    return words.endsWith('written as #') ? this.#dates.read(word, first, second) : this.#dates.part(word, first);
  }
}

/** `{country}` → the path in the braces. */
function pathIn(braces: string): Path {
  const [root = '', ...fields] = braces.slice(1, -1).split('.');
  return { root, fields };
}
