// The part of a store that a live run writes to: a slot of an embedded store with many runs, or the place of one run in a database.
import type { EffectSite } from '../../../runtime/durable-run.js';
import type { SlotWrite } from '../store/slot-writes.js';
import type { StoredSite } from './own-slot.js';

export interface RunSlot {
  /** A number for a new run. */
  newRun(): number;
  /** Adds a write without asking for a commit; returns what `durable` takes. */
  write(write: SlotWrite): number;
  /** Commits what was written soon. */
  flush(): void;
  /** Commits what was written within a moment: nobody waits for it. */
  flushLazily(): void;
  /** Resolves when this write, and all before it, are durable and the next effect may happen; `undefined` if that is so already. */
  durable(generation: number): Promise<void> | undefined;
  /** Keeps what a place does, once for each version. */
  describe(v: number, site: EffectSite): void;
  siteOf(v: number, site: number): StoredSite | undefined;
}
