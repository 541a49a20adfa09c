// What changes for whom between two versions of a workflow: both run with the same requests and answers, made for every way and boundary of
// either. Only what a run has shown is reported.
import type { Value, WfRecord } from '../../runtime/types.js';
import { candidates } from '../analysis/candidates.js';
import { isWayOf, regionWords } from '../analysis/region.js';
import { hintsOf } from '../analysis/variations.js';
import { walk } from '../analysis/walk.js';
import type { WayEnd } from '../analysis/walker.js';
import type { Engine } from '../engine/engine.js';
import { exampleRecord } from '../input/example-value.js';
import { changedLines } from './changed-lines.js';
import type { CoveredPreparation } from './coverage.js';
import { type Explored, explore, type NewWay, ReachedPlaces } from './explore.js';
import { MarginReader, sidesOf } from './margins.js';
import { madeCalls, type Trial, type Tried, tryOut } from './trial.js';

export type Version = Extract<CoveredPreparation, { readonly ok: true }>;

export interface BehaviourChange {
  /** Whom it concerns: `total from 250 to 1000`; empty if that can't be said. */
  readonly who: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The request, with the answers of services and the messages if there are any. */
  readonly example: WfRecord;
}

/** Examples to run at most: for each way, and variations of those. */
const MOST_TRIALS = 1_500;
const MOST_VARIATIONS = 6_000;
/** Examples in a row that show nothing more, once something has been shown. */
const MOST_IN_VAIN = 1_000;

export async function compareBehaviour(engine: Engine, old: Version, now: Version): Promise<BehaviourChange[]> {
  const changed = changedLines(old.checked, now.checked);
  if (changed?.size === 0) return [];
  const comparison = new Comparison(engine, new Walks(old), new Walks(now), changed);
  const made = [old, now].flatMap(({ checked }) => candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical')));
  const hints = hintsOf([old.checked, now.checked]);
  for (const candidate of made.slice(0, MOST_TRIALS)) await comparison.run(candidate, candidate.end);
  await explore(comparison.bases, hints, MOST_VARIATIONS, (trial) => comparison.run(trial, undefined), comparison.hasEnough);
  return [...comparison.changes.values()];
}

/** A version, and the ways that an analysis has found through it. */
class Walks {
  readonly version: Version;
  readonly margins: MarginReader;
  #ends: readonly WayEnd[] | undefined;

  constructor(version: Version) {
    this.version = version;
    this.margins = new MarginReader(version.checked, version.reachable);
  }

  /** Those that this run may have taken. */
  through({ outcome, reached }: Tried): readonly WayEnd[] {
    const { checked, reachable } = this.version;
    this.#ends ??= walk(checked.text, checked.workflow, checked.facts)?.endings ?? [];
    const lines = new Set([...reached].map((index) => reachable[index]?.line));
    return this.#ends.filter(({ status, line }) => status === outcome.status && (line === undefined || lines.has(line)));
  }
}

class Comparison {
  readonly changes = new Map<string, BehaviourChange>();
  /** A trial for each set of lines that runs have reached, with its calls. */
  readonly bases = new Map<Trial, NewWay>();
  readonly #engine: Engine;
  readonly #old: Walks;
  readonly #now: Walks;
  readonly #seen = new Set<string>();
  readonly #reached = new Set<string>();
  readonly #oldReached = new ReachedPlaces();
  readonly #nowReached = new ReachedPlaces();

  /** `undefined`: all. */
  readonly #changed: ReadonlySet<number> | undefined;
  #inVain = 0;

  /** @param changed lines of the old version at which runs can begin to differ */
  constructor(engine: Engine, old: Walks, now: Walks, changed: ReadonlySet<number> | undefined) {
    this.#changed = changed;
    this.#engine = engine;
    this.#old = old;
    this.#now = now;
  }

  /** Tells what a trial has shown, if it is another one. @param end the way that it was made for, if it was */
  async run(trial: Trial, end: WayEnd | undefined): Promise<Explored | undefined> {
    const { request, mocks, messages, env } = trial;
    const key = JSON.stringify([request, mocks, messages, env]);
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    const watches = [this.#old.margins.watch(request), this.#now.margins.watch(request)] as const;
    const one = await tryOut(this.#engine, this.#old.version.prepared, trial, watches[0]);
    const other = this.#mayDiffer(one) ? await tryOut(this.#engine, this.#now.version.prepared, trial, watches[1]) : one;
    const [before, after] = watches.map((watch) => watch.margins);
    const margins = new Map([...(before ?? []), ...[...(after ?? [])].map(([at, margin]) => [`now ${at}`, margin] as const)]);
    const reached = `${[...one.reached].join()} ${[...other.reached].join()} ${sidesOf(margins)}`;
    const isNew = !this.#reached.has(reached) && !(one.isRefused && other.isRefused);
    this.#reached.add(reached);
    const isFurther = [this.#oldReached.add(one.reached), this.#nowReached.add(other.reached)].includes(true);
    const found = isNew ? { calls: madeCalls(one), margins, isFurther } : undefined;
    if (found !== undefined && end !== undefined) this.bases.set(trial, found);
    this.#compare(trial, end, one, other);
    return { margins, way: found };
  }

  /** Whether more examples would hardly show more. */
  readonly hasEnough = (): boolean => this.changes.size > 0 && this.#inVain > MOST_IN_VAIN;

  #mayDiffer({ reached }: Tried): boolean {
    const { reachable } = this.#old.version;
    return this.#changed === undefined || [...reached].some((index) => this.#changed?.has(reachable[index]?.line ?? 0) === true);
  }

  #compare(trial: Trial, end: WayEnd | undefined, one: Tried, other: Tried): void {
    this.#inVain++;
    const [before, after] = one === other ? [[], []] : distinct(behaviour(one), behaviour(other));
    if (before.length + after.length === 0) return;
    // Quoted values and numbers differ from run to run.
    const outside = [...before, '→', ...after]
      .join('\n')
      .split('"')
      .filter((_, index) => index % 2 === 0);
    const kind = outside.join('…').replaceAll(/[\d.]+/g, '…');
    if (this.changes.has(kind)) return;
    const ways = [this.#old.through(one), this.#now.through(other)] as const;
    this.#inVain = 0;
    this.changes.set(kind, { who: whoIn(end, ways, trial.request), before, after, example: exampleOf(trial) });
  }
}

/** @param ways of each version that the run may have taken */
function whoIn(
  end: WayEnd | undefined,
  [old, now]: readonly [readonly WayEnd[], readonly WayEnd[]],
  request: WfRecord,
): string[] {
  const own = end ?? old.find(({ state }) => isWayOf(state, request));
  if (own !== undefined) return regionWords(own.state, own === end && old.includes(own) ? now : [...now, ...old], request);
  return [];
}

/** What people notice of a run, a line each. */
function behaviour({ outcome, events, isRefused }: Tried): string[] {
  const { status, message, outputs = {}, error } = outcome;
  if (isRefused)
    return [`the request is refused: ${(error?.problems ?? []).map(({ field, problem }) => `${field} ${problem}`).join('; ')}`];
  const results = Object.entries(outputs).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const end =
    status === 'completed'
      ? `completed${results.length === 0 ? '' : ` with ${results.join(' and ')}`}`
      : status === 'rejected'
        ? `rejected: ${JSON.stringify(message)}`
        : 'ends as error';
  return [...events.map((event) => (typeof event === 'string' ? event : callText(event))), end];
}

function callText(call: Tried['calls'][number]): string {
  const { service, phrase, instruction, addressee, choices, method, path, parameters, where, statement, body, status } = call;
  const parts = Object.entries({
    method: instruction === undefined ? method : undefined,
    path,
    asks: instruction,
    of: addressee,
    choices,
    statement,
    body,
    answered: status,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${shown(value)}`]));
  const pairs = [parameters, where].flatMap((record) =>
    typeof record === 'object' && record !== null ? Object.entries(record) : [],
  );
  return `${shown(phrase)} using ${shown(service)}, ${[...parts, ...pairs.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(', ')}`;
}

const shown = (value: Value | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** Without the lines that both have, in the same order; the end is kept beside a call that differs only if it differs as well. */
function distinct(one: readonly string[], other: readonly string[]): readonly [readonly string[], readonly string[]] {
  if (one.length === other.length && one.every((line, index) => line === other[index])) return [[], []];
  const [before, after] = [one.filter((line) => !other.includes(line)), other.filter((line) => !one.includes(line))];
  // Both have the lines of the other, in another order.
  return before.length + after.length === 0 ? [one, other] : [before, after];
}

function exampleOf({ request, mocks, messages, env }: Trial): WfRecord {
  return {
    input: request,
    ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    ...(Object.keys(messages).length === 0 ? {} : { messages }),
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
  };
}
