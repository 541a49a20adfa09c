// Connections, lease and DBOS, shared by all stores that this process has open on one database: opened with the first, closed with the
// last.
import { UsageError } from '../../../engine/usage-error.js';
import { DbosProcess, loadDbos } from './dbos-process.js';
import { Lease } from './lease.js';
import { type PostgresAddress, PostgresDatabase } from './postgres-database.js';
import { newProcessId, withMigrationLock } from './store-tables.js';

const open = new Map<string, Promise<HostProcess>>();

export class HostProcess {
  readonly database: PostgresDatabase;
  readonly lease: Lease;
  readonly #address: PostgresAddress;
  readonly #cwd: string;
  /** Tell whether a run is in memory: one for each store that is open. */
  readonly holders = new Set<(run: string) => boolean>();
  readonly #onProblem = new Set<(sentence: string) => void>();
  #dbos: Promise<DbosProcess> | undefined;
  #users = 0;

  /** @throws UsageError if the database can't be reached, or the package of DBOS is missing */
  static async open(address: PostgresAddress, cwd: string): Promise<HostProcess> {
    // Report a missing package before anything is created.
    await loadDbos(cwd);
    let host = open.get(address.url);
    if (host === undefined) {
      host = HostProcess.#start(address, cwd);
      open.set(address.url, host);
      host.catch(() => open.delete(address.url));
    }
    const opened = await host;
    opened.#users++;
    return opened;
  }

  static async #start(address: PostgresAddress, cwd: string): Promise<HostProcess> {
    let host: HostProcess | undefined;
    const database = await PostgresDatabase.open(address, (sentence) => {
      if (host !== undefined) for (const listener of host.#onProblem) listener(sentence);
    });
    host = new HostProcess(database, address, cwd);
    return host;
  }

  private constructor(database: PostgresDatabase, address: PostgresAddress, cwd: string) {
    this.database = database;
    this.lease = new Lease(database, address.url, newProcessId());
    this.#address = address;
    this.#cwd = cwd;
  }

  onProblem(listener: (sentence: string) => void): () => void {
    this.#onProblem.add(listener);
    return () => this.#onProblem.delete(listener);
  }

  /** DBOS, launched on first use. */
  dbos(): Promise<DbosProcess> {
    if (this.#dbos === undefined) {
      this.#dbos = this.#launch();
      this.#dbos.catch(() => {
        this.#dbos = undefined;
      });
    }
    return this.#dbos;
  }

  async #launch(): Promise<DbosProcess> {
    const DBOS = await loadDbos(this.#cwd);
    const launch = (may: boolean): Promise<DbosProcess> =>
      DbosProcess.launch(DBOS, this.database, this.#address.url, this.lease.process, may);
    await this.lease.begin();
    try {
      return await launch(false);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // Its tables are missing, or older than this version.
      return withMigrationLock(this.database, () => launch(true));
    }
  }

  async close(): Promise<void> {
    if (--this.#users > 0) return;
    open.delete(this.#address.url);
    const dbos = await this.#dbos?.catch(() => undefined);
    await dbos?.close();
    await this.lease.end();
    await this.database.close();
  }
}
