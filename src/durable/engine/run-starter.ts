// Accepts runs: claims their keys and values, and says when callers may learn of them.
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadingTurn, Started, StartRequest } from '../durable-engine.js';
import { type KeyWish, keyBodies, type OnceValue, onceValueOf } from '../model/request-keys.js';
import { newRunHex, toRunHex, toRunId } from '../model/run-ids.js';
import { isFinished, type RunState } from '../model/run-views.js';
import { type RunExtra, startExtra } from '../model/stored-run.js';
import type { OwnVersion } from '../model/versions.js';
import type { RunWriter, Store } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { LiveRun, LiveRunParts } from './live-run.js';
import type { LiveRuns } from './live-runs.js';
import type { RunWaits } from './run-waits.js';

/** Milliseconds between polls for a run that another process is about to write. */
const POLL_MS = 20;

export class RunStarter {
  readonly #store: Store;
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #waits: RunWaits;

  constructor(store: Store, runs: LiveRuns, lookup: RunLookup, waits: RunWaits) {
    this.#store = store;
    this.#runs = runs;
    this.#lookup = lookup;
    this.#waits = waits;
  }

  /** A promise only if the store has to be asked or written first. */
  start(writer: RunWriter, start: StartRequest): Started | Promise<Started> {
    const { health } = this.#store;
    if (!health.ok) return { kind: 'unavailable', problem: health.problem };
    const version = writer.knownVersion(start.prepared);
    const extra = startExtra(start);
    const { onceFor, placesFor } = start.prepared.run;
    const asks = extra.key !== undefined || (onceFor ?? placesFor) !== undefined;
    if (version === undefined || asks || start.respondAsync) return this.#recorded(writer, version, start, extra);
    return this.#waits.started(this.#begin(start, { writer, version, extra, id: newRunHex(Date.now()) }));
  }

  /** Callers learn of the run when it is on disk. */
  async #recorded(writer: RunWriter, known: OwnVersion | undefined, start: StartRequest, extra: RunExtra): Promise<Started> {
    const { prepared, respondAsync = false, reading } = start;
    const { shared } = this.#store.client;
    const id = newRunHex(Date.now());
    const { key } = extra;
    if (start.onlyAsks === true) return (await this.claim(writer, keyWish(start, key ?? ''), id, reading)) ?? { kind: 'new key' };
    const version = known ?? (await writer.versionOf(prepared));
    const once = await onceValueOf(start, Date.now());
    const other = await this.#claimBoth(writer, id, key === undefined ? undefined : keyWish(start, key), once, reading);
    if (other !== undefined) return other;
    await this.#holdPlaces(start, id);
    const started = this.#waits.started(this.#begin(start, { writer, version, extra, id }));
    if (!respondAsync && key === undefined && once === undefined) return started;
    const isRecorded = await started.recorded(start.scheduledFor !== undefined);
    if (isRecorded && once !== undefined) await shared.confirmOnce(once, id);
    if (isRecorded) return started;
    const { health } = this.#store;
    // Nothing will write it any more.
    if (writer.isLost) return { kind: 'unavailable', problem: health.ok ? 'it was closed' : health.problem };
    return { kind: 'unrecorded', run: started.run };
  }

  /** Gives the run its places in line for the messages that its request identifies, before anyone can learn of it. */
  async #holdPlaces({ prepared, request }: StartRequest, id: string): Promise<void> {
    // A request that these values can't be made from ends the run at that line.
    const places = (await prepared.run.placesFor?.(request).catch(() => [])) ?? [];
    if (places.length > 0) await this.#store.client.shared.holdPlaces(id, places);
  }

  #begin(
    { prepared, request, onStart, options = {} }: StartRequest,
    { writer, version, extra, id }: Pick<LiveRunParts, 'writer' | 'version' | 'extra' | 'id'>,
  ): LiveRun {
    const live = this.#runs.begin({ writer, version, prepared, request, options, extra, id });
    onStart?.(toRunId(id));
    return live;
  }

  /** The result of another use of the key or the value; `undefined` if this run has both now. */
  async #claimBoth(
    writer: RunWriter,
    id: string,
    key: KeyWish | undefined,
    once: OnceValue | undefined,
    reading: ReadingTurn | undefined,
  ): Promise<Started | undefined> {
    if (once === undefined) return key === undefined ? undefined : this.claim(writer, key, id, reading);
    // A repeated request gets the answer to the first one, whatever has become of its value.
    const before = key === undefined ? undefined : await this.claim(writer, { ...key, onlyAsks: true }, id, reading);
    const done = before ?? (await this.#claimOnce(writer, once, id, reading));
    if (done !== undefined || key === undefined) return done;
    const other = await this.claim(writer, key, id, reading);
    if (other !== undefined) await this.#store.client.shared.releaseOnce(once, id);
    return other;
  }

  /** The result of another use of the key; `undefined` if this run has it now. */
  async claim({ owner }: RunWriter, wish: KeyWish, run: string, reading?: ReadingTurn): Promise<Started | undefined> {
    const claim = { ...wish, run, owner, at: Date.now() };
    const gone = new Set<string>();
    let instead: string | undefined;
    for (;;) {
      const claimed = await this.#store.client.shared.claimKey(claim, instead);
      if (claimed.kind === 'claimed') return undefined;
      await reading?.enter();
      const known = await this.#runOfKey(claimed.run, claimed.isSameBody);
      if (known !== undefined) return known;
      reading?.leave();
      // Its process was gone already when the run was looked for.
      instead = gone.has(claimed.owner) ? claimed.run : undefined;
      if (instead === undefined) await this.#look(claimed.owner, gone);
    }
  }

  /** The run that has the value; `undefined` if `run` has it from now on. */
  async #claimOnce(
    { owner }: RunWriter,
    value: OnceValue,
    run: string,
    reading: ReadingTurn | undefined,
  ): Promise<Started | undefined> {
    const gone = new Set<string>();
    let instead: string | undefined;
    for (;;) {
      const claimed = await this.#store.client.shared.claimOnce(value, run, owner, instead);
      if (claimed.kind === 'claimed' || claimed.run === run) return undefined;
      await reading?.enter();
      const state = await this.#store.whileUsable(this.#lookup.state(toRunId(claimed.run)));
      const counting = state && (await this.#countingRun(state));
      if (counting !== undefined) return { kind: 'known', run: counting.run, state: counting, acknowledged: true };
      reading?.leave();
      const { health } = this.#store;
      instead = undefined;
      if (state !== undefined) instead = claimed.run;
      else if (!health.ok) return { kind: 'unavailable', problem: health.problem };
      else if (claimed.isRecorded) {
        if (claimed.keptUntil > Date.now()) return { kind: 'done before', run: toRunId(claimed.run) };
        instead = claimed.run;
      } else if (gone.has(claimed.owner)) instead = claimed.run;
      else await this.#look(claimed.owner, gone);
    }
  }

  /** Notes whether a writer is gone. Its run may be there by now: it is looked for once more. */
  async #look(owner: string, gone: Set<string>): Promise<void> {
    if (await this.#store.custody.isGone(owner)) gone.add(owner);
    else await pause(POLL_MS);
  }

  /**
   * The answer to the request; `undefined` if the run is not in the store: its process is about to write it, or died before it could.
   * @param run the run that has the key, as 32 hexadecimal digits
   */
  async #runOfKey(run: string, isSameBody: boolean): Promise<Started | undefined> {
    const state = await this.#store.whileUsable(this.#lookup.state(toRunId(run)));
    const { health } = this.#store;
    if (state === undefined) return health.ok ? undefined : { kind: 'unavailable', problem: health.problem };
    if (!isSameBody) return { kind: 'other request', run: state.run };
    return { kind: 'known', run: state.run, state, acknowledged: await this.#lookup.isAcknowledged(run) };
  }

  /** The run, or one that repeats it, if it is unfinished or has completed. One that was rejected, failed or cancelled does not count. */
  async #countingRun(state: RunState): Promise<RunState | undefined> {
    if (!isFinished(state.status) || state.status === 'completed') return state;
    for (const id of await this.#store.client.reader.rerunsOf(toRunHex(state.run) ?? '')) {
      const rerun = await this.#lookup.state(toRunId(id));
      const counting = rerun === undefined ? undefined : await this.#countingRun(rerun);
      if (counting !== undefined) return counting;
    }
    return undefined;
  }
}

/** The key of a request, as its run wants it. */
const keyWish = (start: StartRequest, key: string): KeyWish => ({
  scope: start.prepared.basename,
  key,
  bodies: keyBodies(start),
  onlyAsks: start.onlyAsks ?? false,
});
