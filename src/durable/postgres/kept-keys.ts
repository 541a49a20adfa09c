// Keys of requests (`Idempotency-Key`, due times): one run each, whichever process is asked.
import type { Started, StartRequest } from '../durable-engine.js';
import { keyBodies } from '../embedded/key-bodies.js';
import type { RunLookup } from '../embedded/run-lookup.js';
import { runOfKey } from '../embedded/run-of-key.js';
import type { HostProcess } from './host-process.js';
import type { TextSealing } from './text-sealing.js';

/** Milliseconds between polls for a run that another process is about to write. */
const POLL_MS = 20;

export interface KeysOptions {
  readonly host: Pick<HostProcess, 'database' | 'lease'>;
  readonly sealing: TextSealing;
  readonly lookup: RunLookup;
}

/** The result of another use of the key; `undefined` if this run has it now. @param run 32 hexadecimal digits */
export async function claimRunKey(
  { host: { database, lease }, sealing, lookup }: KeysOptions,
  { prepared, request, sent, key, onlyAsks = false }: StartRequest & { readonly key: string },
  run: string,
): Promise<Started | undefined> {
  const scope = prepared.basename;
  const [body, ...others] = keyBodies({ request, sent }).map((text) => sealing.hash(text));
  for (;;) {
    if (!onlyAsks) {
      const claimed = await database.query(
        'INSERT INTO wf.keys VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (scope, key) DO NOTHING RETURNING 1',
        ...[scope, key, run, lease.process, body, Date.now()],
      );
      if (claimed.length > 0) return undefined;
    }
    const [found] = await database.query('SELECT run, body FROM wf.keys WHERE scope = $1 AND key = $2', scope, key);
    if (found === undefined && onlyAsks) return undefined;
    if (found === undefined) continue;
    if (found.run === run) return undefined;
    const other = String(found.run);
    const stored = found.body;
    const isSameBody = stored instanceof Uint8Array && [body, ...others].some((hash) => hash?.equals(stored));
    const known = await runOfKey(database, lookup, { run: other, isSameBody });
    if (known !== undefined) return known;
    await database.query(
      `DELETE FROM wf.keys k WHERE k.scope = $1 AND k.key = $2 AND k.run = $3
       AND NOT EXISTS (SELECT 1 FROM wf.runs r WHERE r.id = k.run)
       AND NOT EXISTS (SELECT 1 FROM wf.processes p WHERE p.id = k.owner AND p.expires > clock_timestamp())`,
      ...[scope, key, other],
    );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
