// Waits for runs: callers wait until theirs ends or pauses for long. Runs of this process report that; runs of others are polled.
import type { Ended, StartedHere } from '../durable-engine.js';
import { toRunHex, toRunId } from '../model/run-ids.js';
import { isFinished, type RunState, type WaitingFor } from '../model/run-views.js';
import type { StoreAccess } from '../store/port.js';
import { type RunLookup, stateOf } from '../views/run-lookup.js';
import type { LeftMemory, LiveRun, WatchedEvent } from './live-run.js';
import type { LiveRuns } from './live-runs.js';

/** Milliseconds between polls for a run of another process. */
const POLL_MS = 150;

export class RunWaits {
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #store: StoreAccess;
  #isOver = false;

  constructor(runs: LiveRuns, lookup: RunLookup, store: StoreAccess) {
    this.#runs = runs;
    this.#lookup = lookup;
    this.#store = store;
  }

  /** Tells callers that a run of this process begins to wait. */
  waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void {
    run.answersCaller = waiting !== undefined && answersCaller(waiting, due);
    if (run.answersCaller) run.watchers.tell({ kind: 'paused' });
  }

  /** A run of this process, as its caller learns of it. */
  started(run: LiveRun): StartedRun {
    return new StartedRun(run, this.#lookup, this.#store);
  }

  /** Resolves with the result of the work, or with `undefined` as soon as the store can't be used. */
  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.#store.whileUsable(work);
  }

  async settled(id: string, until: 'ended' | 'paused', ms: number): Promise<RunState | undefined> {
    const hex = toRunHex(id);
    if (hex === undefined) return undefined;
    // Not by the clock, which can be set.
    const end = performance.now() + ms;
    for (;;) {
      const state = await this.#lookup.state(id);
      if (state === undefined || isFinished(state.status) || state.status === 'stuck') return state;
      const { waitingFor } = state;
      if (until === 'paused' && waitingFor !== undefined && answersCallerNow(waitingFor)) return state;
      const left = end - performance.now();
      if (left <= 0 || this.#isOver) return state;
      const live = this.#runs.get(hex);
      const wait = new Promise((resolve) => setTimeout(resolve, Math.min(left, POLL_MS)));
      await Promise.race([wait, ...(live === undefined ? [] : [live.left])]);
    }
  }

  /**
   * Ends all waits because the process stops: callers get the current state, while the store can be asked.
   * @param answered resolves when they have their answers
   */
  async end(answered?: () => Promise<void>): Promise<void> {
    this.#isOver = true;
    await answered?.();
  }
}

/** Milliseconds of a wait through which a caller waits for the outcome. */
const UNANSWERED_MS = 30_000;

/** Whether a wait is so long that the caller is answered with 202. @param due milliseconds since 1970; `undefined` without a limit */
const answersCaller = ({ kind }: WaitingFor, due: number | undefined): boolean =>
  kind === 'message' || kind === 'person' || due === undefined || due - Date.now() > UNANSWERED_MS;

/** Whether the caller of a run that waits for this is answered now. */
const answersCallerNow = (waiting: WaitingFor): boolean =>
  answersCaller(waiting, waiting.until === undefined ? undefined : Date.parse(waiting.until));

class StartedRun implements StartedHere {
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
    if (live.answersCaller) watch({ kind: 'paused' });
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

/** Start when the event loop turns, together: most of what would need a timer is over by then. */
let atTurn: (() => void)[] = [];

function startAll(): void {
  const starts = atTurn;
  atTurn = [];
  for (const start of starts) start();
}

/** Calls back at the end of this turn of the event loop. `start` must not throw. */
function afterTurn(start: () => void): void {
  if (atTurn.length === 0) setImmediate(startAll);
  atTurn.push(start);
}
