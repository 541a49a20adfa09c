// The schedules of a server (`wf serve --schedules`): each served workflow that has one runs at its due times, along with requests.
import { createEngine, type Engine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { ServedSchedules, ServedSchedulesOptions } from '../engine/served-schedules-types.js';
import { UsageError } from '../engine/usage-error.js';
import { inTurn, sleepUnlessAborted } from '../engine/waits.js';
import { type Plan, readPlan } from './read-plan.js';
import { createScheduledRun, type ScheduledRunOptions } from './scheduled-run.js';
import {
  createScheduledStoredRun,
  FollowedRuns,
  planKey,
  type ScheduledStoredRunOptions,
  StoredMemory,
} from './scheduled-stored-run.js';
import { lateSchedule, type ScheduleNews, Scheduler, type SchedulerOptions } from './scheduler.js';

interface Active {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly version: Version;
}

/** Milliseconds until a store that could not be used is tried again. */
const RETRY_MS = 250;

/** The workflow that the next run uses. */
interface Version {
  prepared: Prepared;
}

type PlannedRun = ScheduledRunOptions & Pick<ScheduledStoredRunOptions, 'env' | 'plan'>;

/** @throws UsageError if a plan or the store can't be used */
export async function startServedSchedules(options: ServedSchedulesOptions): Promise<ServedSchedules> {
  const schedules = new ActiveSchedules(options);
  await schedules.replace(options.workflows);
  return {
    replace: (workflows) => void schedules.replaceWhenPossible(workflows),
    stop: () => schedules.stop(),
  };
}

/** One scheduler for each served workflow with a schedule. */
class ActiveSchedules {
  readonly #options: ServedSchedulesOptions;
  readonly #engine: Engine;
  readonly #closing = new AbortController();
  readonly #followed: FollowedRuns | undefined;
  /** By the base name of the workflow. */
  readonly #active = new Map<string, Active>();
  readonly #ending = new Set<Promise<unknown>>();
  readonly #replacing = inTurn();
  /** The set that is to be served. */
  #wanted: readonly Prepared[] | undefined;

  constructor(options: ServedSchedulesOptions) {
    this.#options = options;
    this.#engine = createEngine({ env: options.env, secrets: options.secrets });
    this.#followed = options.store === undefined ? undefined : new FollowedRuns(options.store);
  }

  /** While the store can't be used, tries again, unless the next set has come. */
  async replaceWhenPossible(workflows: readonly Prepared[]): Promise<void> {
    const { err } = this.#options;
    this.#wanted = workflows;
    for (let isFirst = true; this.#wanted === workflows && !this.#closing.signal.aborted; isFirst = false) {
      try {
        return await this.replace(workflows);
      } catch (error) {
        if (error instanceof UsageError) return err(error.message);
        if (isFirst) err(`The changed schedules cannot start yet: ${error instanceof Error ? error.message : String(error)}.`);
        await sleepUnlessAborted(RETRY_MS, this.#closing.signal);
      }
    }
  }

  /** One after the other: a set that is added while the next one replaces it would stay. */
  replace(workflows: readonly Prepared[]): Promise<void> {
    return this.#replacing(() => this.#replace(workflows));
  }

  async #replace(workflows: readonly Prepared[]): Promise<void> {
    const due = workflows.filter(({ workflow }) => workflow.schedule !== undefined);
    for (const [basename, one] of this.#active) {
      const next = due.find((prepared) => prepared.basename === basename);
      // An unchanged plan continues, so that a run in progress still skips due times.
      if (next !== undefined && planKey(readPlan({}, Date.now(), next.workflow)) === planKey(one.plan))
        one.version.prepared = next;
      else this.#end(basename, one);
    }
    for (const prepared of due) if (!this.#active.has(prepared.basename)) await this.#add(prepared);
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    this.#followed?.stop();
    for (const [basename, one] of this.#active) this.#end(basename, one);
    await Promise.all(this.#ending);
    await this.#engine.close();
  }

  async #add(prepared: Prepared): Promise<void> {
    const { out, catchUp, graceMs } = this.#options;
    const { basename: name } = prepared;
    const plan = readPlan({}, Date.now(), prepared.workflow);
    const version: Version = { prepared };
    const run = this.#plannedRun(version, plan, (line) => out(`${name}: ${line}`));
    const kept = this.#kept(run, name);
    const news = this.#news(version, plan);
    const scheduler = new Scheduler({ ...plan, name, say: out, catchUp, graceMs, news, run: createScheduledRun(run), ...kept });
    this.#active.set(name, { plan, scheduler, version });
    await scheduler.open().catch((error: unknown) => {
      // The next attempt adds it again.
      this.#active.delete(name);
      throw error;
    });
    if (!this.#closing.signal.aborted) void scheduler.start();
  }

  #news(version: Version, plan: Plan): ScheduleNews {
    const { scheduleObserver, onLate } = this.#options;
    const { basename } = version.prepared;
    scheduleObserver?.planned(basename);
    return {
      fired: () => scheduleObserver?.fired(basename),
      skipped: () => scheduleObserver?.skipped(basename),
      late(passed) {
        scheduleObserver?.late(basename, passed.count);
        onLate?.(lateSchedule(version.prepared, plan, passed));
      },
    };
  }

  #plannedRun(version: Version, plan: Plan, say: (line: string) => void): PlannedRun {
    const { env, observer, onRunEnd, err, mock: mocks, cwd, limitOf } = this.#options;
    return {
      get prepared(): Prepared {
        return version.prepared;
      },
      get timeoutMs(): number {
        return limitOf(version.prepared.workflow.timeoutMs);
      },
      engine: this.#engine,
      env,
      observer,
      onRunEnd,
      plan,
      err,
      out: say,
      mocks,
      input: { cwd },
      verbose: false,
      colour: { stdout: false, stderr: false },
    };
  }

  /** The parts of a scheduler that a store replaces: its memory, and the start of a run. */
  #kept(run: PlannedRun, basename: string): Pick<SchedulerOptions, 'state' | 'run'> | undefined {
    const { store } = this.#options;
    if (store === undefined || this.#followed === undefined) return undefined;
    const more = { store, followed: this.#followed, closing: this.#closing.signal, onLateEnd: run.out };
    return { state: new StoredMemory(store, basename, run.plan), run: createScheduledStoredRun(Object.assign(run, more)) };
  }

  #end(basename: string, { scheduler }: Active): void {
    this.#active.delete(basename);
    const stopped = scheduler.stop();
    this.#ending.add(stopped);
    void stopped.finally(() => this.#ending.delete(stopped));
  }
}
