// `wf run --store`: runs a workflow in a store. Prints the id first, so that the run can be resumed whatever happens.
import { toOutcome } from '../../runtime/run/to-outcome.js';
import type { LogEntry, Outcome, RunOptions, WfRecord } from '../../runtime/types.js';
import type { DurableEngine, Ended, Started } from '../durable/durable-engine.js';
import type { DurableStatus, RunState } from '../durable/model/run-views.js';
import { openStore } from '../durable/open-store.js';
import { waitingText } from '../durable/views/show-run.js';
import type { Io } from '../engine/io.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { UsageError } from '../engine/usage-error.js';
import { GRACE_MS, goOnLine, INTERRUPTED, storeOption, WAITING } from './interruption.js';

/** Exit codes of a run that has no outcome yet. */
const exitCodes = { paused: WAITING, released: INTERRUPTED, lost: INTERRUPTED, cancelled: 1, stuck: 1 } as const;

const FOREVER_MS = 2 ** 31 - 1;

interface StoredRunOptions {
  readonly prepared: Prepared;
  readonly request: WfRecord;
  readonly where: string;
  readonly options: Pick<RunOptions, 'onLog' | 'onExchange' | 'onProgress'>;
  readonly strictEnv: boolean;
  readonly json: boolean;
  /** Stay until the run has ended, however long it waits. */
  readonly wait: boolean;
}

/** The outcome; or how far a run without one has come, and the exit code for that. The reason has been printed. */
type StoredRunEnd =
  | { readonly run: string; readonly outcome: Outcome; readonly cause?: unknown }
  | {
      readonly run: string;
      readonly exitCode: number;
      readonly status: DurableStatus;
      readonly message: string | undefined;
      readonly log: LogEntry[];
    };

/**
 * @returns `undefined` if it was stopped before the run began
 * @throws UsageError if the store can't be used
 */
export async function runInStore(kept: StoredRunOptions, io: Io): Promise<StoredRunEnd | undefined> {
  let unlisten = (): void => undefined;
  // From the beginning: a database may take seconds to open.
  const stopped = new Promise<'stopped'>((resolve) => {
    unlisten = io.onStop(() => resolve('stopped'));
  });
  try {
    const opening = openFor(kept, io);
    const store = await Promise.race([opening, stopped]);
    if (store !== 'stopped') return await runIn(store, kept, stopped, io);
    io.stderr.write('Interrupted before the run began. Nothing was done.\n');
    void opening.then((opened) => opened.close(0)).catch(() => undefined);
    return undefined;
  } finally {
    unlisten();
  }
}

function openFor({ prepared, where, options, strictEnv }: StoredRunOptions, io: Io): Promise<DurableEngine> {
  const onProblem = (sentence: string): unknown => io.stderr.write(`${sentence}\n`);
  const { onLog } = options;
  return openStore(where, {
    env: io.env,
    cwd: io.cwd,
    strictEnv,
    onProblem,
    current: () => prepared,
    // After a pause, the run is read from the store.
    ...(onLog === undefined ? {} : { onLog: (_, entry) => onLog(entry) }),
  });
}

async function runIn(
  store: DurableEngine,
  { prepared, request, where, options, json, wait }: StoredRunOptions,
  stopped: Promise<'stopped'>,
  io: Io,
): Promise<StoredRunEnd> {
  try {
    const lines = heldBack(options);
    const onStart = (run: string): void => {
      if (wait) store.attend(run);
    };
    const started = await store.start({ prepared, request, options: lines.options, onStart });
    if (started.kind === 'unavailable') throw new UsageError(`The store cannot be written: ${started.problem}.`);
    if (started.kind === 'done before')
      throw new UsageError(
        `Run ${started.run} had the same value for "once for each". It has completed, and has been deleted since.`,
      );
    if (started.kind !== 'started' && started.kind !== 'known') throw new UsageError('The run already exists.');
    if (started.kind === 'known')
      io.stderr.write(`Nothing was started: run ${started.run} has the same value for "once for each".\n`);
    // Anyone who knows the id must find the run, whatever happens to this process.
    else if ((await Promise.race([started.recorded(true), stopped])) !== 'stopped') io.stderr.write(`Run ${started.run}\n`);
    lines.release();
    const end = await Promise.race([endOf(store, started, wait), stopped]);
    if (end === 'stopped') {
      let soFar = nothingKnown;
      await store.close(GRACE_MS, async () => {
        soFar = await farOf(store, started.run);
      });
      io.stderr.write(goOnLine(started.run, storeOption(where, io.env)));
      return { run: started.run, exitCode: exitCodes.released, ...soFar };
    }
    if (end.kind === 'outcome')
      return { run: started.run, outcome: { ...end.outcome, log: [...(await store.log(started.run))] }, cause: end.cause };
    printEnd(end, io, json, storeOption(where, io.env));
    const { status, message } = end.state;
    return { run: started.run, exitCode: exitCodes[end.kind], ...(await farOf(store, started.run)), status, message };
  } finally {
    await store.close(GRACE_MS);
  }
}

/** Lines of the log that are told after the id of the run. */
function heldBack(options: RunOptions): { readonly options: RunOptions; readonly release: () => void } {
  const { onLog } = options;
  if (onLog === undefined) return { options, release: () => undefined };
  const held: LogEntry[] = [];
  let isHeld = true;
  return {
    options: { ...options, onLog: (entry) => (isHeld ? void held.push(entry) : onLog(entry)) },
    release() {
      isHeld = false;
      for (const entry of held.splice(0)) onLog(entry);
    },
  };
}

const nothingKnown = { status: 'running' as DurableStatus, message: undefined as string | undefined, log: [] as LogEntry[] };

/** The state of a run. A store that can't be read is no reason to fail: it has the run, and says so later. */
async function farOf(store: DurableEngine, run: string): Promise<typeof nothingKnown> {
  try {
    const { status = 'running', message } = (await store.state(run)) ?? {};
    return { status, message, log: [...(await store.log(run))] };
  } catch {
    return nothingKnown;
  }
}

type StartedOrKnown = Extract<Started, { kind: 'started' | 'known' }>;

async function endOf(store: DurableEngine, started: StartedOrKnown, wait: boolean): Promise<Ended> {
  const { run } = started;
  let ended = started.kind === 'started' ? await started.end : endedOf(started.state);
  while (wait && ended.kind === 'paused') {
    const state = await store.settled(run, 'ended', FOREVER_MS);
    if (state === undefined) throw new Error(`The run ${run} is not in the store.`);
    ended = endedOf(state);
  }
  return ended;
}

/** Where a run is. */
function endedOf(state: RunState): Ended {
  const { status, outputs, message, error } = state;
  if (status === 'cancelled' || status === 'stuck') return { kind: status, state };
  if (status !== 'completed' && status !== 'rejected' && status !== 'error') return { kind: 'paused', state };
  return { kind: 'outcome', outcome: toOutcome({ status, outputs, message, error }) };
}

function printEnd({ kind, state }: Exclude<Ended, { kind: 'outcome' }>, io: Io, json: boolean, option: string): void {
  const { run, status, waitingFor, message } = state;
  if (json) io.stdout.write(`${JSON.stringify({ status, run, waitingFor, message })}\n`);
  else if (kind === 'paused') {
    const what = waitingFor === undefined ? 'for its time' : waitingText(waitingFor);
    io.stdout.write(`The run is waiting ${what}. Go on with: wf runs resume ${run}${option}\n`);
  } else io.stderr.write(`The run is ${status}: ${message ?? ''}\n`);
}
