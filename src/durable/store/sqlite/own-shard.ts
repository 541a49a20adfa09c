// A shard of this process, as its main thread sees it: the next numbers, and the versions and call sites known in its file.
import type { EffectSite } from '../../../../runtime/run/durable-run.js';
import type { Prepared } from '../../../engine/prepare/prepared.js';
import type { FoundRun, StoreWrite } from '../../model/run-rows.js';
import type { OwnVersion, StoredSite, VersionInfo } from '../../model/versions.js';
import type { RunWriter } from '../port.js';
import type { DescribedVersions } from '../shared/versions.js';
import type { CommitQueue } from './commit-queue.js';
import type { TakenShard } from './shard.js';

export class OwnShard implements RunWriter {
  readonly shard: number;
  readonly owner: string;
  readonly #queue: CommitQueue;
  readonly #described: DescribedVersions;
  readonly #versions = new Map<number, OwnVersion>();
  /** Of each version, by their numbers. */
  readonly #sites = new Map<number, Map<number, StoredSite>>();
  #nextRun: number;
  #nextVersion: number;

  constructor(taken: TakenShard, queue: CommitQueue, described: DescribedVersions) {
    this.shard = taken.shard;
    this.owner = taken.owner;
    this.#described = described;
    this.#queue = queue;
    this.#nextRun = taken.nextRun;
    this.#nextVersion = taken.nextVersion;
    for (const { v, workflow, hash, info } of taken.versions) {
      this.#versions.set(v, { v, workflow, hash, info: JSON.parse(info) as VersionInfo }); // written by `version`
    }
    for (const [v, site, info] of taken.sites) this.#sitesOf(v).set(site, JSON.parse(info) as StoredSite); // written by `describe`
  }

  write(write: StoreWrite): number {
    return this.#queue.add(this.shard, write);
  }

  flush(): void {
    this.#queue.flush();
  }

  flushLazily(): Promise<void> | undefined {
    return this.#queue.flushLazily();
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

  knownVersion(prepared: Prepared): OwnVersion | undefined {
    const described = this.#described.known(prepared);
    return described === undefined ? undefined : this.#version(prepared.basename, described.hash, described.info);
  }

  async versionOf(prepared: Prepared): Promise<OwnVersion> {
    const { hash, info } = await this.#described.of(prepared);
    return this.#version(prepared.basename, hash, info);
  }

  recordedVersion({ workflow, hash, info }: FoundRun): OwnVersion {
    return this.#version(workflow, hash, JSON.parse(info) as VersionInfo); // written with the version
  }

  async importedVersion(workflow: string, hash: string, info: VersionInfo): Promise<OwnVersion> {
    return this.#version(workflow, hash, info);
  }

  /** A version has its number in this shard; it is written with its first run. */
  #version(workflow: string, hash: string, info: VersionInfo): OwnVersion {
    for (const known of this.#versions.values()) {
      if (known.hash === hash && known.workflow === workflow && known.info.environment === info.environment) return known;
    }
    const version = { v: this.#nextVersion++, workflow, hash, info };
    this.#versions.set(version.v, version);
    this.write(['version', version.v, workflow, hash, JSON.stringify(info)]);
    return version;
  }

  /** @param v the number of a version in this shard */
  numbered(v: number): OwnVersion | undefined {
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

export class PrimaryShard {
  readonly #take: (empty: boolean) => Promise<OwnShard>;
  #taking: Promise<OwnShard> | undefined;
  #taken: OwnShard | undefined;

  constructor(take: (empty: boolean) => Promise<OwnShard>) {
    this.#take = take;
  }

  /** Absent until it is taken. */
  get taken(): OwnShard | undefined {
    return this.#taken;
  }

  /** @param empty whether the shard must not contain runs of others */
  take(empty: boolean): Promise<OwnShard> {
    if (this.#taking !== undefined) return this.#taking;
    const taking = this.#take(empty);
    this.#taking = taking;
    taking.then(
      (shard) => {
        if (this.#taking === taking) this.#taken = shard;
      },
      () => {
        // A disk that is full now may have space later.
        if (this.#taking === taking) this.#taking = undefined;
      },
    );
    return taking;
  }

  /** Forgets a shard that belongs to this process no more: the next use takes another. */
  forget(): void {
    this.#taking = undefined;
    this.#taken = undefined;
  }
}
