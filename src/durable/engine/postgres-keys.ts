// Claims the key of a request in a database: one run per key, whichever process is asked.
import type { Started } from '../durable-engine.js';
import { erasedKey, type KeyWish } from '../model/request-keys.js';
import type { HostProcess } from '../store/postgres/host-process.js';
import type { TextSealing } from '../store/shared/sealing.js';
import type { RunLookup } from '../views/run-lookup.js';
import { runOfKey } from './run-starter.js';

/** Milliseconds between polls for a run that another process is about to write. */
const POLL_MS = 20;

interface KeysOptions {
  readonly host: Pick<HostProcess, 'database' | 'lease'>;
  readonly sealing: TextSealing;
  readonly lookup: RunLookup;
}

/** The result of another use of the key; `undefined` if this run has it now. @param run 32 hexadecimal digits */
export async function claimRunKey(
  { host: { database, lease }, sealing, lookup }: KeysOptions,
  { scope, key, bodies, onlyAsks }: KeyWish,
  run: string,
): Promise<Started | undefined> {
  const erased = erasedKey(key, sealing.hash);
  const [body, ...others] = bodies.map((text) => sealing.hash(text));
  for (;;) {
    if (!onlyAsks) {
      const claimed = await database.query(
        `INSERT INTO wf.keys(scope, key, run, owner, body, at)
         SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT 1 FROM wf.keys WHERE scope = $1 AND key = $7)
         ON CONFLICT (scope, key) DO NOTHING RETURNING 1`,
        ...[scope, key, run, lease.process, body, Date.now(), erased],
      );
      if (claimed.length > 0) return undefined;
    }
    const [found] = await database.query(
      'SELECT run, body FROM wf.keys WHERE scope = $1 AND key IN ($2, $3)',
      scope,
      key,
      erased,
    );
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
