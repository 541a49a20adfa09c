// Accepts runs: gives each its place and its key, and says when callers may learn of it.
import type { Started, StartRequest } from '../durable-engine.js';
import { newRunHex, toRunId } from '../run-ids.js';
import type { EmbeddedStore } from './embedded-store.js';
import { keyBodies } from './key-bodies.js';
import type { LiveRun } from './live-run.js';
import type { LiveRuns } from './live-runs.js';
import type { OwnSlot, OwnVersion } from './own-slot.js';
import type { RunLookup } from './run-lookup.js';
import { runOfKey } from './run-of-key.js';
import type { RunWaits } from './run-waits.js';
import { type RunExtra, startExtra } from './stored-run.js';

export class RunStarter {
  readonly #store: EmbeddedStore;
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #waits: RunWaits;

  constructor(store: EmbeddedStore, runs: LiveRuns, lookup: RunLookup, waits: RunWaits) {
    this.#store = store;
    this.#runs = runs;
    this.#lookup = lookup;
    this.#waits = waits;
  }

  /** A promise only if the store has to be asked or written first. */
  start(slot: OwnSlot, start: StartRequest): Started | Promise<Started> {
    const { health } = this.#store;
    if (!health.ok) return { kind: 'unavailable', problem: health.problem };
    const version = this.#store.knownVersion(slot, start.prepared);
    const extra = startExtra(start);
    if (version === undefined || extra.key !== undefined || start.respondAsync)
      return this.#recorded(slot, version, start, extra);
    return this.#waits.started(this.#begin(slot, version, start, extra, newRunHex(Date.now())));
  }

  /** Callers learn of the run when it is on disk. */
  async #recorded(slot: OwnSlot, known: OwnVersion | undefined, start: StartRequest, extra: RunExtra): Promise<Started> {
    const { prepared, respondAsync = false } = start;
    const id = newRunHex(Date.now());
    const { key } = extra;
    if (start.onlyAsks === true) return (await this.#claim(slot, key ?? '', start, id)) ?? { kind: 'new key' };
    const version = known ?? (await this.#store.versionOf(slot, prepared));
    const other = key === undefined ? undefined : await this.#claim(slot, key, start, id);
    if (other !== undefined) return other;
    const live = this.#begin(slot, version, start, extra, id);
    if (respondAsync || key !== undefined) {
      const started = this.#waits.started(live);
      const isRecorded = await started.recorded(start.scheduledFor !== undefined);
      if (isRecorded) return started;
      const { health: now } = this.#store;
      // Nothing will write it any more.
      if (slot.isLost) return { kind: 'unavailable', problem: now.ok ? 'it was closed' : now.problem };
      return { kind: 'unrecorded', run: started.run };
    }
    return this.#waits.started(live);
  }

  #begin(
    slot: OwnSlot,
    version: OwnVersion,
    { prepared, request, onStart, options = {} }: StartRequest,
    extra: RunExtra,
    id: string,
  ): LiveRun {
    const live = this.#runs.begin(slot, version, prepared, request, options, extra, id);
    onStart?.(toRunId(id));
    return live;
  }

  /** The result of another use of the key; `undefined` if this run has it now. */
  async #claim({ slot, epoch }: OwnSlot, key: string, start: StartRequest, run: string): Promise<Started | undefined> {
    const { prepared, onlyAsks = false } = start;
    const claim = { scope: prepared.basename, key, run, slot, epoch, bodies: keyBodies(start), onlyAsks, at: Date.now() };
    let claimed = await this.#store.client.shared.claimKey(claim);
    for (let looks = 0; claimed.kind === 'taken'; looks++) {
      const known = await runOfKey(this.#store, this.#lookup, claimed);
      if (known !== undefined) return known;
      const isGone = await this.#store.client.writer.isGone(claimed.slot, claimed.epoch);
      claimed = await this.#store.client.shared.claimKey(claim, isGone && looks > 0 ? claimed.run : undefined);
      if (claimed.kind === 'taken') await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return undefined;
  }
}
