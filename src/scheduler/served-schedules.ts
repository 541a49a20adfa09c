// The schedules of a server (`wf serve --schedules`): each served workflow that has one runs at its due times, along with requests.
import { createEngine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepared.js';
import type { ServedSchedules, ServedSchedulesOptions } from '../engine/served-schedules-types.js';
import { UsageError } from '../engine/usage-error.js';
import { FollowedRuns } from './followed-runs.js';
import { createKeptRun } from './kept-run.js';
import { type Plan, readPlan } from './read-plan.js';
import { createScheduledRun } from './scheduled-run.js';
import { Scheduler, type SchedulerOptions } from './scheduler.js';
import { planKey, StoredMemory } from './stored-memory.js';

interface Active {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  /** The version that the next run uses. */
  prepared: Prepared;
}

/** @throws UsageError if a plan or the store can't be used */
export async function startServedSchedules(options: ServedSchedulesOptions): Promise<ServedSchedules> {
  const { env, store, secrets, observer, out, err } = options;
  const engine = createEngine({ env, secrets });
  const closing = new AbortController();
  const followed = store === undefined ? undefined : new FollowedRuns(store);
  const active = new Map<string, Active>();
  const ending = new Set<Promise<unknown>>();

  const add = async (prepared: Prepared): Promise<void> => {
    const plan = readPlan({}, Date.now(), prepared.workflow);
    const { basename } = prepared;
    const say = (line: string): void => out(`${basename}: ${line}`);
    const own: { one?: Active } = {};
    const run = {
      get prepared(): Prepared {
        return own.one?.prepared ?? prepared;
      },
      get timeoutMs(): number {
        return options.limitOf(this.prepared.workflow.timeoutMs);
      },
      ...{
        engine,
        env,
        secrets,
        observer,
        plan,
        err,
        out: say,
        mocks: options.mock,
        input: { cwd: options.cwd },
        verbose: false,
      },
      colour: { stdout: false, stderr: false },
    };
    const kept: Partial<SchedulerOptions> =
      store === undefined || followed === undefined
        ? {}
        : {
            state: new StoredMemory(store, basename, plan),
            run: createKeptRun(
              Object.assign(run, { store, followed, closing: closing.signal, onLateEnd: (text: string) => say(text) }),
            ),
          };
    const scheduler = new Scheduler({
      ...{ ...plan, name: basename, say: out, catchUp: options.catchUp, graceMs: options.graceMs },
      run: createScheduledRun(run),
      ...kept,
    });
    own.one = { plan, scheduler, prepared };
    active.set(basename, own.one);
    await scheduler.open();
    if (!closing.signal.aborted) void scheduler.start();
  };

  const end = (basename: string, { scheduler }: Active): void => {
    active.delete(basename);
    const stopped = scheduler.stop();
    ending.add(stopped);
    void stopped.finally(() => ending.delete(stopped));
  };

  const replace = async (workflows: readonly Prepared[]): Promise<void> => {
    const due = workflows.filter(({ workflow }) => workflow.schedule !== undefined);
    for (const [basename, one] of active) {
      const next = due.find((prepared) => prepared.basename === basename);
      // The same plan continues, so that a run in progress still skips due times.
      if (next !== undefined && planKey(readPlan({}, Date.now(), next.workflow)) === planKey(one.plan)) one.prepared = next;
      else end(basename, one);
    }
    for (const prepared of due) if (!active.has(prepared.basename)) await add(prepared);
  };

  await replace(options.workflows);
  return {
    replace: (workflows) =>
      void replace(workflows).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        err(error.message);
      }),
    async stop() {
      closing.abort();
      followed?.stop();
      for (const [basename, one] of active) end(basename, one);
      await Promise.all(ending);
      await engine.close();
    },
  };
}
