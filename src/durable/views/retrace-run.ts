// Executes a run once more against its records, up to its current point, without sending, waiting or writing. Returns which lines it
// reached, how often, and the loop rounds of its effects. Recording this during the actual execution would cost every run time.

import { type DurableBranch, suspensionOf } from '../../../runtime/run/durable-run.js';
import type { RunOptions, WfRecord } from '../../../runtime/types.js';
import { BranchJournal } from '../journal/branch-journal.js';
import { createDryHost } from '../journal/dry-host.js';
import { RunJournal } from '../journal/run-journal.js';
import { RunRecords } from '../journal/run-records.js';
import { addressOfEffect, logAddress, outerBranch } from '../model/addresses.js';
import type { EntryRow } from '../model/entries.js';
import type { Retraced, RoundOfLoop } from '../model/journal-views.js';
import type { StoredSite } from '../model/versions.js';
import type { CoveredWorkflow, LoopLines } from './covered-workflow.js';

/** A run that computes for longer than this between its effects is only shown up to there. */
const LONGEST_MS = 1_500;
/** As many log entries as a run stores. */
const MOST_LOGGED = 10_000;

interface RetraceRequest {
  readonly workflow: CoveredWorkflow;
  readonly request: WfRecord;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly rows: readonly EntryRow[];
  /** Finds a recorded call site. */
  readonly siteOf: (site: number | null) => StoredSite | undefined;
  /** Lines inside these loops only count in these rounds. */
  readonly only: readonly RoundOfLoop[];
  /** @throws a suspension */
  readonly execute: (workflow: CoveredWorkflow, request: WfRecord, journal: RunJournal, options: RunOptions) => Promise<unknown>;
}

export async function retraceRun({
  workflow,
  request,
  startedAt,
  rows,
  siteOf,
  only,
  execute,
}: RetraceRequest): Promise<Retraced> {
  const positions = positionsOf(rows);
  const rounds = new Map<number, readonly RoundOfLoop[]>();
  const reached = new Map<number, number>();
  const logged = new Map<string, RoundOfLoop[][]>();
  const trails = new Trails(workflow.loops, only);
  const stop = new AbortController();
  let strayedAt: number | undefined;
  const records = new RunRecords();
  for (const row of rows) records.add(row);
  const dry = createDryHost(startedAt, siteOf);
  const journal = new RunJournal(
    {
      ...dry,
      isSame(recorded, site, branch, seq) {
        const position = positions.get(addressOfEffect(branch, seq));
        const around = trails.of(branch).around(site.line);
        if (position !== undefined && around.length > 0) rounds.set(position, around);
        const isSame = dry.isSame(recorded, site, branch, seq);
        if (!isSame) strayedAt ??= site.line;
        return isSame;
      },
    },
    records,
  );
  const onReach = (index: number, at: DurableBranch | undefined): void => {
    const place = workflow.places[index];
    if (place === undefined) return;
    const branch = at instanceof BranchJournal ? at.path : '';
    const trail = trails.of(branch);
    if (place.kind === 'round') trail.nextRound(place.line);
    if (place.kind !== 'statement' && place.kind !== 'log') return;
    trail.enter(place.line);
    const around = place.kind === 'log' ? trail.around(place.line) : [];
    if (around.length > 0) addTo(logged, logAddress(branch, place.line), around);
    if (trail.counts(place.line)) reached.set(place.line, (reached.get(place.line) ?? 0) + 1);
  };
  const timer = setTimeout(() => stop.abort(), LONGEST_MS);
  try {
    await execute(workflow, request, journal, { onReach, signal: stop.signal, takeTurn: dry.takeTurn });
  } catch (error) {
    if (suspensionOf(error) === undefined) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (strayedAt !== undefined) unmark(reached, strayedAt);
  const doubt = doubtOf({ hasStrayed: journal.stuck !== undefined, strayedAt, isLate: stop.signal.aborted });
  return { reached, rounds, loops: trails.highest, logged, ...(doubt === undefined ? {} : { doubt }) };
}

interface Doubtful {
  readonly hasStrayed: boolean;
  readonly strayedAt: number | undefined;
  readonly isLate: boolean;
}

function doubtOf({ hasStrayed, strayedAt, isLate }: Doubtful): string | undefined {
  if (hasStrayed) {
    const elsewhere =
      strayedAt === undefined
        ? 'takes another path than the run did'
        : `comes to line ${strayedAt}, where the run did something else`;
    return `Some lines may be marked wrongly: with the environment variables set here, the workflow ${elsewhere}.`;
  }
  return isLate ? 'Only the first lines are marked: the run takes too long to be shown in full.' : undefined;
}

/** The run did not come to this line here, but may have in an earlier round. */
function unmark(reached: Map<number, number>, line: number): void {
  const count = (reached.get(line) ?? 0) - 1;
  if (count > 0) reached.set(line, count);
  else reached.delete(line);
}

function addTo(logged: Map<string, RoundOfLoop[][]>, place: string, around: RoundOfLoop[]): void {
  const known = logged.get(place);
  if (known === undefined) logged.set(place, [around]);
  else if (known.length < MOST_LOGGED) known.push(around);
}

/** The position of each effect's first row in the journal. */
function positionsOf(rows: readonly EntryRow[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const { branch, seq, pos } of rows) {
    const place = addressOfEffect(branch, seq);
    if (seq !== null && !positions.has(place)) positions.set(place, pos);
  }
  return positions;
}

class Trails {
  readonly #loops: readonly LoopLines[];
  readonly #only: ReadonlyMap<number, number>;
  readonly #trails = new Map<string, Trail>();
  /** The highest round of each loop. */
  readonly highest = new Map<number, number>();

  /** @param only count lines inside these loops in these rounds only */
  constructor(loops: readonly LoopLines[], only: readonly RoundOfLoop[]) {
    this.#loops = loops;
    this.#only = new Map(only);
  }

  /** @param branch its path; a new one continues from the branch around it */
  of(branch: string): Trail {
    let trail = this.#trails.get(branch);
    if (trail === undefined) {
      const around = branch === '' ? undefined : this.of(outerBranch(branch));
      const number = Number(branch.slice(branch.lastIndexOf('.') + 1));
      trail = new Trail(this.#loops, this.#only, this.highest, around, number + 1);
      this.#trails.set(branch, trail);
    }
    return trail;
  }
}

class Trail {
  readonly #loops: readonly LoopLines[];
  readonly #only: ReadonlyMap<number, number>;
  readonly #highest: Map<number, number>;
  readonly #rounds: Map<number, number>;
  /** If this branch is a round: its number. */
  readonly #own: number;

  constructor(
    loops: readonly LoopLines[],
    only: ReadonlyMap<number, number>,
    highest: Map<number, number>,
    around: Trail | undefined,
    own: number,
  ) {
    this.#loops = loops;
    this.#only = only;
    this.#highest = highest;
    this.#rounds = new Map(around === undefined ? [] : around.#rounds);
    this.#own = own;
  }

  /** A loop starts over with its first round. */
  enter(line: number): void {
    this.#rounds.delete(line);
  }

  nextRound(line: number): void {
    const isTogether = this.#loops.some((loop) => loop.line === line && loop.isTogether);
    const round = isTogether ? this.#own : (this.#rounds.get(line) ?? 0) + 1;
    this.#rounds.set(line, round);
    this.#highest.set(line, Math.max(round, this.#highest.get(line) ?? 0));
  }

  /** The loops around a line with their rounds, outermost first. */
  around(line: number): RoundOfLoop[] {
    return this.#loops.flatMap((loop) => {
      const round = loop.line < line && line <= loop.last ? this.#rounds.get(loop.line) : undefined;
      return round === undefined ? [] : [[loop.line, round] as const];
    });
  }

  counts(line: number): boolean {
    return this.#only.size === 0 || this.around(line).every(([loop, round]) => (this.#only.get(loop) ?? round) === round);
  }
}
