// Walks loops: no round, the first one with the values from before the loop, and any later one with nothing known of what rounds change.
import type { Expression, ForEach, ForEachField, Repeat } from '../compiler/2-parse/tree.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { InTurns } from '../compiler/in-turns.js';
import { splitBy } from './conditions.js';
import {
  asWhole,
  EMPTY,
  FIELDS,
  ITEMS,
  keepKinds,
  kindsDomain,
  meet,
  NO_FIELDS,
  NO_ITEMS,
  NUMBER,
  numberDomain,
  numbersFrom,
  numbersTo,
  TEXT,
} from './domain.js';
import { domainOf } from './ranges.js';
import { type State, withDomain, withPassed, withVariable } from './state.js';
import { type Atom, keyOf, known, type Sym, sourceOf } from './symbolic.js';
import { forget, forgotten, unknown, type Walker } from './walker.js';

/** The list of a loop; with `for each … where`, the list that it chooses from, and the condition. */
function chosenFrom({ list, item }: ForEach): { readonly list: Expression; readonly condition: Expression | undefined } {
  const isChoice = list.kind === 'iteration' && list.form === 'filter' && list.item.text === item.text;
  return isChoice ? { list: list.list, condition: list.condition } : { list, condition: undefined };
}

/** States in which rounds begin that go over the same value. */
interface Begun {
  readonly over: Sym;
  readonly states: State[];
}

export function* walkLoop(
  walk: Walker,
  statement: ForEach | ForEachField | Repeat,
  states: readonly State[],
): InTurns<readonly State[]> {
  const { line, body } = statement;
  const ends: State[] = [];
  const begun = new Map<string, Begun>();
  // Each round may end the run.
  const isTold = ![...statementsIn(body)].some(({ kind }) => kind === 'complete' || kind === 'reject');
  for (const state of states) {
    const evaluation = walk.evaluation(state);
    const over = evaluation.value(
      statement.kind === 'repeat'
        ? statement.most
        : statement.kind === 'for each'
          ? chosenFrom(statement).list
          : statement.record,
    );
    for (const entered of walk.after(evaluation, line)) {
      const none = withoutRounds(entered, statement, over);
      const some = withRounds(withPassed(entered, { kind: 'turn', line, isTold }), statement, over);
      if (none !== undefined) ends.push(none);
      if (some === undefined) continue;
      const key = keyOf(over);
      const group = begun.get(key);
      if (group === undefined) begun.set(key, { over, states: [some] });
      else group.states.push(some);
    }
  }
  if (begun.size === 0) return ends;
  const loop = { skipped: [] as State[], stopped: [] as State[] };
  walk.loops.push(loop);
  const roundOf = (round: 'first' | 'any'): InTurns<readonly State[]> => {
    const inside = [...begun.values()].flatMap((group) =>
      begin(walk, statement, round === 'first' ? group.states : forget(group.states, body), group.over, round),
    );
    return walk.block(body, inside, true);
  };
  ends.push(...(yield* roundOf('first')), ...loop.skipped.splice(0), ...loop.stopped.splice(0));
  // Any later round: what rounds change is not known.
  const rest = [...(yield* roundOf('any')), ...loop.skipped, ...loop.stopped];
  walk.loops.pop();
  const after = walk.groups(rest).flatMap((some) => forget(some, body));
  return [...ends, ...after.map((one) => ({ ...one, silence: undefined }))];
}

/** Runs without a round: an empty list; a condition that holds from the beginning is not followed. */
function withoutRounds(state: State, statement: ForEach | ForEachField | Repeat, over: Sym): State | undefined {
  if (statement.kind === 'repeat') return state;
  // None of the items may fit.
  if (statement.kind === 'for each' && chosenFrom(statement).condition !== undefined) return state;
  const nothing = keepKinds(domainOf(state, over), EMPTY | NO_ITEMS | NO_FIELDS);
  if (nothing === undefined) return undefined;
  return over.is === 'atom' ? withDomain(state, over, nothing) : state;
}

function withRounds(state: State, statement: ForEach | ForEachField | Repeat, over: Sym): State | undefined {
  if (statement.kind === 'repeat') return state;
  const some = keepKinds(domainOf(state, over), statement.kind === 'for each' ? ITEMS : FIELDS);
  if (some === undefined) return undefined;
  return over.is === 'atom' ? withDomain(state, over, some) : state;
}

function begin(
  walk: Walker,
  statement: ForEach | ForEachField | Repeat,
  states: readonly State[],
  over: Sym,
  round: 'first' | 'any',
): readonly State[] {
  const [state] = states;
  if (state === undefined) return [];
  const setTo = (name: string, value: Sym): State[] => states.map((one) => withVariable(one, name, value));
  if (statement.kind === 'repeat') {
    const count = unknown(state, 'round');
    const most = statement.most.kind === 'number' ? statement.most.value : Number.POSITIVE_INFINITY;
    const rounds = meet(numbersFrom(1), numbersTo(most)) ?? numbersFrom(1);
    state.bases.set(count.key, asWhole(numberDomain(rounds)) ?? kindsDomain(NUMBER));
    const inside = setTo('round', round === 'first' ? known(1) : count);
    return statement.until === undefined ? inside : walk.decide(inside, statement.until, statement.line).no;
  }
  if (statement.kind === 'for each') {
    const item = itemOf(walk, state, over, round, statement);
    const { condition } = chosenFrom(statement);
    const inside = asChosen(setTo(statement.item.text, item), item, over, walk.text);
    return condition === undefined ? inside : walk.decide(inside, condition, statement.line).yes;
  }
  const name = unknown(state, statement.name.text);
  state.bases.set(name.key, kindsDomain(TEXT));
  return forgotten(setTo(statement.name.text, name), [statement.value.text]);
}

/** The conditions by which a list was made hold for each of its items, in the states in which a round begins. */
function asChosen(states: readonly State[], item: Sym, list: Sym, text: string): readonly State[] {
  const chosen = list.is === 'atom' && list.origin.is === 'operation' ? list.origin.itemsOf : undefined;
  if (chosen === undefined) return states;
  const { where } = chosen;
  const fitting =
    where === undefined
      ? states
      : states.flatMap((state) => {
          const asked = withVariable({ ...state, variables: where.variables }, where.item, item);
          return splitBy(asked, where.condition, text).yes.map((one) => ({ ...one, variables: state.variables }));
        });
  return asChosen(fitting, item, chosen.list, text);
}

function itemOf(walk: Walker, state: State, list: Sym, round: 'first' | 'any', statement: ForEach): Sym {
  const name = statement.item.text;
  const source = sourceOf(list);
  // With `where`, the first that fits may be any of them.
  const isFirst = round === 'first' && chosenFrom(statement).condition === undefined && source === list;
  if (isFirst && list.is === 'list') return list.items[0] ?? unknown(state, name);
  if (isFirst && list.is === 'known' && Array.isArray(list.value)) return known(list.value[0] ?? null);
  if (list.is !== 'atom') return unknown(state, name);
  const first = `${keyOf(list)}[0]`;
  if (isFirst) return { is: 'atom', key: first, name, origin: { is: 'item', list, round } } satisfies Atom;
  const any = unknown(state, name);
  // Facts about every item before anything has run.
  for (const [suffix, domain] of walk.itemsOf.get(keyOf(source)) ?? []) state.bases.set(any.key + suffix, domain);
  return { ...any, origin: { is: 'item', list, round } };
}
