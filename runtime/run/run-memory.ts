// Counts what a run holds in memory, if the host of this process watches that. Only runs that loop over long lists or call services are
// watched: everything else is as small as its request.

/** The memory of one run, with all its branches. */
export interface MemoryAccount {
  /** The run works from here on. */
  begin(): void;
  /** Counts what the run has allocated since it began, or last asked. Whether it holds more than a run may. */
  isOver(): boolean;
  /** Whether it is over because all runs together hold too much. */
  readonly isInTheWay?: boolean;
  /** Counts data that came from outside, such as the answer of a service. */
  add(bytes: number): void;
  /** The run has ended, or left memory. */
  close(): void;
}

export interface MemoryWatch {
  /** In bytes: what a run may hold. */
  readonly limit: number;
  open(): MemoryAccount;
  /** Whether this many more bytes fit beside all that is in memory. Hosts of earlier versions don't know. */
  hasRoom?(bytes: number): boolean;
}

/** Built modules bring their own copy of this file; the host watches all of them. */
const KEY = Symbol.for('wf-lang.run-memory.1');
const registry = globalThis as { [KEY]?: MemoryWatch | undefined }; // open to any key, which TypeScript does not know

/** `undefined` if nothing limits the memory of runs. */
export const memoryWatch = (): MemoryWatch | undefined => registry[KEY];

/** Bytes of a value that is asked for in advance. */
const LARGE = 4 * 1024 * 1024;

/** Whether the process has memory for a value of about this size. Ask before you make it: a process without room for it ends. */
export const hasMemoryFor = (bytes: number): boolean => bytes < LARGE || memoryWatch()?.hasRoom?.(bytes) !== false;

/** Watches the runs of this process from now on. */
export function watchMemory(watch: MemoryWatch | undefined): void {
  registry[KEY] = watch;
}
