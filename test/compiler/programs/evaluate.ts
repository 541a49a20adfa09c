// A small evaluator of programs, written only from docs/language.md: the expected result of the compiled program.
import { envOfPrograms } from './print.js';
import type { CallStmt, Expr, Path, Program, Stmt } from './tree.js';
import {
  calculate,
  compare,
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
  sumOfPath,
  TooBig,
  truthy,
  type Val,
} from './values.js';

export const startOfPrograms = new Date('2026-03-01T09:30:00.500Z');

/** The observable effects of a run. */
export interface Seen {
  readonly status: 'completed' | 'rejected' | 'error';
  readonly outputs?: unknown;
  readonly message?: string;
  /** Line of the error. */
  readonly line?: number;
  readonly logs: readonly unknown[];
  readonly calls: readonly unknown[];
}

type Flow = 'on' | 'skip' | 'stop' | Completion;
type Completion =
  | { readonly status: 'completed'; readonly outputs: unknown }
  | { readonly status: 'rejected'; readonly message: string };

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
  const run = new Evaluation(program);
  let line = 0;
  try {
    const flow = run.block(program.body, (at) => {
      line = at;
    });
    const ending = typeof flow === 'object' ? flow : ({ status: 'completed', outputs: put(new Map()) } as const);
    run.closeSteps();
    return { ...ending, logs: run.logs, calls: run.calls };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    run.closeSteps();
    return { status: 'error', line, logs: run.logs, calls: run.calls };
  }
}

class Evaluation {
  readonly logs: unknown[] = [];
  readonly calls: unknown[] = [];
  readonly #variables = new Map<string, Val>();
  readonly #items: { readonly name: string; value: Val }[] = [];
  readonly #failures: Val[] = [];
  readonly #steps: { readonly name: string; readonly line: number }[] = [];
  readonly #request: Val;
  readonly #answers: Program['answers'];
  #answered = 0;
  #work = 0;

  constructor(program: Program) {
    this.#request = fromJson(program.request);
    this.#answers = program.answers;
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
    if (++this.#work > MOST_WORK) throw new TooBig();
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
        const list = this.#variable(statement.name) ?? [];
        if (!isList(list)) throw new Fault('add');
        this.#set(statement.name, this.#small([...list, value]));
        return 'on';
      }
      case 'log':
        this.#entry('log', statement.line.at, show(this.#expr(statement.value)));
        return 'on';
      case 'wait':
        return 'on';
      case 'if':
        for (const { line, test, body } of statement.branches) {
          at(line.at);
          if (truthy(this.#expr(test))) return this.block(body, at);
        }
        return statement.otherwise === undefined ? 'on' : this.block(statement.otherwise, at);
      case 'for':
        return this.#loop(statement.item, this.#expr(statement.list), statement.body, at);
      case 'skip':
      case 'stop':
        return statement.k;
      case 'complete':
        return {
          status: 'completed',
          outputs: put(new Map(statement.pairs.map(([key, value]) => [key, this.#small(this.#expr(value))]))),
        };
      case 'reject':
        return { status: 'rejected', message: show(this.#expr(statement.message)) };
      case 'call':
        return this.#call(statement, at);
    }
  }

  #loop(item: string, list: Val, body: readonly Stmt[], at: (line: number) => void): Flow {
    if (list !== null && !isList(list)) throw new Fault('for each');
    const depth = this.#steps.length;
    for (const value of list ?? []) {
      this.#items.push({ name: item, value });
      const flow = this.block(body, at);
      this.#items.pop();
      if (typeof flow === 'string') this.closeSteps(depth);
      if (flow === 'stop') break;
      if (typeof flow === 'object') return flow;
    }
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
    this.#work += size;
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
    const failed = (status: number | null, body: string | null, attempts: number): Val =>
      new Map<string, Val>([
        ['status', status],
        ['body', body],
        ['service', call.service],
        ['attempts', attempts],
      ]);
    if (path === null) {
      failure = failed(null, null, 0);
    } else {
      for (let attempt = 1; ; attempt++) {
        const answer = this.#answers[this.#answered++ % this.#answers.length];
        if (answer === undefined) throw new Error('A program has answers');
        this.calls.push({ ...seen, attempt, ok: answer.ok });
        if (answer.ok) {
          this.#save(call, {
            result: fromJson(answer.value),
            status: answer.status,
            'response headers': new Map([['x-test', 'yes']]),
            confidence: 0.75,
          });
          return 'on';
        }
        failure = failed(answer.status ?? null, answer.status === undefined ? null : answer.body, attempt);
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
    else if (root === 'today') value = '2026-03-01';
    else if (root === 'env') {
      value = Object.hasOwn(envOfPrograms, fields[0] ?? '') ? (envOfPrograms[fields[0] ?? ''] ?? null) : null;
      rest = fields.slice(1);
    } else if (root === 'failure' && this.#failures.length > 0) value = this.#failures.at(-1) ?? null;
    else value = this.#variable(root);
    for (const key of rest) value = field(value, key);
    return value;
  }

  #text(parts: readonly (string | Path)[]): string {
    return parts.map((part) => (typeof part === 'string' ? part : show(this.#read(part)))).join('');
  }

  #expr(expr: Expr): Val {
    this.#work++;
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
        if (expr.name === 'sum of' && expr.of.k === 'path' && expr.of.path.root !== 'env')
          return sumOfPath(this.#read({ root: expr.of.path.root, fields: [] }), expr.of.path.fields);
        return readyMade(expr.name, this.#expr(expr.of));
      case 'chain': {
        let value = this.#expr(expr.first);
        for (const [operator, operand] of expr.rest) value = this.#small(calculate(operator, value, this.#expr(operand)));
        return value;
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
}
