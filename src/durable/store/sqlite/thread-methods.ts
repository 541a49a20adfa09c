// Lists the calls that the threads of a folder answer. `tsc` fails if a part has a method that its list lacks, so the main thread and the worker
// always know the same calls.
import type { StorePruner } from './shard-pruning.js';
import type { SharedThread } from './shared-thread.js';
import type { StoreReader } from './store-reader.js';
import type { StoreThread } from './store-thread.js';
import type { Remote, ThreadPart } from './thread-calls.js';

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
    hasRun: true,
    isEncrypted: true,
    list: true,
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
