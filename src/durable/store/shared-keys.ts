// Keys of requests (`Idempotency-Key`, due times) and the modules and texts of workflows, in the shared file.
import type { SharedFile } from './shared-file.js';

/** Minimum milliseconds that a key is kept. */
export const KEY_LIFE_MS = 24 * 3_600_000;

/** Another use of a key must have one of these in common with what was stored for it: the first. */
export type KeyBodies = readonly [stored: string, ...others: string[]];

export interface KeyClaim {
  /** The workflow, or the timetable. */
  readonly scope: string;
  readonly key: string;
  /** The run that it starts: 32 hexadecimal digits. */
  readonly run: string;
  readonly slot: number;
  /** Distinguishes this ownership of the slot from earlier ones. */
  readonly epoch: number;
  readonly bodies: KeyBodies;
  /** Whether the key stays free if it is. */
  readonly onlyAsks: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Who has a key: this run, or one that claimed it before. `slot` and `epoch` show whether that one was ever recorded. */
export type ClaimedKey =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'taken'; readonly run: string; readonly isSameBody: boolean; readonly slot: number; readonly epoch: number };

/** @param instead the run of a failed claim, whose process died before it recorded the run */
export function claimKey(shared: SharedFile, claim: KeyClaim, instead?: string): Promise<ClaimedKey> {
  const { scope, key, run, slot, epoch, onlyAsks, at } = claim;
  const [first, ...others] = claim.bodies;
  const body = shared.sealing.hash(first);
  return shared.change((): ClaimedKey => {
    if (instead !== undefined) shared.run('DELETE FROM keys WHERE scope = ? AND key = ? AND run = unhex(?)', scope, key, instead);
    const found = shared.get(
      'SELECT lower(hex(run)) AS run, body, slot, epoch FROM keys WHERE scope = ? AND key = ?',
      scope,
      key,
    );
    if (found === undefined) {
      if (!onlyAsks) shared.run('INSERT INTO keys VALUES(?, ?, unhex(?), ?, ?, ?, ?)', scope, key, run, slot, epoch, body, at);
      return { kind: 'claimed' };
    }
    const stored = found.body;
    const equals = (hash: Buffer): boolean => stored instanceof Uint8Array && hash.equals(stored);
    const isSameBody = equals(body) || others.some((other) => equals(shared.sealing.hash(other)));
    return { kind: 'taken', run: String(found.run), isSameBody, slot: Number(found.slot), epoch: Number(found.epoch) };
  });
}

/** Stores texts by hash. Existing ones are only marked as used. */
export function storeContents(
  shared: SharedFile,
  contents: readonly (readonly [hash: string, data: string])[],
  at: number,
): Promise<void> {
  return shared.change(() => {
    for (const [hash, data] of contents) {
      shared.run('INSERT INTO contents VALUES(?, ?, ?) ON CONFLICT(hash) DO UPDATE SET used = excluded.used', hash, at, data);
    }
  });
}
