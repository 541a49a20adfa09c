// The values of a run's variables while it is followed from place to place. Rounds that run concurrently have variables of their own.
import type { BranchOfRun, Value } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import type { Statement } from '../compiler/2-parse/tree.js';
import { isLoop, isTogether } from '../compiler/2-parse/walk.js';
import type { Checked, Emitted } from '../compiler/compile.js';
import { valueKnown } from './alternatives.js';

/** What the lines of a branch see. */
export interface BranchValues {
  readonly values: Map<string, Value>;
  /** The rounds of the loops around it, from 1, by their lines. */
  readonly rounds: Map<number, number>;
}

export class FollowedValues {
  readonly #text: string;
  readonly #loops: ReadonlyMap<number, Statement>;
  readonly #whole: BranchValues;
  readonly #scopes = new Map<BranchOfRun, BranchValues>();

  constructor({ text }: Pick<Checked, 'text'>, statements: readonly Statement[], first: Iterable<[string, Value]>) {
    this.#text = text;
    this.#loops = new Map(statements.filter(({ kind }) => isLoop(kind)).map((loop) => [loop.line, loop]));
    this.#whole = { values: new Map(first), rounds: new Map() };
  }

  /** @param branch `undefined` for a run that does not tell */
  scopeOf(branch: BranchOfRun | undefined): BranchValues {
    const known = branch === undefined ? this.#whole : this.#scopes.get(branch);
    if (known !== undefined || branch === undefined) return known ?? this.#whole;
    // The branches of a block share their variables.
    const shared = this.scopeOf(branch.around);
    this.#scopes.set(branch, shared);
    return shared;
  }

  set(name: string, value: Value, branch: BranchOfRun | undefined): void {
    this.scopeOf(branch).values.set(name, value);
  }

  /** @returns the loop of which a round begins here */
  reach(place: Emitted['reachable'][number], branch: BranchOfRun | undefined): Statement | undefined {
    const loop = this.#loops.get(place.line);
    if (loop === undefined || place.kind === 'row') return undefined;
    if (place.kind === 'statement') {
      this.scopeOf(branch).rounds.delete(loop.line);
      return undefined;
    }
    const around = this.scopeOf(isTogether(loop) ? branch?.around : branch);
    const round = (around.rounds.get(loop.line) ?? 0) + 1;
    around.rounds.set(loop.line, round);
    const isApart = isTogether(loop) && branch !== undefined;
    const own = isApart ? { values: new Map(around.values), rounds: new Map(around.rounds) } : around;
    if (isApart) this.#scopes.set(branch, own);
    for (const [name, value] of this.#itemsOf(loop, round, own.values))
      if (value === undefined) own.values.delete(name);
      else own.values.set(name, value);
    return loop;
  }

  #itemsOf(loop: Statement, round: number, values: ReadonlyMap<string, Value>): [string, Value | undefined][] {
    if (loop.kind === 'repeat') return [['round', round]];
    if (loop.kind === 'for each') {
      const list = valueKnown(this.#text, loop.list, values);
      return [[loop.item.text, Array.isArray(list) ? list[round - 1] : undefined]];
    }
    if (loop.kind !== 'for each field') return [];
    const owner = valueKnown(this.#text, loop.record, values);
    const [name, value] = (owner !== undefined && isRecord(owner) ? Object.entries(owner)[round - 1] : undefined) ?? [];
    return [
      [loop.name.text, name],
      [loop.value.text, value],
    ];
  }
}
