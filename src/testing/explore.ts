// Runs requests until nothing new is reached: each one that takes a new way is tried again with other answers, and with each of its values
// changed. For branches that no run has entered, requests are made along the way of a run that came to their `if`, with the other answer
// there.
import { DAY_MS, MINUTE_MS } from '../../runtime/dates/date-unit.js';
import { Shapes } from '../analysis/shapes.js';
import { exact } from '../analysis/symbolic.js';
import {
  answersInTurn,
  answersOf,
  dialsOf,
  firstFew,
  type Hints,
  type MadeCall,
  variationsOf,
  withOtherItems,
} from '../analysis/variations.js';
import { type Along, walk } from '../analysis/walk.js';
import { witnessOf } from '../analysis/witness.js';
import type { If } from '../compiler/2-parse/tree.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked, Emitted } from '../compiler/compile.js';
import { branchTaken } from '../explain/explain-run.js';
import { isOpen, isRounded, type Margins } from './margins.js';
import type { Trial, Tried } from './trial.js';

/** A run on a way that none before it took. */
export interface NewWay {
  readonly calls: readonly MadeCall[];
  /** Messages for which it waited in several rounds of a loop. */
  readonly waits: readonly string[];
  readonly margins: Margins;
  /** It reached a line or a branch that none before it did. */
  readonly isFurther: boolean;
  /** It came to a line that has been changed, so that it can show the change. */
  readonly isNear: boolean;
  /** The number of lines and branches that it reached; 0 for one that ended as error. */
  readonly reach: number;
}

/** Findings of a run. */
export interface Explored {
  readonly margins: Margins;
  /** If it took one. */
  readonly way: NewWay | undefined;
}

export const reachOf = ({ reached, outcome }: Pick<Tried, 'reached' | 'outcome'>): number =>
  outcome.status === 'error' ? 0 : reached.size;

/** The lines and branches that runs have reached. */
export class ReachedPlaces {
  readonly #all = new Set<number>();

  /** Whether any of them is new. */
  add(reached: ReadonlySet<number>): boolean {
    const before = this.#all.size;
    for (const index of reached) this.#all.add(index);
    return this.#all.size > before;
  }
}

/** Changes of one request in a row: as many values can differ from those of the first. */
const MOST_CHANGES = 5;
/** Requests that are changed, beyond those that got further: at least, and for each run. */
const LEAST_BASES = 24;
const BASES_OF_RUN = 0.004;
/** Requests that can show a change are more useful. */
const NEAR_BASES = 3;
const TURNS_OF_NEAR = 2;
/** Changes of a request that got further, for each one of another. */
const TURNS_OF_FURTHER = 6;
/** Requests with one boundary that a change has moved without crossing it. */
const MOST_MOVED = 12;
/** There are only a few of them. */
const TURNS_OF_EDGES = 3;
/** Changes of the fields that the changed lines read, for each request. */
const MOST_OF_CHANGED_FIELDS = 120;

/** Changed requests that may still run. */
interface Budget {
  left: number;
}

/** Changes of one request that have not been tried yet. */
interface Open {
  /** Is told the margins of each run, until the next. */
  readonly changes: Iterator<Trial, undefined, Margins | undefined>;
  readonly budget: Budget;
  /** Changes to try before those of the next request. */
  readonly turns: number;
  /** Of the request that is changed. */
  readonly before: Margins;
  readonly depth: number;
  /** Of the last run. */
  margins?: Margins | undefined;
}

interface Search {
  /** Changed requests to run. */
  readonly most: number;
  /** `undefined` for a request that ran before. */
  readonly run: (trial: Trial) => Promise<Explored | undefined>;
  /** Ends the search early. */
  readonly hasEnough?: () => boolean;
  /** Fields that the changed lines read: they are changed first in a request that can show the change. */
  readonly changedFields?: ReadonlySet<string>;
}

export const explore = (first: ReadonlyMap<Trial, NewWay>, hints: Hints, search: Search): Promise<void> =>
  new Exploration(hints, search).run(first);

class Exploration {
  readonly #hints: Hints;
  readonly #search: Search;
  readonly #budget: Budget;
  /** Of their own, so that they take nothing from the rest of the search. */
  readonly #budgetOfChangedFields: Budget;
  readonly #mostBases: number;
  readonly #bases = { near: 0, far: 0 };
  /** Values that each boundary's margin has been moved to. */
  readonly #moved = new Map<string, Set<number>>();

  constructor(hints: Hints, search: Search) {
    this.#hints = hints;
    this.#search = search;
    this.#budget = { left: search.most };
    this.#budgetOfChangedFields = { left: search.most / 3 };
    this.#mostBases = Math.max(LEAST_BASES, search.most * BASES_OF_RUN);
  }

  async run(first: ReadonlyMap<Trial, NewWay>): Promise<void> {
    // A change of a long way shows what is decided on shorter ones as well.
    const longest = [...first].sort(([, one], [, other]) => other.reach - one.reach);
    let open = longest.flatMap(([base, way]) => this.#opened(base, way, 0));
    while (open.length > 0) {
      const next: Open[] = [];
      for (const one of open) {
        if (await this.#take(one, next)) next.push(one);
        if (this.#isOver) return;
      }
      open = next;
    }
  }

  get #isOver(): boolean {
    return this.#budget.left <= 0 || this.#search.hasEnough?.() === true;
  }

  /** Runs the next changes of a request. @param next gets the changes of those that found something @returns whether there are more */
  async #take(one: Open, next: Open[]): Promise<boolean> {
    for (let turn = 0; turn < one.turns && !this.#isOver; turn++) {
      const { value: trial }: IteratorResult<Trial, undefined> = one.changes.next(one.margins);
      if (trial === undefined || one.budget.left <= 0) return false;
      one.budget.left--;
      const explored = await this.#search.run(trial);
      one.margins = explored?.margins;
      if (explored?.way !== undefined) next.push(...this.#opened(trial, explored.way, one.depth + 1));
      else if (explored !== undefined) next.push(...this.#movedBy(trial, explored.margins, one));
    }
    return true;
  }

  /** The changes of a request that took a new way, unless enough others are changed. */
  #opened(base: Trial, way: NewWay, depth: number): Open[] {
    const { isFurther, isNear, margins: before } = way;
    if (depth >= MOST_CHANGES) return [];
    if (!isFurther && (isNear ? ++this.#bases.near > this.#mostBases * NEAR_BASES : ++this.#bases.far > this.#mostBases))
      return [];
    const turns = isFurther ? TURNS_OF_FURTHER : isNear ? TURNS_OF_NEAR : 1;
    const { changedFields } = this.#search;
    const open = { budget: this.#budget, turns, before, depth };
    return [
      ...(isNear && changedFields !== undefined && changedFields.size > 0
        ? [
            {
              ...open,
              changes: firstFew(MOST_OF_CHANGED_FIELDS, variationsOf(base, this.#hints, changedFields)),
              budget: this.#budgetOfChangedFields,
              turns: TURNS_OF_FURTHER,
            },
          ]
        : []),
      { ...open, changes: edgesOf(base, before), turns: turns * TURNS_OF_EDGES },
      { ...open, changes: changesOf(base, way, this.#hints) },
      { ...open, changes: changesInTurn(base, way, this.#hints) },
      { ...open, changes: edgesOfLonger(base) },
    ];
  }

  /** The edges of what a change has moved without crossing it. */
  #movedBy(trial: Trial, margins: Margins, { before, depth }: Open): Open[] {
    if (depth >= MOST_CHANGES) return [];
    const own = [...margins].filter(([key, margin]) => {
      if (!isOpen(key) || !before.has(key) || before.get(key) === margin) return false;
      const seen = this.#moved.get(key) ?? new Set();
      this.#moved.set(key, seen);
      return seen.size < MOST_MOVED && !seen.has(margin) && seen.add(margin);
    });
    if (own.length === 0) return [];
    const changes = edgesOf(trial, new Map(own));
    return [{ changes, budget: this.#budget, turns: TURNS_OF_EDGES, before: margins, depth: depth + 1 }];
  }
}

/** Both sides of what a second item in each list moves as well. */
function* edgesOfLonger(base: Trial): Generator<Trial, undefined, Margins | undefined> {
  const longer = withOtherItems(base);
  const margins = longer === undefined ? undefined : yield longer;
  if (longer !== undefined && margins !== undefined) yield* edgesOf(longer, margins);
}

function* changesInTurn(base: Trial, { calls, waits }: NewWay, hints: Hints): Generator<Trial, undefined> {
  yield* answersInTurn(base, calls, waits, hints);
}

function* changesOf(base: Trial, { calls }: NewWay, hints: Hints): Generator<Trial, undefined> {
  yield* answersOf(base, calls, hints);
  yield* variationsOf(base, hints);
}

/** Numbers and dates of a request to change. */
const MOST_DIALS = 16;
/** Days by which a date is moved, to see what that does: more than a month and less than a year. */
const DAYS = 100;

/**
 * Both sides of each comparison that a number or a date moves: what a small change does to the margin tells where it is zero, as long as the
 * file only adds and multiplies by fixed numbers.
 */
function* edgesOf(base: Trial, margins: Margins): Generator<Trial, undefined, Margins | undefined> {
  if (margins.size === 0) return;
  for (const { value, kind, changedTo } of dialsOf(base).slice(0, MOST_DIALS)) {
    const isDate = kind !== 'number';
    const step = isDate ? DAYS : 1;
    const moved = yield changedTo(value + step);
    for (const [key, margin] of moved ?? []) {
      const before = margins.get(key);
      if (before === undefined || margin === before) continue;
      const each = step / (margin - before);
      if (isRounded(key)) {
        if (!isDate) for (const other of besideRounding(value, before, each)) yield changedTo(other);
        continue;
      }
      const edge = exact(value - before * each);
      if (!Number.isFinite(edge) || (isDate && Math.abs(edge - value) > MOST_DAYS)) continue;
      const beside = kind === 'time' ? timesBeside(edge, each) : isDate ? daysBeside(edge, each) : besideEdge(edge);
      for (const other of beside) if (other !== value) yield changedTo(other);
    }
  }
}

/** Parts of a unit by which a number is rounded down or up, whichever way it is rounded to the nearest. */
const PARTS = [0.3, 0.7, 1.3, 1.7, -0.3, -0.7];

/** @param rounded in units of the last place that is left @param each by which a value changes it by one unit */
const besideRounding = (value: number, rounded: number, each: number): number[] =>
  PARTS.flatMap((part) => {
    const other = exact(value + (Math.floor(rounded) + part - rounded) * each);
    if (Math.abs(each) >= 10) return [Math.round(other)];
    const cents = exact(Math.round(other * 100) / 100);
    return other === cents ? [cents] : [cents, other];
  }).filter((other) => other !== value && Number.isFinite(other));

/** Days from one date to another, at most. */
const MOST_DAYS = 100_000;

/** Months and years have different lengths, so that the edge is only near. @param each days that change what is compared by one */
function daysBeside(edge: number, each: number): number[] {
  const [day, unit] = [Math.round(edge), Math.abs(Math.round(each))];
  return [...new Set([day, day - 1, day + 1, day - unit, day + unit])];
}

/** A minute, as a part of a day. */
const MINUTE = MINUTE_MS / DAY_MS;

const timesBeside = (edge: number, each: number): number[] => [0, -MINUTE, MINUTE, -each, each].map((days) => edge + days);

function besideEdge(edge: number): number[] {
  if (Number.isInteger(edge)) return [edge, edge - 1, edge + 1];
  const [down, up] = [Math.floor(edge * 100) / 100, Math.ceil(edge * 100) / 100];
  return [...new Set([Math.floor(edge), Math.ceil(edge), down, up, exact(down - 0.01), exact(up + 0.01)])];
}

/** A run on a way that none before it took. */
export interface RunBefore {
  readonly trial: Trial;
  /** Indices of places. */
  readonly reached: ReadonlySet<number>;
}

/** Runs to follow to one branch, and ways into it for each of them. */
const MOST_RUNS = 3;
const MOST_STATES = 3;

interface Followed extends Pick<Along, 'lines' | 'isPassed'> {
  readonly trial: Trial;
  readonly taken: ReadonlySet<string>;
}

const keyOf = ({ line }: If, index: number): string => `${line} ${index}`;

export function* missedBranches(
  { checked, reachable }: { readonly checked: Checked; readonly reachable: Emitted['reachable'] },
  runs: readonly RunBefore[],
): Iterable<Trial> {
  const { text, workflow, facts } = checked;
  const ifs = [...statementsIn(workflow.body)].filter((statement) => statement.kind === 'if');
  const followed = runs.map(({ trial, reached }): Followed => {
    const places = [...reached].flatMap((index) => reachable[index] ?? []);
    const branches = places.flatMap(({ kind, line, text: words }) =>
      kind === 'branch' ? (branchTaken(ifs, line, words) ?? []) : [],
    );
    const taken = new Set(branches.map(({ statement, index }) => keyOf(statement, index)));
    const lines = new Set(places.flatMap(({ kind, line }) => (kind === 'statement' ? [line] : [])));
    return { trial, taken, lines, isPassed: (statement) => taken.has(keyOf(statement, statement.branches.length)) };
  });
  const shapes = new Shapes(workflow.body);
  for (const target of ifs)
    for (let index = 0; index <= target.branches.length; index++) {
      if (followed.some(({ taken }) => taken.has(keyOf(target, index)))) continue;
      for (const run of followed.filter(({ lines }) => lines.has(target.line)).slice(0, MOST_RUNS)) {
        const along: Along = { ...run, target, index, found: [] };
        walk(text, workflow, facts, { along });
        for (const state of along.found.slice(0, MOST_STATES)) yield witnessOf(state, shapes, run.trial.request);
      }
    }
}
