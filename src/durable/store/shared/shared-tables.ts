// The tables that all processes of a store share, under the method names that runs, pages and commands use.
import type { MessagePlace } from '../../../../runtime/types.js';
import { type Actor, CHANGE_LIFE_MS, type ChangeRow, type NewChange } from '../../model/changes.js';
import {
  type DeliveredMessage,
  type InboxKind,
  inboxKinds,
  MESSAGE_LIFE_MS,
  type MessageSent,
  type MessageWish,
  type NewMessage,
  type Successor,
} from '../../model/messages.js';
import {
  type ClaimedKey,
  type ClaimedOnce,
  erasedKey,
  isRequestKey,
  type KeyClaim,
  type OnceValue,
} from '../../model/request-keys.js';
import type { OpenTasks, SavedView } from '../../model/run-views.js';
import {
  type NewAssignee,
  type NewTask,
  type StoredAnswer,
  type TaskAnswered,
  type TaskAssigned,
  type TaskRow,
  taskStates,
} from '../../model/tasks.js';
import type { SharedRows } from '../port.js';
import { Changes } from './changes.js';
import { Messages } from './messages.js';
import { isOnce, type OwnerColumns, pruneKeys, RequestKeys } from './request-keys.js';
import {
  allInserted,
  firstRow,
  inParts,
  inserted,
  onlyIn,
  rowsOf,
  runId,
  type SharedSql,
  type SqlRow,
  type SqlValue,
  type SqlWork,
  sql,
} from './sql.js';
import { Tasks } from './tasks.js';

/** Columns that differ between kinds of stores. */
export interface TableColumns {
  readonly owner: OwnerColumns;
  /** A text as the column `meta.value` takes it. */
  readonly metaValue: (text: string) => SqlValue;
}

export class SharedTables implements SharedRows {
  readonly #sql: SharedSql;
  readonly #messages: Messages;
  readonly #tasks: Tasks;
  readonly #changes: Changes;
  readonly #keys: RequestKeys;
  readonly #timetables: StoredTimetables;
  readonly #views: SavedViews;
  readonly #sessions: EndedSessions;

  constructor(shared: SharedSql, { owner, metaValue }: TableColumns) {
    this.#sql = shared;
    this.#changes = new Changes(shared);
    this.#messages = new Messages(shared, this.#changes);
    this.#tasks = new Tasks(shared, this.#changes);
    this.#views = new SavedViews(shared);
    this.#keys = new RequestKeys(shared, owner);
    this.#timetables = new StoredTimetables(shared, metaValue);
    this.#sessions = new EndedSessions(shared, metaValue);
  }

  async keyFor(purpose: string): Promise<string> {
    return this.#sql.sealing.hash(`key for ${purpose}`).toString('hex');
  }

  isSessionEnded(id: string, expiresAt: number): Promise<boolean> {
    return this.#sessions.has(id, expiresAt);
  }

  endSession(id: string, expiresAt: number, now: number): Promise<void> {
    return this.#sessions.add(id, expiresAt, now);
  }

  recordChange(change: NewChange, at: number): Promise<number> {
    return this.#changes.record(change, at);
  }

  recordChangeOnce(change: NewChange, at: number, since: number): Promise<void> {
    return this.#changes.recordOnce(change, at, since);
  }

  withdrawChange(id: number): Promise<void> {
    return this.#changes.withdraw(id);
  }

  completeChange(id: number, change: NewChange): Promise<void> {
    return this.#changes.complete(id, change);
  }

  listChanges(after: number, since: number, run?: string): Promise<ChangeRow[]> {
    return this.#changes.list(after, since, run);
  }

  wantMessage(wish: MessageWish): Promise<DeliveredMessage | undefined> {
    return this.#messages.want(wish);
  }

  sendMessage(message: NewMessage): Promise<MessageSent> {
    return this.#messages.send(message);
  }

  holdPlaces(run: string, places: readonly MessagePlace[]): Promise<void> {
    return this.#messages.hold(run, places);
  }

  endWait(run: string, address: string, isRecorded: boolean): Promise<void> {
    return this.#messages.endWait(run, address, isRecorded);
  }

  undeliveredMessage(run: string, address: string): Promise<DeliveredMessage | undefined> {
    return this.#messages.undelivered(run, address);
  }

  readdressMessages(successors: readonly Successor[]): Promise<void> {
    return this.#messages.readdress(successors);
  }

  openTask(task: NewTask): Promise<{ readonly id: string; readonly key: string }> {
    return this.#tasks.open(task);
  }

  recordAnswer(id: string, answer: StoredAnswer, now: number, by?: Actor): Promise<TaskAnswered> {
    return this.#tasks.answer(id, answer, now, by);
  }

  assignTask(id: string, assignment: NewAssignee, now: number, by?: Actor): Promise<TaskAssigned> {
    return this.#tasks.assign(id, assignment, now, by);
  }

  taskOf(run: string, address: string): Promise<TaskRow | undefined> {
    return this.#tasks.of(run, address);
  }

  endTask(run: string, address: string): Promise<void> {
    return this.#tasks.endOne(run, address);
  }

  endShared(runs: readonly string[]): Promise<void> {
    const [messages, tasks] = [this.#messages, this.#tasks];
    return this.#sql.change(function* () {
      yield* tasks.end(runs);
      yield* messages.end(runs);
    });
  }

  async eraseShared(
    runs: readonly [string, ...string[]],
    workflow: string,
    key: string | undefined,
  ): Promise<string | undefined> {
    const hashed = key === undefined || !isRequestKey(key) ? key : erasedKey(key, this.#sql.sealing.hash);
    const changes = this.#changes;
    await this.#sql.change(function* () {
      yield* eraseRows(runs, workflow, key, hashed);
      for (const run of runs) yield* changes.forget(run);
    });
    return hashed;
  }

  findTask(id: string): Promise<TaskRow | undefined> {
    return this.#tasks.find(id);
  }

  async isTaskKey(id: string, key: string): Promise<boolean> {
    return this.#tasks.isKey(id, key);
  }

  listTasks(closed: boolean, now: number, limit: number, offset: number): Promise<TaskRow[]> {
    return this.#tasks.list(closed, now, limit, offset);
  }

  countTasks(now: number): Promise<OpenTasks[]> {
    return this.#tasks.count(now);
  }

  async addToInbox(run: string, kind: InboxKind, at: number, place: string | null): Promise<number> {
    const insert = inserted('inbox', { run: runId(run), kind, place, at }, sql` RETURNING id`);
    const [row] = await this.#sql.statement(insert);
    return Number(row?.id);
  }

  askToCancel(runs: readonly string[], by: Actor | undefined, at: number): Promise<ReadonlyMap<string, number>> {
    const changes = this.#changes;
    return this.#sql.changeNow(function* () {
      const recorded = yield* changes.addAll(by === undefined ? [] : runs.map((run) => ({ action: 'cancel', by, run })), at);
      for (const some of inParts(runs)) {
        const rows = some.map((run) => ({ run: runId(run), kind: inboxKinds.cancel, place: null, at }));
        yield allInserted('inbox', rows);
      }
      return recorded;
    });
  }

  async isInInbox(id: number): Promise<boolean> {
    return (await this.#sql.read(() => firstRow(sql`SELECT 1 AS found FROM wf.inbox WHERE id = ${id}`))) !== undefined;
  }

  removeFromInbox(ids: readonly number[]): Promise<void> {
    return this.#sql.changeNow(function* () {
      for (const id of ids) yield sql`DELETE FROM wf.inbox WHERE id = ${id}`;
    });
  }

  claimKey(claim: KeyClaim, instead?: string): Promise<ClaimedKey> {
    return this.#keys.claim(claim, instead);
  }

  claimOnce(value: OnceValue, run: string, owner: string, instead?: string): Promise<ClaimedOnce> {
    return this.#keys.claimOnce(value, run, owner, instead);
  }

  confirmOnce(value: OnceValue, run: string): Promise<void> {
    return this.#keys.confirmOnce(value, run);
  }

  releaseOnce(value: OnceValue, run: string): Promise<void> {
    return this.#keys.releaseOnce(value, run);
  }

  storeContents(contents: readonly (readonly [hash: string, data: string])[], at: number): Promise<void> {
    return this.#sql.changeNow(function* () {
      for (const [hash, data] of contents)
        yield sql`INSERT INTO wf.contents(hash, used, data) VALUES (${hash}, ${at}, ${data}) ON CONFLICT (hash) DO UPDATE SET used = excluded.used`;
    });
  }

  listViews(): Promise<SavedView[]> {
    return this.#views.list();
  }

  saveView(view: SavedView): Promise<boolean> {
    return this.#views.save(view);
  }

  removeView(name: string): Promise<void> {
    return this.#views.remove(name);
  }

  timetableSeen(workflow: string, plan: string): Promise<number | undefined> {
    return this.#timetables.seen(workflow, plan);
  }

  timetableDone(workflow: string, plan: string, until: number): Promise<void> {
    return this.#timetables.done(workflow, plan, until);
  }
}

/**
 * Deletes what shared tables keep of a run whose data is erased.
 * @param runs the id of the run, and those of the workflows that it called
 * @param key the key that it was started with, of this workflow @param hashed what stays of it
 */
function* eraseRows(
  runs: readonly [string, ...string[]],
  workflow: string,
  key: string | undefined,
  hashed: string | undefined,
): SqlWork<void> {
  for (const run of runs) {
    yield sql`DELETE FROM wf.message_fields WHERE message IN (SELECT id FROM wf.messages WHERE run = ${runId(run)})`;
    yield sql`DELETE FROM wf.messages WHERE run = ${runId(run)}`;
    yield sql`DELETE FROM wf.waiters WHERE run = ${runId(run)}`;
    yield sql`DELETE FROM wf.inbox WHERE run = ${runId(run)}`;
    yield sql`DELETE FROM wf.tasks WHERE run = ${runId(run)}`;
  }
  const [run] = runs;
  yield sql`DELETE FROM wf.keys WHERE run = ${runId(run)} AND ${isOnce}`;
  if (key !== hashed)
    yield sql`UPDATE wf.keys SET key = ${hashed ?? null} WHERE scope = ${workflow} AND key = ${key ?? null} AND run = ${runId(run)}`;
}

/**
 * Deletes what is too old to be asked for, whatever has become of its run.
 * @param before runs that ended earlier are deleted @param hasRun throws for a run that may be in a file that can't be read
 */
export async function pruneByAge(
  shared: SharedSql,
  before: number,
  now: number,
  hasRun: (run: string) => boolean | Promise<boolean>,
): Promise<void> {
  await shared.changeNow(function* () {
    yield sql`DELETE FROM wf.message_fields WHERE message IN (SELECT id FROM wf.messages WHERE until <= ${now})`;
    yield sql`DELETE FROM wf.messages WHERE until <= ${now}`;
    yield sql`DELETE FROM wf.message_keys WHERE at < ${now - MESSAGE_LIFE_MS}`;
    yield sql`DELETE FROM wf.changes WHERE at < ${Math.min(before, now - CHANGE_LIFE_MS)}`;
    yield sql`DELETE FROM wf.tasks WHERE state <> ${taskStates.open} AND asked < ${before}`;
  });
  await pruneKeys(shared, before, now, hasRun);
}

/** Which due times of workflows' timetables are done, for all processes over a store. */
interface StoredTimetable {
  /** The expression and its time zone. Another plan starts afresh. */
  readonly plan: string;
  /** Milliseconds since 1970. */
  readonly seen: number;
}

const keyOf = (workflow: string): string => `timetable ${workflow}`;

function* seen(workflow: string, plan: string, lock = sql``): SqlWork<number | undefined> {
  const row = yield* firstRow(rowsOf('meta', sql`WHERE key = ${keyOf(workflow)}${lock}`, 'left out'));
  if (row === undefined) return undefined;
  // A database stores it as bytes.
  const text = row.value instanceof Uint8Array ? Buffer.from(row.value).toString() : String(row.value);
  const stored = JSON.parse(text) as StoredTimetable; // written below
  return stored.plan === plan ? stored.seen : undefined;
}

class StoredTimetables {
  readonly #sql: SharedSql;
  readonly #toValue: (text: string) => SqlValue;

  /** @param toValue what the column `meta.value` takes for a text */
  constructor(sql: SharedSql, toValue: (text: string) => SqlValue) {
    this.#sql = sql;
    this.#toValue = toValue;
  }

  /** Due times up to this moment are done, in milliseconds since 1970; `undefined` before its first start, and after a change of plan. */
  seen(workflow: string, plan: string): Promise<number | undefined> {
    return this.#sql.read(() => seen(workflow, plan));
  }

  /** Never moves back under the same plan: a slow process must not cause due times to be repeated. */
  done(workflow: string, plan: string, until: number): Promise<void> {
    return this.#sql.changeNow(() => this.#done(workflow, plan, until));
  }

  *#done(workflow: string, plan: string, until: number): SqlWork<void> {
    const before = yield* seen(workflow, plan, onlyIn('postgres', ' FOR UPDATE'));
    const value = this.#toValue(JSON.stringify({ plan, seen: Math.max(until, before ?? until) } satisfies StoredTimetable));
    yield inserted('meta', { key: keyOf(workflow), value }, sql` ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
  }
}

// Rows of the console for all processes over a store: filters of the list of runs, and the sessions that somebody has ended.

/** More would no longer be an overview. */
const MOST_VIEWS = 50;

/** Owner of what is sealed. */
const ownerOf = (id: string): string => `view ${id}`;

/** Filters of the list of runs that people keep for everyone, under their names. */
class SavedViews {
  readonly #sql: SharedSql;

  constructor(sql: SharedSql) {
    this.#sql = sql;
  }

  /** Names are sealed with the rest. */
  #idOf(name: string): string {
    return this.#sql.sealing.hash(`view ${name}`).toString('hex');
  }

  async list(): Promise<SavedView[]> {
    const rows = await this.#sql.read(function* (): SqlWork<readonly SqlRow[]> {
      return yield rowsOf('views', sql`LIMIT ${MOST_VIEWS}`, 'left out');
    });
    const views = rows.map(({ id, body }) => JSON.parse(this.#sql.sealing.open(body ?? '', ownerOf(String(id)))) as SavedView); // written below
    return views.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  /** Replaces one of the same name. @returns whether there was room */
  save(view: SavedView): Promise<boolean> {
    const id = this.#idOf(view.name);
    const body = this.#sql.sealing.seal(JSON.stringify(view), ownerOf(id));
    return this.#sql.changeNow(function* (): SqlWork<boolean> {
      const others = yield sql`SELECT id FROM wf.views WHERE id <> ${id} LIMIT ${MOST_VIEWS}`;
      if (others.length >= MOST_VIEWS) return false;
      yield inserted('views', { id, body }, sql` ON CONFLICT (id) DO UPDATE SET body = excluded.body`);
      return true;
    });
  }

  remove(name: string): Promise<void> {
    const id = this.#idOf(name);
    return this.#sql.changeNow(function* () {
      yield sql`DELETE FROM wf.views WHERE id = ${id}`;
    });
  }
}

/**
 * Sessions of the console that somebody has ended, for all processes over a store. An entry is kept until its session would have expired.
 */
const SESSION_PREFIX = 'ended session ';

/** Sorted by the time at which they expire. */
const sessionKey = (expiresAt: number, id = ''): string => `${SESSION_PREFIX}${expiresAt.toString(36).padStart(11, '0')} ${id}`;

class EndedSessions {
  readonly #sql: SharedSql;
  readonly #toValue: (text: string) => SqlValue;

  /** @param toValue what the column `meta.value` takes for a text */
  constructor(shared: SharedSql, toValue: (text: string) => SqlValue) {
    this.#sql = shared;
    this.#toValue = toValue;
  }

  async has(id: string, expiresAt: number): Promise<boolean> {
    const row = await this.#sql.read(() => firstRow(sql`SELECT key FROM wf.meta WHERE key = ${sessionKey(expiresAt, id)}`));
    return row !== undefined;
  }

  /** Also forgets those that have expired. */
  add(id: string, expiresAt: number, now: number): Promise<void> {
    const value = this.#toValue('1');
    return this.#sql.changeNow(function* () {
      yield sql`DELETE FROM wf.meta WHERE key >= ${SESSION_PREFIX} AND key < ${sessionKey(now)}`;
      yield inserted('meta', { key: sessionKey(expiresAt, id), value }, sql` ON CONFLICT (key) DO NOTHING`);
    });
  }
}
