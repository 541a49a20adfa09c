// The threads of a store, from the main thread: started, called, watched, and replaced. A thread that ends unexpectedly releases the locks
// of its shards, so this process loses everything it had of the store.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { distFolder } from '../../../dist-folder.js';
import { UsageError } from '../../../engine/usage-error.js';
import { damageCodes, sqliteCodes } from './sqlite.js';
import type { StoreThreadData, StoreWorkerData } from './store-worker.js';
import {
  type Remote,
  shutAtExit,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadFault,
  ThreadGate,
  type ThreadPart,
  type ThreadParts,
  type ThreadReport,
  threadMethods,
} from './thread-calls.js';

/** A failure of a thread; `sqlite` is the library's result code, 0 if it was not the cause. */
class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly sqlite: number;
  readonly isUnanswered: boolean;

  constructor({ message, sqlite }: ThreadFault, isUnanswered = false) {
    super(message);
    this.isUnanswered = isUnanswered;
    this.sqlite = sqlite;
  }
}

const passing: ReadonlyMap<number, string> = new Map([
  [sqliteCodes.full, 'the disk is full'],
  [sqliteCodes.readOnly, 'it is read-only'],
  [sqliteCodes.ioError, 'the disk reports an error'],
  [sqliteCodes.cannotOpen, 'its files cannot be opened'],
  [sqliteCodes.busy, 'another program holds it'],
]);

/** The reason why the store can't be written at the moment, as the end of a sentence; `undefined` for any other error. */
export const passingProblem = (error: unknown): string | undefined =>
  error instanceof StoreFault ? passing.get(error.sqlite) : undefined;

/** Like `passingProblem`, for a code of SQLite. That another program holds a file is usual where processes take over from each other. */
export const problemOfCode = (code: number | undefined): string | undefined =>
  code === undefined || code === sqliteCodes.busy ? undefined : passing.get(code);

/** The reason why something failed, as the end of a sentence. */
export const problemOf = (error: unknown): string =>
  passingProblem(error) ?? (error instanceof Error ? error.message : String(error));

/** Whether a call had no answer because its thread ended. */
export const isUnanswered = (error: unknown): boolean => error instanceof StoreFault && error.isUnanswered;

export const isDamage = (error: unknown): boolean => error instanceof StoreFault && damageCodes.has(error.sqlite);

interface Waiting {
  readonly method: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface StartedThread {
  readonly call: (part: ThreadPart, method: string, args: readonly unknown[]) => Promise<unknown>;
  /** Closes the files and ends the thread. Resolves in time even if it does not answer. */
  readonly end: () => Promise<void>;
}

export interface StoreClient {
  readonly writer: Remote<ThreadParts['writer']>;
  readonly shared: Remote<ThreadParts['shared']>;
  readonly reader: Remote<ThreadParts['reader']>;
  readonly pruner: Remote<ThreadParts['pruner']>;
  /** Replaces the thread. @throws if the store can't be opened; then there is no thread, and this can be tried again */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** The reason why a thread has ended unexpectedly, or why it counts as hung (`undefined` when it answers again), or its report. */
export type ThreadNews = { readonly ended: string } | { readonly silence: string | undefined } | ThreadReport;

/** The only method that may take minutes. */
const LONG = 'rekey';

/** Milliseconds that a thread has to close its files. */
const CLOSING_MS = 5_000;

/**
 * Starts a thread for this store.
 * @throws UsageError if the store can't be opened
 */
export async function startStoreClient(data: StoreThreadData, onNews: (news: ThreadNews) => void): Promise<StoreClient> {
  let thread = await startThread(data, onNews);
  let renewal: Promise<void> | undefined;
  let isClosed = false;
  const renew = async (): Promise<void> => {
    await thread.end();
    if (!isClosed) thread = await startThread(data, onNews);
  };
  const remote = <P extends ThreadPart>(part: P): Remote<ThreadParts[P]> => {
    const calls = threadMethods(part).map((method) => [method, (...args: unknown[]) => thread.call(part, method, args)]);
    return Object.fromEntries(calls) as Remote<ThreadParts[P]>; // the list has every method of the part
  };
  return {
    writer: remote('writer'),
    shared: remote('shared'),
    reader: remote('reader'),
    pruner: remote('pruner'),
    renew() {
      renewal = renew();
      return renewal;
    },
    async close() {
      isClosed = true;
      await renewal?.catch(() => undefined);
      await thread.end();
    },
  };
}

async function startThread(data: StoreThreadData, onNews: (news: ThreadNews) => void): Promise<StartedThread> {
  const gate = new ThreadGate();
  const workerData: StoreWorkerData = { ...data, gate: gate.memory };
  const worker = new Worker(path.join(distFolder, 'store-worker.cjs'), { workerData, name: 'wf store' });
  const keepOpen = shutAtExit(gate);
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isEnding = false;
  let stopWatching = (): void => undefined;
  /** The reason why the thread has ended. */
  let fate: StoreFault | undefined;
  const call = (part: ThreadPart, method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (fate !== undefined) return reject(fate);
      const id = ++last;
      waiting.set(id, { method, resolve, reject });
      worker.postMessage({ id, part, method, args } satisfies ThreadCall);
    });
  const opened = new Promise<unknown>((resolve, reject) => waiting.set(0, { method: '', resolve, reject }));
  worker.on('message', (message: ThreadAnswer | ThreadReport) => {
    if (!('id' in message)) onNews(message);
    else settle(waiting, message);
  });
  const ended = (reason: string): void => {
    if (fate !== undefined) return;
    stopWatching();
    fate = new StoreFault({ name: 'StoreFault', message: reason, hint: undefined, sqlite: 0 }, true);
    for (const { reject } of waiting.values()) reject(fate);
    waiting.clear();
    if (!isEnding) onNews({ ended: reason });
  };
  worker.on('error', ({ message }) => ended(message));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      keepOpen();
      ended(`exit code ${code}`);
      resolve();
    });
  });
  // A thread that is terminated while SQLite works takes the whole process with it, so it ends by itself once it has closed its files.
  const end = async (): Promise<void> => {
    isEnding = true;
    void call('writer', 'close', []).catch(() => undefined);
    await withinPatience(exited);
    if (fate !== undefined) return;
    // On a disk that hangs, it can't end. The process goes on without it.
    gate.giveUp();
    ended('it does not answer');
    worker.unref();
  };
  await opened.catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const isBusyForLong = (): boolean => [...waiting.values()].some(({ method }) => method === LONG);
  stopWatching = watchThread({
    ask: () => (waiting.size === 0 || isBusyForLong() ? undefined : call('shared', 'ping', [])),
    onSilence(silence) {
      if (!isEnding) onNews({ silence });
    },
  });
  return { call, end };
}

async function withinPatience(exited: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSING_MS);
  });
  await Promise.race([exited, late]);
  clearTimeout(timer);
}

function settle(waiting: Map<number, Waiting>, answer: ThreadAnswer): void {
  const asked = waiting.get(answer.id);
  waiting.delete(answer.id);
  if (answer.ok) asked?.resolve(answer.value);
  else asked?.reject(errorOf(answer.fault));
}

const errorOf = (fault: ThreadFault): Error =>
  fault.name === 'UsageError' ? new UsageError(fault.message, fault.hint) : new StoreFault(fault);

const TICK_MS = 1_000;

/** Ticks without an answer after which the store counts as unavailable: callers should not wait for a disk that hangs. */
const MOST_TICKS = 5;

interface WatchedThread {
  /** Asks it for a sign of life; `undefined` if none is needed now. */
  readonly ask: () => Promise<unknown> | undefined;
  /** @param problem the end of a sentence; `undefined` when it answers again */
  readonly onSilence: (problem: string | undefined) => void;
}

/** Returns a function that stops watching. */
function watchThread({ ask, onSilence }: WatchedThread): () => void {
  let silentTicks = 0;
  let isAsked = false;
  const heard = (): void => {
    isAsked = false;
    if (silentTicks >= MOST_TICKS) onSilence(undefined);
    silentTicks = 0;
  };
  const timer = setInterval(() => {
    if (isAsked) {
      if (++silentTicks === MOST_TICKS) onSilence(`it has not answered for ${MOST_TICKS} seconds`);
      return;
    }
    const answer = ask();
    isAsked = answer !== undefined;
    answer?.then(heard, heard);
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Milliseconds before the first attempt, and at most between two. */
const FIRST_MS = 100;

const MOST_MS = 10_000;

/** A thread that worked for this many milliseconds did not end for the same reason as the one before. */
const SOUND_MS = 60_000;

interface ThreadRenewalOptions {
  /** Starts another thread and what works with it. Called again later if it throws. */
  readonly attempt: () => Promise<void>;
  readonly onDone: () => void;
}

export class ThreadRenewal {
  readonly #options: ThreadRenewalOptions;
  #pauseMs = FIRST_MS;
  #doneAt = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #isRunning = false;
  #isStopped = false;

  constructor(options: ThreadRenewalOptions) {
    this.#options = options;
  }

  /** Asks for another thread, also while one is being started. */
  request(): void {
    this.#isWanted = true;
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    if (performance.now() - this.#doneAt > SOUND_MS) this.#pauseMs = FIRST_MS;
    while (this.#isWanted) {
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
      if (this.#isStopped) return;
      this.#pauseMs = Math.min(2 * this.#pauseMs, MOST_MS);
      this.#isWanted = false;
      // The disk may be full, for example.
      await this.#options.attempt().catch(() => this.request());
    }
    this.#doneAt = performance.now();
    this.#isRunning = false;
    this.#options.onDone();
  }
}
