// Keeps changes on record: who made them, when, and which way they came in. A change is recorded before it is made, so that no crash can
// lose the record, and withdrawn if it turns out to be impossible.
import { UsageError } from '../../engine/usage-error.js';
import type { ChangeRecord } from '../durable-engine.js';
import { type AskedChange, type ChangesQuery, type ChangeView, toChangeView, type WasMade } from '../model/changes.js';
import { toRunHex } from '../model/run-ids.js';
import type { StoreAccess } from '../store/port.js';

/** Milliseconds in which all processes notice a change from outside. */
const NOTICED_MS = 60_000;

export class RecordedChanges implements ChangeRecord {
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

  async recordOnce({ action, by, about }: Omit<AskedChange, 'run'>): Promise<void> {
    const now = Date.now();
    if (by !== undefined) await this.#store.client.shared.recordChangeOnce({ action, by, about }, now, now - NOTICED_MS);
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
