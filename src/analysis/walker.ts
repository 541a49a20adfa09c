// The parts of a walk that its statements share: the way into blocks, the endings and faults that are found, and values that are forgotten.
import type { Block, Expression, If, Pair, Statement } from '../compiler/2-parse/tree.js';
import { assignedBy, blocksOf, isWaiting } from '../compiler/2-parse/walk.js';
import type { Facts } from '../compiler/3-check/checker.js';
import type { InTurns } from '../compiler/in-turns.js';
import { anything, type Domain } from './domain.js';
import type { Evaluation, RunFault } from './evaluate.js';
import { type State, withVariable } from './state.js';
import type { Atom, Sym } from './symbolic.js';

/** A way that ends. */
export interface WayEnd {
  readonly status: 'completed' | 'rejected' | 'error';
  /** `undefined` at the end of the file. */
  readonly line: number | undefined;
  readonly state: State;
  readonly outputs: ReadonlyMap<string, Sym>;
  readonly message: Sym | undefined;
}

/** The facts about an `if`: the states before it, and which of its branches are reached. */
export interface SeenIf {
  readonly statement: If;
  readonly before: State[];
  /** By branch: the states in which its condition is asked. */
  readonly asked: State[][];
  /** By branch; the last one is `otherwise`, written or not. */
  readonly taken: State[][];
}

export interface Walked {
  readonly endings: readonly WayEnd[];
  readonly faults: readonly (RunFault & { readonly line: number })[];
  readonly reached: ReadonlySet<Statement>;
  readonly ifs: ReadonlyMap<If, SeenIf>;
  readonly reads: State['reads'];
}

/** A loop around the current block: where its rounds go. */
export interface OpenRounds {
  readonly skipped: State[];
  readonly stopped: State[];
}

/** A walk, for the statements that it goes through. */
export interface Walker {
  readonly text: string;
  readonly facts: Facts;
  readonly endings: WayEnd[];
  readonly loops: OpenRounds[];
  /** By list of the request: what is declared of its items, and of their fields. */
  readonly itemsOf: ReadonlyMap<string, readonly (readonly [suffix: string, domain: Domain])[]>;
  /** Counts the work that one step takes in these states; ends the walk where it is too much. */
  spend(states: readonly State[]): void;
  /** Walks the states through a block; returns those that reach its end. */
  block(block: Block, states: readonly State[], isLoop?: boolean): InTurns<readonly State[]>;
  /** The states that go through a statement together: all of them, or each on its own where each way is to be kept. */
  groups(states: readonly State[]): readonly (readonly State[])[];
  /** Splits states by a condition; each remembers its answer. */
  decide(states: readonly State[], condition: Expression, line: number): { readonly yes: State[]; readonly no: State[] };
  evaluation(state: State): Evaluation;
  pairs(evaluation: Evaluation, pairs: readonly Pair[]): [string, Sym][];
  /** The states after the expressions of a statement. */
  past(statement: Statement, states: readonly State[]): readonly State[];
  /** The state after the expressions of a line, if a run can get past them. */
  after(evaluation: Evaluation, line: number): readonly State[];
  fault(fault: RunFault, line: number): void;
}

/** A value about which nothing is known. */
export function unknown(state: State, name: string): Atom {
  const key = `${name}#${state.bases.size}`;
  const atom: Atom = { is: 'atom', key, name, origin: { is: 'unknown' } };
  state.bases.set(key, { ...anything });
  return atom;
}

/** Sets variables to values about which nothing is known. Several states can share them: values are only compared within a state. */
export function forgotten(states: readonly State[], names: Iterable<string>): readonly State[] {
  const [first] = states;
  if (first === undefined) return states;
  const values = [...names].map((name) => [name, unknown(first, name)] as const);
  return states.map((state) => values.reduce((one, [name, value]) => withVariable(one, name, value), state));
}

/** After a wait, it may be another day. */
export const later = (states: readonly State[]): readonly State[] => forgotten(states, ['today', 'now']);

/** Forgets the variables that the statements of a block set. */
export function forget(states: readonly State[], block: Block): readonly State[] {
  const names = new Set<string>();
  const collect = (statements: Block): void => {
    for (const statement of statements) {
      for (const { name } of assignedBy(statement)) names.add(name);
      if (isWaiting(statement)) for (const name of ['today', 'now']) names.add(name);
      for (const inner of blocksOf(statement)) collect(inner);
    }
  };
  collect(block);
  return forgotten(
    states.map((state) => ({ ...state, isExact: false })),
    names,
  );
}
