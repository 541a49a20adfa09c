// Messages and the runs that wait for them, in the shared file. A message goes to the run that has waited longest; if none waits, it is
// stored for the next.
import type { Value, WfRecord } from '../../../runtime/types.js';
import { calledRunHex, runsAround } from '../run-ids.js';
import { equalityText } from './equality-text.js';
import type { SharedFile } from './shared-file.js';
import { inboxKinds } from './shared-inbox.js';

/** Milliseconds that an unclaimed message is stored. */
export const MESSAGE_LIFE_MS = 7 * 24 * 3_600_000;

/** Fields of a message by which it can be found. */
const MOST_FIELDS = 100;

type Pairs = readonly (readonly [key: string, value: Value])[];

export interface MessageWish {
  /** 32 hexadecimal digits. */
  readonly run: string;
  readonly place: string;
  readonly name: string;
  readonly pairs: Pairs;
  /** Milliseconds since 1970. */
  readonly due: number | undefined;
  readonly now: number;
}

export interface DeliveredMessage {
  readonly message: Value;
  readonly at: number;
}

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

export interface NewMessage {
  readonly name: string;
  readonly body: WfRecord;
  /** Only for this run, or for the called workflow in a branch of it. */
  readonly run: string | undefined;
  readonly branch?: string;
  /** The run has ended: only an earlier answer to the same key counts. */
  readonly isOver?: boolean;
  readonly key: string | undefined;
  readonly now: number;
}

/** `run`: who has it; `keptUntil`: no one waited for it. */
export type MessageSent =
  | { readonly kind: 'sent'; readonly run?: string; readonly keptUntil?: number }
  | { readonly kind: 'other body' }
  | { readonly kind: 'run finished' };

/** The id that a message is kept for. */
export const recipientOf = ({ run, branch }: Pick<NewMessage, 'run' | 'branch'>): string | undefined =>
  run === undefined || branch === undefined ? run : calledRunHex(run, branch);

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

/** Which fields the waits for a message compare. Reads one row for each answer: any number of runs can wait for the same. */
export const fieldsWaitedFor = (waiters: string, name: string): string => `
WITH RECURSIVE waited(fields) AS (
  SELECT min(fields) FROM ${waiters} WHERE name = ${name}
  UNION ALL SELECT (SELECT min(fields) FROM ${waiters} WHERE name = ${name} AND fields > waited.fields) FROM waited WHERE fields IS NOT NULL
) SELECT fields FROM waited WHERE fields IS NOT NULL`;

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
function pairsHash(shared: SharedFile, pairs: Pairs): { readonly fields: string; readonly hash: Buffer } {
  const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    fields: JSON.stringify(sorted.map(([key]) => key)),
    hash: shared.sealing.hash(sorted.map(([, value]) => equalityText(value)).join('\n')),
  };
}
