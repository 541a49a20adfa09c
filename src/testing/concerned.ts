// Says whom a change concerns, in words that no run contradicts: what its ways require, as far as the runs without the change need to be told
// from those with it.
import type { Value, WfRecord } from '../../runtime/types.js';
import { isWayOf, type Requirement, requirementsOf } from '../analysis/region.js';
import type { WayEnd } from '../analysis/walker.js';

/** What is known of the run that shows a change. */
export interface Concern {
  readonly required: readonly Requirement[];
  /** The values that the changed decision read. */
  readonly decided: ReadonlyMap<string, Value>;
  /** `Books answering 503`, `Manager not answering`. */
  readonly failing: ReadonlySet<string>;
}

/** One run of both versions. */
export interface Evidence extends Omit<Concern, 'required'> {
  readonly request: WfRecord;
  /** Its variables that one line sets. */
  readonly calculated: ReadonlyMap<string, Value>;
  /** Of the change that it shows. */
  readonly group: string | undefined;
}

/** One that runs can be asked for; `undefined` if they don't tell. */
interface Term {
  readonly words: string;
  readonly holds: (run: Evidence) => boolean | undefined;
}

/** @param ways of each version that the run may have taken, without those that were joined with others: they would name too many requests */
export function requiredOf([old, now]: readonly [readonly WayEnd[], readonly WayEnd[]], request: WfRecord): Requirement[] {
  const others = now.filter(({ state }) => isWayOf(state, request));
  const all = old
    .filter(({ state }) => isWayOf(state, request))
    .flatMap((own) => others.map((other) => requirementsOf(own.state, other.state)))
    .filter((required) => required !== undefined);
  // What only some of them say may not be so.
  return (all[0] ?? []).filter(({ words }) => all.every((required) => required.some((one) => one.words === words)));
}

/** @param definitions what the variables are that one line sets */
export function whomItConcerns(
  { required, decided, failing }: Concern,
  group: string,
  runs: readonly Evidence[],
  definitions: ReadonlyMap<string, string>,
): { readonly who: readonly string[]; readonly hasOthers: boolean } {
  const named = new Set<Requirement>();
  const about = [...decided].flatMap(([name, value]): Term[] => {
    const own = required.filter((one) => one.name === name || one.name === definitions.get(name));
    for (const one of own) named.add(one);
    if (own.length === 0) return [{ words: valueWords(name, value), holds: (run) => run.decided.get(name) === value }];
    return own.map((one) => ({
      words: name + one.words.slice(one.name.length),
      holds: ({ request, decided: other }) => one.fits(request) ?? (other.has(name) && one.allows(other.get(name) ?? null)),
    }));
  });
  const others = required
    .filter((one) => !named.has(one))
    .map((one): Term => {
      const [name = one.name] = [...definitions].find(([, value]) => value === one.name) ?? [];
      return {
        words: name + one.words.slice(one.name.length),
        holds: ({ request, calculated }) =>
          one.fits(request) ?? (calculated.has(name) ? one.allows(calculated.get(name) ?? null) : undefined),
      };
    });
  const more = [...failing].map((words): Term => ({ words, holds: (run) => run.failing.has(words) }));
  // Nothing else tells what no run can be asked for.
  const first = about.length > 0 ? about : others.filter(({ holds }) => runs.every((run) => holds(run) === undefined));
  const chosen = narrowed(narrowed(first, others, group, runs), more, group, runs);
  return {
    who: chosen.map(({ words }) => words),
    hasOthers: runs.some((run) => run.group === group && chosen.some(({ holds }) => holds(run) === false)),
  };
}

const valueWords = (name: string, value: Value): string => `${name} ${value === null ? 'empty' : JSON.stringify(value)}`;

/** Adds the terms without which the words would be about runs that show no such change, the most telling first. */
function narrowed(first: readonly Term[], others: readonly Term[], group: string, runs: readonly Evidence[]): Term[] {
  const chosen = [...first];
  let left = others.filter((one) => !chosen.includes(one));
  let against = runs.filter((run) => run.group !== group && chosen.every(({ holds }) => holds(run) !== false));
  while (against.length > 0 && left.length > 0) {
    const counts = left.map(({ holds }) => against.filter((run) => holds(run) === false).length);
    const most = Math.max(...counts);
    const best = left[counts.indexOf(most)];
    if (most === 0 || best === undefined) break;
    chosen.push(best);
    left = left.filter((one) => one !== best);
    against = against.filter((run) => best.holds(run) !== false);
  }
  return chosen;
}
