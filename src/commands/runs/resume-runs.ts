// `wf runs resume [<id>]`: continues runs that no process is working on, until they end or wait for long.
import { responseJson } from '../../../runtime/response.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isFinished, type RunState } from '../../durable/run-views.js';
import type { Io } from '../../engine/io.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-table.js';
import { unknownRunError } from './open-command-store.js';
import { exitCodeOfState, stateText } from './run-words.js';

const LET_GO = 130;
const GRACE_MS = 10_000;
const LOOK_MS = 60_000;
/** Milliseconds that a waiting run gets to notice an answer or a message. */
const WAKING_MS = 1_500;
const LOOK_OFTEN_MS = 100;

/** @throws UsageError for an unknown id, a finished run, and one that another process is working on */
export async function resumeCommand(store: DurableEngine, id: string | undefined, values: Values, io: Io): Promise<number> {
  const stop = new Promise<'stopped'>((resolve) => void io.onStop(() => resolve('stopped')));
  const ids = id === undefined ? await resumable(store) : [id];
  if (ids.length === 0) {
    io.stdout.write('There is no run to resume.\n');
    return 0;
  }
  let worst = 0;
  for (const one of ids) {
    const code = await resumeOne(
      store,
      one,
      { mustWork: id !== undefined, until: values.wait === true ? 'ended' : 'paused' },
      values,
      io,
      stop,
    );
    if (code === LET_GO) return LET_GO;
    worst = Math.max(worst, code === 4 && worst !== 0 ? worst : code);
  }
  return worst;
}

/** Unfinished runs, oldest first. */
async function resumable(store: DurableEngine): Promise<string[]> {
  const found: string[] = [];
  for (const status of ['running', 'waiting', 'stuck'] as const) {
    let cursor: string | undefined;
    do {
      const page = await store.list({ status, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.runs.map(({ run }) => run));
      cursor = page.next;
    } while (cursor !== undefined);
  }
  return found.sort();
}

async function resumeOne(
  store: DurableEngine,
  id: string,
  { mustWork, until }: { readonly mustWork: boolean; readonly until: 'ended' | 'paused' },
  values: Values,
  io: Io,
  stop: Promise<'stopped'>,
): Promise<number> {
  const change = await store.resume(id);
  if (change.kind === 'unknown') throw unknownRunError(id);
  if (change.kind !== 'done') {
    const problem = change.kind === 'elsewhere' ? `Another process is working on run ${id}.` : change.problem;
    if (mustWork) throw new UsageError(problem);
    io.stderr.write(`${problem}\n`);
    return 0;
  }
  const started = Date.now();
  for (;;) {
    const state = await Promise.race([store.settled(id, until, LOOK_MS), stop]);
    if (state === 'stopped') {
      await store.close(GRACE_MS);
      io.stderr.write(`Interrupted. Go on with: wf runs resume ${id}\n`);
      return LET_GO;
    }
    if (state === undefined) throw unknownRunError(id);
    // What it waits for may have arrived. The waker checks a few times per second.
    if (state.status === 'waiting' && until === 'paused' && Date.now() - started < WAKING_MS) {
      await Promise.race([store.settled(id, 'ended', LOOK_OFTEN_MS), stop]);
      continue;
    }
    if (!isFinished(state.status) && state.status !== 'stuck' && !(until === 'paused' && state.status === 'waiting')) continue;
    tell(state, values, io);
    return exitCodeOfState(state);
  }
}

/** The outcome, or what the run waits for. */
export function tell(state: RunState, values: Values, io: Io): void {
  const { status, run, waitingFor, outputs, message } = state;
  if (values.json === true) {
    const text =
      status === 'completed' || status === 'rejected' || status === 'error'
        ? responseJson({
            status,
            log: [],
            ...(outputs === undefined ? {} : { outputs }),
            ...(message === undefined ? {} : { message }),
          })
        : JSON.stringify({
            status,
            run,
            ...(waitingFor === undefined ? {} : { waitingFor }),
            ...(message === undefined ? {} : { message }),
          });
    io.stdout.write(`${text}\n`);
    return;
  }
  const isBad = status === 'error' || status === 'stuck';
  (isBad ? io.stderr : io.stdout).write(`${stateText(state)}\n`);
  if (isBad && status === 'error') io.stderr.write(`${message ?? ''}\n`);
}
