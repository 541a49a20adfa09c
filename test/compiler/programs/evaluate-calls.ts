// Calls of services, AIs and other workflows: their attempts, what they save, and what follows a failure.
import type { Expressions } from './evaluate-expressions.js';
import type { LogLine, RunState, World } from './run-state.js';
import type { Ending } from './seen.js';
import type { CallStmt, Part, Path, Stmt, Workflow } from './tree.js';
import { Fault, fromJson, isRecord, put, show, TooBig, tidy, type Val } from './values.js';

/** How a called workflow ended. */
type Called =
  | { readonly ok: true; readonly outputs: Val }
  | { readonly ok: false; readonly isRejected: boolean; readonly retryable: boolean };

/** Evaluates a workflow. A parameter of calls, because statements import them. */
export type EvaluateWorkflow = (
  workflow: Workflow,
  zone: string,
  world: World,
  request: Val,
) => { readonly ends: readonly Ending[]; readonly logs: readonly LogLine[] };

export class Calls {
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
