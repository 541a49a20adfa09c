// Encrypts everything in a store with another key, or with none. Uses one transaction per file and ends with the shared file, so that an
// interrupted change can be repeated: whatever already has the new key stays as it is.
import { UsageError } from '../../../engine/usage-error.js';
import { usedElsewhere } from '../../model/file-troubles.js';
import { createSealing, readSecret, type Sealing, sealedTables, storedSecret } from '../shared/sealing.js';
import { inserted, type SqlValue, sql } from '../shared/sql.js';
import { entrySum, madeSum, RowSums, siteSum, stateSum, versionSum } from './row-sums.js';
import type { Shard } from './shard.js';
import { runColumns } from './shard-runs.js';
import type { SharedFile } from './shared-file.js';

interface Keys {
  readonly from: Sealing;
  readonly to: Sealing;
}

/** Rows read at a time. */
const BATCH = 500;

function isOpenedBy(sealing: Sealing, stored: SqlValue, owner: string): boolean {
  try {
    sealing.open(stored, owner);
    return true;
  } catch {
    return false;
  }
}

const ofNeitherKey = (): UsageError =>
  new UsageError(
    "Some data can't be decrypted with either key.",
    'Finish an interrupted change with the new key that it was begun with. Otherwise, the store is damaged: use a backup.',
  );

/** Stored text, opened with whichever key it has and sealed with the new one. */
function resealed({ from, to }: Keys, stored: SqlValue | undefined, owner: string): SqlValue {
  if (stored === null || stored === undefined) return null;
  let text: string;
  try {
    text = from.open(stored, owner);
  } catch {
    // An interrupted change has been here before.
    if (isOpenedBy(to, stored, owner)) return stored;
    throw ofNeitherKey();
  }
  return to.seal(text, owner);
}

/** From here to the end, parts of the store have the old key and parts the new one. Returns whether none had before. */
function markRekeying(shared: SharedFile): Promise<boolean> {
  const mark = inserted('meta', { key: 'rekeying', value: 1 }, sql` ON CONFLICT (key) DO NOTHING RETURNING 1`);
  return shared.change(() => shared.perform(mark).length > 0);
}

const unmarkRekeying = (shared: SharedFile): number => shared.run("DELETE FROM meta WHERE key = 'rekeying'");

/** A shard that no one else has. */
function rekeyShard(shard: Shard, keys: Keys): void {
  const { database } = shard;
  const [before, after] = [new RowSums(database, keys.from), new RowSums(database, keys.to)];
  // A new checksum would hide damage. An interrupted change may have been here before.
  const requireIntact = (isIntact: (sums: RowSums) => boolean): void => {
    if (!isIntact(before) && !isIntact(after)) throw ofNeitherKey();
  };
  shard.change(() => {
    const runs = database.prepare(`SELECT ${runColumns} FROM runs WHERE n > ? ORDER BY n LIMIT ${BATCH}`);
    const update = database.prepare('UPDATE runs SET waits = ?, request = ?, outcome = ?, made = ?, stands = ? WHERE n = ?');
    const entries = database.prepare('SELECT * FROM entries WHERE n = ?');
    const setBody = database.prepare('UPDATE entries SET body = ?, sum = ? WHERE n = ? AND pos = ?');
    for (let rows = runs.all(-1); rows.length > 0; rows = runs.all(Number(rows.at(-1)?.n))) {
      for (const row of rows) {
        const [n, id] = [Number(row.n), String(row.hex)];
        requireIntact((sums) => sums.isMadeIntact(row, id) && sums.isStateIntact(row));
        const [waits, request] = [resealed(keys, row.waits, id), resealed(keys, row.request, id)];
        const outcome = resealed(keys, row.outcome, id);
        const changed = { ...row, id, waits, request, outcome };
        update.run(waits, request, outcome, madeSum(changed, keys.to), stateSum(changed, keys.to), n);
        for (const entry of entries.all(n)) {
          requireIntact((sums) => sums.isEntryIntact(entry));
          const body = resealed(keys, entry.body, id);
          setBody.run(body, entrySum({ ...entry, body }, keys.to), n, Number(entry.pos));
        }
      }
    }
    for (const row of database.prepare('SELECT * FROM versions').all()) {
      requireIntact((sums) => sums.isVersionIntact(row));
      database.prepare('UPDATE versions SET sum = ? WHERE v = ?').run(versionSum(row, keys.to), Number(row.v));
    }
    for (const row of database.prepare('SELECT * FROM sites').all()) {
      requireIntact((sums) => sums.isSiteIntact(row));
      const sum = siteSum(row, keys.to);
      database.prepare('UPDATE sites SET sum = ? WHERE v = ? AND site = ?').run(sum, Number(row.v), Number(row.site));
    }
  });
}

/** The shared file with the store's secret. From then on, the store has the new key. */
function rekeyShared(shared: SharedFile, key: Uint8Array | undefined, keys: Keys): Promise<void> {
  const reseal = (): void => {
    for (const {
      table,
      owner: [word, column],
      columns,
    } of sealedTables) {
      const select = `SELECT id, ${column === 'run' ? 'lower(hex(run))' : column} AS owner, ${columns.join(', ')} FROM ${table}`;
      const update = `UPDATE ${table} SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
      for (const row of shared.all(select)) {
        const values = columns.map((name) => resealed(keys, row[name], `${word}${String(row.owner)}`));
        shared.run(update, ...values, row.id ?? null);
      }
    }
    shared.run("UPDATE meta SET value = ? WHERE key = 'secret'", storedSecret(secretOf(shared), key));
    unmarkRekeying(shared);
  };
  return shared.change(() => shared.sums.change(keys.to, reseal));
}

/** The secret of the store, as it was opened. @throws if the key does not open it */
function secretOf(shared: SharedFile): Buffer {
  const stored = shared.get("SELECT value FROM meta WHERE key = 'secret'")?.value;
  const secret = stored instanceof Uint8Array ? readSecret(stored, shared.key) : 'needs a key';
  if (typeof secret === 'string') throw new Error('The secret of the store cannot be read.');
  return secret;
}

const rekeyingKeys = (shared: SharedFile, key: Uint8Array | undefined): Keys => ({
  from: shared.sealing,
  to: createSealing(key, secretOf(shared)),
});

/**
 * @param shards all shards, which no one else has
 * @param areAll whether they still are; a process that starts after the mark refuses to
 */
export async function rekeyFiles(
  shared: SharedFile,
  shards: readonly Shard[],
  key: Uint8Array | undefined,
  areAll: () => boolean,
): Promise<void> {
  shared.requireKey();
  const keys = rekeyingKeys(shared, key);
  const isNew = await markRekeying(shared);
  shared.isRekeying = true;
  if (!areAll()) {
    if (isNew) await shared.change(() => unmarkRekeying(shared));
    throw usedElsewhere();
  }
  for (const shard of shards) rekeyShard(shard, keys);
  await rekeyShared(shared, key, keys);
}
