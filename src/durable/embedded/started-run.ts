// A run that this process has just started, for its caller, who may wait until it ends or pauses for long.
import { afterTurn } from '../../engine/after-turn.js';
import type { Ended, StartedHere } from '../durable-engine.js';
import { toRunId } from '../run-ids.js';
import type { LiveRun } from './live-run.js';
import type { LeftMemory } from './live-run-parts.js';
import { isPausedLong } from './long-pause.js';
import { type RunLookup, stateOf } from './run-lookup.js';
import type { WatchedEvent } from './run-watchers.js';
import type { StoreAccess } from './store-access.js';

export class StartedRun implements StartedHere {
  readonly kind = 'started';
  readonly run: string;
  readonly #live: LiveRun;
  readonly #lookup: RunLookup;
  readonly #store: Pick<StoreAccess, 'whileUsable'>;

  constructor(live: LiveRun, lookup: RunLookup, store: Pick<StoreAccess, 'whileUsable'>) {
    this.run = toRunId(live.id);
    this.#live = live;
    this.#lookup = lookup;
    this.#store = store;
  }

  get end(): Promise<Ended> {
    const end = new Promise<Ended>((resolve, reject) =>
      this.#watch(resolve, (error) => {
        // Callers who want no end have dropped this promise. The run is in the store all the same.
        end.catch(() => undefined);
        reject(error);
      }),
    );
    return end;
  }

  // One promise, because a second one around `end` would take a noticeable part of a small run.
  endWithin(ms: number): Promise<Ended | undefined> {
    const ending = new Promise<Ended | undefined>((resolve, reject) => {
      let isOver = false;
      let timer: NodeJS.Timeout | undefined;
      const end = (ended: Ended): void => {
        isOver = true;
        clearTimeout(timer);
        resolve(ended);
      };
      this.#watch(end, reject);
      // Most runs end before the event loop turns, in less time than a timer takes.
      afterTurn(() => {
        if (isOver) return;
        const giveUp = (): void => {
          clearTimeout(timer);
          resolve(undefined);
        };
        timer = setTimeout(giveUp, ms);
        // Its failure reaches the caller through `ending` itself.
        this.#store.whileUsable(ending).then(giveUp, giveUp);
      });
    });
    return ending;
  }

  async recorded(isPatient = false): Promise<boolean> {
    const live = this.#live;
    live.accept();
    if (!live.isRecorded) await (isPatient ? live.settled() : this.#store.whileUsable(live.settled()));
    return live.isRecorded;
  }

  #watch(callback: (ended: Ended) => void, fail: (error: unknown) => void): void {
    const live = this.#live;
    const watch = (event: WatchedEvent): void => {
      if (event.kind === 'outcome') callback(event);
      else if (event.kind === 'failed') fail(event.error);
      else this.#stateAfter(event).then(callback, fail);
    };
    // It may have begun to wait while its first record was being written.
    if (live.waiting !== undefined && isPausedLong(live.waiting)) watch({ kind: 'paused' });
    else live.watchers.add(watch);
  }

  async #stateAfter({ kind }: { readonly kind: Exclude<LeftMemory['kind'], 'outcome'> | 'paused' }): Promise<Ended> {
    const live = this.#live;
    if (kind === 'paused') await live.settled();
    // The store can't be asked any more.
    if (live.journal.suspended === 'lost') return { kind: 'lost', state: stateOf(live) };
    const state = await this.#lookup.state(this.run);
    if (state === undefined) throw new Error(`The run ${this.run} is not in the store.`);
    return { kind: kind === 'parked' ? 'paused' : kind, state };
  }
}
