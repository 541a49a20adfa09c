// Finds out which lines runs reached: executes each once more against its records when someone looks, and caches the results of finished
// runs.
import { type DurableBranch, type DurableRun, suspensionOf } from '../../../runtime/run/durable-run.js';
import { receivedBy } from '../../../runtime/run/received.js';
import type { Outcome, RunOptions, WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import { BranchJournal } from '../journal/branch-journal.js';
import { createDryHost } from '../journal/journal-host.js';
import { RunJournal } from '../journal/run-journal.js';
import { RunRecords } from '../journal/run-records.js';
import { addressOfEffect, logAddress, outerBranch } from '../model/addresses.js';
import type { EntryRow } from '../model/entries.js';
import { createdAt, toRunHex } from '../model/run-ids.js';
import {
  isFinished,
  type LineCounts,
  type NextCall,
  type Recalled,
  type Retraced,
  type RoundOfLoop,
} from '../model/run-views.js';
import { readExtra, readRequest } from '../model/stored-run.js';
import type { StoredSite, VersionInfo } from '../model/versions.js';
import type { StoreAccess } from '../store/port.js';
import { filesOf } from '../store/shared/versions.js';
import type { ShownRun } from './called-runs.js';
import {
  type CoveredWorkflow,
  CoveredWorkflows,
  filesFromMemory,
  type LoopLines,
  type WorkflowText,
} from './covered-workflow.js';
import type { RunLookup } from './run-lookup.js';
import { toStatus } from './show-run.js';

/** Maximum rows of a journal read per request. */
const MOST_ROWS = 20_000;
/** Maximum finished runs executed for the figures of a version, and the time limit in milliseconds. */
const LATELY = { runs: 100, patience: 400 };
/** Maximum cached results of finished runs. */
const MOST_KEPT = 500;

/** Executes workflows against a journal that stores nothing. */
interface Executor {
  /** @throws a suspension */
  tryOut(workflow: Runnable, request: WfRecord, journal: DurableRun, options: RunOptions): Promise<Outcome>;
}

const requestOf = ({ row }: ShownRun): WfRecord => readRequest(row.request).request;

/** Not one whose data was erased or is damaged. */
const canExecute = ({ row }: ShownRun): boolean => row.isDamaged !== true && readExtra(row.extra).erased === undefined;

const nothingReached = (): Retraced => ({ reached: new Map(), rounds: new Map(), loops: new Map(), logged: new Map(), next: [] });

export class Retracing {
  readonly #store: StoreAccess;
  readonly #executor: Executor;
  readonly #lookup: RunLookup;
  readonly #workflows = new CoveredWorkflows();
  readonly #finished = new Map<string, Retraced>();

  constructor(store: StoreAccess, executor: Executor, lookup: RunLookup) {
    this.#store = store;
    this.#executor = executor;
    this.#lookup = lookup;
  }

  async retrace(id: string, only: readonly RoundOfLoop[] = []): Promise<Retraced | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.#lookup.find(hex);
    if (found === undefined) return undefined;
    return canExecute(found) ? this.#retrace(found, only) : nothingReached();
  }

  async recall(id: string): Promise<Recalled | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.#lookup.find(hex);
    if (found === undefined || !canExecute(found)) return undefined;
    const workflow = await this.#covered(found, true);
    if (workflow === undefined) return undefined;
    const trace = await this.#tracer(found);
    const { checked, reachable } = workflow;
    return {
      checked,
      reachable,
      request: requestOf(found),
      execute: async (request, { onReach, onLog, only = [] }) => {
        let redactor = this.#lookup.redactorOf(workflow);
        let outcome: Outcome | undefined;
        const traced = await retraceRun({
          ...trace,
          workflow,
          request,
          only,
          execute: async (covered, changed, journal, options) => {
            outcome = await trace.execute(covered, changed, journal, {
              ...options,
              ...(onLog === undefined ? {} : { onLog }),
              onReach: (index, at, branch) => {
                options.onReach?.(index, at);
                onReach?.(index, at, branch);
              },
              onEnd: (details) => {
                redactor = details.redactor;
              },
            });
          },
        });
        return { outcome: traced.doubt === undefined ? outcome : undefined, redactor, traced };
      },
    };
  }

  async reached(version: string, since: string): Promise<LineCounts> {
    const lines = new Map<number, number>();
    const workflow = (await this.#lookup.text(version))?.workflow;
    if (workflow === undefined) return { runs: 0, lines };
    const { runs } = await this.#lookup.list({ workflow, since, limit: LATELY.runs });
    const until = performance.now() + LATELY.patience;
    let counted = 0;
    for (const { run, status, textHash } of runs) {
      if (textHash !== version || !isFinished(status)) continue;
      for (const [line, count] of (await this.retrace(run))?.reached ?? []) lines.set(line, (lines.get(line) ?? 0) + count);
      counted++;
      // After at least one, because none would mean that there are none. The next request finds these in the cache, and gets further.
      if (performance.now() > until) break;
    }
    return { runs: counted, lines };
  }

  async #retrace(found: ShownRun, only: readonly RoundOfLoop[]): Promise<Retraced> {
    const { row } = found;
    const isOver = isFinished(toStatus(row.state)) && only.length === 0;
    const known = isOver ? this.#finished.get(row.id) : undefined;
    if (known !== undefined) return known;
    const workflow = await this.#covered(found, false);
    if (workflow === undefined) return nothingReached();
    const traced = await retraceRun({
      workflow,
      only,
      request: requestOf(found),
      ...(await this.#tracer(found)),
    });
    if (isOver) this.#keep(row.id, traced);
    return traced;
  }

  #covered({ info: text, hash, called }: ShownRun, trace: boolean): Promise<CoveredWorkflow | undefined> {
    const info = JSON.parse(text) as VersionInfo; // written with the version
    return this.#workflows.of(hash, () => this.#textOf(info, called?.file ?? info.file), trace);
  }

  /** The inputs that don't change between executions of a run against its records. */
  async #tracer(found: ShownRun) {
    const { row, called } = found;
    const sites = await this.#lookup.sites(found);
    const received = called === undefined ? readRequest(row.request).received : receivedBy('workflow');
    return {
      startedAt: called?.now ?? createdAt(row.id),
      rows: await this.#lookup.entries(found, 0, MOST_ROWS),
      siteOf: (site: number | null) => (site === null ? undefined : sites.get(site)),
      execute: (covered: CoveredWorkflow, request: WfRecord, journal: DurableRun, options: RunOptions) =>
        this.#executor.tryOut(covered, request, journal, { ...options, received, timezone: readExtra(row.extra).timezone }),
    };
  }

  async #textOf(info: VersionInfo, file: string): Promise<WorkflowText | undefined> {
    const read = async (hash: string): Promise<string | undefined> => this.#store.client.reader.readContent(hash);
    const text = await read(info.text);
    return text === undefined ? undefined : { text, files: filesFromMemory(file, await filesOf(info, read)) };
  }

  #keep(id: string, traced: Retraced): void {
    this.#finished.set(id, traced);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > MOST_KEPT && oldest !== undefined) this.#finished.delete(oldest);
  }
}

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

/**
 * Executes a run once more against its records, up to its current point, without sending, waiting or writing. Returns which lines it
 * reached, how often, and the loop rounds of its effects. Recording this during the actual execution would cost every run time.
 */
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
  const next: NextCall[] = [];
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
      onBegin({ kind, line, title }, branch) {
        if (kind === 'call' && trails.of(branch).counts(line)) next.push({ line, title, branch });
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
  return { reached, rounds, loops: trails.highest, logged, next, ...(doubt === undefined ? {} : { doubt }) };
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
