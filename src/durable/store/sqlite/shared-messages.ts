// Messages and the runs that wait for them, in the shared file. A message goes to the run that has waited longest; if none waits, it is
// stored for the next. One that a run did not come to stays for its reruns.
import type { Value } from '../../../../runtime/types.js';
import {
  type DeliveredMessage,
  equalityText,
  inboxKinds,
  MESSAGE_LIFE_MS,
  type MessagePairs,
  type MessageSent,
  type MessageWish,
  type NewMessage,
  notReached,
  recipientOf,
  type Successor,
  undeliveredName,
} from '../../model/messages.js';
import { runsAround } from '../../model/run-ids.js';
import { fieldsWaitedFor } from '../shared/messages.js';
import type { SharedFile } from './shared-file.js';

/** Fields of a message by which it can be found. */
const MOST_FIELDS = 100;

/** The message of this place, if there is one. Otherwise the run waits from now on, unless its time is up. */
export function wantMessage(shared: SharedFile, wish: MessageWish): Promise<DeliveredMessage | undefined> {
  const { run, place, due, now } = wish;
  return shared.change(() => {
    const delivered = deliveredTo(shared, run, place);
    if (delivered !== undefined) return delivered;
    const isOver = due !== undefined && due <= now;
    if (shared.get('SELECT 1 FROM waiters WHERE run = unhex(?) AND place = ?', run, place) !== undefined) {
      if (isOver) shared.run('DELETE FROM waiters WHERE run = unhex(?) AND place = ?', run, place);
      return undefined;
    }
    // The process may have died before the run waited here. Even if its time is up now, a message may have come before that.
    const kept = takeKept(shared, wish);
    return kept !== undefined || isOver ? kept : startWaiting(shared, wish);
  });
}

export function deliveredTo(shared: SharedFile, run: string, place: string): DeliveredMessage | undefined {
  const sql = 'SELECT body, at FROM inbox WHERE run = unhex(?) AND place = ? AND kind = ? ORDER BY id LIMIT 1';
  const row = shared.get(sql, run, place, inboxKinds.message);
  if (row === undefined) return undefined;
  return { message: JSON.parse(shared.sealing.open(row.body ?? '', run)) as Value, at: Number(row.at) }; // a message is JSON
}

/** The oldest stored message that matches, assigned to this place. */
function takeKept(shared: SharedFile, { run, place, name, pairs, due, now }: MessageWish): DeliveredMessage | undefined {
  const hashed = pairs.map(([key, value]) => [key, fieldHash(shared, value)] as const);
  const [first, ...rest] = hashed;
  const named = runsAround(run, place);
  const isNamed = `m.run IN (${named.map(() => 'unhex(?)').join()})`;
  // Without pairs, only messages sent to this run match.
  const forRun = first === undefined ? isNamed : `(m.run IS NULL OR ${isNamed})`;
  const fits = hashed
    .map(
      () =>
        ' AND EXISTS (SELECT 1 FROM message_fields f WHERE f.name = m.name AND f.field = ? AND f.hash = ? AND f.message = m.id)',
    )
    .join('');
  const from =
    first === undefined
      ? 'messages m WHERE m.name = ?'
      : 'message_fields o JOIN messages m ON m.id = o.message WHERE o.name = ? AND o.field = ? AND o.hash = ?';
  const row = shared.get(
    `SELECT m.id, m.body, m.at FROM ${from} AND ${forRun} AND m.until > ? AND m.at <= ?${first === undefined ? '' : fits} ORDER BY m.id LIMIT 1`,
    ...[
      name,
      ...(first ?? []),
      ...named,
      now,
      due ?? Number.MAX_SAFE_INTEGER,
      ...(first === undefined ? [] : [first, ...rest].flat()),
    ],
  );
  if (row === undefined) return undefined;
  const id = Number(row.id);
  const text = shared.sealing.open(row.body ?? '', `message ${name}`);
  const at = Number(row.at);
  shared.run('DELETE FROM messages WHERE id = ?', id);
  shared.run('DELETE FROM message_fields WHERE message = ?', id);
  deliver(shared, run, place, text, at);
  return { message: JSON.parse(text) as Value, at }; // a message is JSON
}

function deliver(shared: SharedFile, run: string, place: string, text: string, at: number): void {
  shared.run(
    'INSERT INTO inbox(run, kind, place, at, body) VALUES(unhex(?), ?, ?, ?, ?)',
    ...[run, inboxKinds.message, place, at, shared.sealing.seal(text, run)],
  );
}

function startWaiting(shared: SharedFile, { run, place, name, pairs, due, now }: MessageWish): undefined {
  const { fields, hash } = pairsHash(shared, pairs);
  shared.run(
    'INSERT INTO waiters(name, run, place, fields, hash, since, due) VALUES(?, unhex(?), ?, ?, ?, ?, ?)',
    ...[name, run, place, fields, hash, now, due ?? null],
  );
}

/** @param isUnfinished throws for a run that can't be reached: then nothing has been sent */
export function sendMessage(
  shared: SharedFile,
  message: NewMessage,
  isUnfinished: (run: string) => boolean,
): Promise<MessageSent> {
  const { name, body, key, now, isOver = false } = message;
  const text = JSON.stringify(body);
  const same = shared.sealing.hash(equalityText(body));
  return shared.change((): MessageSent => {
    const known =
      key === undefined ? undefined : shared.get('SELECT body, answer FROM message_keys WHERE name = ? AND key = ?', name, key);
    if (known !== undefined) {
      if (!(known.body instanceof Uint8Array) || !same.equals(known.body)) return { kind: 'other body' };
      return JSON.parse(String(known.answer)) as MessageSent; // written below
    }
    if (isOver) return { kind: 'run finished' };
    let waiter = waiterFor(shared, message);
    while (waiter !== undefined && !isUnfinished(waiter.run)) {
      // Its process died before it could stop waiting.
      shared.run('DELETE FROM waiters WHERE run = unhex(?)', waiter.run);
      waiter = waiterFor(shared, message);
    }
    const sent: MessageSent = waiter === undefined ? keep(shared, message, text) : { kind: 'sent', run: waiter.run };
    if (waiter !== undefined) {
      shared.run('DELETE FROM waiters WHERE id = ?', waiter.id);
      deliver(shared, waiter.run, waiter.place, text, now);
    }
    if (key !== undefined)
      shared.run('INSERT INTO message_keys VALUES(?, ?, ?, ?, ?)', name, key, same, now, JSON.stringify(sent));
    return sent;
  });
}

interface Waiter {
  readonly id: number;
  readonly run: string;
  readonly place: string;
  readonly since: number;
}

/** The run that has waited longest for a message like this. */
function waiterFor(shared: SharedFile, { name, body, run, branch, now }: NewMessage): Waiter | undefined {
  const found: Waiter[] = [];
  for (const { fields } of shared.all(fieldsWaitedFor('waiters', '?'), name, name)) {
    const keys = JSON.parse(String(fields)) as string[]; // written by `pairsHash`
    // Any message would match a wait without pairs, so it only takes those that name the run.
    if (keys.length === 0 && run === undefined) continue;
    if (!keys.every((key) => Object.hasOwn(body, key))) continue;
    const { hash } = pairsHash(
      shared,
      keys.map((key) => [key, body[key]] as const),
    );
    const only = `${run === undefined ? '' : ' AND run = unhex(?)'}${branch === undefined ? '' : ' AND substr(place, 1, ?) IN (?, ?)'}`;
    const inBranch = branch === undefined ? [] : [branch.length + 1, `${branch}/`, `${branch}#`];
    const row = shared.get(
      // SQLite would look through all that wait for the same, however many they are.
      `SELECT id, lower(hex(run)) AS run, place, since FROM waiters ${run === undefined ? '' : 'INDEXED BY waiters_by_run'}
       WHERE name = ? AND fields = ? AND hash = ? AND (due IS NULL OR due > ?)${only} ORDER BY since, id LIMIT 1`,
      ...[name, String(fields), hash, now, ...(run === undefined ? [] : [run]), ...inBranch],
    );
    if (row !== undefined)
      found.push({ id: Number(row.id), run: String(row.run), place: String(row.place), since: Number(row.since) });
  }
  return found.sort((one, other) => one.since - other.since || one.id - other.id)[0];
}

function keep(shared: SharedFile, message: NewMessage, text: string): MessageSent {
  const { name, body, now } = message;
  const run = recipientOf(message);
  const keptUntil = now + MESSAGE_LIFE_MS;
  const sealed = shared.sealing.seal(text, `message ${name}`);
  shared.run(
    `INSERT INTO messages(name, at, until, run, body) VALUES(?, ?, ?, ${run === undefined ? 'NULL' : 'unhex(?)'}, ?)`,
    ...[name, now, keptUntil, ...(run === undefined ? [] : [run]), sealed],
  );
  const id = Number(shared.get('SELECT last_insert_rowid() AS id')?.id);
  for (const [field, value] of Object.entries(body).slice(0, MOST_FIELDS)) {
    shared.run('INSERT INTO message_fields VALUES(?, ?, ?, ?)', name, field, fieldHash(shared, value), id);
  }
  return { kind: 'sent', keptUntil };
}

const fieldHash = (shared: SharedFile, value: Value): Buffer => shared.sealing.hash(equalityText(value));

/** The compared fields, sorted, and a hash of their values. */
function pairsHash(shared: SharedFile, pairs: MessagePairs): { readonly fields: string; readonly hash: Buffer } {
  const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    fields: JSON.stringify(sorted.map(([key]) => key)),
    hash: shared.sealing.hash(sorted.map(([, value]) => equalityText(value)).join('\n')),
  };
}

/** The messages for ended runs that these have not come to are for their successors. */
export function readdressMessages(shared: SharedFile, successors: readonly Successor[]): Promise<void> {
  const sql = `UPDATE messages SET run = unhex(?) WHERE run = unhex(?) AND ${notReached}`;
  return shared.change(() => {
    for (const [ended, successor] of successors) shared.run(sql, successor, ended);
  });
}

/** Takes them out of the inbox, within a transaction. @param only a place; all by default */
export function keepUndelivered(shared: SharedFile, run: string, only?: string): void {
  const rows = shared.all('SELECT id, place, at, body FROM inbox WHERE run = unhex(?) AND kind = ?', run, inboxKinds.message);
  for (const { id, place, at, body } of rows) {
    if (only !== undefined && place !== only) continue;
    const name = undeliveredName(String(place));
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
    if (!isRecorded) keepUndelivered(shared, run, place);
    shared.run('DELETE FROM inbox WHERE run = unhex(?) AND place = ?', run, place);
    shared.run('DELETE FROM waiters WHERE run = unhex(?) AND place = ?', run, place);
  });
}

/** The message that an ended run did not record at this place, also if its process died before it was put aside. */
export function undeliveredMessage(shared: SharedFile, run: string, place: string): DeliveredMessage | undefined {
  const delivered = deliveredTo(shared, run, place);
  if (delivered !== undefined) return delivered;
  const name = undeliveredName(place);
  const row = shared.get('SELECT body, at FROM messages WHERE name = ? AND run = unhex(?) ORDER BY id LIMIT 1', name, run);
  if (row === undefined) return undefined;
  return { message: JSON.parse(shared.sealing.open(row.body ?? '', `message ${name}`)) as Value, at: Number(row.at) }; // a message is JSON
}
