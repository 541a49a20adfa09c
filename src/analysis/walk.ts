// Walks every way through a checked workflow with values that are not known yet. Loops are walked for no round, the first and any later one;
// calls succeed, fail, or get no answer.
import type { WfRecord } from '../../runtime/types.js';
import type {
  Ask,
  AtTheSameTime,
  Block,
  Call,
  Expression,
  If,
  LookUp,
  Loop,
  Pair,
  Statement,
  Step,
  WaitFor,
  Workflow,
} from '../compiler/2-parse/tree.js';
import { expressionsOf, statementsIn } from '../compiler/2-parse/walk.js';
import type { Facts } from '../compiler/3-check/checker.js';
import { type InTurns, runToEnd } from '../compiler/in-turns.js';
import { splitBy } from './conditions.js';
import type { Domain } from './domain.js';
import { Evaluation, type RunFault } from './evaluate.js';
import { limited } from './join.js';
import { Liveness } from './liveness.js';
import { merged } from './merge.js';
import { inputDomains } from './sources.js';
import { find, isTold, type State, startState, withPassed, withVariable } from './state.js';
import { empty, isHeavy, known, type Sym } from './symbolic.js';
import { walkCall, walkMessage } from './walk-calls.js';
import { walkLoop } from './walk-loops.js';
import { walkTable } from './walk-tables.js';
import { forgotten, later, type OpenRounds, type SeenIf, unknown, type Walked, type Walker, type WayEnd } from './walker.js';

/** Maximum states at a point. Warnings need fewer, because ways that later lines can't tell apart go on as one. */
const MOST_STATES = 64;

/**
 * The most that a walk does: each statement counts once for each state, and as much again as values have to be looked through. Beyond, it
 * would take seconds, and the analysis says nothing. A tenth of it is enough for warnings, which must not hold up a check.
 */
const MOST_WORK = 10_000_000;

/** The cost of a statement in a state without values, in steps from one value to the next. */
const WORK_OF_STATEMENT = 150;

/** The work of a few milliseconds. */
const WORK_OF_TURN = 10_000;

class Walk implements Walker {
  readonly text: string;
  readonly facts: Facts;
  readonly endings: WayEnd[] = [];
  readonly faults: (RunFault & { line: number })[] = [];
  readonly reached = new Set<Statement>();
  readonly ifs = new Map<If, SeenIf>();
  readonly reads = new Map<number, boolean>();
  readonly loops: OpenRounds[] = [];
  readonly itemsOf = new Map<string, readonly (readonly [suffix: string, domain: Domain])[]>();
  readonly #liveness: Liveness | undefined;
  readonly #mostStates: number;
  readonly #mostWork: number;
  readonly #along: Along | undefined;
  #work = 0;
  #turnEnds = WORK_OF_TURN;

  /** @param keepsWays for those who need each way; for warnings, ways that later lines can't tell apart go on as one */
  constructor(text: string, facts: Facts, keepsWays: boolean, along?: Along) {
    this.#along = along;
    this.#liveness = keepsWays ? undefined : new Liveness();
    this.#mostStates = keepsWays ? MOST_STATES : MOST_STATES / 4;
    this.#mostWork = keepsWays ? MOST_WORK : MOST_WORK / 10;
    this.text = text;
    this.facts = facts;
  }

  /** Ends the walk before it begins, if every statement once would be too much. */
  expect(body: Block): void {
    let least = 0;
    for (const _ of statementsIn(body)) {
      least += WORK_OF_STATEMENT;
      if (least > this.#mostWork) throw new TooLarge();
    }
  }

  spend(states: readonly State[]): void {
    for (const { variables, atoms } of states) this.#work += WORK_OF_STATEMENT + (variables?.depth ?? 0) + (atoms?.depth ?? 0);
    if (this.#work > this.#mostWork) throw new TooLarge();
  }

  /** Walks the states through a block; returns those that reach its end. */
  *block(block: Block, states: readonly State[], isLoop = false): InTurns<readonly State[]> {
    const [{ line } = { line: undefined }] = block;
    if (line !== undefined && this.#along?.lines.has(line) === false) return [];
    this.#liveness?.enter(block, isLoop);
    let current = this.#merged(states);
    for (const [index, statement] of block.entries()) {
      if (current.length === 0) break;
      current = limited(current, this.#mostStates, this.#liveness?.isRead);
      this.spend(current);
      if (this.#work > this.#turnEnds) {
        this.#turnEnds = this.#work + WORK_OF_TURN;
        yield;
      }
      this.reached.add(statement);
      current = yield* this.#statement(statement, current);
      this.#liveness?.after(index);
      if (splits(statement)) current = this.#merged(current);
    }
    this.#liveness?.leave();
    return current;
  }

  #merged(states: readonly State[]): readonly State[] {
    return this.#liveness === undefined ? states : merged(states, this.#liveness.isRead);
  }

  *#statement(statement: Statement, states: readonly State[]): InTurns<readonly State[]> {
    if (statement.kind === 'if') return yield* this.#if(statement, states);
    if (statement.kind === 'step') return yield* this.block(statement.body, states);
    if (statement.kind === 'at the same time') return yield* this.#branches(statement, states);
    const after: State[] = [];
    for (const some of this.groups(states)) after.push(...(yield* this.#inGroup(statement, some)));
    return after;
  }

  *#inGroup(statement: Exclude<Statement, If | Step | AtTheSameTime>, states: readonly State[]): InTurns<readonly State[]> {
    switch (statement.kind) {
      case 'for each':
      case 'for each field':
      case 'repeat':
        return yield* walkLoop(this, statement, states);
      case 'look up':
        return yield* walkTable(this, statement, states);
      case 'call':
      case 'ask':
        return yield* walkCall(this, statement, states);
      case 'wait for':
        return yield* walkMessage(this, statement, states);
      default:
        return this.#simple(statement, states);
    }
  }

  groups(states: readonly State[]): readonly (readonly State[])[] {
    return this.#liveness === undefined ? states.map((state) => [state]) : [states];
  }

  /** Statements without blocks. */
  #simple(
    statement: Exclude<Statement, If | Step | AtTheSameTime | Loop | LookUp | Call | Ask | WaitFor>,
    states: readonly State[],
  ): readonly State[] {
    switch (statement.kind) {
      case 'set':
        return this.#set(statement, states);
      case 'add':
        return forgotten(this.past(statement, states), [statement.target.text]);
      case 'log':
        return this.past(statement, states);
      case 'wait':
      case 'wait until':
        return later(this.past(statement, states));
      case 'complete':
      case 'reject':
        for (const state of states) this.#end(statement, this.evaluation(state));
        return [];
      case 'skip':
        this.loops.at(-1)?.skipped.push(...states);
        return [];
      case 'stop':
        this.loops.at(-1)?.stopped.push(...states);
        return [];
      case 'broken':
        return states;
    }
  }

  past(statement: Statement, states: readonly State[]): readonly State[] {
    return states.flatMap((state) => {
      const evaluation = this.evaluation(state);
      for (const { expression } of expressionsOf(statement)) evaluation.value(expression);
      return this.after(evaluation, statement.line);
    });
  }

  #set({ target, fields, value, line }: Extract<Statement, { kind: 'set' }>, states: readonly State[]): readonly State[] {
    let other: Sym | undefined;
    const light = (sym: Sym | undefined, state: State): Sym => {
      if (sym !== undefined && !isHeavy(sym)) return sym;
      other ??= unknown(state, target.text);
      return other;
    };
    const [field] = fields;
    return states.flatMap((state) => {
      const evaluation = this.evaluation(state);
      const given = light(evaluation.value(value), state);
      return this.after(evaluation, line).map((one) => {
        if (fields.length === 0) return withVariable(one, target.text, given);
        const owner = find(one.variables, target.text) ?? empty;
        const fieldsNow =
          owner.is === 'record'
            ? owner.fields
            : owner.is === 'known' && owner.value === null
              ? new Map<string, Sym>()
              : undefined;
        const record: Sym | undefined =
          fields.length > 1 || typeof field !== 'string' || fieldsNow === undefined
            ? undefined
            : { is: 'record', fields: new Map([...fieldsNow, [field, given]]) };
        return withVariable(one, target.text, light(record, one));
      });
    });
  }

  #end(statement: Extract<Statement, { kind: 'complete' | 'reject' }>, evaluation: Evaluation): void {
    const { line } = statement;
    const outputs = statement.kind === 'complete' ? this.pairs(evaluation, statement.pairs) : [];
    const message = statement.kind === 'reject' ? evaluation.value(statement.message) : undefined;
    const status = statement.kind === 'complete' ? 'completed' : 'rejected';
    for (const state of this.after(evaluation, line))
      this.endings.push({ status, line, state, outputs: new Map(outputs), message });
  }

  pairs(evaluation: Evaluation, pairs: readonly Pair[]): [string, Sym][] {
    return pairs.map(({ key, value }) => [key.text, evaluation.value(value)]);
  }

  *#if(statement: If, states: readonly State[]): InTurns<readonly State[]> {
    const seen = this.ifs.get(statement) ?? unseen(statement);
    this.ifs.set(statement, seen);
    seen.before.push(...states);
    const ends: State[] = [];
    let open: readonly State[] = states;
    for (const [index, { condition, body, line }] of statement.branches.entries()) {
      seen.asked[index]?.push(...open);
      // The statement itself counts for its first condition.
      if (index > 0) this.spend(open);
      const parts = this.decide(open, condition, line);
      seen.taken[index]?.push(...parts.yes);
      if (this.#along?.target === statement && this.#along.index === index) this.#along.found.push(...parts.yes);
      ends.push(...(yield* this.block(body, parts.yes)));
      // The next conditions still ask for what no line after this one reads.
      open = limited(parts.no, this.#mostStates);
    }
    seen.taken.at(-1)?.push(...open);
    if (this.#along?.target === statement && this.#along.index === statement.branches.length) this.#along.found.push(...open);
    if (this.#along?.isPassed(statement) === false) open = [];
    return [...ends, ...(statement.otherwise === undefined ? open : yield* this.block(statement.otherwise.body, open))];
  }

  /** Splits states by a condition; each remembers its answer. */
  decide(states: readonly State[], condition: Expression, line: number): { readonly yes: State[]; readonly no: State[] } {
    const yes: State[] = [];
    const no: State[] = [];
    const { span } = condition;
    // A long condition is as much work as many statements.
    for (let at = span.start + 64; at < span.end; at += 64) this.spend(states);
    for (const state of states) {
      const parts = splitBy(state, condition, this.text);
      const decided = (one: State, answer: boolean): State =>
        withPassed(one, { kind: 'decision', line, span, answer, isTold: isTold(state, one) });
      yes.push(...parts.yes.map((one) => decided(one, true)));
      no.push(...parts.no.map((one) => decided(one, false)));
      for (const fault of parts.faults) this.fault(fault, line);
    }
    return { yes, no };
  }

  /** All branches run; one that ends the run leaves the others without their effects, so each is also walked on its own. */
  *#branches({ body, until, line }: AtTheSameTime, states: readonly State[]): InTurns<readonly State[]> {
    let current = states;
    for (const statement of body) {
      const after = yield* this.block([statement], current.length === 0 ? states : current);
      // Variables that only an unfinished branch sets don't exist.
      current =
        until === undefined
          ? after
          : limited(
              [...after, ...current].map((one) => withPassed(one, { kind: 'turn', line, isTold: false })),
              this.#mostStates,
              this.#liveness?.isRead,
            );
    }
    return current;
  }

  evaluation(state: State): Evaluation {
    return new Evaluation(state, this.text);
  }

  /** The state after the expressions of a line, if a run can get past them. */
  after(evaluation: Evaluation, line: number): readonly State[] {
    for (const fault of evaluation.faults) this.fault(fault, line);
    return evaluation.isOver ? [] : [evaluation.state];
  }

  fault(fault: RunFault, line: number): void {
    this.faults.push({ ...fault, line });
    this.endings.push({ status: 'error', line, state: fault.state, outputs: new Map(), message: undefined });
  }
}

function unseen(statement: If): SeenIf {
  const lists = (): State[][] => Array.from({ length: statement.branches.length + 1 }, () => []);
  return { statement, before: [], asked: lists(), taken: lists() };
}

/** Whether a state can come out of a statement as several. */
const splits = ({ kind }: Statement): boolean => !/^(?:set|add|log)$/.test(kind);

/** The workflow is too large to be walked in time. */
class TooLarge extends Error {}

interface WalkOptions {
  /** Walks only the ways of this one. */
  readonly request?: WfRecord;
  /** For those who need each way. Otherwise, ways that later lines can't tell apart go on as one. */
  readonly keepsWays?: boolean;
  readonly along?: Along;
}

/** Walks only the way of a run, to find the states in which another one enters a branch that this run has left out. */
export interface Along {
  /** Of the statements that the run has reached. */
  readonly lines: ReadonlySet<number>;
  /** Whether the run took none of the branches of an `if`, or its `otherwise`. */
  readonly isPassed: (statement: If) => boolean;
  readonly target: If;
  /** Of its branches; their number for none of them. */
  readonly index: number;
  readonly found: State[];
}

/** Every way through a workflow without errors; `undefined` if it is too large. */
export const walk = (text: string, workflow: Workflow, facts: Facts, options: WalkOptions = {}): Walked | undefined =>
  runToEnd(walkInTurns(text, workflow, facts, options));

export function* walkInTurns(
  text: string,
  workflow: Workflow,
  facts: Facts,
  { request, keepsWays = true, along }: WalkOptions,
): InTurns<Walked | undefined> {
  const walker = new Walk(text, facts, keepsWays, along);
  const first = { ...startState(), reads: walker.reads };
  for (const [key, domain] of inputDomains(facts.inputs ?? [])) {
    first.bases.set(key, domain);
    const end = key.indexOf('[0]');
    if (end === -1) continue;
    const list = key.slice(0, end);
    walker.itemsOf.set(list, [...(walker.itemsOf.get(list) ?? []), [key.slice(end + 3), domain]]);
  }
  try {
    walker.expect(workflow.body);
    const begun = request === undefined ? first : withVariable(first, 'request', known(request));
    for (const state of yield* walker.block(workflow.body, [begun]))
      walker.endings.push({ status: 'completed', line: undefined, state, outputs: new Map(), message: undefined });
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  return walker;
}
