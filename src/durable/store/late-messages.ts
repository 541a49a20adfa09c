// Messages that had reached a run but were not in its journal when it ended, or when something else ended the branch that waited for them.
// They stay for reruns of this run, among the stored messages, and under a name that nothing can wait for.
import type { Value } from '../../../runtime/types.js';
import type { SharedFile } from './shared-file.js';
import { inboxKinds } from './shared-inbox.js';
import { type DeliveredMessage, deliveredTo, MESSAGE_LIFE_MS } from './shared-messages.js';

const PREFIX = 'late ';

export const lateName = (place: string): string => `${PREFIX}${place}`;

/** Two runs: one that has ended, and one that continues in its place. Each has 32 hexadecimal digits. */
export type Successor = readonly [ended: string, successor: string];

/** Whether a stored message, by its name, is one that an ended run has not come to. As SQL. */
export const notReached = `name NOT LIKE '${PREFIX}%'`;

/** The messages for ended runs that these have not come to are for their successors. */
export function readdressMessages(shared: SharedFile, successors: readonly Successor[]): Promise<void> {
  const sql = `UPDATE messages SET run = unhex(?) WHERE run = unhex(?) AND ${notReached}`;
  return shared.change(() => {
    for (const [ended, successor] of successors) shared.run(sql, successor, ended);
  });
}

/** Takes them out of the inbox, within a transaction. @param only a place; all by default */
export function keepLate(shared: SharedFile, run: string, only?: string): void {
  const rows = shared.all('SELECT id, place, at, body FROM inbox WHERE run = unhex(?) AND kind = ?', run, inboxKinds.message);
  for (const { id, place, at, body } of rows) {
    if (only !== undefined && place !== only) continue;
    const name = lateName(String(place));
    const sealed = shared.sealing.seal(shared.sealing.open(body ?? '', run), `message ${name}`);
    shared.run(
      'INSERT INTO messages(name, at, until, run, body) VALUES(?, ?, ?, unhex(?), ?)',
      ...[name, Number(at), Date.now() + MESSAGE_LIFE_MS, run, sealed],
    );
    shared.run('DELETE FROM inbox WHERE id = ?', Number(id));
  }
}

/** The place has its message in the journal, or something else ended its branch. */
export function endWait(shared: SharedFile, run: string, place: string, isRecorded: boolean): Promise<void> {
  return shared.change(() => {
    if (!isRecorded) keepLate(shared, run, place);
    shared.run('DELETE FROM inbox WHERE run = unhex(?) AND place = ?', run, place);
    shared.run('DELETE FROM waiters WHERE run = unhex(?) AND place = ?', run, place);
  });
}

/** The message that an ended run did not record at this place, also if its process died before it was put aside. */
export function lateMessage(shared: SharedFile, run: string, place: string): DeliveredMessage | undefined {
  const delivered = deliveredTo(shared, run, place);
  if (delivered !== undefined) return delivered;
  const name = lateName(place);
  const row = shared.get('SELECT body, at FROM messages WHERE name = ? AND run = unhex(?) ORDER BY id LIMIT 1', name, run);
  if (row === undefined) return undefined;
  return { message: JSON.parse(shared.sealing.open(row.body ?? '', `message ${name}`)) as Value, at: Number(row.at) }; // a message is JSON
}
