// Standard output and standard error without the streams of Node.js: setting those up takes longer than a small command. What is
// written is out at once, as with most programs.
import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Output } from './io.js';

export interface DirectOutput extends Output {
  /** Why something could not be written; a reader that went away (`wf run … | head`) is no reason. */
  readonly failure: unknown;
}

/** Milliseconds between two attempts to write to a pipe that is full. */
const PAUSE = 2;

/** `undefined` for a terminal, and where writing at once is not the custom: there the stream of Node.js is the better one. */
export function directOutput(file: 1 | 2): DirectOutput | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const stats = fstatSync(file);
    // The one device that is common and no terminal.
    if (stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev) return undefined;
  } catch {
    return undefined;
  }
  let isOver = false;
  let failure: unknown;
  return {
    isTTY: false,
    get failure() {
      return failure;
    },
    write(text) {
      if (isOver) return;
      try {
        writeAll(file, Buffer.from(text));
      } catch (error) {
        isOver = true;
        if (!hasCode(error, 'EPIPE')) failure = error;
      }
    },
  };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(file, bytes, from);
    } catch (error) {
      // Another program made the pipe one that does not wait.
      if (!hasCode(error, 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;
