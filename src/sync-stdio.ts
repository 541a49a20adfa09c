// Synchronous standard output and standard error. The streams of Node.js take longer to create than a small command takes to run, so they
// are created only when a write would have to wait for a slow reader.
import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Output } from './engine/io.js';

interface SyncStdio extends Output {
  /** The reason why a write failed. A reader that went away (`wf run … | head`) is not a failure. */
  readonly failure: unknown;
}

/**
 * Bytes that any pipe accepts at once. A process blocked in a write hears no signals, so everything beyond this goes to the stream, which
 * waits without blocking.
 */
const ROOM = 32 * 1024;

/**
 * Returns `undefined` for a terminal and on Windows, where the streams of Node.js are better from the start.
 * @param stream returns the same output as a stream, when needed
 */
export function syncStdio(file: 1 | 2, stream: () => Output): SyncStdio | undefined {
  if (process.platform === 'win32') return undefined;
  let room = ROOM;
  try {
    const stats = fstatSync(file);
    // /dev/null is the only common character device that is not a terminal.
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

/** Returns how many bytes were written, or why none were. */
function write(file: number, bytes: Buffer): number | Error {
  let from = 0;
  try {
    while (from < bytes.length) from += writeSync(file, bytes, from);
  } catch (error) {
    // The pipe is full and was set to non-blocking.
    if (!hasCode(error, 'EAGAIN')) return error instanceof Error ? error : new Error(String(error));
  }
  return from;
}

/** True for a system error with this code, such as `EPIPE`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
