// Standard output and standard error without the streams of Node.js: setting those up takes longer than a small command. What is
// written is out at once; what would have to wait for a reader is left to the stream.
import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Output } from './io.js';

export interface DirectOutput extends Output {
  /** Why something could not be written; a reader that went away (`wf run … | head`) is no reason. */
  readonly failure: unknown;
}

/**
 * Bytes that every pipe takes at once. A program that waits in a write hears no signal, so that more than this goes to the stream,
 * which waits without standing still.
 */
const ROOM = 32 * 1024;

/**
 * `undefined` for a terminal, and on Windows: there the stream of Node.js is the better one from the start.
 * @param stream the same output as a stream, once it is needed
 */
export function directOutput(file: 1 | 2, stream: () => Output): DirectOutput | undefined {
  if (process.platform === 'win32') return undefined;
  let room = ROOM;
  try {
    const stats = fstatSync(file);
    // The one device that is common and no terminal.
    if (stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev) return undefined;
    if (stats.isFile() || stats.isCharacterDevice()) room = Number.POSITIVE_INFINITY;
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
      const bytes = Buffer.from(text);
      const taken = room < bytes.length ? 0 : write(file, bytes);
      if (taken instanceof Error) {
        isOver = true;
        if (!hasCode(taken, 'EPIPE')) failure = taken;
        return;
      }
      room -= taken;
      if (taken === bytes.length) return;
      room = 0;
      stream().write(bytes.subarray(taken));
    },
  };
}

/** How many of the bytes were taken at once, or why none will be. */
function write(file: number, bytes: Buffer): number | Error {
  let from = 0;
  try {
    while (from < bytes.length) from += writeSync(file, bytes, from);
  } catch (error) {
    // Full: somebody made it a pipe that does not wait.
    if (!hasCode(error, 'EAGAIN')) return error instanceof Error ? error : new Error(String(error));
  }
  return from;
}

/** True for an error of the system with this code, such as `EPIPE`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
