// Accepts runs into a folder: claims their keys, and says when callers may learn of them.
import type { Started, StartRequest } from '../durable-engine.js';
import { type KeyWish, keyBodies, type OnceValue, onceValueOf } from '../model/request-keys.js';
import { newRunHex, toRunHex, toRunId } from '../model/run-ids.js';
import type { Health } from '../model/run-views.js';
import { type RunExtra, readExtra, startExtra } from '../model/stored-run.js';
import type { OwnVersion } from '../model/versions.js';
import type { StoreAccess } from '../store/port.js';
import type { OwnShard } from '../store/sqlite/own-shard.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { LiveRun } from './live-run.js';
import type { LiveRuns } from './live-runs.js';
import { claimOnceFor, claimRequest } from './once-for-each.js';
import type { RunWaits } from './run-waits.js';

export class RunStarter {
  readonly #store: SqliteStore;
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #waits: RunWaits;

  constructor(store: SqliteStore, runs: LiveRuns, lookup: RunLookup, waits: RunWaits) {
    this.#store = store;
    this.#runs = runs;
    this.#lookup = lookup;
    this.#waits = waits;
  }

  /** A promise only if the store has to be asked or written first. */
  start(shard: OwnShard, start: StartRequest): Started | Promise<Started> {
    const { health } = this.#store;
    if (!health.ok) return { kind: 'unavailable', problem: health.problem };
    const version = this.#store.knownVersion(shard, start.prepared);
    const extra = startExtra(start);
    if (version === undefined || extra.key !== undefined || start.respondAsync || start.prepared.run.onceFor !== undefined)
      return this.#recorded(shard, version, start, extra);
    return this.#waits.started(this.#begin(shard, version, start, extra, newRunHex(Date.now())));
  }

  /** Callers learn of the run when it is on disk. */
  async #recorded(shard: OwnShard, known: OwnVersion | undefined, start: StartRequest, extra: RunExtra): Promise<Started> {
    const { prepared, respondAsync = false } = start;
    const id = newRunHex(Date.now());
    const { key } = extra;
    if (start.onlyAsks === true) return (await this.claim(shard, keyWish(start, key ?? ''), id)) ?? { kind: 'new key' };
    const version = known ?? (await this.#store.versionOf(shard, prepared));
    const once = await onceValueOf(start, Date.now());
    const taken = await claimRequest({
      key: key === undefined ? undefined : (onlyAsks) => this.claim(shard, keyWish({ ...start, onlyAsks }, key), id),
      once: once === undefined ? undefined : () => this.#claimOnce(shard, once, id),
      release: async () => once && this.#store.client.shared.releaseOnce(once, id),
    });
    if (taken !== undefined) return taken;
    const live = this.#begin(shard, version, start, extra, id);
    if (respondAsync || key !== undefined || once !== undefined) {
      const started = this.#waits.started(live);
      const isRecorded = await started.recorded(start.scheduledFor !== undefined);
      if (isRecorded && once !== undefined) await this.#store.client.shared.confirmOnce(once, id);
      if (isRecorded) return started;
      const { health: now } = this.#store;
      // Nothing will write it any more.
      if (shard.isLost) return { kind: 'unavailable', problem: now.ok ? 'it was closed' : now.problem };
      return { kind: 'unrecorded', run: started.run };
    }
    return this.#waits.started(live);
  }

  #begin(
    shard: OwnShard,
    version: OwnVersion,
    { prepared, request, onStart, options = {} }: StartRequest,
    extra: RunExtra,
    id: string,
  ): LiveRun {
    const live = this.#runs.begin(shard, version, prepared, request, options, extra, id);
    onStart?.(toRunId(id));
    return live;
  }

  #claimOnce(shard: OwnShard, once: OnceValue, id: string): Promise<Started | undefined> {
    const { shared, writer, reader } = this.#store.client;
    return claimOnceFor(
      { store: this.#store, reader, lookup: this.#lookup },
      {
        claim: (value, run, instead) => shared.claimOnce(value, run, shard.shard, shard.epoch, instead),
        isGone(owner) {
          const [number, epoch] = owner.split(' ').map(Number);
          return writer.isGone(number ?? 0, epoch ?? 0);
        },
      },
      once,
      id,
    );
  }

  /** The result of another use of the key; `undefined` if this run has it now. */
  async claim({ shard, epoch }: OwnShard, wish: KeyWish, run: string): Promise<Started | undefined> {
    const claim = { ...wish, run, shard, epoch, at: Date.now() };
    let claimed = await this.#store.client.shared.claimKey(claim);
    for (let looks = 0; claimed.kind === 'taken'; looks++) {
      const known = await runOfKey(this.#store, this.#lookup, claimed);
      if (known !== undefined) return known;
      const isGone = await this.#store.client.writer.isGone(claimed.shard, claimed.epoch);
      claimed = await this.#store.client.shared.claimKey(claim, isGone && looks > 0 ? claimed.run : undefined);
      if (claimed.kind === 'taken') await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return undefined;
  }
}

/** The key of a request, as its run wants it. */
export const keyWish = (start: StartRequest, key: string): KeyWish => ({
  ...{ scope: start.prepared.basename, key, bodies: keyBodies(start), onlyAsks: start.onlyAsks ?? false },
});

interface KeyedStore extends Pick<StoreAccess, 'whileUsable'> {
  readonly health: Health;
}

/**
 * The answer to the request; `undefined` if the run is not in the store: its process is about to write it, or died before it could.
 * @param run the run that has the key, as 32 hexadecimal digits
 */
export async function runOfKey(
  store: KeyedStore,
  lookup: RunLookup,
  { run, isSameBody }: { readonly run: string; readonly isSameBody: boolean },
): Promise<Started | undefined> {
  const state = await store.whileUsable(lookup.state(toRunId(run)));
  const { health } = store;
  if (state === undefined) return health.ok ? undefined : { kind: 'unavailable', problem: health.problem };
  if (!isSameBody) return { kind: 'other request', run: state.run };
  return { kind: 'known', run: state.run, state, acknowledged: await lookup.isAcknowledged(run) };
}

/** Gives up waiting when the store can't be written: it is recorded later. */
export const acknowledge = async (store: SqliteStore, runs: LiveRuns, id: string): Promise<void> =>
  store.whileUsable(recorded(store, runs, id));

async function recorded(store: SqliteStore, runs: LiveRuns, id: string): Promise<void> {
  const hex = toRunHex(id) ?? '';
  const live = runs.get(hex);
  if (live !== undefined) {
    live.remember({ acknowledged: true });
    return live.settled();
  }
  // It waits, and has left memory.
  await store.queue.settled();
  const row = (await store.client.reader.findRun(hex))?.row;
  const shard = row === undefined ? undefined : store.shards.get(row.shard);
  if (row === undefined || shard === undefined) return;
  shard.write(['extra', row.n, JSON.stringify({ ...readExtra(row.extra), acknowledged: true })]);
  await store.queue.settled();
}
