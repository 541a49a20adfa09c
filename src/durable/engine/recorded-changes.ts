// Keeps changes on record: who made them, when, and which way they came in. A change is recorded before it is made, so that no crash can lose
// the record, and withdrawn if it turns out to be impossible.
import { UsageError } from '../../engine/usage-error.js';
import type { Change, ChangeRecord, DurableEngine, Rerun, RerunRequest } from '../durable-engine.js';
import { type AskedChange, type ChangesQuery, type ChangeView, nameOf, toChangeView, type WasMade } from '../model/changes.js';
import type { GivenUp } from '../model/file-troubles.js';
import { toRunHex } from '../model/run-ids.js';
import type { StoreAccess } from '../store/port.js';
import type { RunActions } from './run-actions.js';
import type { RunEraser } from './run-eraser.js';

/** Milliseconds in which all processes notice a change from outside. */
const NOTICED_MS = 60_000;

class RecordedChanges implements ChangeRecord {
  readonly #store: StoreAccess;

  constructor(store: StoreAccess) {
    this.#store = store;
  }

  async during<T>({ action, by, run, about }: AskedChange, make: () => Promise<T>, made: (result: T) => WasMade): Promise<T> {
    const hex = run === undefined ? undefined : toRunHex(run);
    if (by === undefined || (run !== undefined && hex === undefined)) return make();
    const { shared } = this.#store.client;
    const change = { action, by, run: hex, about };
    const id = await shared.recordChange(change, Date.now());
    const result = await make().catch(async (error: unknown) => {
      // Anything else may have been asked for before it failed.
      if (error instanceof UsageError) await shared.withdrawChange(id).catch(() => undefined);
      throw error;
    });
    const outcome = made(result);
    if (outcome === false) await shared.withdrawChange(id);
    else if (outcome !== true) await shared.completeChange(id, { ...change, ...outcome });
    return result;
  }

  async record({ action, by, about }: Omit<AskedChange, 'run'>): Promise<void> {
    if (by !== undefined) await this.#store.client.shared.recordChange({ action, by, about }, Date.now());
  }

  async recordOnce({ action, by, run, about }: AskedChange, since?: number): Promise<void> {
    const now = Date.now();
    const change = by && { action, by, run: run && toRunHex(run), about };
    if (change !== undefined) await this.#store.client.shared.recordChangeOnce(change, now, since ?? now - NOTICED_MS);
  }

  async take(changes: readonly ChangeView[]): Promise<void> {
    if (changes.length === 0) return;
    const known = new Set<string>();
    for await (const change of this.list()) known.add(JSON.stringify(change));
    for (const change of changes) {
      const { time, name, role, way, action, run, about } = change;
      if (known.has(JSON.stringify(change))) continue;
      const of = run === undefined ? undefined : toRunHex(run);
      await this.#store.client.shared.recordChange({ action, by: { name, role, way }, run: of, about }, Date.parse(time));
    }
  }

  async *list({ run, since = 0 }: ChangesQuery = {}): AsyncIterable<ChangeView> {
    const hex = run === undefined ? undefined : toRunHex(run);
    if (run !== undefined && hex === undefined) return;
    for (let after = 0; ; ) {
      const rows = await this.#store.client.shared.listChanges(after, since, hex);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield* rows.map(toChangeView);
      after = last.id;
    }
  }
}

interface Changing {
  readonly store: StoreAccess;
  readonly actions: RunActions;
  readonly eraser: RunEraser;
  readonly rerun: (run: string, how: RerunRequest) => Promise<Rerun>;
  readonly giveUp: (file: string) => Promise<GivenUp>;
  readonly rekey: (key: Uint8Array | undefined) => Promise<void>;
}

const isMade = ({ kind }: Change): boolean => kind === 'done' || kind === 'asked';

/** The changes that people make, each kept on record. */
export function recordedActions({ store, actions, eraser, rerun, giveUp, rekey }: Changing) {
  const changes = new RecordedChanges(store);
  return {
    changes,
    cancel: (run, by) => changes.during({ action: 'cancel', run, by }, () => actions.cancel(run), isMade),
    cancelMany: (runs, by) => actions.cancelMany(runs, by),
    resume: (run, by) => changes.during({ action: 'resume', run, by }, () => actions.resume(run), isMade),
    retry: (run, by) => changes.during({ action: 'retry', run, by }, () => actions.retry(run), isMade),
    skip: (run, line, by) =>
      changes.during(
        { action: 'skip', run, by, about: line === undefined ? undefined : `line ${line}` },
        () => actions.skip(run, line),
        isMade,
      ),
    erase: (run, by) => changes.during({ action: 'erase', run, by }, () => eraser.erase(run, by && nameOf(by)), isMade),
    rerun: (run, how, by) =>
      changes.during(
        { action: 'rerun', run, by },
        () => rerun(run, by === undefined ? how : { ...how, by: nameOf(by) }),
        (repeated) => repeated.kind === 'started' && { about: repeated.run },
      ),
    giveUp: (file, by) =>
      changes.during(
        { action: 'give-up', by, about: file },
        () => giveUp(file),
        () => true,
      ),
    /** Recorded before, because the store is closed after it, and sealed with the new key. */
    rekey: (key, by) =>
      changes.during(
        { action: 'rekey', by },
        () => rekey(key),
        () => true,
      ),
  } satisfies Partial<DurableEngine>;
}
