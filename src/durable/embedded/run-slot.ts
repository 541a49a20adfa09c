// The part of a store that a live run writes to: a slot of an embedded store with many runs, or the place of one run in a database.
import type { EffectSite } from '../../../runtime/run/durable-run.js';
import type { SlotWrite } from '../store/slot-writes.js';
import type { StoredSite } from './own-slot.js';

export interface RunSlot {
  /** A number for a new run. */
  newRun(): number;
  /** Adds a write without requesting a commit; returns the argument for `durable`. */
  write(write: SlotWrite): number;
  /** Commits pending writes soon. */
  flush(): void;
  /** Commits pending writes after a moment, because no one waits for them. */
  flushLazily(): void;
  /** Resolves when this write, and all before it, are durable and the next effect may happen; `undefined` if they already are. */
  durable(generation: number): Promise<void> | undefined;
  /** Whether this write is on disk, even if the slot has been lost since. */
  isDurable(generation: number): boolean;
  /** It belongs to this process no more: nothing written since is durable, and no effect may happen. */
  readonly isLost?: boolean;
  /** Stores what a place does, once per version. */
  describe(v: number, site: EffectSite): void;
  siteOf(v: number, site: number): StoredSite | undefined;
}
