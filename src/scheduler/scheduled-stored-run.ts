// One run of a schedule in a store. Each due time is one run of the workflow, however many processes watch it. While a run is unfinished,
// due times are skipped. A run that waits for long does not block the schedule, and its end is reported later.
import { RequestError } from '../../runtime/inputs/request-error.js';
import { receivedBy } from '../../runtime/run/received.js';
import { redactorFor, secretsOf } from '../../runtime/run/redaction.js';
import { toOutcome } from '../../runtime/run/to-outcome.js';
import type { Environment, LogEntry, Outcome, WfRecord } from '../../runtime/types.js';
import type { DurableEngine, Ended, Started } from '../durable/durable-engine.js';
import { isFinished, type RunState, type RunSummary } from '../durable/model/run-views.js';
import { momentInUtc, waitingText } from '../durable/views/show-run.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { logLine, verboseLine } from '../engine/records/terminal-lines.js';
import { UsageError } from '../engine/usage-error.js';
import { sleepUnlessAborted } from '../engine/waits.js';
import { acceptedInput, type InputOptions, readInput } from '../input/read-input.js';
import type { Plan } from './read-plan.js';
import { resultOf, type ScheduledRunOptions, showOutcome } from './scheduled-run.js';
import type { NotStarted, ScheduledResult, ScheduleMemory, SchedulerOptions, ScheduleState } from './scheduler.js';

/** Milliseconds until an unavailable store is asked again. */
const PATIENCE_MS = 1_000;

export interface ScheduledStoredRunOptions extends ReportOutcomeOptions {
  readonly store: DurableEngine;
  readonly plan: Pick<Plan, 'cron' | 'zone'>;
  readonly input: InputOptions;
  /** Time limit of a run in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Time zone of a file that names none. */
  readonly timezone?: string | undefined;
  readonly followed: FollowedRuns;
  /** Aborts when the store is about to be closed. */
  readonly closing: AbortSignal;
  /** Called for a run that ended after a wait: `run 0192… completed in 3 days`. */
  readonly onLateEnd: (text: string) => void;
}

const elsewhere: NotStarted = { status: 'elsewhere' };

export function createScheduledStoredRun(options: ScheduledStoredRunOptions): SchedulerOptions['run'] {
  const { store, plan, input, verbose, closing, err, out, colour } = options;
  const workflow = options.prepared.basename;
  const onLog = (entry: LogEntry): void => {
    const line = entry.type !== 'log' && verbose ? verboseLine(entry, { colour: colour.stderr }) : undefined;
    if (entry.type === 'log') out(logLine(entry));
    else if (line !== undefined) err(line);
  };
  return async (_number, _signal, due) => {
    const scheduledFor = new Date(due).toISOString();
    const seen = await store.timetables.seen(workflow, planKey(plan));
    // A later moment than now is from a clock that is, or was, ahead: the key of a due time still makes it one run.
    if (seen !== undefined && seen >= due && seen <= Date.now()) return elsewhere;
    const unfinished = await unfinishedRuns(store, workflow);
    if (unfinished.some((run) => run.scheduledFor === scheduledFor)) return elsewhere;
    const [other] = unfinished;
    if (other !== undefined) return { status: 'skipped', detail: notFinished(other) };
    const request = await requestOf(options);
    if (typeof request === 'string') return { status: 'error', detail: `before it began: ${request}` };
    // The file may have changed since the last due time.
    const { prepared, timeoutMs, timezone } = options;
    const started = await startWhenAvailable(store, closing, {
      prepared,
      request,
      scheduledFor,
      timezone,
      options: { onLog, timeoutMs, received: receivedBy('schedule') },
    });
    if (started === undefined) return { status: 'interrupted', detail: 'before it began: the store could not be written' };
    const again = started.kind === 'known' && started.state.scheduledFor === undefined;
    if (again || started.kind === 'done before') {
      await store.timetables.done(workflow, planKey(plan), due);
      return { status: 'skipped', detail: `run ${started.run} has the same value for "once for each"` };
    }
    if (started.kind !== 'started') return elsewhere;
    await store.timetables.done(workflow, planKey(plan), due);
    return reportEnd({ ...options, prepared }, started.run, request, await started.end);
  };

  /** The request, or why there is none. */
  async function requestOf({ verbose, timezone }: ScheduledStoredRunOptions): Promise<WfRecord | string> {
    try {
      const read = await readInput(input);
      if (verbose) for (const warning of read.warnings) err(warning);
      const { request, problems } = acceptedInput(options.prepared.workflow, read, timezone);
      return problems.length > 0 ? new RequestError(problems).message : request;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.message;
    }
  }
}

/** One of each state is enough. */
async function unfinishedRuns(store: DurableEngine, workflow: string): Promise<RunSummary[]> {
  const states = ['running', 'waiting', 'stuck'] as const;
  const pages = await Promise.all(states.map((status) => store.list({ workflow, status, limit: 1 })));
  return pages.flatMap(({ runs }) => runs);
}

function notFinished({ run, status, waitingFor, createdAt }: RunSummary): string {
  const what = waitingFor === undefined ? status : `waiting ${waitingText(waitingFor)}`;
  return `run ${run}, started ${momentInUtc(createdAt)}, is ${what}`;
}

/** Waits while the store can't be written; `undefined` if it is closed meanwhile. */
async function startWhenAvailable(
  store: DurableEngine,
  closing: AbortSignal,
  request: Parameters<DurableEngine['start']>[0],
): Promise<Exclude<Started, { kind: 'unavailable' | 'unrecorded' }> | undefined> {
  while (!closing.aborted) {
    const started = await store.start(request);
    if (started.kind !== 'unavailable' && started.kind !== 'unrecorded') return started;
    await sleepUnlessAborted(PATIENCE_MS, closing);
  }
  return undefined;
}

async function reportEnd(
  options: ScheduledStoredRunOptions,
  run: string,
  request: WfRecord,
  end: Ended,
): Promise<ScheduledResult> {
  if (end.kind === 'outcome') return reportOutcome(options, run, request, end.outcome);
  const { waitingFor, message = '' } = end.state;
  switch (end.kind) {
    case 'paused':
      options.followed.follow(run, (state) => reportLateEnd(options, run, request, state));
      return { status: 'waiting', detail: `${waitingFor === undefined ? '' : waitingText(waitingFor)} (run ${run})` };
    case 'released':
      return { status: 'interrupted', detail: `(run ${run}): the next process that uses the store continues it` };
    case 'lost':
      return { status: 'interrupted', detail: `(run ${run}): another process continues it` };
    case 'stuck':
    case 'cancelled':
      return { status: end.kind, detail: `(run ${run}): ${message}` };
  }
}

async function reportLateEnd(options: ScheduledStoredRunOptions, run: string, request: WfRecord, state: RunState): Promise<void> {
  const { status, outputs, message, error } = state;
  if (status !== 'completed' && status !== 'rejected' && status !== 'error') {
    options.onLateEnd(`run ${run}  ${status}: ${message ?? ''}`);
    return;
  }
  const { detail } = await reportOutcome(options, run, request, toOutcome({ status, outputs, message, error }));
  options.onLateEnd(`run ${run}  ${status} ${detail}`);
}

/** Of a run that is kept encrypted, output shows no values either. */
function withoutValues(outcome: Outcome): Outcome {
  const { publicMessage: message } = outcome.error ?? {};
  return outcome.error === undefined || message === undefined
    ? outcome
    : { ...outcome, message, error: { ...outcome.error, message } };
}

interface ReportOutcomeOptions extends Pick<ScheduledRunOptions, 'prepared' | 'verbose' | 'out' | 'err' | 'colour'> {
  readonly store: Pick<DurableEngine, 'state'>;
  readonly env: Environment;
}

/** Shows the outcome if requested, and returns the line that reports it. */
async function reportOutcome(
  options: ReportOutcomeOptions,
  run: string,
  request: WfRecord,
  outcome: Outcome,
): Promise<ScheduledResult> {
  const { store, prepared, env, verbose } = options;
  const state = await store.state(run);
  const [startedAt, finishedAt] = [new Date(state?.startedAt ?? Date.now()), new Date(state?.finishedAt ?? Date.now())];
  const record: RunRecord = {
    runId: run,
    prepared,
    mock: false,
    request,
    startedAt,
    finishedAt,
    outcome: { ...(env.WF_STORE_KEY ? withoutValues(outcome) : outcome), log: [] },
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    redactor: redactorFor(secretsOf(prepared.workflow, env, [])),
  };
  if (verbose) showOutcome(record, options);
  return resultOf(record);
}

type Store = Pick<DurableEngine, 'watch' | 'state'>;

/** Milliseconds until a store that did not answer is asked again. */
const RETRY_MS = 1_000;

export class FollowedRuns {
  readonly #store: Store;
  readonly #retryMs: number;
  readonly #runs = new Map<string, (state: RunState) => Promise<void>>();
  #unwatch: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store, retryMs = RETRY_MS) {
    this.#store = store;
    this.#retryMs = retryMs;
  }

  /** Calls back when the run has ended or is stuck: once, or again if the store did not answer. */
  follow(run: string, onEnd: (state: RunState) => Promise<void>): void {
    this.#runs.set(run, onEnd);
    this.#unwatch ??= this.#store.watch(({ runs, elsewhere = false }) => this.#look(elsewhere ? [...this.#runs.keys()] : runs));
    // It may have ended before this watched.
    this.#look([run]);
  }

  stop(): void {
    this.#runs.clear();
    this.#unwatch?.();
    this.#unwatch = undefined;
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #look(runs: readonly string[]): void {
    this.#check(runs).catch(() => {
      // Nothing else may ever change in a store that could not be asked about it.
      if (this.#unwatch !== undefined) this.#retry ??= setTimeout(() => this.#lookAgain(), this.#retryMs).unref();
    });
  }

  #lookAgain(): void {
    this.#retry = undefined;
    this.#look([...this.#runs.keys()]);
  }

  async #check(runs: readonly string[]): Promise<void> {
    for (const run of runs.filter((one) => this.#runs.has(one))) {
      const state = await this.#store.state(run);
      const onEnd = this.#runs.get(run);
      if (onEnd === undefined || (state !== undefined && !isFinished(state.status) && state.status !== 'stuck')) continue;
      this.#runs.delete(run);
      if (state === undefined) continue;
      try {
        await onEnd(state);
      } catch (error) {
        if (this.#unwatch !== undefined) this.#runs.set(run, onEnd);
        throw error;
      }
    }
    if (this.#runs.size === 0) this.stop();
  }
}

// The memory of a schedule in a store, shared by all processes that watch it. Interrupted runs need no record here: the store continues
// them.

/** Identifies a timetable: after a change, there is nothing to catch up on. */
export const planKey = ({ cron, zone }: Pick<Plan, 'cron' | 'zone'>): string => `${cron.text} ${zone.name}`;

type Timetables = Pick<DurableEngine, 'timetables'>;

export class StoredMemory implements ScheduleMemory {
  readonly #store: Timetables;
  readonly #workflow: string;
  readonly #plan: string;

  /** @param workflow the name that its runs have in the store */
  constructor(store: Timetables, workflow: string, plan: Pick<Plan, 'cron' | 'zone'>) {
    this.#store = store;
    this.#workflow = workflow;
    this.#plan = planKey(plan);
  }

  async read(): Promise<ScheduleState | undefined> {
    const seen = await this.#store.timetables.seen(this.#workflow, this.#plan);
    return seen === undefined ? undefined : { seen };
  }

  /** Only the very first start counts: another process may be about to start the run that was due a moment ago. */
  async open({ seen }: ScheduleState): Promise<void> {
    if ((await this.read()) === undefined) await this.#store.timetables.done(this.#workflow, this.#plan, seen);
  }

  /** A due time is done when its run is in the store, not before. */
  async write({ seen, running }: ScheduleState): Promise<void> {
    if (running !== undefined) return;
    // If this fails, the store can't be written, or is closed. The run of the due time is still known by its key.
    await this.#store.timetables.done(this.#workflow, this.#plan, seen).catch(() => undefined);
  }
}
