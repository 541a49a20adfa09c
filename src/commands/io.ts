// What a command may touch of the process it runs in. `cli.ts` gives the real one, tests give their own.
import type { Readable, Writable } from 'node:stream';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Standard output or standard error. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
}

export interface Io {
  readonly cwd: string;
  /** The shell's variables over those of `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The same as a stream of Node.js: for work that goes on for long, and that a slow reader or a full disk must not hold up. */
  readonly stream: (name: 'stdout' | 'stderr') => Writable | Promise<Writable>;
  /** Whether text on standard output / standard error may be coloured. */
  readonly colour: { readonly stdout: boolean; readonly stderr: boolean };
  /** Calls back at each Ctrl+C or SIGTERM, counting from 1; returns a function that stops listening. The second one ends the process with 130 by itself. */
  readonly onStop: (callback: (signal: StopSignal, count: number) => void) => () => void;
}
