// Runs schedules until they are stopped: everything in `wf schedule` after the options are read and the files are compiled.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { exitCodeOf } from '../../runtime/run/to-outcome.js';
import { counted } from '../../runtime/texts/words.js';
import type { Mocks, RunStatus, WorkflowInfo } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import { shownStore } from '../durable/open-store.js';
import { createEngine } from '../engine/engine.js';
import { faultCode, fileFault } from '../engine/files/file-fault.js';
import { makeFolder } from '../engine/files/make-folder.js';
import { writeWhole } from '../engine/files/write-whole.js';
import type { Io } from '../engine/io.js';
import { missingEnvironment, missingSentence } from '../engine/prepare/environment.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { createPrinter, type Level, type Printer, silent } from '../engine/records/printer.js';
import type { RunReports } from '../engine/records/run-reports.js';
import { storeWarnings } from '../engine/shared-options.js';
import { UsageError } from '../engine/usage-error.js';
import { inTurn } from '../engine/waits.js';
import { readInput } from '../input/read-input.js';
import { describeCron, unevenSteps } from '../timetable/describe-cron.js';
import { nextDues } from '../timetable/next-due.js';
import type { Plan } from './read-plan.js';
import { createScheduledRun, type ScheduledRunOptions } from './scheduled-run.js';
import type { ScheduledStoredRunOptions } from './scheduled-stored-run.js';
import {
  lateSchedule,
  type OutcomeCounts,
  type ScheduleMemory,
  type ScheduleNews,
  Scheduler,
  type SchedulerOptions,
  type ScheduleState,
} from './scheduler.js';

export interface RunSchedulesOptions {
  readonly input?: string | undefined;
  readonly inputFile?: string | undefined;
  readonly sheet?: string | undefined;
  readonly asText?: string | undefined;
  readonly once?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** Print one JSON object a line. */
  readonly isJson?: boolean | undefined;
  readonly strictEnv?: boolean | undefined;
  readonly reports?: Pick<RunReports, 'ended' | 'late'> | undefined;
  readonly catchUp?: boolean | undefined;
  readonly state?: string | undefined;
  /** Location of the store; absent if runs are in memory. */
  readonly store?: string | undefined;
  /** Opens it. */
  readonly openStore?: ((out: (line: string) => void, err: (line: string) => void) => Promise<DurableEngine>) | undefined;
}

interface Scheduled {
  readonly plan: Plan;
  readonly prepared: Prepared;
}

/** The parts of a scheduler that a store replaces: its memory, and the start of a run. */
type StoredParts = (
  run: ScheduledRunOptions & Pick<ScheduledStoredRunOptions, 'plan' | 'onLateEnd'>,
) => Pick<SchedulerOptions, 'state' | 'run'>;

const lineOf =
  (printer: Printer = silent) =>
  (text: string, level?: Level): void =>
    printer.line(text, level === undefined ? undefined : () => ({ message: text.trim(), level }));

/**
 * Runs until stopped.
 * @param mocks called for each run, because mock answers may count their calls; `false` for the real services
 * @returns 0 when stopped; with `once`, the exit code of the worst run; 1 if `strictEnv` finds a missing variable
 * @throws UsageError before anything is due, if input, log folder, state or store can't be used
 */
export async function runSchedules(
  scheduled: readonly Scheduled[],
  options: RunSchedulesOptions,
  io: Io,
  mocks: () => boolean | Mocks,
): Promise<number> {
  const { verbose = false, once = false, catchUp = false } = options;
  checkMemory(scheduled, options);
  const { isJson = false } = options;
  const printers = [
    createPrinter(await io.stream('stdout'), { together: false, jsonLevel: isJson ? 'info' : undefined }),
    createPrinter(await io.stream('stderr'), { together: false, jsonLevel: isJson ? 'warn' : undefined }),
  ];
  const [out, err] = [lineOf(printers[0]), lineOf(printers[1])];

  const missing = options.strictEnv ? scheduled.flatMap(({ prepared }) => missingEnvironment(prepared.workflow, io.env)) : [];
  if (missing.length > 0) {
    err(missingSentence([...new Set(missing)].sort()));
    return 1;
  }
  const input = { input: options.input, inputFile: options.inputFile, sheet: options.sheet, asText: options.asText, cwd: io.cwd };
  for (const warning of (await readInput(input)).warnings) err(warning);
  const mock = mocks() !== false;
  const store = await options.openStore?.(out, err);
  const engine = createEngine({ env: io.env, mock });
  const schedulers: Scheduler[] = [];

  const closing = new AbortController();
  let isStopped = false;
  let closed: Promise<unknown> | undefined;
  const unlisten = io.onStop(() => {
    isStopped = true;
    for (const scheduler of schedulers) void scheduler.stop();
    // Runs in the store are released; the next start continues them.
    closing.abort();
    closed ??= store?.close(scheduled[0]?.plan.graceMs ?? 0);
  });
  try {
    const storedParts = store === undefined ? undefined : await openStoredParts(store, closing.signal, io.env);
    const { reports } = options;
    const run = { engine, input, onRunEnd: reports?.ended, verbose, mocks, out, err, colour: isJson ? plain : io.colour };
    for (const one of scheduled) {
      const name = scheduled.length > 1 ? one.prepared.basename : undefined;
      const memory = options.state === undefined ? undefined : new StateFile(options.state, io.cwd, identityOf(one));
      schedulers.push(createScheduler({ ...one, name, run, memory, once, catchUp, news: newsFor(one, reports) }, storedParts));
    }
    for (const scheduler of schedulers) await scheduler.open();
    for (const line of timetableLines(scheduled, { mock, once, store: options.store }, Date.now())) out(line);
    // With mock services, nothing waits.
    const unkept = store === undefined && !mock ? scheduled : [];
    for (const warning of unkept.flatMap(({ prepared }) => storeWarnings(prepared))) err(warning);
    if (isStopped) for (const scheduler of schedulers) void scheduler.stop();
    const tally = sum(await Promise.all(schedulers.map((scheduler) => scheduler.start())));
    out(tallyLine(tally));
    return once && !isStopped ? exitCodeOfTally(tally) : 0;
  } finally {
    unlisten();
    closing.abort();
    await (closed ?? store?.close(0));
    await engine.close();
    await Promise.all(printers.map((printer) => printer.flush()));
  }
}

const plain = { stdout: false, stderr: false };

const newsFor = ({ prepared, plan }: Scheduled, reports: RunSchedulesOptions['reports']): ScheduleNews | undefined =>
  reports === undefined
    ? undefined
    : { fired() {}, skipped() {}, late: (passed) => reports.late(lateSchedule(prepared, plan, passed)) };

interface ScheduleOptions extends Scheduled, Pick<SchedulerOptions, 'name' | 'once' | 'catchUp' | 'news'> {
  readonly run: Omit<ScheduledRunOptions, 'prepared' | 'timeoutMs'>;
  readonly memory: ScheduleMemory | undefined;
}

function createScheduler(
  { plan, prepared, name, memory, ...options }: ScheduleOptions,
  storedParts: StoredParts | undefined,
): Scheduler {
  const { out } = options.run;
  const say = (line: string): void => out(name === undefined ? line : `${name}: ${line}`);
  const run: ScheduledRunOptions = { ...plan, ...options.run, prepared, out: say };
  const onLateEnd = (text: string): void =>
    out(`${plan.zone.show(Date.now(), { seconds: true })}  ${name === undefined ? '' : `${name}  `}${text}`);
  return new Scheduler({
    ...plan,
    ...options,
    say: out,
    name,
    run: createScheduledRun(run),
    ...(memory === undefined ? {} : { state: memory }),
    ...storedParts?.({ ...run, plan, onLateEnd }),
  });
}

/** Loaded only for a schedule with a store. */
async function openStoredParts(store: DurableEngine, closing: AbortSignal, env: Io['env']): Promise<StoredParts> {
  const { createScheduledStoredRun, FollowedRuns, StoredMemory } = await import('./scheduled-stored-run.js');
  await store.serve();
  const followed = new FollowedRuns(store);
  closing.addEventListener('abort', () => followed.stop());
  return (run) => ({
    state: new StoredMemory(store, run.prepared.basename, run.plan),
    run: createScheduledStoredRun({ ...run, store, followed, closing, env }),
  });
}

/** @throws UsageError */
function checkMemory(scheduled: readonly Scheduled[], { state, catchUp, openStore }: RunSchedulesOptions): void {
  if (state === '') throw new UsageError('--state needs the path of a file.');
  if (state !== undefined && openStore !== undefined)
    throw new UsageError(
      '--state and a store are not used together.',
      'The store records which due times are done with. Leave out --state.',
    );
  if (state !== undefined && scheduled.length > 1)
    throw new UsageError('--state records the due times of one workflow.', 'Use --store for several.');
  if (catchUp && state === undefined && openStore === undefined)
    throw new UsageError('--catch-up needs --store or --state <file>, which records the due times that have passed.');
}

const identityOf = ({ plan: { cron, zone }, prepared }: Scheduled): { file: string; cron: string; timezone: string } => ({
  file: prepared.workflow.file,
  cron: cron.text,
  timezone: zone.name,
});

function sum(tallies: readonly OutcomeCounts[]): OutcomeCounts {
  const total: OutcomeCounts = { completed: 0, rejected: 0, error: 0, skipped: 0 };
  for (const tally of tallies)
    for (const name of Object.keys(tally) as (keyof OutcomeCounts)[]) total[name] = (total[name] ?? 0) + (tally[name] ?? 0); // its own keys
  return total;
}

/** Counts that few schedules have. */
const RARE = ['waiting', 'interrupted', 'stuck', 'cancelled', 'skipped'] as const;

function tallyLine(tally: OutcomeCounts): string {
  const { skipped, ...runs } = tally;
  const count = Object.values(runs).reduce((all, one) => all + one, 0);
  const rare = RARE.filter((name) => (tally[name] ?? 0) > 0).map((name) => `; ${tally[name]} ${name}`);
  return `Stopped after ${counted(count, 'run')}: ${tally.completed} completed, ${tally.rejected} rejected, ${tally.error} error${rare.join('')}.`;
}

/** Exit code of a run that waits: the next start continues it. */
const WAITING = 4;

function exitCodeOfTally({ rejected, error, stuck = 0, cancelled = 0, waiting = 0 }: OutcomeCounts): number {
  const status: RunStatus = error + stuck + cancelled > 0 ? 'error' : rejected > 0 ? 'rejected' : 'completed';
  return status === 'completed' && waiting > 0 ? WAITING : exitCodeOf({ status });
}

interface StartOptions {
  readonly mock: boolean;
  readonly once: boolean;
  /** Location of the store for the runs. */
  readonly store: string | undefined;
}

interface Planned {
  readonly plan: Plan;
  readonly prepared: { readonly file: string; readonly workflow: Pick<WorkflowInfo, 'name' | 'version'> };
}

const NEXT = 3;

/** For each workflow: its schedule in words and as cron, its time zone, the next due times, and notes. */
function timetableLines(planned: readonly Planned[], { mock, once, store }: StartOptions, now: number): string[] {
  return [
    ...planned.flatMap((one) => linesOf(one, once, now)),
    ...(mock ? ['  Mock       services are not called; answers are made up'] : []),
    ...(store === undefined || mock ? [] : [oneLine(`Store: ${shownStore(store)}`)]),
    'Press Ctrl+C to stop.',
  ];
}

function linesOf(
  { plan: { cron, zone, jitterMs }, prepared: { file, workflow } }: Planned,
  once: boolean,
  now: number,
): string[] {
  const [first, ...others] = nextDues(cron, zone, now, once ? 1 : NEXT).map((due) => zone.show(due));
  return [
    oneLine(`${workflow.name} v${workflow.version} (${file})`),
    `  Schedule   ${describeCron(cron)}, ${zone.name}`,
    `  Cron       ${cron.text}`,
    `  Time zone  ${zone.name}`,
    `  Next       ${first}${once ? ', once' : ''}`,
    ...others.map((due) => `             ${due}`),
    ...unevenSteps(cron).map((note) => `  Note       ${note}`),
    ...(jitterMs > 0 ? [`  Jitter     each run starts up to ${jitterMs / 1000} seconds after it is due`] : []),
  ];
}

// The file of `--state`: which due times are done, and which run is in progress.

/** The plan that a state belongs to. The state of another plan means nothing to this one. */
interface PlanIdentity {
  readonly file: string;
  readonly cron: string;
  readonly timezone: string;
}

const SCHEMA = 'wf-schedule-state/1';

export class StateFile implements ScheduleMemory {
  readonly #path: string;
  readonly #shown: string;
  readonly #plan: PlanIdentity;
  readonly #writing = inTurn();

  /** @param shown the path as the user wrote it, for messages */
  constructor(shown: string, cwd: string, plan: PlanIdentity) {
    this.#shown = shown;
    this.#path = path.resolve(cwd, shown);
    this.#plan = plan;
  }

  /**
   * The state left by the last scheduler; `undefined` if there is none, `'other plan'` if it belongs to a different workflow or
   * schedule.
   * @throws UsageError if the file can't be read or is not a state
   */
  async read(): Promise<ScheduleState | 'other plan' | undefined> {
    let text: string;
    try {
      const stats = await stat(this.#path);
      // A device may never end.
      text = stats.isFile() || stats.isDirectory() ? await readFile(this.#path, 'utf8') : '';
    } catch (error) {
      if (faultCode(error) === 'ENOENT') return undefined;
      throw new UsageError(`The state file ${this.#shown} can't be read: ${fileFault(error)}.`);
    }
    const found = fieldsOf(text);
    const seen = Date.parse(String(found.seen));
    if (found.schema !== SCHEMA || Number.isNaN(seen)) {
      const hint = 'Set --state to a different path, which wf creates on the first start, or delete this file to start over.';
      throw new UsageError(`${this.#shown} is not a state file of wf schedule.`, hint);
    }
    const { file, cron, timezone } = this.#plan;
    if (found.file !== file || found.cron !== cron || found.timezone !== timezone) return 'other plan';
    const running = Date.parse(String(found.running));
    return { seen, ...(Number.isNaN(running) ? {} : { running }) };
  }

  /** Writing now proves that it is possible. @throws UsageError if it isn't */
  open(state: ScheduleState): Promise<void> {
    return this.write(state);
  }

  /**
   * Writes whole or not at all, one state at a time.
   * @throws UsageError if it can't be written; the old state is then unchanged
   */
  write(state: ScheduleState): Promise<void> {
    return this.#writing(() => this.#write(state));
  }

  async #write({ seen, running }: ScheduleState): Promise<void> {
    const iso = (instant: number): string => new Date(instant).toISOString();
    const state = { schema: SCHEMA, ...this.#plan, seen: iso(seen), ...(running === undefined ? {} : { running: iso(running) }) };
    try {
      makeFolder(path.dirname(this.#path));
      await writeWhole(this.#path, `${JSON.stringify(state, null, 2)}\n`);
    } catch (error) {
      throw new UsageError(`The state can't be written to ${this.#shown}: ${fileFault(error)}.`);
    }
  }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}
