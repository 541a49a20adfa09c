// Decides about a request whose workflow has `once for each`: it starts a run only if no unfinished or completed run has its value.
import { setTimeout as pause } from 'node:timers/promises';
import type { Started } from '../durable-engine.js';
import type { ClaimedOnce, OnceValue } from '../model/request-keys.js';
import { toRunHex, toRunId } from '../model/run-ids.js';
import { type Health, isFinished, type RunState } from '../model/run-views.js';
import type { RunReader, StoreAccess } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';

/** Milliseconds between polls for a run that another process is about to write. */
const POLL_MS = 20;

/** The values of a store. Ids are 32 hexadecimal digits. */
export interface ClaimedValues {
  /** @param instead a run that has the value and does not count any more */
  claim(value: OnceValue, run: string, instead: string | undefined): Promise<ClaimedOnce>;
  /** Whether the process that claimed a value is gone, so that its run will not be recorded any more. */
  isGone(owner: string): Promise<boolean>;
}

interface OnceOptions {
  readonly store: Pick<StoreAccess, 'whileUsable'> & { readonly health: Health };
  readonly reader: Pick<RunReader, 'rerunsOf'>;
  readonly lookup: RunLookup;
}

/** How a run claims what identifies its request. Each answers with the run that has it, or `undefined` if this run has it from now on. */
export interface RequestClaims {
  /** @param onlyAsks the key stays free if it is */
  readonly key: ((onlyAsks: boolean) => Promise<Started | undefined>) | undefined;
  readonly once: (() => Promise<Started | undefined>) | undefined;
  /** Frees the value that this run has claimed. */
  release(): Promise<void>;
}

/** The result of another use of the key or the value; `undefined` if this run has both now. */
export async function claimRequest({ key, once, release }: RequestClaims): Promise<Started | undefined> {
  if (once === undefined) return key?.(false);
  // A repeated request gets the answer to the first one, whatever has become of its value.
  const done = (await key?.(true)) ?? (await once());
  if (done !== undefined) return done;
  const other = await key?.(false);
  if (other !== undefined) await release();
  return other;
}

/** The run that has the value; `undefined` if `run` has it from now on. */
export async function claimOnceFor(
  { store, reader, lookup }: OnceOptions,
  values: ClaimedValues,
  value: OnceValue,
  run: string,
): Promise<Started | undefined> {
  let instead: string | undefined;
  for (let looks = 0; ; looks++) {
    const claimed = await values.claim(value, run, instead);
    if (claimed.kind === 'claimed' || claimed.run === run) return undefined;
    const state = await store.whileUsable(lookup.state(toRunId(claimed.run)));
    instead = undefined;
    if (state !== undefined) {
      const counting = await countingRun(state, reader, lookup);
      if (counting !== undefined) return { kind: 'known', run: counting.run, state: counting, acknowledged: true };
      instead = claimed.run;
    } else if (!store.health.ok) return { kind: 'unavailable', problem: store.health.problem };
    else if (claimed.isRecorded) {
      if (claimed.keptUntil > Date.now()) return { kind: 'done before', run: toRunId(claimed.run) };
      instead = claimed.run;
    } else if (looks > 0 && (await values.isGone(claimed.owner))) instead = claimed.run;
    else await pause(POLL_MS);
  }
}

/** The run, or one that repeats it, if it is unfinished or has completed. One that was rejected, failed or cancelled does not count. */
async function countingRun(
  state: RunState,
  reader: Pick<RunReader, 'rerunsOf'>,
  lookup: RunLookup,
): Promise<RunState | undefined> {
  if (!isFinished(state.status) || state.status === 'completed') return state;
  for (const id of await reader.rerunsOf(toRunHex(state.run) ?? '')) {
    const rerun = await lookup.state(toRunId(id));
    const counting = rerun === undefined ? undefined : await countingRun(rerun, reader, lookup);
    if (counting !== undefined) return counting;
  }
  return undefined;
}
