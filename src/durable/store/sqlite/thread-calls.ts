// Calls between threads of one process: messages, errors with what the other side needs to know about them, and the gate that keeps a
// process that exits from ending a thread in the middle of SQLite, which would abort the process. The gate is shut first, and the thread
// finishes what it is doing.
import { faultCode, fileFault } from '../../../engine/files/file-fault.js';
import type { FileTrouble } from '../../model/file-troubles.js';
import type { StorePruner } from './shard-pruning.js';
import type { SharedThread } from './shared-thread.js';
import { sqliteCode, sqliteCodes } from './sqlite.js';
import type { StoreReader } from './store-reader.js';
import type { StoreThread } from './store-thread.js';

/** One of the objects that answer in a thread. */
export type ThreadPart = 'writer' | 'reader' | 'shared' | 'pruner';

/** A call. The number connects the answer to it. */
export interface ThreadCall {
  readonly id: number;
  readonly part: ThreadPart;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly fault: ThreadFault };

/** A report of a thread, unasked: a file can't be read, or a record of the shared one. It precedes the answer to the call that found out. */
export type ThreadReport = { readonly file: string; readonly trouble: FileTrouble } | { readonly damaged: string };

export interface ThreadFault {
  /** `UsageError` or another name. */
  readonly name: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** Result code of SQLite, or 0. */
  readonly sqlite: number;
}

/** The methods of `T`, as called from another thread. */
export type Remote<T> = {
  readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export function faultOf(error: unknown): ThreadFault {
  const hint =
    typeof error === 'object' && error !== null && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  const isOfFile = error instanceof Error && 'syscall' in error;
  return error instanceof Error
    ? {
        name: error.name,
        message: isOfFile ? fileFault(error) : error.message,
        hint,
        sqlite: sqliteCode(error) || (isOfFile ? fileCode(error) : 0),
      }
    : { name: 'Error', message: String(error), hint, sqlite: 0 };
}

/** A file error outside SQLite, such as a file that could not be created, by the number that SQLite would use. */
const fileCode = (error: Error): number => (faultCode(error) === 'ENOSPC' ? sqliteCodes.full : sqliteCodes.cannotOpen);

/**
 * Lists the calls that the threads of a folder answer. `tsc` fails if a part has a method that its list lacks, so the main thread and the worker
 * always know the same calls.
 */
export interface ThreadParts {
  readonly writer: StoreThread;
  readonly reader: StoreReader;
  readonly shared: SharedThread;
  readonly pruner: StorePruner;
}

/** `close` ends the thread and is no call of a part. */
type MethodOf<T> = Exclude<keyof Remote<T>, 'close'>;

const methods: { readonly [P in ThreadPart]: Readonly<Record<MethodOf<ThreadParts[P]>, true>> } = {
  writer: {
    takeShard: true,
    takeThis: true,
    takeAbandoned: true,
    adoptRunning: true,
    dueRuns: true,
    earliestDue: true,
    commit: true,
    loadRun: true,
    loadEntries: true,
    releaseShard: true,
    ownRuns: true,
    countOldRuns: true,
    hasOldRuns: true,
    shortestTime: true,
    backUp: true,
    eraseRun: true,
    scrub: true,
    rekey: true,
    giveUp: true,
    isUsedElsewhere: true,
    isGone: true,
  },
  reader: {
    findRun: true,
    isUnfinished: true,
    statesOf: true,
    hasRun: true,
    isEncrypted: true,
    list: true,
    count: true,
    entries: true,
    sites: true,
    rerunsOf: true,
    rerunsOfAll: true,
    effectsOf: true,
    versionOf: true,
    allVersions: true,
    runsSince: true,
    countByState: true,
    countUnfinished: true,
    versionsOf: true,
    versionsOfUnfinished: true,
    readContent: true,
  },
  shared: {
    isEncrypted: true,
    ping: true,
    shortHashes: true,
    probe: true,
    claimKey: true,
    claimOnce: true,
    confirmOnce: true,
    releaseOnce: true,
    storeContents: true,
    inboxAfter: true,
    addToInbox: true,
    askToCancel: true,
    isInInbox: true,
    removeFromInbox: true,
    prune: true,
    listViews: true,
    saveView: true,
    removeView: true,
    timetableSeen: true,
    timetableDone: true,
    assignTask: true,
    wantMessage: true,
    holdPlaces: true,
    sendMessage: true,
    endWait: true,
    undeliveredMessage: true,
    readdressMessages: true,
    openTask: true,
    recordAnswer: true,
    taskOf: true,
    endTask: true,
    endShared: true,
    eraseShared: true,
    findTask: true,
    isTaskKey: true,
    listTasks: true,
    keyFor: true,
    isSessionEnded: true,
    endSession: true,
    recordChange: true,
    recordChangeOnce: true,
    withdrawChange: true,
    completeChange: true,
    listChanges: true,
    countTasks: true,
  },
  pruner: {
    pruneSlice: true,
    moveLog: true,
  },
};

export const threadMethods = (part: ThreadPart): string[] => Object.keys(methods[part]);

export type ThreadHandler = (...args: readonly unknown[]) => unknown;

/** What a thread does for the calls of a part. @throws if the part lacks one */
export function handlersOf<P extends ThreadPart>(part: P, target: ThreadParts[P]): ReadonlyMap<string, ThreadHandler> {
  const known = target as unknown as Readonly<Record<string, ThreadHandler | undefined>>; // its methods, and more
  return new Map(
    threadMethods(part).map((method) => {
      const handler = known[method];
      if (handler === undefined) throw new Error(`The ${part} of a store has no ${method}.`);
      return [method, handler.bind(target)];
    }),
  );
}

/** Milliseconds that a thread has to finish. Its longest work takes a few seconds. */
const PATIENCE_MS = 5_000;

/** Words of the shared memory: whether the thread is working, and whether it may begin anything. */
const BUSY = 0;
const SHUT = 1;

export class ThreadGate {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  #isGivenUp = false;

  /** @param memory that of the other side */
  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** In the thread: works, unless the gate is shut. Then the thread waits for its end. Never called by `work` itself. */
  through<T>(work: () => T): T {
    // The other side shuts the gate first and looks at this then, so one of the two notices the other.
    Atomics.store(this.#words, BUSY, 1);
    if (Atomics.load(this.#words, SHUT) === 1) this.#waitForEnd();
    try {
      return work();
    } finally {
      this.#rest();
    }
  }

  #rest(): void {
    Atomics.store(this.#words, BUSY, 0);
    if (Atomics.load(this.#words, SHUT) === 1) Atomics.notify(this.#words, BUSY);
  }

  #waitForEnd(): void {
    this.#rest();
    Atomics.wait(this.#words, SHUT, 1);
  }

  /** In the main thread: the thread should have ended by now. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** In the main thread: from now on, nothing begins. Blocks until the thread is idle; returns whether it can be ended. */
  shut(): boolean {
    if (this.#isGivenUp) return false;
    Atomics.store(this.#words, SHUT, 1);
    return Atomics.wait(this.#words, BUSY, 1, PATIENCE_MS) !== 'timed-out';
  }
}

const gates = new Set<ThreadGate>();

/** Shuts the gate when this process exits. Returns a function for the end of the thread. */
export function shutAtExit(gate: ThreadGate): () => void {
  if (gates.size === 0) process.on('exit', shutAll);
  gates.add(gate);
  return () => {
    gates.delete(gate);
    if (gates.size === 0) process.off('exit', shutAll);
  };
}

function shutAll(): void {
  // On a disk that hangs, only this ends the process. The store is as after a power cut, which it survives.
  if (![...gates].every((gate) => gate.shut())) process.kill(process.pid, 'SIGKILL');
}
