// Statements: runs a workflow from its request to its end.
import { Expressions } from './evaluate-expressions.js';
import { accept } from './inputs.js';
import { type Item, type LogLine, RunState, type World } from './run-state.js';
import type { Ending } from './seen.js';
import { cellValue, firstRow } from './tables.js';
import { count } from './text-operations.js';
import type { CallStmt, Part, Path, Stmt, Workflow } from './tree.js';
import { Fault, fromJson, isList, isRecord, put, setField, show, TooBig, tidy, truthy, type Val } from './values.js';

type Flow = 'on' | 'skip' | 'stop' | Ending;

/** One of the parts that ran at the same time has ended the run; here are all that would. */
class Ended extends Error {
  readonly ends: readonly Ending[];

  constructor(ends: readonly Ending[]) {
    super();
    this.ends = ends;
  }
}

/** How a run can have ended: nothing if no statement ended it, several if parts of it ran at the same time. */
export interface WorkflowRun {
  readonly ends: readonly Ending[];
  readonly logs: readonly LogLine[];
}

/** @param isText the request comes from a table */
export function evaluateWorkflow(workflow: Workflow, zone: string, world: World, request: Val, isText = false): WorkflowRun {
  const state = new RunState(workflow, zone, world);
  return { ends: new Statements(state).whole(request, isText), logs: state.logs };
}

class Statements {
  readonly #state: RunState;
  readonly #expressions: Expressions;
  readonly #calls: Calls;

  constructor(state: RunState) {
    this.#state = state;
    this.#expressions = new Expressions(state);
    this.#calls = new Calls(state, this.#expressions, evaluateWorkflow);
  }

  /** A run from its request to its end. @param isText the request comes from a table */
  whole(request: Val, isText = false): readonly Ending[] {
    const { inputs, body } = this.#state.workflow;
    if (inputs === undefined) this.#state.request = request;
    else {
      const accepted = accept(inputs, request, this.#state.dates, isText);
      if (accepted.problems.length > 0) return [{ status: 'error', line: 0, problems: accepted.problems }];
      this.#state.request = accepted.request;
    }
    return this.#part(body);
  }

  /** Runs statements by themselves, with the variables at hand. @returns how they end the run; nothing if they don't */
  #part(body: readonly Stmt[]): readonly Ending[] {
    const depth = this.#state.steps.length;
    const items = this.#state.items;
    const failures = this.#state.failures.length;
    let line = 0;
    try {
      const flow = this.#block(body, (at) => {
        line = at;
      });
      return typeof flow === 'object' ? [flow] : [];
    } catch (end) {
      if (end instanceof Ended) return end.ends;
      if (!(end instanceof Fault)) throw end;
      return [{ status: 'error', line }];
    } finally {
      this.#state.items = items;
      this.#state.failures.splice(failures);
      this.#state.closeSteps(depth);
    }
  }

  /** Parts that run at the same time: they share nothing that changes, so they may as well run one after the other. */
  #together(parts: readonly (() => readonly Ending[])[]): void {
    this.#state.world.isUnordered = true;
    const ends = parts.flatMap((part) => part());
    if (ends.length === 0) return;
    this.#state.world.isCut = true;
    throw new Ended(ends);
  }

  /** Each round has its own copy of the variables. What it adds reaches the list in the order of the items. */
  #rounds({ item, list, added, body }: Stmt & { k: 'rounds' }): void {
    this.#state.variables.set(added, []);
    const [outside, outer] = [this.#state.variables, this.#state.added];
    const all: Val[] = [];
    const value = this.#expressions.value(list);
    if (value !== null && !isList(value)) throw new Fault('for each');
    this.#together(
      (value ?? []).map((one) => () => {
        this.#state.variables = new Map(outside);
        this.#state.added = { name: added, items: all };
        const items = this.#state.items;
        this.#state.items = [...items, { name: item, value: one }];
        const ends = this.#part(body);
        [this.#state.items, this.#state.variables, this.#state.added] = [items, outside, outer];
        return ends;
      }),
    );
    this.#state.variables.set(added, this.#state.small(all));
  }

  #block(body: readonly Stmt[], at: (line: number) => void): Flow {
    for (const statement of body) {
      const flow = this.#statement(statement, at);
      if (flow !== 'on') return flow;
    }
    return 'on';
  }

  #statement(statement: Stmt, at: (line: number) => void): Flow {
    this.#state.work();
    if ('line' in statement) at(statement.line.at);
    switch (statement.k) {
      case 'step': {
        this.#state.steps.push({ name: statement.name, line: statement.line.at });
        this.#state.entry('start', statement.line.at, statement.name);
        const depth = this.#state.steps.length - 1;
        const flow = this.#block(statement.body, at);
        if (typeof flow === 'string') this.#state.closeSteps(depth);
        return flow;
      }
      case 'set': {
        const { root, fields } = statement.path;
        const value = this.#state.small(this.#expressions.value(statement.value));
        this.#state.set(root, fields.length === 0 ? value : setField(this.#state.variable(root), fields, value));
        return 'on';
      }
      case 'add': {
        const value = this.#state.small(this.#expressions.value(statement.value));
        if (statement.name === this.#state.added?.name && !this.#state.items.some(({ name }) => name === statement.name)) {
          this.#state.added.items.push(value);
          return 'on';
        }
        const list = this.#state.variable(statement.name) ?? [];
        if (!isList(list)) throw new Fault('add');
        this.#state.set(statement.name, this.#state.small([...list, value]));
        return 'on';
      }
      case 'log':
        this.#state.entry('log', statement.line.at, show(this.#expressions.value(statement.value)));
        return 'on';
      case 'wait': {
        const amount = this.#expressions.value(statement.amount);
        if (typeof amount !== 'number' || amount < 0) throw new Fault('wait');
        this.#state.world.hasWaited = true;
        return 'on';
      }
      case 'if':
        for (const { line, test, body } of statement.branches) {
          at(line.at);
          if (truthy(this.#expressions.value(test))) return this.#block(body, at);
        }
        return statement.otherwise === undefined ? 'on' : this.#block(statement.otherwise, at);
      case 'for':
        return this.#loop(this.#picked(statement), statement.body, at);
      case 'together':
        this.#together(statement.branches.map((branch) => () => this.#part([branch])));
        return 'on';
      case 'rounds':
        this.#rounds(statement);
        return 'on';
      case 'fields': {
        const record = this.#expressions.value(statement.record);
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
          return this.#expressions.text(line);
        });
        this.#state.set(statement.path.root, text.join('\n'));
        return 'on';
      }
      case 'look up':
        return this.#lookUp(statement, at);
      case 'skip':
      case 'stop':
        return statement.k;
      case 'complete': {
        const result = new Map(statement.pairs.map(([key, value]) => [key, this.#state.small(this.#expressions.value(value))]));
        return { status: 'completed', outputs: put(result), result };
      }
      case 'reject':
        return { status: 'rejected', message: show(this.#expressions.value(statement.message)) };
      case 'call':
        return this.#calls.call(statement, (body) => this.#block(body, at));
    }
  }

  /** The items of a loop. `where` picks them before it begins. */
  #picked({ item, list, where }: Stmt & { k: 'for' }): Item[][] {
    const value = this.#expressions.value(list);
    if (value !== null && !isList(value)) throw new Fault('for each');
    return (value ?? [])
      .filter((one) => where === undefined || this.#state.within(item, one, () => truthy(this.#expressions.value(where))))
      .map((one) => [{ name: item, value: one }]);
  }

  #loop(rounds: Iterable<readonly Item[]>, body: readonly Stmt[], at: (line: number) => void): Flow {
    const depth = this.#state.steps.length;
    for (const items of rounds) {
      this.#state.items = [...this.#state.items, ...items];
      const flow = this.#block(body, at);
      this.#state.items = this.#state.items.slice(0, this.#state.items.length - items.length);
      if (typeof flow === 'string') this.#state.closeSteps(depth);
      if (flow === 'stop') break;
      if (typeof flow === 'object') return flow;
    }
    return 'on';
  }

  #repeat({ line, most, until, body }: Stmt & { k: 'repeat' }, at: (line: number) => void): Flow {
    const rounds = count(this.#expressions.value(most));
    if (rounds > 1_000) throw new TooBig();
    const self = this;
    function* numbers(): Iterable<Item[]> {
      for (let round = 1; round <= rounds; round++) {
        at(line.at);
        if (until !== undefined && truthy(self.#expressions.value(until))) return;
        yield [{ name: 'round', value: round }];
      }
    }
    return this.#loop(numbers(), body, at);
  }

  #lookUp({ table: name, results, pairs, nothing }: Stmt & { k: 'look up' }, at: (line: number) => void): Flow {
    const table = this.#state.workflow.tables.find((one) => one.name === name);
    if (table === undefined) throw new Error(`No table ${name}`);
    const values = new Map(pairs.map(([key, value]) => [key, this.#expressions.value(value)]));
    const row = firstRow(table, values, this.#state.dates);
    if (row === undefined) {
      if (nothing === undefined) throw new Fault('nothing matches');
      return this.#block(nothing, at);
    }
    for (const result of results)
      this.#state.set(result, cellValue(row[table.columns.findIndex((column) => column.name === result)]));
    return 'on';
  }
}

// Calls of services, AIs and other workflows: their attempts, what they save, and what follows a failure.

/** How a called workflow ended. */
type Called =
  | { readonly ok: true; readonly outputs: Val }
  | { readonly ok: false; readonly isRejected: boolean; readonly retryable: boolean };

/** Evaluates a workflow. A parameter of calls, because statements import them. */
type EvaluateWorkflow = (
  workflow: Workflow,
  zone: string,
  world: World,
  request: Val,
) => { readonly ends: readonly Ending[]; readonly logs: readonly LogLine[] };

class Calls {
  readonly #state: RunState;
  readonly #expressions: Expressions;
  readonly #evaluate: EvaluateWorkflow;

  constructor(state: RunState, expressions: Expressions, evaluateWorkflow: EvaluateWorkflow) {
    this.#state = state;
    this.#expressions = expressions;
    this.#evaluate = evaluateWorkflow;
  }

  /** @param handle runs the statements that follow a failure */
  call<T>(call: CallStmt, handle: (body: readonly Stmt[]) => T): T | 'on' {
    const path = call.at === undefined ? undefined : this.#path(call.at);
    const instruction = call.instruction === undefined ? undefined : this.#expressions.text(call.instruction.parts);
    const parameters = new Map(call.pairs.map(([key, value]) => [key, this.#state.small(this.#expressions.value(value))]));
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
          call.part === undefined ? this.#state.world.answers.next(call.number) : this.#called(call.part, parameters, call);
        this.#state.world.calls.push({ ...seen, attempt, ok: answer.ok });
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
    this.#state.failures.push(failure);
    const flow = handle(body);
    this.#state.failures.pop();
    return flow;
  }

  /** Runs another workflow. Its log stands at the line of the call. */
  #called({ workflow }: Part, request: ReadonlyMap<string, Val>, call: CallStmt): Called {
    const world: World = { ...this.#state.world, isCut: false };
    const { ends, logs } = this.#evaluate(workflow, workflow.zone ?? this.#state.zone, world, tidy(request));
    const [end = { status: 'completed', result: new Map() } as const] = ends;
    // How it ended, or what it asked for before, depends on what came first.
    if (world.isCut) throw new TooBig();
    Object.assign(this.#state.world, { work: world.work, isUnordered: world.isUnordered });
    const step = this.#state.steps.at(-1)?.name;
    this.#state.logs.push(...logs.map(([what, , text, own]) => [what, call.line.at, text, own ?? step] as const));
    if (end.status === 'completed') return { ok: true, outputs: tidy(end.result ?? null) };
    return { ok: false, isRejected: end.status === 'rejected', retryable: end.status === 'error' && end.problems === undefined };
  }

  #save(call: CallStmt, answer: Readonly<Record<string, Val>>): void {
    // The status is always saved, and it is saved first, which shows if two are saved under one name.
    for (const first of [true, false])
      for (const [what, name] of call.saves)
        if ((what === 'status') === first && what in answer) this.#state.set(name, answer[what] ?? null);
  }

  /** `null`: a value that must not be sent. */
  #path(parts: readonly (string | Path)[]): string | null {
    const values = parts.map((part) => (typeof part === 'string' ? part : { value: this.#expressions.read(part) }));
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
}
