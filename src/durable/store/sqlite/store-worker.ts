// The entry point of the threads that read and write a folder. Opens it, then answers the main thread's calls in turn.
import { parentPort, workerData } from 'node:worker_threads';
import { troubleError } from '../../model/file-troubles.js';
import { StorePruner } from './shard-pruning.js';
import { SharedFile } from './shared-file.js';
import { SharedThread } from './shared-thread.js';
import { isDamaged } from './sqlite.js';
import { SHARED_FILE } from './store-folder.js';
import { StoreReader } from './store-reader.js';
import { StoreThread } from './store-thread.js';
import {
  faultOf,
  handlersOf,
  type ThreadAnswer,
  type ThreadCall,
  ThreadGate,
  type ThreadHandler,
  type ThreadPart,
  type ThreadReport,
} from './thread-calls.js';
import { ConfirmedDamage, ListedShards, readFailed, UnreadableShards } from './unreadable-shards.js';

/** The thread's start parameters. */
export interface StoreThreadData {
  readonly folder: string;
  readonly key: Uint8Array | undefined;
  /** Opens the store to change its key. */
  readonly isRekeying: boolean;
}

export interface StoreWorkerData extends StoreThreadData {
  /** The memory of its gate. */
  readonly gate: SharedArrayBuffer;
}

type Handlers = { readonly [P in ThreadPart]: ReadonlyMap<string, ThreadHandler> };

const port = parentPort;
if (port !== null) {
  const post = (answer: ThreadAnswer | ThreadReport): void => port.postMessage(answer);
  // Nothing keeps the thread after that.
  let close = (): void => port.close();
  let handlers: Handlers | undefined;
  const data = workerData as StoreWorkerData; // `StoreClient` passes this
  const gate = new ThreadGate(data.gate);
  const damage = new ConfirmedDamage(data.folder);
  /** Of what SQLite calls damage, only what is. */
  const told = (error: unknown): unknown => (isDamaged(error) && !gate.through(() => damage.isAny()) ? readFailed() : error);
  const reported = (damaged: string): void => post({ damaged });
  const open = ({ folder, key, isRekeying }: StoreThreadData): void => {
    const shared = new SharedFile(folder, key, isRekeying, (work) => gate.through(work), reported);
    const unreadable = new UnreadableShards(new ListedShards(folder, shared), damage, (file, trouble) => post({ file, trouble }));
    const writer = new StoreThread(folder, shared, unreadable);
    const reader = new StoreReader(folder, shared, unreadable);
    const pruner = new StorePruner(folder, unreadable);
    const sharedThread = new SharedThread(shared, {
      isUnfinished: (id) => reader.isUnfinished(id),
      hasRun: (id) => reader.hasRun(id),
    });
    handlers = {
      writer: handlersOf('writer', writer),
      reader: handlersOf('reader', reader),
      shared: handlersOf('shared', sharedThread),
      pruner: handlersOf('pruner', pruner),
    };
    close = () => {
      try {
        for (const part of [writer, reader, pruner, shared]) part.close();
      } finally {
        port.close();
      }
    };
  };
  try {
    gate.through(() => open(data));
    post({ id: 0, ok: true, value: undefined });
  } catch (error) {
    const cause = told(error);
    post({ id: 0, ok: false, fault: faultOf(isDamaged(cause) ? troubleError('damaged', SHARED_FILE) : cause) });
  }
  port.on('message', async ({ id, part, method, args }: ThreadCall) => {
    try {
      if (method === 'close') return gate.through(close);
      const handler = handlers?.[part].get(method);
      if (handler === undefined) throw new Error(`The store has no ${method}.`);
      const result: unknown = gate.through(() => handler(...args));
      // Most calls are already done: an answer must not wait for a turn.
      post({ id, ok: true, value: result instanceof Promise ? await result : result });
    } catch (error) {
      post({ id, ok: false, fault: faultOf(told(error)) });
    }
  });
}
