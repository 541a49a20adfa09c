// Finds what changes for whom between two versions of a workflow: both run with the same requests and answers, made for every way and
// boundary of either. Only what a run has shown is reported.
import { parseMoment } from '../../runtime/dates/moment.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { candidates, isOnWay } from '../analysis/candidates.js';
import { type Passed, passedBy } from '../analysis/state.js';
import { hintsOf } from '../analysis/variations.js';
import { walk } from '../analysis/walk.js';
import type { WayEnd } from '../analysis/walker.js';
import type { Expression, Statement } from '../compiler/2-parse/tree.js';
import { assignedBy, expressionsOf, referencesIn, statementsIn } from '../compiler/2-parse/walk.js';
import { pathAsWritten } from '../compiler/vocabulary/field-names.js';
import type { Engine } from '../engine/engine.js';
import { valueKnown } from '../explain/alternatives.js';
import { exampleRecord } from '../input/example-value.js';
import { changedDecisions, changedLines, namesInChanges } from './changed-lines.js';
import { changedSettings, headOf } from './changed-settings.js';
import { type Concern, type Evidence, requiredOf, whomItConcerns } from './concerned.js';
import type { CoveredPreparation } from './coverage.js';
import { type Explored, explore, missedBranches, type NewWay, ReachedPlaces, type RunBefore, reachOf } from './explore.js';
import { MarginReader, sidesOf } from './margins.js';
import { madeCalls, repeatedWaits, type Trial, type Tried, tryOut, usedAnswers, usedMessages } from './trial.js';

export type Version = Extract<CoveredPreparation, { readonly ok: true }>;

export interface BehaviourChange {
  /** The runs that it concerns: `total from 250 to 1000`; empty if that can't be said. */
  readonly who: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The request, with the answers of services and the messages if there are any. */
  readonly example: WfRecord;
  /** The effort of understanding the example. */
  readonly cost: number;
  /** The largest part that it changes: a setting, whether a run completes, what it gives or says, or only what it does on the way. */
  readonly weight: 'setting' | 'status' | 'result' | 'way';
  /** Equal for changes that lead from the same end to the same other one. */
  readonly group: string;
  /** Some runs that it concerns are none of `who`. */
  readonly hasOthers: boolean;
  /** A call of the example fails. */
  readonly isFailing: boolean;
}

/** A Friday afternoon. */
const FRIDAY = '2026-03-06T15:30:00Z';

/** Examples to run at most: for each way, and variations of those. */
const MOST_TRIALS = 1_500;
const MOST_VARIATIONS = 6_000;
/** Examples in a row that lead from no other end to another one, once something has been shown. */
const MOST_IN_VAIN = 1_000;

export async function compareBehaviour(engine: Engine, old: Version, now: Version): Promise<BehaviourChange[]> {
  const changed = changedLines(old.checked, now.checked);
  const settings = settingsChange(old, now);
  if (changed?.size === 0) return settings;
  const comparison = new Comparison(engine, new Walks(old, now), new Walks(now, old), changed);
  const made = [old, now].flatMap(({ checked }) => candidates(checked, typicalOf(checked)).slice(0, MOST_TRIALS / 2));
  const hints = hintsOf([old.checked, now.checked]);
  for (const candidate of made) await comparison.run(candidate, true);
  const run = (trial: Trial): Promise<Explored | undefined> => comparison.run(trial, false);
  const search = {
    most: MOST_VARIATIONS,
    run,
    hasEnough: comparison.hasEnough,
    changedFields: namesInChanges(old.checked, now.checked),
  };
  await explore(comparison.bases, hints, search);
  const further = new Map<Trial, NewWay>();
  for (const walks of [comparison.old, comparison.now])
    for (const trial of missedBranches(walks.version, walks.runs)) {
      const way = (await run(trial))?.way;
      if (way !== undefined) further.set(trial, way);
    }
  await explore(further, hints, { ...search, most: MOST_VARIATIONS / 3 });
  // Before it is said that two versions do the same.
  if (comparison.changes.size === 0) await explore(comparison.bases, hints, { ...search, most: 3 * MOST_VARIATIONS });
  const order = ['status', 'result', 'way'];
  const found = comparison.found().sort((one, other) => order.indexOf(one.weight) - order.indexOf(other.weight));
  return [...settings, ...found.filter(({ isFailing }) => !isFailing), ...found.filter(({ isFailing }) => isFailing)];
}

const typicalOf = ({ facts }: Version['checked']): WfRecord => exampleRecord(facts.inputs ?? [], 'typical');

function settingsChange({ checked: old }: Version, { checked: now }: Version): BehaviourChange[] {
  const [before, after] = changedSettings(headOf(old), headOf(now));
  if (before.length + after.length === 0) return [];
  return [
    {
      who: ['any request'],
      before,
      after,
      example: { input: typicalOf(now) },
      cost: 0,
      weight: 'setting',
      group: '',
      hasOthers: false,
      isFailing: false,
    },
  ];
}

interface NamedRead {
  readonly name: string;
  readonly read: Expression;
}

function readBy(statement: Statement): NamedRead[] {
  if (statement.kind === 'look up') return statement.pairs.map(({ key, value }) => ({ name: key.text, read: value }));
  if (statement.kind !== 'if' && statement.kind !== 'set') return [];
  const read = expressionsOf(statement).flatMap(({ expression }) => [...referencesIn(expression)]);
  return read.map((one) => ({
    name: pathAsWritten(one).replace(/^request\./, ''),
    read: { ...one, kind: 'reference' },
  }));
}

/** Whether a reference reads a field of each item, as `sum of lines.price` does: on its own, it would be empty. */
function isOfItems(text: string, read: Expression, values: Values): boolean {
  if (read.kind !== 'reference' || read.fields.length === 0) return false;
  return Array.isArray(valueKnown(text, { ...read, fields: read.fields.slice(0, -1) }, values));
}

/** A version, and the ways that an analysis has found through it. */
class Walks {
  readonly version: Version;
  readonly margins: MarginReader;
  /** One for each way. */
  readonly runs: RunBefore[] = [];
  #ends: readonly WayEnd[] | undefined;
  #definitions: ReadonlyMap<string, string> | undefined;
  /** Lines of `complete` and `reject`. */
  #endLines: ReadonlySet<number> | undefined;

  /** The values that changed decisions read, each with its name, by line. */
  readonly #decisions: ReadonlyMap<number, readonly NamedRead[]>;

  constructor(version: Version, other: Version) {
    this.version = version;
    const changed = changedDecisions(version.checked, other.checked);
    const statements = [...statementsIn(version.checked.workflow.body)].filter(({ line }) => changed.has(line));
    this.#decisions = new Map(statements.map((statement) => [statement.line, readBy(statement)]));
    this.margins = new MarginReader(version.checked, version.reachable);
  }

  /** Of a place. */
  decisionAt(index: number): readonly NamedRead[] {
    return this.#decisions.get(this.version.reachable[index]?.line ?? 0) ?? [];
  }

  /** What the variables are that one line sets, in the words of the file: `age` is `years from request.born to today`. */
  get definitions(): ReadonlyMap<string, string> {
    this.#definitions ??= this.#define();
    return this.#definitions;
  }

  #define(): ReadonlyMap<string, string> {
    const { text, workflow } = this.version.checked;
    const all = [...statementsIn(workflow.body)].flatMap((statement) =>
      assignedBy(statement).map(({ name, value }) => ({
        name,
        value,
        isWhole: statement.kind === 'set' && statement.fields.length === 0,
      })),
    );
    const once = all.filter(({ name, isWhole }) => isWhole && all.filter((one) => one.name === name).length === 1);
    return new Map(
      once.flatMap(({ name, value }) =>
        typeof value === 'string' ? [] : [[name, text.slice(value.span.start, value.span.end)]],
      ),
    );
  }

  /** The line in which a run ended, by `complete` or `reject`. */
  endOf({ reached, outcome: { status }, isRefused }: Tried): string {
    const { reachable, checked } = this.version;
    this.#endLines ??= new Set(
      [...statementsIn(checked.workflow.body)].flatMap(({ kind, line }) =>
        kind === 'complete' || kind === 'reject' ? [line] : [],
      ),
    );
    const ends = this.#endLines;
    const line = [...reached].map((index) => reachable[index]?.line ?? 0).findLast((one) => ends.has(one));
    return isRefused ? 'refused' : status === 'error' ? status : `${status} ${line ?? ''}`;
  }

  /** The ways that this run may have taken. @param answers of its `if`s */
  through({ outcome, reached, calls }: Tried, answers: readonly string[]): readonly WayEnd[] {
    const { checked, reachable } = this.version;
    // Of ways that were joined, only one tells its calls.
    this.#ends ??= (walk(checked.text, checked.workflow, checked.facts)?.endings ?? []).filter(({ state }) => state.isExact);
    const lines = new Set([...reached].map((index) => reachable[index]?.line));
    const taken = { status: outcome.status, lines, answers };
    return this.#ends.filter((end) => {
      if (!isOnWay({ end, state: end.state }, taken, this.margins.lines)) return false;
      if (end.status === 'error' && end.line !== outcome.error?.line) return false;
      return passedBy(end.state).every((passed) => mayAnswer(passed, calls));
    });
  }
}

/** Whether one of these calls may have gone as on the way. */
function mayAnswer(passed: Passed, calls: Tried['calls']): boolean {
  if (passed.kind !== 'answer' || passed.how === 'message' || passed.how === 'nothing comes') return true;
  const works = passed.how === 'success';
  return calls.some(({ service, ok }) => service === passed.service && ok === works);
}

type Values = ReadonlyMap<string, Value>;

/** A change, until all runs have shown whom it concerns. */
type OpenChange = Omit<BehaviourChange, 'who' | 'hasOthers' | 'isFailing'> & { readonly concern: Concern };

class Comparison {
  readonly changes = new Map<string, OpenChange>();
  readonly #evidence: Evidence[] = [];
  /** A trial for each set of lines that runs have reached, with its calls. */
  readonly bases = new Map<Trial, NewWay>();
  readonly #engine: Engine;
  readonly old: Walks;
  readonly now: Walks;
  readonly #seen = new Set<string>();
  readonly #groups = new Set<string>();
  readonly #reached = new Set<string>();
  readonly #oldReached = new ReachedPlaces();
  readonly #nowReached = new ReachedPlaces();

  /** `undefined`: all. */
  readonly #changed: ReadonlySet<number> | undefined;
  #inVain = 0;
  /** A request with values of the declared kinds. */
  readonly #usual: WfRecord;

  /** @param changed lines of the old version at which runs can begin to differ */
  constructor(engine: Engine, old: Walks, now: Walks, changed: ReadonlySet<number> | undefined) {
    this.#changed = changed;
    this.#engine = engine;
    this.old = old;
    this.now = now;
    this.#usual = { ...typicalOf(old.version.checked), ...typicalOf(now.version.checked) };
  }

  /** Tells what a trial has shown, if it is another one. @param isAimed it was made for a way */
  async run(trial: Trial, isAimed: boolean): Promise<Explored | undefined> {
    const { request, mocks, messages, env, at } = trial;
    const key = JSON.stringify([request, mocks, messages, env, at]);
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    let decidedBy = NOTHING;
    const onReach = (index: number, values: Values): void => {
      if (decidedBy.size === 0) decidedBy = this.#decidedBy(this.old, index, values);
    };
    let decidedNow = NOTHING;
    const onReachNow = (index: number, values: Values): void => {
      if (decidedNow.size === 0) decidedNow = this.#decidedBy(this.now, index, values);
    };
    const watches = [this.old.margins.watch(request, onReach), this.now.margins.watch(request, onReachNow)] as const;
    const one = await tryOut(this.#engine, this.old.version.prepared, trial, watches[0]);
    const other = this.#mayDiffer(one) ? await tryOut(this.#engine, this.now.version.prepared, trial, watches[1]) : one;
    const [before, after] = watches.map((watch) => watch.margins);
    const margins = new Map([...(before ?? []), ...[...(after ?? [])].map(([at, margin]) => [`now ${at}`, margin] as const)]);
    const reached = `${[...one.reached].join()} ${[...other.reached].join()} ${sidesOf(margins)}`;
    const isNew = !this.#reached.has(reached) && !(one.isRefused && other.isRefused);
    this.#reached.add(reached);
    const isFurther = [this.#oldReached.add(one.reached), this.#nowReached.add(other.reached)].includes(true);
    const isNear = this.#changed !== undefined && other !== one;
    const found = isNew
      ? { calls: madeCalls(one), waits: repeatedWaits(one), margins, isFurther, isNear, reach: reachOf(one) }
      : undefined;
    if (found !== undefined) {
      this.old.runs.push({ trial, reached: one.reached });
      if (other !== one) this.now.runs.push({ trial, reached: other.reached });
    }
    if (found !== undefined && isAimed) this.bases.set(trial, found);
    const answers = watches.map((watch) => watch.answers);
    const decided = new Map([...decidedNow, ...decidedBy]);
    const group = this.#compare(trial, [one, other], answers, decided);
    const failing = new Set([...failingIn(one), ...failingIn(other)]);
    const calculated = new Map(
      [...this.old.definitions.keys()].flatMap((name): [string, Value][] => {
        const value = watches[0].values.get(name);
        return value === undefined || (typeof value === 'object' && value !== null) ? [] : [[name, value]];
      }),
    );
    if (!one.isRefused || !other.isRefused) this.#evidence.push({ request, decided, calculated, failing, group });
    // Days and working days are the same from a Monday on.
    if (isNew && group === undefined && one !== other && at === undefined) await this.run({ ...trial, at: FRIDAY }, isAimed);
    return { margins, way: found };
  }

  /** Whether more examples would hardly show more. */
  readonly hasEnough = (): boolean => this.changes.size > 0 && this.#inVain > MOST_IN_VAIN;

  #mayDiffer({ reached }: Tried): boolean {
    const { reachable } = this.old.version;
    return this.#changed === undefined || [...reached].some((index) => this.#changed?.has(reachable[index]?.line ?? 0) === true);
  }

  /** The values that a changed decision reads, where a run comes to it: `hour`, with `22`. */
  #decidedBy(version: Walks, index: number, values: Values): ReadonlyMap<string, Value> {
    const { text } = version.version.checked;
    const read = version.decisionAt(index).flatMap(({ name, read: reference }): [string, Value][] => {
      const value = valueKnown(text, reference, values);
      if (value === undefined || (typeof value === 'object' && value !== null)) return [];
      return value === null && isOfItems(text, reference, values) ? [] : [[name, value]];
    });
    return read.length === 0 ? NOTHING : new Map(read);
  }

  /** @param answers of the `if`s of each */
  #compare(
    trial: Trial,
    [one, other]: readonly [Tried, Tried],
    [asked = [], askedNow = []]: readonly (readonly string[])[],
    decided: ReadonlyMap<string, Value>,
  ): string | undefined {
    this.#inVain++;
    if (one === other) return undefined;
    const ends = [endText(one), endText(other)] as const;
    const isRefused = one.isRefused || other.isRefused;
    const [before, after] =
      isRefused && ends[0] !== ends[1] ? [[ends[0]], [ends[1]]] : distinct(behaviour(one), behaviour(other));
    if (before.length + after.length === 0) return undefined;
    const isOtherEnd = one.outcome.status !== other.outcome.status || one.isRefused !== other.isRefused;
    const weight = isOtherEnd ? 'status' : ends[0] === ends[1] ? 'way' : 'result';
    const places = weight === 'way' ? [...before, '→', ...after].map((line) => line.split(',', 1)[0]) : [];
    const group = [weight, this.old.endOf(one), this.now.endOf(other), ...places].join('\n');
    const kind = [group, ...[...before, '→', ...after].map(withoutValues)].join('\n');
    const { request } = trial;
    const example = exampleOf(trial, one, other);
    const earlier = this.changes.get(kind);
    const cost = costOf(example) + ODD_COST * oddTexts(request, this.#usual, '');
    if (earlier !== undefined && earlier.cost <= cost) return group;
    if (!this.#groups.has(group)) this.#inVain = 0;
    this.#groups.add(group);
    const ways = [this.old.through(one, asked), this.now.through(other, askedNow)] as const;
    const failing = new Set([...failingIn(one), ...failingIn(other)]);
    const concern = { required: requiredOf(ways, request), decided, failing };
    this.changes.set(kind, { concern, before, after, example, cost, weight, group });
    return group;
  }

  found(): BehaviourChange[] {
    return [...this.changes.values()].map(({ concern, ...change }) => ({
      ...change,
      isFailing: concern.failing.size > 0,
      ...whomItConcerns(concern, change.group, this.#evidence, this.old.definitions),
    }));
  }
}

/** The calls that failed, in words: `Books answering 503`. */
const failingIn = ({ calls }: Tried): string[] =>
  calls.flatMap(({ service, status, ok }) => {
    if (ok) return [];
    return [`${shown(service)} ${status === undefined ? 'not answering' : `answering ${shown(status)}`}`];
  });

const NOTHING: ReadonlyMap<string, Value> = new Map();

/** Quoted values and numbers differ from run to run. */
const withoutValues = (line: string): string =>
  line
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('…')
    .replaceAll(/[\d.]+/g, '…');

/** Examples in which a service fails, or that are longer, say less. */
function costOf(example: WfRecord): number {
  const text = JSON.stringify(example);
  return text.length + FAILING_COST * (text.match(FAILING)?.length ?? 0);
}

/** As many characters, for a text that only the search put there. */
const ODD_COST = 20;

/** The texts of a request that are neither the usual ones nor the names of their fields. */
function oddTexts(value: Value | undefined, usual: Value | undefined, name: string): number {
  if (typeof value === 'string') return value === usual || value === name || parseMoment(value) !== undefined ? 0 : 1;
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + oddTexts(item, Array.isArray(usual) ? usual[0] : undefined, name), 0);
  if (value === undefined || !isRecord(value)) return 0;
  const known = usual !== undefined && isRecord(usual) ? usual : {};
  return Object.entries(value).reduce((sum, [field, inner]) => sum + oddTexts(inner, known[field], field), 0);
}

const FAILING = /\{"(?:error":"no answer"|status":\d+)\}/g;
/** As many characters. */
const FAILING_COST = 500;

/** The parts of a run that people notice, a line each. */
const behaviour = (tried: Tried): string[] => [
  ...tried.events.map((event) => (typeof event === 'string' ? event : callText(event))),
  endText(tried),
];

function endText({ outcome: { status, message, outputs = {}, error }, isRefused }: Tried): string {
  if (isRefused)
    return `the request is refused: ${(error?.problems ?? []).map(({ field, problem }) => `${field} ${problem}`).join('; ')}`;
  const results = Object.entries(outputs).map(([name, value]) => `${name} ${written(value)}`);
  if (status === 'completed') return `completed${results.length === 0 ? '' : ` with ${results.join(' and ')}`}`;
  return status === 'rejected' ? `rejected: ${JSON.stringify(message)}` : 'ends as error';
}

function callText({ call, sending }: Exclude<Tried['events'][number], string>): string {
  const { service, phrase, instruction, addressee, choices, method, path, parameters, where, statement, body } = call;
  const { status, kind } = call;
  const place = [instruction === undefined ? method : undefined, path].filter((part) => part !== undefined);
  const hasFailed = typeof status === 'number' && (status < 200 || status > 299);
  const parts = Object.entries({
    'addressed to': addressee,
    choices: Array.isArray(choices) ? choices.map(written).join(', ') : choices,
    statement,
    body,
    answered: hasFailed && kind !== 'person' ? status : undefined,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${shown(value)}`]));
  const pairs = [parameters, where].flatMap((record) =>
    typeof record === 'object' && record !== null ? Object.entries(record) : [],
  );
  return [
    `${shown(phrase)}${instruction === undefined ? ' using' : ''} ${shown(service)}`,
    // In quotes, as what differs from run to run.
    ...(instruction === undefined ? [] : [written(instruction)]),
    ...(place.length === 0 ? [] : [place.map(shown).join(' ')]),
    ...parts,
    ...(kind === 'person' && status !== undefined ? ['answered'] : []),
    ...pairs.map(([name, value]) => `${name} ${written(value)}`),
    ...sending,
  ].join(', ');
}

/** As in a workflow. */
const written = (value: Value | undefined): string => JSON.stringify(value ?? undefined) ?? 'empty';

const shown = (value: Value | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** Without the lines that both have, in the same order; the end is kept beside a call that differs only if it differs as well. */
function distinct(one: readonly string[], other: readonly string[]): readonly [readonly string[], readonly string[]] {
  if (one.length === other.length && one.every((line, index) => line === other[index])) return [[], []];
  const [before, after] = [one.filter((line) => !other.includes(line)), other.filter((line) => !one.includes(line))];
  // Both have the lines of the other, in another order.
  return before.length + after.length === 0 ? [one, other] : [before, after];
}

/** @param runs with it: answers that none of them asked for are left out */
function exampleOf({ request, mocks, messages, env, at }: Trial, ...runs: readonly Tried[]): WfRecord {
  const [used, came] = [usedAnswers(mocks, ...runs), usedMessages(messages, ...runs)];
  return {
    input: request,
    ...(at === undefined ? {} : { at }),
    ...(Object.keys(used).length === 0 ? {} : { mocks: used }),
    ...(Object.keys(came).length === 0 ? {} : { messages: came }),
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
  };
}
