// The threads of a store, from the main thread: started, called by name, and watched. A thread that ends unexpectedly releases the locks of
// its slots, so this process loses everything it had of the store.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { distFolder } from '../../dist-folder.js';
import { UsageError } from '../../engine/usage-error.js';
import type { StoreThreadData } from '../store-worker.js';
import type { SharedThread } from './shared-thread.js';
import type { StoreReader } from './store-reader.js';
import type { StoreThread } from './store-thread.js';
import type { Remote, ThreadAnswer, ThreadCall, ThreadFault } from './thread-calls.js';

/** A failure of a thread; `sqlite` is the library's result code, 0 if it was not the cause. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly sqlite: number;

  constructor({ message, sqlite }: ThreadFault) {
    super(message);
    this.sqlite = sqlite;
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface StoreClient {
  readonly writer: Remote<StoreThread>;
  readonly shared: Remote<SharedThread>;
  readonly reader: Remote<StoreReader>;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Starts a thread for this store. @throws UsageError if the store can't be opened */
export async function startStoreClient(data: StoreThreadData): Promise<StoreClient> {
  const worker = new Worker(path.join(distFolder, 'store-worker.cjs'), { workerData: data, name: 'wf store' });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  /** Why the thread has ended. */
  let fate: StoreFault | undefined;
  const call = (part: ThreadCall['part'], method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (fate !== undefined) return reject(fate);
      const id = ++last;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, part, method, args } satisfies ThreadCall);
    });
  const opened = new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject }));
  worker.on('message', (answer: ThreadAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) asked?.resolve(answer.value);
    else asked?.reject(errorOf(answer.fault));
  });
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      const error = new StoreFault({ name: 'StoreFault', message: reason, hint: undefined, sqlite: 0 });
      fate ??= error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      resolve();
    };
    worker.on('error', (error) => end(error.message));
    worker.on('exit', () => end('The thread of the store has ended.'));
  });
  await opened.catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  // Each method under its own name; a proxy avoids a second list.
  const remote = <T>(part: ThreadCall['part']): Remote<T> =>
    new Proxy({} as Remote<T>, {
      get: (_, method) => (typeof method === 'string' ? (...args: unknown[]) => call(part, method, args) : undefined),
    });
  return {
    writer: remote('writer'),
    shared: remote('shared'),
    reader: remote('reader'),
    ended,
    async close() {
      await Promise.race([call('writer', 'close', []).catch(() => undefined), ended]);
      await worker.terminate();
    },
  };
}

const errorOf = (fault: ThreadFault): Error =>
  fault.name === 'UsageError' ? new UsageError(fault.message, fault.hint) : new StoreFault(fault);
