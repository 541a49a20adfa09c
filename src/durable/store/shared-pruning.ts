// Deletes from the shared file what no one can ask for any more: old keys, unclaimed messages, closed questions, unused modules.
import type { SharedFile } from './shared-file.js';
import { KEY_LIFE_MS } from './shared-keys.js';
import { MESSAGE_LIFE_MS } from './shared-messages.js';
import { taskStates } from './shared-tasks.js';

/** Rows deleted at a time. */
const SLICE = 500;

/** A recently used module may be about to get a run. */
const CONTENT_MS = 24 * 3_600_000;

/**
 * @param before milliseconds since 1970: runs that ended earlier are deleted
 * @param inUse hashes of all modules, texts and runtimes of known versions
 */
export async function pruneShared(shared: SharedFile, before: number, now: number, inUse: readonly string[]): Promise<void> {
  const used = new Set(inUse);
  const unused = shared
    .all('SELECT hash FROM contents WHERE used < ?', now - CONTENT_MS)
    .map(({ hash }) => String(hash))
    .filter((hash) => !used.has(hash));
  await shared.change(() => {
    for (const hash of unused) shared.run('DELETE FROM contents WHERE hash = ? AND used < ?', hash, now - CONTENT_MS);
    shared.run('DELETE FROM message_fields WHERE message IN (SELECT id FROM messages WHERE until <= ?)', now);
    shared.run('DELETE FROM messages WHERE until <= ?', now);
    shared.run('DELETE FROM message_keys WHERE at < ?', now - MESSAGE_LIFE_MS);
    shared.run('DELETE FROM tasks WHERE state <> ? AND asked < ?', taskStates.open, before);
  });
  const oldKeys = Math.min(before, now - KEY_LIFE_MS);
  const sql = `DELETE FROM keys WHERE (scope, key) IN (SELECT scope, key FROM keys WHERE at < ? LIMIT ${SLICE})`;
  while ((await shared.change(() => shared.run(sql, oldKeys))) > 0);
}
