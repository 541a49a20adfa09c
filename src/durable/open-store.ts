// The place that was given for a store → the engine that keeps runs there. What an engine needs is loaded here, and only here.
import type { Transport } from '../../runtime/types.js';
import type { Prepared } from '../engine/prepared.js';
import { UsageError } from '../engine/usage-error.js';
import type { DurableEngine } from './durable-engine.js';

export interface OpenStoreOptions {
  /** What workflows read as `env`; `WF_STORE_KEY` is the key of the store. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The workflow that is served under a name now: for reruns with the present text. */
  readonly current?: (workflow: string) => Prepared | undefined;
  /** Finished runs are kept so long; for ever where it is left out. */
  readonly keepMs?: number | undefined;
  /** What links of tasks begin with; `http://localhost:3000` where it is left out. */
  readonly publicUrl?: string | undefined;
  /** Further texts that no log may hold: a server's tokens. */
  readonly secrets?: readonly string[];
  readonly strictEnv?: boolean;
  /** The store is opened to change its key, and nothing else. */
  readonly isRekeying?: boolean;
  /** Told in a sentence when the store cannot be written, and when it can be again. */
  readonly onTrouble?: (sentence: string) => void;
  /** A run that nobody waits for here logs its lines through this: one that was adopted, or waited. */
  readonly onLog?: (run: string, entry: import('../../runtime/types.js').LogEntry) => void;
  readonly transport?: Transport;
}

/** Node.js that the libraries of stores need. */
const LEAST_NODE = 20;

/**
 * Opens the store at `where`: a folder, or `postgres://…`.
 * @throws UsageError where it cannot be used: a file, a folder with other things in it, a newer format, another key, Node.js 18
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
  if (/^postgres(?:ql)?:\/\//i.test(where)) {
    const { openPostgres } = await import('./postgres/postgres-engine.js');
    return openPostgres(where, key, options);
  }
  const { openEmbedded } = await import('./embedded/embedded-engine.js');
  return openEmbedded(where, key, options);
}

const KEY_BYTES = 32;

/** @throws UsageError for a key that is not 32 bytes of base64; never shows it */
export function storeKey(text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '') return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === KEY_BYTES && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.trim())) return bytes;
  throw new UsageError('WF_STORE_KEY is not 32 bytes in base64.', 'Make one with: openssl rand -base64 32');
}
