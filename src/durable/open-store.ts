// Opens the engine of a store. Loads the dependencies of an engine only here.
import { postgresUrl } from '../connectors/database/address.js';
import { UsageError } from '../engine/usage-error.js';
import type { DurableEngine, OpenStoreOptions } from './durable-engine.js';
import type { Store } from './store/port.js';

/** Node.js version that the store libraries need. */
const LEAST_NODE = 20;

const isDatabase = (where: string): boolean => /^postgres(?:ql)?:\/\//i.test(where);

/**
 * Opens the store at `where`: a folder, or `postgres://…`.
 * @throws UsageError if it can't be used: a file, a folder with other content, a newer format, another key, Node.js 18
 */
export async function openStore(where: string, options: OpenStoreOptions): Promise<DurableEngine> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < LEAST_NODE) {
    throw new UsageError(
      `A store needs Node.js ${LEAST_NODE} or newer, and this is ${process.versions.node}.`,
      'Without --store and WF_STORE, everything else works with this version.',
    );
  }
  const key = storeKey(options.env.WF_STORE_KEY);
  if (isDatabase(where)) {
    const { openPostgres } = await import('./store/postgres/postgres-store.js');
    return engineOver(await openPostgres(where, key, options), options);
  }
  const { openFolder } = await import('./store/sqlite/sqlite-store.js');
  return engineOver(await openFolder(where, key, options), options);
}

async function engineOver(store: Store, options: OpenStoreOptions): Promise<DurableEngine> {
  const { openEngine } = await import('./engine/store-engine.js');
  return openEngine(store, options);
}

const KEY_BYTES = 32;

/** @throws UsageError for a key that is not 32 bytes of base64; never shows it */
function storeKey(text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '') return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === KEY_BYTES && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.trim())) return bytes;
  throw new UsageError('WF_STORE_KEY is not 32 bytes in base64.', 'Make one with: openssl rand -base64 32');
}

/** The location of a store for display: of an address, neither the password nor options. */
export function shownStore(where: string): string {
  if (!isDatabase(where)) return where;
  const { protocol, username, host, pathname } = postgresUrl(where);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
