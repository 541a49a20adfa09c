// A slot of the store, as its owner's main thread sees it: the next numbers, and the versions and places known in its file.
import type { EffectSite } from '../../../runtime/run/durable-run.js';
import type { CommitQueue } from '../store/commit-queue.js';
import type { SlotWrite } from '../store/slot-writes.js';
import type { TakenSlot } from '../store/taken-slot.js';
import type { VersionInfo } from '../stored-version.js';
import type { RunSlot } from './run-slot.js';

/** The stored part of a place: everything but the rounds, which belong to an effect. */
export type StoredSite = Omit<EffectSite, 'rounds'>;

export interface OwnVersion {
  readonly v: number;
  /** Name in the address. */
  readonly workflow: string;
  readonly hash: string;
  readonly info: VersionInfo;
}

export class OwnSlot implements RunSlot {
  readonly slot: number;
  readonly epoch: number;
  readonly #queue: CommitQueue;
  readonly #versions = new Map<number, OwnVersion>();
  /** Of each version, by their numbers. */
  readonly #sites = new Map<number, Map<number, StoredSite>>();
  #nextRun: number;
  #nextVersion: number;

  constructor(taken: TakenSlot, queue: CommitQueue) {
    this.slot = taken.slot;
    this.epoch = taken.epoch;
    this.#queue = queue;
    this.#nextRun = taken.nextRun;
    this.#nextVersion = taken.nextVersion;
    for (const { v, workflow, hash, info } of taken.versions) {
      this.#versions.set(v, { v, workflow, hash, info: JSON.parse(info) as VersionInfo }); // written by `version`
    }
    for (const [v, site, info] of taken.sites) this.#sitesOf(v).set(site, JSON.parse(info) as StoredSite); // written by `describe`
  }

  write(write: SlotWrite): number {
    return this.#queue.add(this.slot, write);
  }

  flush(): void {
    this.#queue.flush();
  }

  flushLazily(): void {
    this.#queue.flushLazily();
  }

  durable(generation: number): Promise<void> | undefined {
    return this.#queue.durable(generation);
  }

  isDurable(generation: number): boolean {
    return this.#queue.isDurable(generation);
  }

  get isLost(): boolean {
    return this.#queue.isLost;
  }

  newRun(): number {
    return this.#nextRun++;
  }

  /** The number of a version in this slot; it is written with its first run. */
  version(workflow: string, hash: string, info: VersionInfo): OwnVersion {
    for (const known of this.#versions.values()) {
      if (known.hash === hash && known.workflow === workflow && known.info.environment === info.environment) return known;
    }
    const version = { v: this.#nextVersion++, workflow, hash, info };
    this.#versions.set(version.v, version);
    this.write(['version', version.v, workflow, hash, JSON.stringify(info)]);
    return version;
  }

  versionOf(v: number): OwnVersion | undefined {
    return this.#versions.get(v);
  }

  describe(v: number, site: EffectSite): void {
    const sites = this.#sitesOf(v);
    if (sites.has(site.site)) return;
    const { rounds: _, ...kept } = site;
    sites.set(site.site, kept);
    this.write(['site', v, site.site, JSON.stringify(kept)]);
  }

  siteOf(v: number, site: number): StoredSite | undefined {
    return this.#sites.get(v)?.get(site);
  }

  #sitesOf(v: number): Map<number, StoredSite> {
    let sites = this.#sites.get(v);
    if (sites === undefined) {
      sites = new Map();
      this.#sites.set(v, sites);
    }
    return sites;
  }
}
