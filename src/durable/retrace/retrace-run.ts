// Executes a run once more against its records, up to where it stands: nothing is sent, waited for or written. What comes out is which lines
// it came to, how often, and in which rounds of loops its effects stand. So a run that executes pays nothing for being looked at later.
import { suspend, suspensionOf } from '../../../runtime/durable-run.js';
import type { RunOptions, WfRecord } from '../../../runtime/types.js';
import type { Retraced, RoundOfLoop } from '../durable-engine.js';
import { createDryHost } from '../journal/dry-host.js';
import { RunJournal } from '../journal/run-journal.js';
import { RunRecords } from '../journal/run-records.js';
import type { EntryRow } from '../store/slot-writes.js';
import type { CoveredWorkflow, LoopLines } from './covered-workflow.js';

/** A run that computes for longer than this between its effects is shown as far as it came. */
const LONGEST_MS = 1_500;
/** As many log entries as a run keeps. */
const MOST_LOGGED = 10_000;

export interface RetraceRequest {
  readonly workflow: CoveredWorkflow;
  readonly request: WfRecord;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly rows: readonly EntryRow[];
  /** What a recorded place does, as written in its file. */
  readonly titleOf: (site: number | null) => string | undefined;
  /** Lines inside these loops count in these rounds only. */
  readonly only: readonly RoundOfLoop[];
  /** @throws a suspension */
  readonly execute: (workflow: CoveredWorkflow, request: WfRecord, journal: RunJournal, options: RunOptions) => Promise<void>;
}

export async function retraceRun({
  workflow,
  request,
  startedAt,
  rows,
  titleOf,
  only,
  execute,
}: RetraceRequest): Promise<Retraced> {
  const positions = positionsOf(rows);
  const rounds = new Map<number, readonly RoundOfLoop[]>();
  const reached = new Map<number, number>();
  const logged = new Map<number, RoundOfLoop[][]>();
  const trail = new Trail(workflow.loops, only);
  const stop = new AbortController();
  const records = new RunRecords();
  for (const row of rows) records.add(row);
  const dry = createDryHost(startedAt, titleOf);
  const journal = new RunJournal(
    {
      ...dry,
      isSame(recorded, site, branch, seq) {
        const position = positions.get(`${branch}#${seq}`);
        const around = trail.around(site.line);
        // Rounds that run side by side are known by their branch.
        if (branch === '' && position !== undefined && around.length > 0) rounds.set(position, around);
        return dry.isSame(recorded, site, branch, seq);
      },
      // It waits: this is where the run stands.
      showWaiting(waiting) {
        if (waiting !== undefined) throw suspend('parked');
      },
    },
    records,
  );
  const onReach = (index: number): void => {
    const place = workflow.places[index];
    if (place === undefined) return;
    if (place.kind === 'round') trail.nextRound(place.line);
    if (place.kind !== 'statement' && place.kind !== 'log') return;
    trail.enter(place.line);
    const around = place.kind === 'log' ? trail.around(place.line) : [];
    if (around.length > 0) addTo(logged, place.line, around);
    if (trail.counts(place.line)) reached.set(place.line, (reached.get(place.line) ?? 0) + 1);
  };
  const timer = setTimeout(() => stop.abort(), LONGEST_MS);
  try {
    await execute(workflow, request, journal, { onReach, signal: stop.signal });
  } catch (error) {
    if (suspensionOf(error) === undefined) throw error;
  } finally {
    clearTimeout(timer);
  }
  return { reached, rounds, loops: trail.highest, logged, isWhole: !stop.signal.aborted && journal.stuck === undefined };
}

function addTo(logged: Map<number, RoundOfLoop[][]>, line: number, around: RoundOfLoop[]): void {
  const known = logged.get(line);
  if (known === undefined) logged.set(line, [around]);
  else if (known.length < MOST_LOGGED) known.push(around);
}

/** Where each effect is in the journal: the position of its first row. */
function positionsOf(rows: readonly EntryRow[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const { branch, seq, pos } of rows) {
    const place = `${branch}#${seq}`;
    if (seq !== null && !positions.has(place)) positions.set(place, pos);
  }
  return positions;
}

/** The rounds that a run is in right now. */
class Trail {
  readonly #loops: readonly LoopLines[];
  readonly #only: ReadonlyMap<number, number>;
  readonly #rounds = new Map<number, number>();
  /** The highest round of each loop. */
  readonly highest = new Map<number, number>();

  constructor(loops: readonly LoopLines[], only: readonly RoundOfLoop[]) {
    this.#loops = loops;
    this.#only = new Map(only);
  }

  /** A loop begins anew with its first round. */
  enter(line: number): void {
    this.#rounds.delete(line);
  }

  nextRound(line: number): void {
    const round = (this.#rounds.get(line) ?? 0) + 1;
    this.#rounds.set(line, round);
    this.highest.set(line, Math.max(round, this.highest.get(line) ?? 0));
  }

  /** The loops around a line with their rounds, the outermost first. */
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
