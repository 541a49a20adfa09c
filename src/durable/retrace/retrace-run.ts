// Executes a run once more against its records, up to its current point, without sending, waiting or writing. Returns which lines it
// reached, how often, and the loop rounds of its effects. Recording this during the actual execution would cost every run time.
import { type DurableBranch, suspensionOf } from '../../../runtime/run/durable-run.js';
import type { RunOptions, WfRecord } from '../../../runtime/types.js';
import { effectPlace } from '../branch-paths.js';
import { BranchJournal } from '../journal/branch-journal.js';
import { createDryHost } from '../journal/dry-host.js';
import { RunJournal } from '../journal/run-journal.js';
import { RunRecords } from '../journal/run-records.js';
import type { Retraced, RoundOfLoop } from '../journal-views.js';
import { placeOfLog } from '../place-of-log.js';
import type { EntryRow } from '../store/slot-writes.js';
import type { CoveredWorkflow } from './covered-workflow.js';
import { Trails } from './trails.js';

/** A run that computes for longer than this between its effects is only shown up to there. */
const LONGEST_MS = 1_500;
/** As many log entries as a run stores. */
const MOST_LOGGED = 10_000;

export interface RetraceRequest {
  readonly workflow: CoveredWorkflow;
  readonly request: WfRecord;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly rows: readonly EntryRow[];
  /** What a recorded place does, as written in its file. */
  readonly titleOf: (site: number | null) => string | undefined;
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
  titleOf,
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
  const dry = createDryHost(startedAt, titleOf);
  const journal = new RunJournal(
    {
      ...dry,
      isSame(recorded, site, branch, seq) {
        const position = positions.get(effectPlace(branch, seq));
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
    if (around.length > 0) addTo(logged, placeOfLog(branch, place.line), around);
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
    const place = effectPlace(branch, seq);
    if (seq !== null && !positions.has(place)) positions.set(place, pos);
  }
  return positions;
}
