// Messages and the runs that wait for them, in the database. A message goes to the run that has waited longest; if none waits, it is stored
// for the next. Everything about one name is serialized.
import type { Value } from '../../../../runtime/types.js';
import {
  type DeliveredMessage,
  equalityText,
  inboxKinds,
  MESSAGE_LIFE_MS,
  type MessageSent,
  type MessageWish,
  type NewMessage,
  notReached,
  recipientOf,
  type Successor,
  undeliveredName,
} from '../../model/messages.js';
import { runsAround } from '../../model/run-ids.js';
import { firstFinished } from '../../model/run-rows.js';
import { fieldsWaitedFor } from '../shared/messages.js';
import type { TextSealing } from '../shared/sealing.js';
import type { DatabaseRow, PostgresDatabase, SqlCall } from './postgres-database.js';

/** Fields of a message by which it can be found. */
const MOST_FIELDS = 100;

export class PostgresMessages {
  readonly #database: PostgresDatabase;
  readonly #sealing: TextSealing;

  constructor(database: PostgresDatabase, sealing: TextSealing) {
    this.#database = database;
    this.#sealing = sealing;
  }

  /** The message of this place, if there is one. Otherwise the run waits from now on, unless its time is up. */
  want(wish: MessageWish): Promise<DeliveredMessage | undefined> {
    const { run, place, due, now } = wish;
    return this.#change(wish.name, async (query) => {
      const delivered = await this.#deliveredTo(query, run, place);
      if (delivered !== undefined) return delivered;
      const isOver = due !== undefined && due <= now;
      const waiting = await query('SELECT 1 FROM wf.waiters WHERE run = $1 AND place = $2', run, place);
      if (waiting.length > 0) {
        if (isOver) await query('DELETE FROM wf.waiters WHERE run = $1 AND place = $2', run, place);
        return undefined;
      }
      // The process may have died before the run waited here. Even if its time is up now, a message may have come before that.
      const kept = await this.#takeKept(query, wish);
      if (kept === undefined && !isOver) await this.#startWaiting(query, wish);
      return kept;
    });
  }

  /** Delivers or stores a message. One already sent with this key is not sent again. */
  send(message: NewMessage): Promise<MessageSent> {
    const { name, body, key, now, isOver = false } = message;
    const text = JSON.stringify(body);
    const same = this.#sealing.hash(equalityText(body));
    return this.#change(name, async (query): Promise<MessageSent> => {
      const [known] =
        key === undefined ? [] : await query('SELECT body, answer FROM wf.message_keys WHERE name = $1 AND key = $2', name, key);
      if (known !== undefined) {
        if (!(known.body instanceof Uint8Array) || !same.equals(known.body)) return { kind: 'other body' };
        return JSON.parse(String(known.answer)) as MessageSent; // written below
      }
      if (isOver) return { kind: 'run finished' };
      const waiter = await this.#waiterFor(query, message);
      let sent: MessageSent;
      if (waiter === undefined) sent = await this.#keep(query, message);
      else {
        sent = { kind: 'sent', run: String(waiter.run) };
        await query('DELETE FROM wf.waiters WHERE id = $1', waiter.id);
        await this.#deliver(query, String(waiter.run), String(waiter.place), text, now);
      }
      if (key !== undefined)
        await query('INSERT INTO wf.message_keys VALUES ($1, $2, $3, $4, $5)', name, key, same, now, JSON.stringify(sent));
      return sent;
    });
  }

  /** The place has its message in the journal, or something else ended its branch. */
  async end(run: string, place: string, isRecorded: boolean): Promise<void> {
    if (!isRecorded) return this.#endUnrecorded(run, place);
    const sql =
      'WITH gone AS (DELETE FROM wf.inbox WHERE run = $1 AND place = $2) DELETE FROM wf.waiters WHERE run = $1 AND place = $2';
    await this.#database.persist(() => this.#database.query(sql, run, place));
  }

  /** A run has ended. */
  endAll(run: string): Promise<void> {
    return this.#endUnrecorded(run);
  }

  /** What has come meanwhile stays for reruns; see `late-messages.ts`. @param place all by default */
  #endUnrecorded(run: string, place?: string): Promise<void> {
    const which = 'run = $1 AND ($2::text IS NULL OR place = $2)';
    const end = async (query: SqlCall): Promise<void> => {
      await query(`DELETE FROM wf.waiters WHERE ${which}`, run, place ?? null);
      for (const row of await query(`DELETE FROM wf.inbox WHERE ${which} RETURNING kind, place, at, body`, run, place ?? null)) {
        if (row.kind !== inboxKinds.message) continue;
        const name = undeliveredName(String(row.place));
        const sealed = this.#sealing.seal(this.#sealing.open(String(row.body), run), `message ${name}`);
        const values = [name, row.at, Date.now() + MESSAGE_LIFE_MS, run, sealed];
        await query('INSERT INTO wf.messages(name, at, until, run, body) VALUES ($1, $2, $3, $4, $5)', ...values);
      }
    };
    return this.#database.persist(() => this.#database.transaction(end));
  }

  /** The message that an ended run did not record at this place, also if its process died before it was put aside. */
  late(run: string, place: string): Promise<DeliveredMessage | undefined> {
    return this.#database.persist(() => this.#late(run, place));
  }

  async #late(run: string, place: string): Promise<DeliveredMessage | undefined> {
    const { query } = this.#database;
    const delivered = await this.#deliveredTo(query, run, place);
    if (delivered !== undefined) return delivered;
    const name = undeliveredName(place);
    const [row] = await query('SELECT body, at FROM wf.messages WHERE name = $1 AND run = $2 ORDER BY id LIMIT 1', name, run);
    if (row === undefined) return undefined;
    return { message: JSON.parse(this.#sealing.open(String(row.body), `message ${name}`)) as Value, at: Number(row.at) }; // a message is JSON
  }

  /** The messages for ended runs that these have not come to are for their successors. */
  async readdress(successors: readonly Successor[]): Promise<void> {
    const sql = `UPDATE wf.messages SET run = s.successor FROM unnest($1::text[], $2::text[]) AS s(ended, successor)
      WHERE run = s.ended AND ${notReached}`;
    const [ended, later] = [successors.map(([run]) => run), successors.map(([, run]) => run)];
    await this.#database.persist(() => this.#database.query(sql, ended, later));
  }

  /** Repeatable work, serialized with everything else about messages of this name. */
  #change<T>(name: string, work: (query: SqlCall) => Promise<T>): Promise<T> {
    return this.#database.persist(() =>
      this.#database.transaction(async (query) => {
        await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `wf message ${name}`);
        return work(query);
      }),
    );
  }

  async #deliveredTo(query: SqlCall, run: string, place: string): Promise<DeliveredMessage | undefined> {
    const sql = 'SELECT body, at FROM wf.inbox WHERE run = $1 AND place = $2 AND kind = $3 ORDER BY id LIMIT 1';
    const [row] = await query(sql, run, place, inboxKinds.message);
    if (row === undefined) return undefined;
    return { message: JSON.parse(this.#sealing.open(String(row.body), run)) as Value, at: Number(row.at) }; // a message is JSON
  }

  /** The oldest stored message that matches, assigned to this place. */
  async #takeKept(query: SqlCall, { run, place, name, pairs, due, now }: MessageWish): Promise<DeliveredMessage | undefined> {
    const values: unknown[] = [name, runsAround(run, place), now, due ?? Number.MAX_SAFE_INTEGER];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    // Without pairs, only messages sent to this run match.
    const forRun = pairs.length === 0 ? 'm.run = ANY($2)' : '(m.run IS NULL OR m.run = ANY($2))';
    const fits = pairs
      .map(([key, value]) => {
        const [field, hash] = [bind(key), bind(this.#fieldHash(value))];
        return ` AND EXISTS (SELECT 1 FROM wf.message_fields f WHERE f.name = m.name AND f.field = ${field} AND f.hash = ${hash} AND f.message = m.id)`;
      })
      .join('');
    const [row] = await query(
      `SELECT m.id, m.body, m.at FROM wf.messages m WHERE m.name = $1 AND ${forRun} AND m.until > $3 AND m.at <= $4${fits} ORDER BY m.id LIMIT 1`,
      ...values,
    );
    if (row === undefined) return undefined;
    const text = this.#sealing.open(String(row.body), `message ${name}`);
    const at = Number(row.at);
    await query('DELETE FROM wf.messages WHERE id = $1', row.id);
    await this.#deliver(query, run, place, text, at);
    return { message: JSON.parse(text) as Value, at }; // a message is JSON
  }

  async #deliver(query: SqlCall, run: string, place: string, text: string, at: number): Promise<void> {
    const sql = 'INSERT INTO wf.inbox(run, kind, place, at, body) VALUES ($1, $2, $3, $4, $5)';
    await query(sql, run, inboxKinds.message, place, at, this.#sealing.seal(text, run));
  }

  async #startWaiting(query: SqlCall, { run, place, name, pairs, due, now }: MessageWish): Promise<void> {
    const { fields, hash } = this.#pairsHash(pairs);
    const sql = 'INSERT INTO wf.waiters(name, run, place, fields, hash, since, due) VALUES ($1, $2, $3, $4, $5, $6, $7)';
    await query(sql, name, run, place, fields, hash, now, due ?? null);
  }

  /** The run that has waited longest for a message like this; not one that ends, or has ended when its process died. */
  async #waiterFor(query: SqlCall, { name, body, run, branch, now }: NewMessage): Promise<DatabaseRow | undefined> {
    const inBranch = branch === undefined ? null : [`${branch}/`, `${branch}#`];
    const found: DatabaseRow[] = [];
    for (const { fields } of await query(fieldsWaitedFor('wf.waiters', '$1'), name)) {
      const keys = JSON.parse(String(fields)) as string[]; // written by `#startWaiting`
      // Any message would match a wait without pairs, so it only takes those that name the run.
      if (keys.length === 0 && run === undefined) continue;
      if (!keys.every((key) => Object.hasOwn(body, key))) continue;
      const { hash } = this.#pairsHash(keys.map((key) => [key, body[key]] as const));
      const [row] = await query(
        `SELECT id, run, place, since FROM wf.waiters w WHERE name = $1 AND fields = $2 AND hash = $3
         AND EXISTS (SELECT 1 FROM wf.runs r WHERE r.id = w.run AND r.state < ${firstFinished})
         AND (due IS NULL OR due > $4) AND ($5::text IS NULL OR run = $5)
         AND ($6::text[] IS NULL OR substr(place, 1, $7::int) = ANY($6)) ORDER BY since, id LIMIT 1 FOR UPDATE OF w SKIP LOCKED`,
        ...[name, fields, hash, now, run ?? null, inBranch, (branch?.length ?? 0) + 1],
      );
      if (row !== undefined) found.push(row);
    }
    return found.sort((one, other) => Number(one.since) - Number(other.since) || Number(one.id) - Number(other.id))[0];
  }

  async #keep(query: SqlCall, message: NewMessage): Promise<MessageSent> {
    const { name, body, now } = message;
    const keptUntil = now + MESSAGE_LIFE_MS;
    const sealed = this.#sealing.seal(JSON.stringify(body), `message ${name}`);
    const [row] = await query(
      'INSERT INTO wf.messages(name, at, until, run, body) VALUES ($1, $2, $3, $4, $5) RETURNING id',
      ...[name, now, keptUntil, recipientOf(message) ?? null, sealed],
    );
    for (const [field, value] of Object.entries(body).slice(0, MOST_FIELDS)) {
      await query('INSERT INTO wf.message_fields VALUES ($1, $2, $3, $4)', name, field, this.#fieldHash(value), row?.id);
    }
    return { kind: 'sent', keptUntil };
  }

  #fieldHash(value: Value): Buffer {
    return this.#sealing.hash(equalityText(value));
  }

  /** The compared fields, sorted, and a hash of their values. */
  #pairsHash(pairs: MessageWish['pairs']): { readonly fields: string; readonly hash: Buffer } {
    const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      fields: JSON.stringify(sorted.map(([key]) => key)),
      hash: this.#sealing.hash(sorted.map(([, value]) => equalityText(value)).join('\n')),
    };
  }
}
