// Opens a store in a PostgreSQL database, for many machines.
import type { OpenOptions, Store } from '../port.js';
import { readAddress } from './address.js';
import { HostProcess } from './host-process.js';
import { PostgresStore } from './postgres-store.js';
import { prepareStore } from './store-tables.js';

/** @throws UsageError if the database can't be reached, can't be a store, or is encrypted with another key */
export async function openPostgres(where: string, key: Uint8Array | undefined, options: OpenOptions): Promise<Store> {
  const host = await HostProcess.open(readAddress(where, options.env, options.cwd), options.cwd);
  try {
    return new PostgresStore(host, await prepareStore(host.database, key), key, options);
  } catch (error) {
    await host.close();
    throw error;
  }
}
