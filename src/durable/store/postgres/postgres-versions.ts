// Versions of workflows in the database: modules and texts once per content, and what their places do.
import type { EffectSite } from '../../../../runtime/run/durable-run.js';
import type { Runnable } from '../../../engine/engine.js';
import type { Prepared } from '../../../engine/prepare/prepared.js';
import type { OwnVersion, StoredSite, VersionInfo } from '../../model/versions.js';
import { intactText } from '../../model/versions.js';
import type { EnvironmentFingerprints } from '../shared/versions.js';
import { describeVersion, RunnableVersions } from '../shared/versions.js';
import type { PostgresDatabase } from './postgres-database.js';

export class PostgresVersions {
  readonly #database: PostgresDatabase;
  readonly #prints: EnvironmentFingerprints;
  readonly #ofPrepared = new WeakMap<Prepared, Promise<OwnVersion>>();
  readonly #stored = new WeakMap<Prepared, OwnVersion>();
  readonly #byNumber = new Map<number, OwnVersion>();
  readonly #runnable = new RunnableVersions((hash) => this.content(hash));
  readonly #sites = new Map<string, StoredSite>();
  readonly #withSteps = new Set<number>();
  #unwritten: { readonly v: number; readonly site: StoredSite }[] = [];

  constructor(database: PostgresDatabase, prints: EnvironmentFingerprints) {
    this.#database = database;
    this.#prints = prints;
  }

  /** The version of a workflow, if it is stored already. */
  known(prepared: Prepared): OwnVersion | undefined {
    return this.#stored.get(prepared);
  }

  /** Its module and text are in the database when this resolves. */
  of(prepared: Prepared): Promise<OwnVersion> {
    let known = this.#ofPrepared.get(prepared);
    if (known === undefined) {
      known = this.#keepPrepared(prepared);
      this.#ofPrepared.set(prepared, known);
      known.catch(() => this.#ofPrepared.delete(prepared));
    }
    return known;
  }

  async #keepPrepared(prepared: Prepared): Promise<OwnVersion> {
    const { hash, info, contents } = describeVersion(prepared);
    for (const [content, data] of contents) await this.keepText(content, data);
    const version = await this.keep(prepared.basename, hash, info);
    this.#stored.set(prepared, version);
    return version;
  }

  async keepText(hash: string, data: string): Promise<void> {
    const sql =
      'INSERT INTO wf.contents(hash, used, data) VALUES ($1, $2, $3) ON CONFLICT (hash) DO UPDATE SET used = excluded.used';
    await this.#database.query(sql, hash, Date.now(), data);
  }

  /** @param workflow the name in the address */
  async keep(workflow: string, hash: string, info: VersionInfo): Promise<OwnVersion> {
    const [row] = await this.#database.query(
      `INSERT INTO wf.versions(workflow, hash, info) VALUES ($1, $2, $3)
       ON CONFLICT (hash, workflow) DO UPDATE SET info = excluded.info RETURNING v`,
      workflow,
      hash,
      JSON.stringify(info),
    );
    const version = { v: Number(row?.v), workflow, hash, info };
    this.#byNumber.set(version.v, version);
    return version;
  }

  /** A stored version with what its places do; `undefined` if it is gone. */
  async numbered(v: number): Promise<OwnVersion | undefined> {
    const [row] = await this.#database.query('SELECT workflow, hash, info FROM wf.versions WHERE v = $1', v);
    for (const [site, info] of await this.sites(v)) this.#sites.set(`${v} ${site}`, JSON.parse(info) as StoredSite); // written by `flush`
    const known = this.#byNumber.get(v);
    if (row === undefined || known !== undefined) return known;
    const info = JSON.parse(String(row.info)) as VersionInfo; // written by `keep`
    const version = { v, workflow: String(row.workflow), hash: String(row.hash), info };
    this.#byNumber.set(v, version);
    return version;
  }

  /** Fingerprints of the environment of this process for a version; `null` if it reads none. */
  async environmentOf(info: VersionInfo | undefined): Promise<string | null> {
    return info === undefined || info.env.length === 0 ? null : this.#prints.of(info.env);
  }

  async infoOf(v: number): Promise<VersionInfo | undefined> {
    return (this.#byNumber.get(v) ?? (await this.numbered(v)))?.info;
  }

  async sites(v: number): Promise<(readonly [site: number, info: string])[]> {
    const rows = await this.#database.query('SELECT site, info FROM wf.sites WHERE v = $1', v);
    return rows.map(({ site, info }) => [Number(site), String(info)] as const);
  }

  describe(v: number, { rounds: _, ...site }: EffectSite): void {
    const key = `${v} ${site.site}`;
    if (this.#sites.has(key)) return;
    this.#sites.set(key, site);
    this.#unwritten.push({ v, site });
  }

  siteOf(v: number, site: number): StoredSite | undefined {
    return this.#sites.get(`${v} ${site}`);
  }

  /** A run of this version has recorded a step. */
  noteSteps(v: number): void {
    this.#withSteps.add(v);
  }

  /** Whether a run of this version is likely to record steps. */
  hasSteps(v: number): boolean {
    return this.#withSteps.has(v);
  }

  /** Writes the places that are new. */
  async flush(): Promise<void> {
    if (this.#unwritten.length === 0) return;
    const written = this.#unwritten;
    this.#unwritten = [];
    await this.#database.persist(() =>
      this.#database.query(
        `INSERT INTO wf.sites(v, site, info) SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[]) ON CONFLICT DO NOTHING`,
        written.map(({ v }) => v),
        written.map(({ site }) => site.site),
        written.map(({ site }) => JSON.stringify(site)),
      ),
    );
  }

  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable(version: OwnVersion): Promise<Runnable> {
    return this.#runnable.get(version);
  }

  async content(hash: string): Promise<string | undefined> {
    const [row] = await this.#database.persist(() => this.#database.query('SELECT data FROM wf.contents WHERE hash = $1', hash));
    return intactText(hash, row?.data);
  }
}
