// Those who wait for one run. Callbacks, because a promise for each of them would take longer than a small run itself.
import type { LeftMemory } from './live-run-parts.js';

/** What they wait for; `paused`: the run begins to wait for long. */
export type WatchedEvent = LeftMemory | { readonly kind: 'paused' } | { readonly kind: 'failed'; readonly error: unknown };

export type RunWatcher = (event: WatchedEvent) => void;

export class RunWatchers {
  #watchers: RunWatcher[] | undefined;
  #last: WatchedEvent | undefined;

  /** Calls back once: at the next event, or immediately if the run has left memory. */
  add(watcher: RunWatcher): void {
    if (this.#last !== undefined) watcher(this.#last);
    else if (this.#watchers === undefined) this.#watchers = [watcher];
    else this.#watchers.push(watcher);
  }

  tell(event: WatchedEvent): void {
    if (event.kind !== 'paused') this.#last = event;
    const watchers = this.#watchers;
    this.#watchers = undefined;
    for (const watcher of watchers ?? []) watcher(event);
  }
}
