// The parts of its process that a command may use. `cli.ts` passes in the real one; tests pass in their own.
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../../runtime/types.js';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Standard output or standard error. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  /** Characters of a line, for a terminal. */
  readonly columns?: number;
}

export type OutputWrap = (output: Output, level: 'info' | 'error') => Output;

export interface Io {
  readonly cwd: string;
  /** The variables of the shell, on top of those in `.env`. */
  readonly env: Environment;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** `stdout` or `stderr` as a stream, for long-running work that must not wait for a slow reader or a full disk. */
  readonly stream: (name: 'stdout' | 'stderr') => Writable | Promise<Writable>;
  /** From now on, whatever this process prints by itself, its last error included, goes through `wrap`. */
  readonly printThrough?: (wrap: OutputWrap) => void;
  /** Whether to colour text on standard output and standard error. */
  readonly colour: { readonly stdout: boolean; readonly stderr: boolean };
  /**
   * Calls back at each Ctrl+C or SIGTERM with a count that starts at 1. Returns a function that stops listening. The second
   * signal ends the process with 130 before any callback.
   */
  readonly onStop: (callback: (signal: StopSignal, count: number) => void) => () => void;
}

/**
 * Copies `io` with a different environment or source of signals. Streams are still created on first use, because that is slow.
 */
export function deriveIo(io: Io, { env = io.env, onStop = io.onStop }: Partial<Pick<Io, 'env' | 'onStop'>>): Io {
  return {
    get cwd() {
      return io.cwd;
    },
    get stdin() {
      return io.stdin;
    },
    get stdout() {
      return io.stdout;
    },
    get stderr() {
      return io.stderr;
    },
    stream: io.stream,
    ...(io.printThrough === undefined ? {} : { printThrough: io.printThrough }),
    colour: io.colour,
    env,
    onStop,
  };
}
