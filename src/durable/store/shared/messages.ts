// Messages and the runs that wait for them. A message goes to the run that has waited longest; if none waits, it is stored for the
// next. A message sent to a run that ended without reading it is stored for its reruns, under a name that nothing can wait for.
import type { MessagePlace, Value, WfRecord } from '../../../../runtime/types.js';
import {
  type DeliveredMessage,
  earlyPattern,
  earlyPlace,
  equalityText,
  heldSince,
  inboxKinds,
  isEarlyPlace,
  isHeldSince,
  isUndelivered,
  MESSAGE_LIFE_MS,
  type MessagePairs,
  type MessageSent,
  type MessageWish,
  type NewMessage,
  RECORDING_MS,
  recipientOf,
  type Successor,
  undeliveredName,
  undeliveredPattern,
} from '../../model/messages.js';
import { runsAround, startedAt } from '../../model/run-ids.js';
import type { Changes } from './changes.js';
import type { Sealing } from './sealing.js';
import {
  allInserted,
  firstRow,
  inserted,
  isOneOf,
  joinedSql,
  onlyIn,
  rowsOf,
  runId,
  type SharedSql,
  type SqlText,
  type SqlValue,
  type SqlWork,
  sql,
} from './sql.js';

/** Fields of a message by which it can be found. */
const MOST_FIELDS = 100;

/** A message that is kept as long as its run. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** Everything about one name is serialized. */
const lockOf = (name: string): string => `message ${name}`;

interface Waiter {
  readonly id: number;
  readonly run: string;
  readonly address: string;
  readonly since: number;
  readonly isDamaged: boolean;
}

const fieldHash = (value: Value, sealing: Sealing): Buffer => sealing.hash(equalityText(value));

/** A field by which a message can be found. */
const fieldsOf = (body: WfRecord, sealing: Sealing): (readonly [field: string, hash: Buffer])[] =>
  Object.entries(body)
    .slice(0, MOST_FIELDS)
    .map(([field, value]) => [field, fieldHash(value ?? null, sealing)]);

interface FieldRow {
  readonly name: SqlValue;
  readonly field: SqlValue;
  readonly hash: SqlValue;
  readonly message: SqlValue;
}

const fieldRow = ({ name, field, hash, message }: FieldRow): SqlText =>
  sql`INSERT INTO wf.message_fields(name, field, hash, message) VALUES (${name}, ${field}, ${hash}, ${message})`;

const fieldKey = ({ name, field, hash, message }: FieldRow): string =>
  JSON.stringify([
    name,
    field,
    Buffer.from(hash instanceof Uint8Array ? hash : String(hash)).toString('base64'),
    Number(message),
  ]);

/** `undefined` for one without a checksum that was changed. */
function readMessage(sealing: Sealing, name: string, body: SqlValue): WfRecord | undefined {
  try {
    return JSON.parse(sealing.open(body, `message ${name}`)) as WfRecord; // as it was kept
  } catch {
    return undefined;
  }
}

/**
 * Writes the fields of all kept messages again unless they are those of the messages: a row of another value would let nobody find its
 * message. Those of damaged messages stay.
 */
export function* repairFields(sealing: Sealing): SqlWork<void> {
  const messages = yield rowsOf('messages', sql`ORDER BY id`, 'marked');
  const damaged = new Set(messages.flatMap(({ id, isDamaged }) => (isDamaged === 1 ? [Number(id)] : [])));
  const right: FieldRow[] = [];
  for (const { id, name, body, isDamaged } of messages) {
    if (isDamaged === 1 || isUndelivered(String(name))) continue;
    const message = readMessage(sealing, String(name), body ?? '');
    if (message === undefined) damaged.add(Number(id));
    else
      for (const [field, hash] of fieldsOf(message, sealing)) right.push({ name: name ?? '', field, hash, message: Number(id) });
  }
  const stored = (yield sql`SELECT name, field, hash, message FROM wf.message_fields`) as unknown as FieldRow[]; // its columns
  const kept = stored.filter(({ message }) => !damaged.has(Number(message)));
  const keys = new Set(right.map(fieldKey));
  if (kept.length === right.length && kept.every((row) => keys.has(fieldKey(row)))) return;
  yield sql`DELETE FROM wf.message_fields`;
  for (const row of [...right, ...stored.filter(({ message }) => damaged.has(Number(message)))]) yield fieldRow(row);
}

export class Messages {
  readonly #sql: SharedSql;
  readonly #changes: Changes;

  constructor(sql: SharedSql, changes: Changes) {
    this.#sql = sql;
    this.#changes = changes;
  }

  /** Holds these places in line for a run that is about to start. */
  hold(run: string, places: readonly MessagePlace[]): Promise<void> {
    const since = heldSince(run);
    const rows = places.map(({ name, pairs }, index) => {
      const { fields, hash } = this.#pairsHash(pairs);
      return { name, run: runId(run), place: earlyPlace(index), fields, hash, since, due: null };
    });
    return this.#sql.change(function* () {
      yield allInserted('waiters', rows);
    });
  }

  /** The place that a run has had for this message since its start becomes that of the effect. Returns since when it is in line. */
  *#arrive({ run, name, pairs, now }: MessageWish): SqlWork<number> {
    const { fields, hash } = this.#pairsHash(pairs);
    const held = yield* firstRow(
      sql`SELECT id, since FROM wf.waiters WHERE run = ${runId(run)} AND name = ${name} AND fields = ${fields} AND hash = ${hash} AND since < 0
        AND place LIKE ${earlyPattern} ORDER BY id LIMIT 1`,
    );
    if (held === undefined) return now;
    yield sql`DELETE FROM wf.waiters WHERE id = ${Number(held.id)}`;
    return Number(held.since);
  }

  /** The message of this effect, if there is one. Otherwise the run waits from now on, unless its time is up. */
  want(wish: MessageWish): Promise<DeliveredMessage | undefined> {
    return this.#sql.change(() => this.#want(wish), lockOf(wish.name));
  }

  *#want(wish: MessageWish): SqlWork<DeliveredMessage | undefined> {
    const { run, place, name, pairs, due, now } = wish;
    const delivered = yield* this.#deliveredTo(run, place);
    if (delivered !== undefined) return delivered;
    const isOver = due !== undefined && due <= now;
    const waiting = yield sql`SELECT 1 AS found FROM wf.waiters WHERE run = ${runId(run)} AND place = ${place}`;
    if (waiting.length > 0) {
      if (isOver) yield sql`DELETE FROM wf.waiters WHERE run = ${runId(run)} AND place = ${place}`;
      return undefined;
    }
    const since = yield* this.#arrive(wish);
    // The process may have died before the run waited here. Even if its time is up now, a message may have come before that.
    const kept = yield* this.#takeKept(wish);
    if (kept !== undefined || isOver) return kept;
    const { fields, hash } = this.#pairsHash(pairs);
    yield inserted('waiters', { name, run: runId(run), place, fields, hash, since, due: due ?? null });
    return undefined;
  }

  *#deliveredTo(run: string, address: string): SqlWork<DeliveredMessage | undefined> {
    const row = yield* firstRow(
      rowsOf('inbox', sql`WHERE run = ${runId(run)} AND place = ${address} AND kind = ${inboxKinds.message} ORDER BY id LIMIT 1`),
    );
    if (row === undefined) return undefined;
    return { message: JSON.parse(this.#sql.sealing.open(row.body ?? '', run)) as Value, at: Number(row.at) }; // a message is JSON
  }

  /** The oldest stored message that matches, assigned to this effect. */
  *#takeKept({ run, place, name, pairs, due, now }: MessageWish): SqlWork<DeliveredMessage | undefined> {
    const [first, ...others] = pairs;
    const isNamed = sql`m.run IN (${joinedSql(runsAround(run, place).map(runId), ', ')})`;
    // Without pairs, only messages sent to this run match.
    const forRun = first === undefined ? isNamed : sql`(m.run IS NULL OR ${isNamed})`;
    const from =
      first === undefined
        ? sql`wf.messages m WHERE m.name = ${name}`
        : sql`wf.message_fields o JOIN wf.messages m ON m.id = o.message
            WHERE o.name = ${name} AND o.field = ${first[0]} AND o.hash = ${this.#fieldHash(first[1])}`;
    const fits = others.map(
      ([key, value]) => sql` AND EXISTS (SELECT 1 FROM wf.message_fields f
        WHERE f.name = m.name AND f.field = ${key} AND f.hash = ${this.#fieldHash(value)} AND f.message = m.id)`,
    );
    const inTime = sql`m.until > ${now} AND m.at <= ${due ?? Number.MAX_SAFE_INTEGER}`;
    const next = (after: number): SqlText =>
      rowsOf(
        'messages',
        sql`${from} AND ${forRun} AND ${inTime}${joinedSql(fits, '')} AND m.id > ${after} ORDER BY m.id LIMIT 1`,
        'marked',
        'm',
      );
    let row = yield* firstRow(next(0));
    while (row?.isDamaged === 1) row = yield* firstRow(next(Number(row.id)));
    if (row === undefined) return undefined;
    const text = this.#sql.sealing.open(row.body ?? '', `message ${name}`);
    const at = Number(row.at);
    yield sql`DELETE FROM wf.message_fields WHERE message = ${Number(row.id)}`;
    yield sql`DELETE FROM wf.messages WHERE id = ${Number(row.id)}`;
    yield this.#deliver(run, place, text, at);
    return { message: JSON.parse(text) as Value, at }; // a message is JSON
  }

  #deliver(run: string, address: string, text: string, at: number): SqlText {
    const sealed = this.#sql.sealing.seal(text, run);
    return inserted('inbox', { run: runId(run), kind: inboxKinds.message, place: address, at, body: sealed });
  }

  /** Delivers or stores a message. One already sent with this key is not sent again. */
  send(message: NewMessage): Promise<MessageSent> {
    const same = this.#sql.sealing.hash(equalityText(message.body));
    return this.#sql.change(() => this.#send(message, same), lockOf(message.name));
  }

  *#send(message: NewMessage, same: Buffer): SqlWork<MessageSent> {
    const { name, body, key, now, isOver = false } = message;
    const known =
      key === undefined ? undefined : yield* firstRow(rowsOf('message_keys', sql`WHERE name = ${name} AND key = ${key}`));
    if (known !== undefined) {
      if (!(known.body instanceof Uint8Array) || !same.equals(known.body)) return { kind: 'other body' };
      return JSON.parse(String(known.answer)) as MessageSent; // written below
    }
    if (isOver) return { kind: 'run finished' };
    const waiter = yield* this.#livingWaiterFor(message);
    let sent: MessageSent;
    if (waiter === undefined) sent = yield* this.#keep(message);
    else {
      sent = { kind: 'sent', run: waiter.run };
      yield sql`DELETE FROM wf.waiters WHERE id = ${waiter.id}`;
      // A run that does not wait yet finds it where it does.
      if (isEarlyPlace(waiter.address)) yield* this.#keepUntil(FOREVER, { ...message, run: waiter.run });
      else yield this.#deliver(waiter.run, waiter.address, JSON.stringify(body), now);
    }
    const { by, run = sent.kind === 'sent' ? sent.run : undefined } = message;
    if (by !== undefined) yield* this.#changes.add({ action: 'message', by, run, about: name }, now);
    if (key !== undefined) yield inserted('message_keys', { name, key, body: same, at: now, answer: JSON.stringify(sent) });
    return sent;
  }

  /** Like `#waiterFor`, without runs that have ended, and without damaged rows. */
  *#livingWaiterFor(message: NewMessage): SqlWork<Waiter | undefined> {
    const passed: number[] = [];
    for (;;) {
      const waiter = yield* this.#waiterFor(message, passed);
      // It may be another run's, or wait for something else.
      if (waiter?.isDamaged === true) {
        passed.push(waiter.id);
        continue;
      }
      if (waiter === undefined || (yield* this.#sql.isUnfinished(waiter.run))) return waiter;
      // Its process is about to record it, or died before it could stop waiting.
      if (isEarlyPlace(waiter.address) && startedAt(waiter.run) > message.now - RECORDING_MS) passed.push(waiter.id);
      else yield sql`DELETE FROM wf.waiters WHERE run = ${runId(waiter.run)}`;
    }
  }

  /** The run that has waited longest for a message like this; the oldest one if a run has had a place since its start. @param passed ids of others */
  *#waiterFor({ name, body, run, branch, now }: NewMessage, passed: readonly number[]): SqlWork<Waiter | undefined> {
    const found: Waiter[] = [];
    for (const { fields } of yield fieldsWaitedFor(name)) {
      const keys = JSON.parse(String(fields)) as string[]; // written by `#want`
      // Any message would match a wait without pairs, so it only takes those that name the run.
      if (keys.length === 0 && run === undefined) continue;
      if (!keys.every((key) => Object.hasOwn(body, key))) continue;
      const { hash } = this.#pairsHash(keys.map((key) => [key, body[key]] as const));
      // SQLite would look through all that wait for the same, however many they are.
      const ofRun = run === undefined ? sql`` : onlyIn('sqlite', 'INDEXED BY waiters_by_run');
      const isOfRun = run === undefined ? sql`` : sql` AND run = ${runId(run)}`;
      const isInBranch =
        branch === undefined
          ? sql``
          : sql` AND substr(place, 1, CAST(${branch.length + 1} AS integer)) IN (${`${branch}/`}, ${`${branch}#`})`;
      const isPassed =
        passed.length === 0
          ? sql``
          : sql` AND id NOT IN (${joinedSql(
              passed.map((id) => sql`${id}`),
              ', ',
            )})`;
      for (const which of [sql`since < 0`, sql`since >= 0`]) {
        // A run that ends is deleting its row.
        const row = yield* firstRow(
          rowsOf(
            'waiters',
            sql`${ofRun}
            WHERE name = ${name} AND fields = ${String(fields)} AND hash = ${hash} AND ${which} AND (due IS NULL OR due > ${now})${isOfRun}${isInBranch}${isPassed}
            ORDER BY since, id LIMIT 1${onlyIn('postgres', ' FOR UPDATE SKIP LOCKED')}`,
            'marked',
          ),
        );
        if (row !== undefined)
          found.push({
            id: Number(row.id),
            run: String(row.run),
            address: String(row.place),
            since: Number(row.since),
            isDamaged: row.isDamaged === 1,
          });
      }
    }
    const byAge = found.some(({ since }) => isHeldSince(since));
    const ageOf = (waiter: Waiter): number => (byAge ? startedAt(waiter.run) : waiter.since);
    return found.sort((one, other) => ageOf(one) - ageOf(other) || one.id - other.id)[0];
  }

  *#keep(message: NewMessage): SqlWork<MessageSent> {
    const { now, keepMs = MESSAGE_LIFE_MS } = message;
    const keptUntil = now + keepMs;
    yield* this.#keepUntil(keptUntil, message);
    return { kind: 'sent', keptUntil };
  }

  *#keepUntil(keptUntil: number, message: NewMessage): SqlWork<void> {
    const { name, body, now } = message;
    const id = yield* this.#store(name, now, keptUntil, recipientOf(message), JSON.stringify(body));
    for (const [field, hash] of fieldsOf(body, this.#sql.sealing)) yield fieldRow({ name, field, hash, message: id });
  }

  *#store(name: string, at: number, until: number, run: string | undefined, text: string): SqlWork<number> {
    const sealed = this.#sql.sealing.seal(text, `message ${name}`);
    const row = yield* firstRow(inserted('messages', { name, at, until, run: runId(run), body: sealed }, sql` RETURNING id`));
    return Number(row?.id);
  }

  /** Ends the wait of an effect: its message is in the journal, or something else ended its branch. */
  endWait(run: string, address: string, isRecorded: boolean): Promise<void> {
    return this.#sql.change(() => this.#end(sql`run = ${runId(run)} AND place = ${address}`, isRecorded));
  }

  /** Ends all waits of runs that have ended, within a transaction. */
  end(runs: readonly string[]): SqlWork<void> {
    return this.#end(isOneOf(runs), false);
  }

  /** @param isRecorded whether nothing remains for a rerun */
  *#end(which: SqlText, isRecorded: boolean): SqlWork<void> {
    yield sql`DELETE FROM wf.waiters WHERE ${which}`;
    if (!isRecorded) {
      const { message } = inboxKinds;
      const rows = yield rowsOf('inbox', sql`WHERE ${which} AND kind = ${message} ORDER BY id`, 'left out');
      for (const { run: of, place, at, body } of rows) {
        const run = String(of);
        const text = this.#sql.sealing.open(body ?? '', run);
        yield* this.#store(undeliveredName(String(place)), Number(at), Date.now() + MESSAGE_LIFE_MS, run, text);
      }
    }
    yield sql`DELETE FROM wf.inbox WHERE ${which}`;
  }

  /** The message that an ended run did not record at this effect, also if its process died before it was put aside. */
  undelivered(run: string, address: string): Promise<DeliveredMessage | undefined> {
    return this.#sql.read(() => this.#undelivered(run, address), true);
  }

  *#undelivered(run: string, address: string): SqlWork<DeliveredMessage | undefined> {
    const delivered = yield* this.#deliveredTo(run, address);
    if (delivered !== undefined) return delivered;
    const name = undeliveredName(address);
    const row = yield* firstRow(rowsOf('messages', sql`WHERE name = ${name} AND run = ${runId(run)} ORDER BY id LIMIT 1`));
    if (row === undefined) return undefined;
    return { message: JSON.parse(this.#sql.sealing.open(row.body ?? '', `message ${name}`)) as Value, at: Number(row.at) }; // a message is JSON
  }

  /** A message sent to a run's id that the run never read goes to its successor. */
  readdress(successors: readonly Successor[]): Promise<void> {
    return this.#sql.change(function* () {
      for (const [ended, successor] of successors)
        yield sql`UPDATE wf.messages SET run = ${runId(successor)} WHERE run = ${runId(ended)} AND name NOT LIKE ${undeliveredPattern}`;
    });
  }

  #fieldHash(value: Value): Buffer {
    return fieldHash(value, this.#sql.sealing);
  }

  /** The compared fields, sorted, and a hash of their values. */
  #pairsHash(pairs: MessagePairs): { readonly fields: string; readonly hash: Buffer } {
    const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      fields: JSON.stringify(sorted.map(([key]) => key)),
      hash: this.#sql.sealing.hash(sorted.map(([, value]) => equalityText(value)).join('\n')),
    };
  }
}

/** Which fields the waits for a message compare. Reads one row for each answer: any number of runs can wait for the same. */
const fieldsWaitedFor = (name: string): SqlText => sql`
WITH RECURSIVE waited(fields) AS (
  SELECT min(fields) FROM wf.waiters WHERE name = ${name}
  UNION ALL SELECT (SELECT min(fields) FROM wf.waiters WHERE name = ${name} AND fields > waited.fields) FROM waited WHERE fields IS NOT NULL
) SELECT fields FROM waited WHERE fields IS NOT NULL`;
