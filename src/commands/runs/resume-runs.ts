// `wf runs resume [<id>]`: continues runs that no process is working on, until they end or wait for long.
import { redactorFor } from '../../../runtime/run/redaction.js';
import { responseJson, toOutcome } from '../../../runtime/run/to-outcome.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isFinished, type RunState } from '../../durable/model/run-views.js';
import type { Io } from '../../engine/io.js';
import { outcomeText } from '../../engine/records/terminal-lines.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { GRACE_MS, goOnLine, INTERRUPTED } from '../interruption.js';
import { exitCodeOfState, stateText } from './list-runs.js';
import { commandActor, storeHint, unknownRunError } from './open-command-store.js';

const POLL_MS = 60_000;

/** Exit codes, the most harmless first: a run that waits hides no failure of another one. */
const gravity = [0, 4, 3, 1];

const later = { elsewhere: '', asked: ' It does not respond now, and tries the run again as soon as it does.' } as const;

/** @throws UsageError for an unknown id, a finished run, and one that another process is working on */
export async function resumeCommand(store: DurableEngine, id: string | undefined, values: Values, io: Io): Promise<number> {
  const stop = stopOf(io);
  const ids = id === undefined ? await resumable(store) : [id];
  if (ids.length === 0) {
    io.stdout.write('There is no run to resume.\n');
    return 0;
  }
  let worst = 0;
  for (const one of ids) {
    const until = values.wait === true ? 'ended' : 'paused';
    const code = await resumeOne(store, one, { mustWork: id !== undefined, until, stop }, values, io);
    if (code === INTERRUPTED) return INTERRUPTED;
    if (gravity.indexOf(code) > gravity.indexOf(worst)) worst = code;
  }
  return worst;
}

/** The first Ctrl+C or SIGTERM. */
export const stopOf = (io: Io): Promise<'stopped'> => new Promise((resolve) => void io.onStop(() => resolve('stopped')));

/** Lets go of a run that was interrupted, once its calls in progress are recorded. @returns the exit code */
export async function letGo(store: DurableEngine, run: string, values: Values, io: Io): Promise<number> {
  await store.close(GRACE_MS);
  io.stderr.write(goOnLine(run, storeHint(values, io)));
  return INTERRUPTED;
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

interface Resuming {
  /** Whether a run that can't be resumed is an error. */
  readonly mustWork: boolean;
  readonly until: 'ended' | 'paused';
  readonly stop: Promise<'stopped'>;
}

async function resumeOne(
  store: DurableEngine,
  id: string,
  { mustWork, until, stop }: Resuming,
  values: Values,
  io: Io,
): Promise<number> {
  if (until === 'ended') store.attend(id);
  const change = await store.resume(id, commandActor());
  if (change.kind === 'unknown') throw unknownRunError(id);
  // Among several, an outcome does not say whose it is.
  if (!mustWork && (change.kind === 'done' || change.kind === 'not possible')) io.stderr.write(`Run ${id}\n`);
  if (change.kind !== 'done') {
    const problem =
      change.kind === 'not possible' ? change.problem : `Another process is working on run ${id}.${later[change.kind]}`;
    if (mustWork) throw new UsageError(problem);
    io.stderr.write(`${problem}\n`);
    return 0;
  }
  for (;;) {
    const state = await Promise.race([store.settled(id, until, POLL_MS), stop]);
    if (state === 'stopped') return letGo(store, id, values, io);
    if (state === undefined) throw unknownRunError(id);
    if (!isFinished(state.status) && state.status !== 'stuck' && !(until === 'paused' && state.status === 'waiting')) continue;
    await printState(store, state, values, io);
    return exitCodeOfState(state);
  }
}

/** The outcome, as `wf run` prints it, or what the run waits for. */
export async function printState(store: DurableEngine, state: RunState, values: Values, io: Io): Promise<void> {
  const { status, run, waitingFor, outputs, message } = state;
  const hasOutcome = status === 'completed' || status === 'rejected' || status === 'error';
  const said = message === undefined ? {} : { message };
  if (values.json === true) {
    const text = hasOutcome
      ? responseJson({ status, outputs, message })
      : JSON.stringify({ status, run, ...(waitingFor === undefined ? {} : { waitingFor }), ...said });
    io.stdout.write(`${text}\n`);
    return;
  }
  const stream = status === 'error' || status === 'stuck' ? 'stderr' : 'stdout';
  const text = hasOutcome ? await outcomeOf(store, state, io.colour[stream]) : stateText(state);
  io[stream].write(`${text}\n`);
}

async function outcomeOf(store: DurableEngine, { run, status }: RunState, colour: boolean): Promise<string> {
  const detail = await store.get(run);
  const version = detail === undefined ? undefined : await store.text(detail.textHash);
  if (detail === undefined || version === undefined || (status !== 'completed' && status !== 'rejected' && status !== 'error'))
    throw unknownRunError(run);
  const { outputs, message, error } = detail;
  const outcome = toOutcome({ status, outputs, message, error });
  const { file, text: source } = version;
  // The details are redacted copies.
  return outcomeText({ outcome, prepared: { file, source, workflow: { file } }, redactor: redactorFor([]) }, { colour });
}
