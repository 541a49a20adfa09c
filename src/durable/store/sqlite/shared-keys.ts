// The inbox of runs, keys of requests, and the modules and texts of workflows, in the shared file.
import type { InboxKind, InboxRow } from '../../model/messages.js';
import { type ClaimedKey, erasedKey, type KeyClaim } from '../../model/request-keys.js';
import type { SharedFile } from './shared-file.js';

/** @param instead the run of a failed claim, whose process died before it recorded the run */
export function claimKey(shared: SharedFile, claim: KeyClaim, instead?: string): Promise<ClaimedKey> {
  const { scope, key, run, shard, epoch, onlyAsks, at } = claim;
  const [first, ...others] = claim.bodies;
  const body = shared.sealing.hash(first);
  return shared.change((): ClaimedKey => {
    if (instead !== undefined) shared.run('DELETE FROM keys WHERE scope = ? AND key = ? AND run = unhex(?)', scope, key, instead);
    const found = shared.get(
      'SELECT lower(hex(run)) AS run, body, slot AS shard, epoch FROM keys WHERE scope = ? AND key IN (?, ?)',
      ...[scope, key, erasedKey(key, shared.sealing.hash)],
    );
    if (found === undefined) {
      if (!onlyAsks)
        shared.run(
          'INSERT INTO keys(scope, key, run, slot, epoch, body, at) VALUES(?, ?, unhex(?), ?, ?, ?, ?)',
          scope,
          key,
          run,
          shard,
          epoch,
          body,
          at,
        );
      return { kind: 'claimed' };
    }
    const stored = found.body;
    const equals = (hash: Buffer): boolean => stored instanceof Uint8Array && hash.equals(stored);
    const isSameBody = equals(body) || others.some((other) => equals(shared.sealing.hash(other)));
    return { kind: 'taken', run: String(found.run), isSameBody, shard: Number(found.shard), epoch: Number(found.epoch) };
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
      shared.run(
        'INSERT INTO contents(hash, used, data) VALUES(?, ?, ?) ON CONFLICT(hash) DO UPDATE SET used = excluded.used',
        hash,
        at,
        data,
      );
    }
  });
}

/** Rows that arrived after this one. Their content is read when it is used. */
export function inboxAfter(shared: SharedFile, id: number): InboxRow[] {
  return shared
    .all('SELECT id, lower(hex(run)) AS run, kind, place, at FROM inbox WHERE id > ? ORDER BY id LIMIT 1000', id)
    .map((row) => ({
      id: Number(row.id),
      run: String(row.run),
      kind: row.kind as InboxKind, // only these are written
      place: row.place === null ? null : String(row.place),
      at: Number(row.at),
    }));
}

export function addToInbox(shared: SharedFile, run: string, kind: InboxKind, at: number): Promise<void> {
  return shared.change(() => {
    shared.run('INSERT INTO inbox(run, kind, at) VALUES(unhex(?), ?, ?)', run, kind, at);
  });
}

export function removeFromInbox(shared: SharedFile, ids: readonly number[]): Promise<void> {
  return shared.change(() => {
    for (const id of ids) shared.run('DELETE FROM inbox WHERE id = ?', id);
  });
}
