// The operations of a store's thread on the shared file. The main thread calls these methods by name.

import type {
  DeliveredMessage,
  InboxKind,
  InboxRow,
  MessageSent,
  MessageWish,
  NewMessage,
  Successor,
} from '../../model/messages.js';
import type { ClaimedKey, KeyClaim } from '../../model/request-keys.js';
import type { NewTask, StoredAnswer, TaskAnswered, TaskRow } from '../../model/tasks.js';
import type { SharedFile } from './shared-file.js';
import { addToInbox, claimKey, inboxAfter, removeFromInbox, storeContents, timetableDone, timetableSeen } from './shared-keys.js';
import { endWait, readdressMessages, sendMessage, undeliveredMessage, wantMessage } from './shared-messages.js';
import { type KnownRuns, pruneShared } from './shared-pruning.js';
import { endShared, endTask, findTask, isTaskKey, listTasks, openTask, recordAnswer, taskOf } from './shared-tasks.js';

export class SharedThread {
  readonly #shared: SharedFile;
  readonly #runs: KnownRuns;

  constructor(shared: SharedFile, runs: KnownRuns) {
    this.#shared = shared;
    this.#runs = runs;
  }

  isEncrypted(): boolean {
    return this.#shared.sealing.isEncrypted;
  }

  /** A sign of life. */
  ping(): void {}

  /** Short hashes that tell texts apart and, without the store's own secret, say nothing about them. */
  shortHashes(texts: readonly string[]): string[] {
    return texts.map((text) => this.#shared.sealing.hash(text).toString('hex', 0, 4));
  }

  /** Writes something small to find out whether the store can be written. */
  probe(at: number): Promise<void> {
    return this.#shared.change(() => {
      this.#shared.run("INSERT INTO meta VALUES('probed', ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", at);
    });
  }

  claimKey(claim: KeyClaim, instead?: string): Promise<ClaimedKey> {
    return claimKey(this.#shared, claim, instead);
  }

  storeContents(contents: readonly (readonly [hash: string, data: string])[], at: number): Promise<void> {
    return storeContents(this.#shared, contents, at);
  }

  inboxAfter(id: number): InboxRow[] {
    return inboxAfter(this.#shared, id);
  }

  addToInbox(run: string, kind: InboxKind, at: number): Promise<void> {
    return addToInbox(this.#shared, run, kind, at);
  }

  removeFromInbox(ids: readonly number[]): Promise<void> {
    return removeFromInbox(this.#shared, ids);
  }

  wantMessage(wish: MessageWish): Promise<DeliveredMessage | undefined> {
    return wantMessage(this.#shared, wish);
  }

  sendMessage(message: NewMessage): Promise<MessageSent> {
    return sendMessage(this.#shared, message, this.#runs.isUnfinished);
  }

  endWait(run: string, place: string, isRecorded: boolean): Promise<void> {
    return endWait(this.#shared, run, place, isRecorded);
  }

  undeliveredMessage(run: string, place: string): DeliveredMessage | undefined {
    return undeliveredMessage(this.#shared, run, place);
  }

  readdressMessages(successors: readonly Successor[]): Promise<void> {
    return readdressMessages(this.#shared, successors);
  }

  openTask(task: NewTask): Promise<{ readonly id: string; readonly key: string }> {
    return openTask(this.#shared, task);
  }

  recordAnswer(id: string, answer: StoredAnswer, now: number): Promise<TaskAnswered> {
    return recordAnswer(this.#shared, { id, answer, now }, this.#runs.isUnfinished);
  }

  taskOf(run: string, place: string): TaskRow | undefined {
    return taskOf(this.#shared, run, place);
  }

  endTask(run: string, place: string): Promise<void> {
    return endTask(this.#shared, run, place);
  }

  endShared(run: string): Promise<void> {
    return endShared(this.#shared, run);
  }

  findTask(id: string): TaskRow | undefined {
    return findTask(this.#shared, id);
  }

  isTaskKey(id: string, key: string): boolean {
    return isTaskKey(this.#shared, id, key);
  }

  prune(before: number, now: number, inUse: readonly string[]): Promise<void> {
    return pruneShared(this.#shared, before, now, inUse, this.#runs);
  }

  timetableSeen(workflow: string, plan: string): number | undefined {
    return timetableSeen(this.#shared, workflow, plan);
  }

  timetableDone(workflow: string, plan: string, until: number): Promise<void> {
    return timetableDone(this.#shared, workflow, plan, until);
  }

  listTasks(closed: boolean, now: number, limit: number, offset: number): TaskRow[] {
    return listTasks(this.#shared, closed, now, limit, offset);
  }
}
