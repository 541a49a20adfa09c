// Ends runs that hold too much memory, before the process runs out of it. JavaScript doesn't tell whose memory is whose. What a run
// allocates while it works is its own, though, and a garbage collection shows how much of that is still held. So each run has a share of what
// is in use after a collection: as much as it allocated compared with the others.
import { createRequire } from 'node:module';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { type MemoryAccount, type MemoryWatch, watchMemory } from '../../runtime/run/run-memory.js';
import { distFolder } from '../dist-folder.js';

/** The heap, for tests to replace. */
export interface Heap {
  /** In bytes, garbage included. */
  used(): number;
  /** Bytes that the process may use. */
  readonly limit: number;
  /** Calls back after each full collection from now on. */
  onCollected(listener: () => void): void;
  /** Collects everything now, which stops the process for a moment. */
  collect(): void;
}

const usualLimit = 256 * 1024 * 1024;
/** A small heap has room for some large runs all the same. */
const partOfHeap = 4;
/**
 * In use when the heap counts as nearly full, in bytes. Of a small heap that is less than half: all runs that work allocate something more
 * before those that have to end have had their turn, and V8 ends a process that only collects.
 */
const crowdedAt = (limit: number): number => Math.max(0.4 * limit, Math.min(0.7 * limit, limit - 180 * 1024 * 1024));
/** Where many runs fill the heap together, so many of them end that this part of it is left. */
const roomy = 0.6;
/** Growth, as a part of the heap, that makes another collection worth its time. */
const step = 0.1;
/** Bytes of memory that an answer takes for each byte that arrives, at a guess. */
const bytesPerByte = 2;

/** Bytes that the values of one run may take, unless an option says otherwise. */
export const usualRunMemory = (heap: Pick<Heap, 'limit'> = processHeap()): number =>
  Math.min(usualLimit, Math.floor(heap.limit / partOfHeap));

/** Limits each run of this process. Returns a function that ends that. */
export function limitRunMemory(limit: number | undefined, heap?: Heap): () => void {
  // Short runs never ask, and start without what it takes.
  let made: Watch | undefined;
  const make = (watched: Heap): Watch => new Watch(limit ?? usualRunMemory(watched), watched);
  const watch = (): Watch => {
    made ??= make(heap ?? processHeap());
    return made;
  };
  watchMemory({
    get limit() {
      return watch().limit;
    },
    open: () => watch().open(),
    hasRoom: (bytes) => watch().hasRoom(bytes),
  });
  return () => watchMemory(undefined);
}

class Watch implements MemoryWatch {
  readonly limit: number;
  readonly heap: Heap;
  readonly #crowdedAt: number;
  /** In use when no run was. */
  readonly #idle: number;
  readonly #accounts = new Set<Account>();
  /** In use after the last full collection; 0 until the first large run makes this worth knowing. */
  #left = 0;
  #isCounting = false;
  /** The account that `mark` belongs to. */
  marked: Account | undefined;
  /** In use when that run began to work, or was last asked. */
  mark = 0;

  constructor(limit: number, heap: Heap) {
    this.limit = limit;
    this.heap = heap;
    this.#crowdedAt = crowdedAt(heap.limit);
    this.#idle = heap.used();
  }

  open(): MemoryAccount {
    const account = new Account(this);
    this.#accounts.add(account);
    return account;
  }

  close(account: Account): void {
    this.#accounts.delete(account);
    if (this.marked === account) this.marked = undefined;
  }

  /** Whether the heap is nearly full. Many runs can fill it together, each of which holds less than it may. */
  isCrowded(used: number): boolean {
    return used > this.#crowdedAt && used - this.#idle > this.limit;
  }

  hasRoom(bytes: number): boolean {
    const isFull = (): boolean => this.isCrowded(this.heap.used() + bytes);
    if (!isFull()) return true;
    this.heap.collect();
    this.#collected();
    return !isFull();
  }

  /** Whether this account holds more than a run may or, while the heap is nearly full, is one of those that have to end. */
  isOver(account: Account, used: number): boolean {
    if (used - this.#idle <= this.limit) {
      account.held = used - this.#idle;
      return false;
    }
    this.#count();
    if (this.isCrowded(used) && used - this.#left > step * this.heap.limit) {
      this.heap.collect();
      this.#collected();
    }
    account.isInTheWay &&= account.left <= this.limit && this.isCrowded(used);
    return account.left > this.limit || account.isInTheWay;
  }

  /** The largest, as many as it takes: if they ended one by one, each after a collection, V8 would give up before there is room. */
  #choose(): void {
    for (const account of this.#accounts) account.isInTheWay = false;
    if (!this.isCrowded(this.#left)) return;
    let excess = this.#left - roomy * this.#crowdedAt;
    for (const account of [...this.#accounts].sort((one, other) => other.left - one.left)) {
      if (excess <= 0) return;
      account.isInTheWay = true;
      excess -= account.left;
    }
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    this.heap.onCollected(() => this.#collected());
  }

  /** After a collection, the memory in use is what all accounts hold. */
  #collected(): void {
    this.#left = this.heap.used();
    let allocated = 0;
    for (const { held } of this.#accounts) allocated += held;
    const part = Math.max(0, Math.min(1, (this.#left - this.#idle) / Math.max(1, allocated)));
    for (const account of this.#accounts) {
      account.left = account.held * part;
      account.held = account.left;
    }
    if (this.marked !== undefined) this.mark = this.#left;
    this.#choose();
  }
}

class Account implements MemoryAccount {
  readonly #watch: Watch;
  /** Bytes: its share of what was left after the last collection. */
  left = 0;
  /** Adds its allocations since: the most that it can hold. */
  held = 0;
  /** While the heap is nearly full, this run has to end. */
  isInTheWay = false;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  begin(): void {
    this.#watch.marked = this;
    this.#watch.mark = this.#watch.heap.used();
  }

  isOver(): boolean {
    const watch = this.#watch;
    const used = watch.heap.used();
    if (watch.marked === this && used > watch.mark) this.held += used - watch.mark;
    watch.marked = this;
    watch.mark = used;
    return (this.held > watch.limit || watch.isCrowded(used)) && watch.isOver(this, used);
  }

  add(bytes: number): void {
    this.held += bytes * bytesPerByte;
  }

  close(): void {
    this.#watch.close(this);
  }
}

let collectNow: (() => void) | undefined;

function processHeap(): Heap {
  const load = createRequire(path.join(distFolder, 'wf.cjs'));
  const { getHeapStatistics, setFlagsFromString } = load('node:v8') as typeof import('node:v8'); // that module of Node.js
  const { constants, PerformanceObserver } = load('node:perf_hooks') as typeof import('node:perf_hooks'); // likewise
  return {
    used: () => getHeapStatistics().used_heap_size,
    limit: getHeapStatistics().heap_size_limit,
    onCollected(listener) {
      const observer = new PerformanceObserver((list) => {
        for (const { detail } of list.getEntries()) {
          const kind = typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
          if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) listener();
        }
      });
      observer.observe({ entryTypes: ['gc'] });
    },
    collect() {
      if (collectNow === undefined) {
        setFlagsFromString('--expose-gc');
        collectNow = runInNewContext('gc') as () => void; // what the flag defines
        setFlagsFromString('--no-expose-gc');
      }
      collectNow();
    },
  };
}
