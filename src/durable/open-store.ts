// Opens the engine for the given store. Only here are the dependencies of an engine loaded.
import type { Environment, Transport } from '../../runtime/types.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { RunObserver } from '../engine/records/run-observer.js';
import { UsageError } from '../engine/usage-error.js';
import type { DurableEngine } from './durable-engine.js';

export interface OpenStoreOptions {
  /** What workflows read as `env`; `WF_STORE_KEY` is the key of the store. */
  readonly env: Environment;
  readonly cwd: string;
  /** The workflow currently served under a name, for reruns with the current text. */
  readonly current?: (workflow: string) => Prepared | undefined;
  /** How long to keep finished runs; forever by default. */
  readonly keepMs?: number | undefined;
  /** Start of the links of tasks; `http://localhost:3000` by default. */
  readonly publicUrl?: string | undefined;
  /** More text to keep out of logs: a server's tokens. */
  readonly secrets?: readonly string[];
  readonly strictEnv?: boolean;
  /** Opens the store to change its key, and for nothing else. */
  readonly isRekeying?: boolean;
  /** Called with a sentence when the store can't be written, and when it can be again. */
  readonly onProblem?: (sentence: string) => void;
  /** Receives the log lines of runs that no one here waits for: adopted ones, or ones that waited. */
  readonly onLog?: (run: string, entry: import('../../runtime/types.js').LogEntry) => void;
  readonly transport?: Transport;
  /** Counts the runs that this process executes. */
  readonly observer?: RunObserver | undefined;
  /** Milliseconds that a run may work, given the limit of its file; 0 for none. For runs that continue here. */
  readonly limitOf?: (workflowMs: number | undefined) => number;
}

/** Node.js version that the store libraries need. */
const LEAST_NODE = 20;

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
  if (/^postgres(?:ql)?:\/\//i.test(where)) {
    const { openPostgres } = await import('./postgres/postgres-engine.js');
    return openPostgres(where, key, options);
  }
  const { openEmbedded } = await import('./embedded/open-embedded.js');
  return openEmbedded(where, key, options);
}

const KEY_BYTES = 32;

/** @throws UsageError for a key that is not 32 bytes of base64; never shows it */
function storeKey(text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === '') return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === KEY_BYTES && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.trim())) return bytes;
  throw new UsageError('WF_STORE_KEY is not 32 bytes in base64.', 'Make one with: openssl rand -base64 32');
}
